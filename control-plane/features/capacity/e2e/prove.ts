/**
 * Proves the capacity search with a platform that is throttled to a known rate, and with one where one call in 10,000 fails at
 * any load: the results must be within 5 % of the truth, five times in a row each. `CARILLON_PROVE_TIMES` is another number of
 * times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withInstallation } from '../../../../scripts/measure/installation.ts';
import type { Measurement } from '../../../../scripts/measure/sections.ts';
import { n, orDash, type ResultTable } from '../../../../scripts/measure/table.ts';
import type { Lab } from '../../../../scripts/peers/lab/lab.ts';
import { callsTo } from '../../../../scripts/peers/lab/provision.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { startThrottled } from '../../../../scripts/peers/sip/throttled.ts';
import type { Output } from '../../../contract/catalogue.ts';

const TIMES = Number(process.env['CARILLON_PROVE_TIMES'] ?? 5);
const RATES = [40, 73, 25, 58, 91];
const BACKGROUND = 10_000;
const WITHIN = 0.05;
const PATIENCE_MS = 1_200_000;

async function searched(lab: Lab): Promise<Output<'getCapacitySearch'>> {
  const { projectId } = lab;
  const { id } = await lab.call('startCapacitySearch', {
    projectId,
    testId: lab.testId('calls'),
    ...{ start: 20, trialSeconds: 8, warmUpSeconds: 2, drainSeconds: 1 },
  });
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(500)) {
    const search = await lab.call('getCapacitySearch', { projectId, capacitySearchId: id });
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

async function capacity(): Promise<ResultTable> {
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

export const SECTION: Measurement = {
  by: 'prove',
  title: 'Capacity search',
  about:
    'The search against a SIP server that is throttled to a known rate. The claim is that it is off by 5 % at most.',
  run: capacity,
};
