/**
 * Proves the capacity search with a platform that is throttled to a known rate, and with one where one call in 10,000 fails at
 * any load: the results must be within 5 % of the truth, five times in a row each. `CARILLON_PROVE_TIMES` is another number of
 * times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../peers/lab/lab.ts';
import { callsTo } from '../peers/lab/provision.ts';
import { ownLoopback } from '../peers/network/loopback.ts';
import { startThrottled } from '../peers/sip/throttled.ts';
import { withInstallation } from './installation.ts';
import { n, orDash, type ResultTable } from './table.ts';

const TIMES = Number(process.env['CARILLON_PROVE_TIMES'] ?? 5);
const RATES = [40, 73, 25, 58, 91];
const BACKGROUND = 10_000;
const WITHIN = 0.05;
const PATIENCE_MS = 1_200_000;

/** The part of a search that this reads. The search is a feature, so its operations may be absent from the catalogue's types. */
type Search = {
  readonly id: string;
  readonly endedAt: string | null;
  readonly error: string | null;
  readonly answer: { readonly level: number | null; readonly found: string } | null;
  readonly trials: readonly {
    readonly level: number;
    readonly result: string | null;
    readonly evidence: { readonly reasons: readonly string[] } | null;
  }[];
};
type Ask = (name: string, input: object) => Promise<Search>;

async function searched(lab: Lab): Promise<Search> {
  const { projectId } = lab;
  const ask = lab.call.bind(lab) as unknown as Ask;
  const { id } = await ask('startCapacitySearch', {
    projectId,
    testId: lab.testId('calls'),
    ...{ start: 20, trialSeconds: 8, warmUpSeconds: 2, drainSeconds: 1 },
  });
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(500)) {
    const search = await ask('getCapacitySearch', { projectId, capacitySearchId: id });
    if (search.endedAt !== null) return search;
  }
  throw new Error('the search did not end');
}

async function prove(rate: number, failsOneIn: number): Promise<{ cells: string[]; isGood: boolean }> {
  const net = ownLoopback();
  const target = await startThrottled(net.address(60), rate, { failsOneIn });
  const shape = { endpoints: 1, durationSeconds: 1, breaker: null, media: { mediaTracks: [] } };
  try {
    const { answer, trials, error } = await withInstallation(
      {
        net,
        capacity: 1000,
        policy: { maxCallsPerSecond: 1000, maxMinutesADay: null },
        provision: () => ({ tests: [callsTo(target.uri, 'calls', shape)] }),
      },
      searched,
    );
    const off = (answer?.level ?? 0) / rate - 1;
    const isGood = answer?.found === 'CEILING' && Math.abs(off) <= WITHIN;
    if (!isGood)
      for (const { level, result, evidence } of trials) console.log(level, result, evidence?.reasons.join('; '));
    const voids = trials.filter(({ result }) => result === 'VOID').length;
    const cells = [
      ...[n(rate), failsOneIn === 0 ? 'none' : `1 in ${n(failsOneIn)}`],
      ...[answer ? orDash(answer.level, 1) : (error ?? 'none'), n(off * 100, 1)],
      ...[`${trials.length}, ${voids}`, isGood ? 'yes' : 'no'],
    ];
    return { cells, isGood };
  } finally {
    await target.stop();
  }
}

export async function capacity(): Promise<ResultTable> {
  const all: Awaited<ReturnType<typeof prove>>[] = [];
  for (const failsOneIn of [0, BACKGROUND])
    for (const rate of RATES.slice(0, TIMES)) all.push(await prove(rate, failsOneIn));
  return {
    heads: [
      'throttled to, calls a second',
      'calls that fail at any load',
      'found',
      'off by, %',
      'trials, void',
      'holds',
    ],
    rows: all.map(({ cells }) => cells),
    faults: all.filter(({ isGood }) => !isGood).map(({ cells }) => `${cells[0]} calls a second: found ${cells[2]}`),
  };
}
