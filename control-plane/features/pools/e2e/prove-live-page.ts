/**
 * The page of a folded run at ten thousand, a million and a hundred million calls of fifty simulated agents: what each look at it costs.
 * `CARILLON_PROVE_AGENTS` and `CARILLON_PROVE_RATE` (calls a second) are other sizes.
 */
import { withInstallation } from '../../../../scripts/measure/installation.ts';
import type { Measurement } from '../../../../scripts/measure/sections.ts';
import { n, type ResultTable } from '../../../../scripts/measure/table.ts';
import type { Lab } from '../../../../scripts/peers/lab/lab.ts';
import { EndsFleet, endRun, endsTest, pause } from './fleet-ends.ts';
import { sizeOf } from './fleet-size.ts';
import { grow, pageCost } from './live-page.ts';

const AGENTS = sizeOf('AGENTS', 50);
const RATE = sizeOf('RATE', 20_000);
/** After half a second, 50 s and 83 minutes. */
const CALLS = [RATE / 2, 50 * RATE, 5000 * RATE] as const;
/** Of the third size, relative to the second: CPU, that of the curves for a point, and bytes. */
const SAME = 2;
const SAME_BYTES = 1.1;

/** A run that has at least so many calls, all of which have ended, and goes on. */
async function pausedRun(lab: Lab, calls: number): Promise<string> {
  const testRunId = await lab.startRun('ends');
  await lab.reaches(testRunId, 'has so many calls', ({ starts }) => starts.planned >= calls);
  await pause(lab, testRunId);
  return testRunId;
}

async function onFleet(lab: Lab) {
  const fleet = await EndsFleet.join(lab, AGENTS);
  try {
    const small = await pausedRun(lab, CALLS[0]);
    const few = await pageCost(lab, small);
    await endRun(lab, small);
    const beganMs = performance.now();
    const large = await pausedRun(lab, CALLS[1]);
    const seconds = Math.ceil((performance.now() - beganMs) / 1000);
    const many = await pageCost(lab, large);
    await grow(lab, large, { seconds, times: Math.ceil(CALLS[2] / many.calls) });
    return [few, many, await pageCost(lab, large)] as const;
  } finally {
    fleet.close();
  }
}

async function livePage(): Promise<ResultTable> {
  const costs = await withInstallation({ agents: 0, provision: () => ({ tests: [endsTest(RATE)] }) }, onFleet);
  const [, many, most] = costs;
  const claims = [
    ['run', SAME],
    ['runBytes', SAME_BYTES],
    ['timeline', (SAME * most.points) / many.points],
  ] as const;
  const faults = claims.flatMap(([what, times]) =>
    most[what] <= many[what] * times
      ? []
      : [`${what}: ${n(most[what], 1)} at ${n(most.calls)} calls, ${n(many[what], 1)} at ${n(many.calls)}`],
  );
  return {
    heads: [
      'calls',
      'the run, ms of CPU',
      'its curves, ms',
      'a look of the page, ms',
      'the run, bytes',
      'its curves, bytes',
      'points',
    ],
    rows: costs.map(({ calls, run, timeline, look, runBytes, timelineBytes, points }) => [
      ...[n(calls), n(run, 1), n(timeline, 1), n(look, 1)],
      ...[n(runBytes), n(timelineBytes), n(points)],
    ]),
    faults,
  };
}

export const SECTION: Measurement = {
  by: 'prove',
  title: 'The page of a run of any size',
  about: `A folded run of 20,000 calls a second on fifty agents pauses, and its page is watched: CPU of control plane and PostgreSQL for a request
of the run, of its curves, and for what the page gets each second once it is open. The first size is half a second of calls, the second
50 s; the third, 83 minutes, is made from the second. The claim is that the run costs twice as much at the third as at the
second at most, and is as large, and that its curves, which have 600 points at most, cost twice as much for a point at most.`,
  run: livePage,
};
