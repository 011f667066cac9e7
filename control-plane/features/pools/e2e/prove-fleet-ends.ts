/**
 * One folded run of 20,000 calls a second on fifty simulated agents, until its cost and its memory are flat: what a call costs the control
 * plane, and each call counted while agents and the control plane are killed. `CARILLON_PROVE_AGENTS`, `CARILLON_PROVE_RATE` (calls a
 * second) and `CARILLON_PROVE_SECONDS` (of a part) are other sizes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, residentMiB, withInstallation } from '../../../../scripts/measure/installation.ts';
import type { Measurement } from '../../../../scripts/measure/sections.ts';
import { n, type ResultTable } from '../../../../scripts/measure/table.ts';
import type { Lab, RunDetail } from '../../../../scripts/peers/lab/lab.ts';
import { inTime, shortfallOf } from './fleet-behind.ts';
import { EndsFleet, endRun, endsTest, faultsOf, percentileError } from './fleet-ends.ts';
import { sizeOf } from './fleet-size.ts';

const AGENTS = sizeOf('AGENTS', 50);
const RATE = sizeOf('RATE', 20_000);
const SECONDS = sizeOf('SECONDS', 60);
/** By then the programs have compiled what they use. */
const WARM_SECONDS = 30;
const LOOK_SECONDS = 10;
/** The last so many parts are alike: cost and memory are flat. */
const ALIKE = 3;
const MAX_PARTS = 10;
/** A part has so much more than the first of them at most. */
const FLAT = 1.15;
const START_SECONDS = 120;
const GRACE_SECONDS = 10;

type Look = Record<'atMs' | 'placed' | 'calls' | 'controlPlane' | 'postgres' | 'mib', number>;

async function look(lab: Lab, fleet: EndsFleet): Promise<Look> {
  const { controlPlane, postgres } = await cpuOf(lab);
  const mib = await residentMiB(lab.controlPlane.pid);
  return { atMs: performance.now(), placed: fleet.placed, calls: fleet.ended, controlPlane, postgres, mib };
}

/** A part of the steady time: CPU of a call in microseconds, and the most memory. */
function partOf(looks: readonly Look[]) {
  const [first, last] = [looks[0] as Look, looks.at(-1) as Look];
  const us = (of: 'controlPlane' | 'postgres'): number => ((last[of] - first[of]) * 1e6) / (last.calls - first.calls);
  const [controlPlane, postgres] = [us('controlPlane'), us('postgres')];
  return {
    calls: last.calls - first.calls,
    seconds: (last.atMs - first.atMs) / 1000,
    us: controlPlane + postgres,
    ...{ controlPlane, postgres },
    mib: Math.max(...looks.map(({ mib }) => mib)),
  };
}

/** Parts of the steady time, until it is flat, or there are enough of them, or this host does not bear the rate. */
async function steady(lab: Lab, fleet: EndsFleet) {
  const parts: ReturnType<typeof partOf>[] = [];
  for (let before = await look(lab, fleet); parts.length < MAX_PARTS; ) {
    const looks = [before];
    for (let seconds = 0; seconds < SECONDS; seconds += LOOK_SECONDS) {
      await sleep(LOOK_SECONDS * 1000);
      looks.push(await look(lab, fleet));
    }
    parts.push(partOf(looks));
    const last = looks.at(-1) as Look;
    const seconds = (last.atMs - before.atMs) / 1000;
    const { waiting } = fleet;
    const behind = shortfallOf({ rate: RATE, seconds, placed: last.placed - before.placed, waiting });
    if (behind !== null) return { parts, behind };
    before = last;
    if (parts.length >= ALIKE && unevenIn(parts).length === 0) break;
  }
  return { parts, behind: null };
}

type Part = ReturnType<typeof partOf>;

/** What of the last parts is not flat. */
function unevenIn(parts: readonly Part[]): string[] {
  const figures = {
    'the CPU of a call': ({ us }: Part) => us,
    'the memory of the control plane': ({ mib }: Part) => mib,
  };
  return Object.entries(figures).flatMap(([what, of]) => {
    const [first = Number.NaN, ...later] = parts.slice(-ALIKE).map(of);
    return Math.max(...later) <= first * FLAT
      ? []
      : [`${what} is not flat: ${parts.map((part) => n(of(part), 1)).join(', ')}`];
  });
}

async function onFleet(lab: Lab) {
  const fleet = await EndsFleet.join(lab, AGENTS);
  try {
    const hasStarted = inTime(
      START_SECONDS,
      ({ startedAt }: RunDetail) => startedAt !== null,
      ({ status }) => `the run has not started, and is ${status},`,
    );
    const id = await lab.startRun('ends', 'starts', hasStarted);
    await sleep(WARM_SECONDS * 1000);
    const { parts, behind } = await steady(lab, fleet);
    // The rest would wait for what this host does not get done.
    if (behind !== null) return { parts, faults: [behind], whole: [] };
    await fleet.disturb();
    await sleep(LOOK_SECONDS * 1000);
    const run = await endRun(lab, id);
    const expected = await fleet.expected();
    const whole = [n(run.callTiming.totalCalls), '', '', '', '', '', '', n(100 * percentileError(run, expected), 2)];
    return { parts, faults: [...faultsOf(run, expected), ...unevenIn(parts)], whole: [['the whole run', ...whole]] };
  } finally {
    fleet.close();
  }
}

async function fleetEnds(): Promise<ResultTable> {
  const options = { agents: 0, graceSeconds: GRACE_SECONDS, provision: () => ({ tests: [endsTest(RATE)] }) };
  const { parts, faults, whole } = await withInstallation(options, onFleet);
  return {
    heads: [
      ...['part of the run', 'calls', 'calls a second', 'control plane, µs a call', 'PostgreSQL, µs a call'],
      ...['control plane, µs an agent and a second', 'of PostgreSQL', 'control plane, MiB', 'percentiles off by, %'],
    ],
    rows: [
      ...parts.map(({ calls, seconds, controlPlane, postgres, mib }, i) => [
        ...[`part ${i + 1}`, n(calls), n(calls / seconds), n(controlPlane, 1), n(postgres, 1)],
        ...[n((controlPlane * calls) / (AGENTS * seconds)), n((postgres * calls) / (AGENTS * seconds)), n(mib), ''],
      ]),
      ...whole,
    ],
    faults,
  };
}

export const SECTION: Measurement = {
  by: 'prove',
  title: 'One run of 20,000 calls a second',
  about: `Fifty agents of one pool carry one folded run. Only their calls are simulated: planning, orders, reports and figures are real. The
steady rate lasts until three minutes have cost alike; then one agent is killed, one cut off, one joins, and the control plane is killed.
The claims are that the run has each call that its agents have reported, to the unit, that its percentiles are within 1 % of those of all
values, and that neither the CPU of a call nor the memory of the control plane is 15 % more in the third of these minutes than in the first.`,
  run: fleetEnds,
};
