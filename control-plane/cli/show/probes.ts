/** `carillon probes`: shows the health of probes, and what keeps them from running. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import type { Output } from '../../contract/catalogue.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { type Api, everyRow } from '../session/api.ts';
import { instant } from '../text/figures.ts';
import { table, wrapped } from '../text/table.ts';

type Probe = Output<'listProbes'>;

export async function probesCommand(io: Io, api: Api, json: boolean): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const probes = await everyRow(api.call, 'listProbes', { projectId });
  if (json) {
    io.out.write(`${JSON.stringify(probes, null, 2)}\n`);
    return EXIT.GOOD;
  }
  const [paint, width] = [painter(io.out, io.env), widthOf(io.out)];
  const columns = ['probe', 'health', 'mode', 'schedule', 'last (UTC)', 'state'].map((title) => ({ title }));
  const rows = probes.map((p) => [p.name, p.status, p.mode, scheduleOf(p), instant(p.lastInstanceAt), stateOf(p)]);
  io.out.write(`${table(columns, rows, width, paint).join('\n')}\n`);
  for (const p of probes) {
    const why = p.autoPauseReason ?? p.lastSkipReason ?? (p.status === 'HEALTHY' ? null : p.lastMessage);
    if (why !== null) io.out.write(`${wrapped(`${plain(p.name)}: ${plain(why)}`, width).join('\n')}\n`);
  }
  return EXIT.GOOD;
}

const scheduleOf = ({ scheduleType, fixedIntervalSec, cronExpression }: Probe): string =>
  scheduleType === 'CRON' ? `cron ${cronExpression}` : `every ${(fixedIntervalSec ?? 0) / 60} min`;

/** A probe that does not run is not healthy, whatever its last execution showed. */
const stateOf = (p: Probe): string => {
  if (p.autoPausedAt !== null) return 'paused automatically';
  if (!p.enabled) return 'off';
  if (p.lastSkipReason !== null) return 'NOT RUNNING';
  if (p.maintenanceUntil !== null) return 'maintenance';
  return p.failingSince === null ? 'on' : `failing since ${instant(p.failingSince)}`;
};
