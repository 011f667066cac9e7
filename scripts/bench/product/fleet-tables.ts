/** The fleet's figures as tables: storms, and the cost of an idle agent. */
import { n, table } from '../markdown.ts';
import type { FleetIdle, FleetReport } from './fleet.ts';

const pair = ([mean, most]: readonly [number, number]): string => `${n(mean, 2)}, ${n(most)}`;

export function fleetTables({ storms, idle }: FleetReport): string {
  const storm = table(
    [
      'after',
      'agents, of them back',
      'down, s',
      'all back, s after it was up',
      'p50, p99 of them',
      'told to come later: mean, most',
      'refused',
      'control plane, us of CPU each',
      'PostgreSQL',
      'their links',
    ],
    storms.map((s) => [
      ...[s.what, `${n(s.agents)}, ${n(s.back)}`, n(s.downSeconds, 1), n(s.backSeconds, 1)],
      ...[`${n(s.p50Seconds, 1)}, ${n(s.p99Seconds, 1)}`, pair(s.toldLater), n(s.refused)],
      ...[n(s.controlPlaneUs), n(s.postgresUs), n(s.agentsUs)],
    ]),
  );
  const [empty, full] = idle;
  if (!empty || !full) return storm;
  const each = (of: (row: FleetIdle) => number) => (of(full) - of(empty)) / full.agents;
  const rest = table(
    [
      'agents',
      'control plane, us of CPU a second each',
      'PostgreSQL',
      'their links',
      'control plane, kB each',
      'PostgreSQL, kB each',
    ],
    [
      [
        ...[n(full.agents), n(each((r) => r.controlPlaneUs)), n(each((r) => r.postgresUs)), n(each((r) => r.agentsUs))],
        ...[n(1024 * each((r) => r.controlPlaneMiB)), n(1024 * each((r) => r.postgresMiB))],
      ],
    ],
  );
  return `${storm}\n\nNothing to do, above the same without agents:\n\n${rest}`;
}
