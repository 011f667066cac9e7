/**
 * The capacity search against a platform that is throttled to a known rate, and against one where one call in 10,000 fails at
 * any load: within 5 % of the truth, five times in a row each.
 */

import { chmod, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '../../control-plane/contract/catalogue.ts';
import { openLabDatabase } from '../peers/lab/database.ts';
import { Lab } from '../peers/lab/lab.ts';
import { callsTo } from '../peers/lab/provision.ts';
import { freePort, ownLoopback } from '../peers/network/loopback.ts';
import { startThrottled } from '../peers/sip/throttled.ts';

const TIMES = Number(process.env['CARILLON_PROVE_TIMES'] ?? 5);
const RATES = [40, 73, 25, 58, 91];
const BACKGROUND = 10_000;
const WITHIN = 0.05;
const PATIENCE_MS = 1_200_000;

type Search = Output<'getCapacitySearch'>;

async function searched(lab: Lab): Promise<Search> {
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

async function prove(rate: number, failsOneIn: number): Promise<boolean> {
  const net = ownLoopback();
  const target = await startThrottled(net.address(60), rate, { failsOneIn });
  const dir = await mkdtemp('/tmp/carillon-capacity-');
  await chmod(dir, 0o711);
  const database = await openLabDatabase(path.join(dir, 'data'), 'embedded');
  const lab = new Lab(dir, database, await freePort(), {
    net,
    capacity: 1000,
    policy: { maxCallsPerSecond: 1000, maxMinutesADay: null },
    provision: () => ({
      tests: [
        callsTo(target.uri, 'calls', { endpoints: 1, durationSeconds: 1, breaker: null, media: { mediaTracks: [] } }),
      ],
    }),
  });
  try {
    await lab.start();
    const { answer, trials, error } = await searched(lab);
    const off = (answer?.level ?? 0) / rate - 1;
    const isGood = answer?.found === 'CEILING' && Math.abs(off) <= WITHIN;
    const voids = trials.filter(({ result }) => result === 'VOID').length;
    console.log(
      `${rate} calls/s${failsOneIn ? `, 1 in ${failsOneIn} fails` : ''}: ${answer?.sentence ?? error} ` +
        `(${(off * 100).toFixed(1)} %, ${trials.length} trials, ${voids} void) ${isGood ? 'holds' : 'DOES NOT HOLD'}`,
    );
    if (!isGood)
      for (const { level, result, evidence } of trials) console.log(level, result, evidence?.reasons.join('; '));
    return isGood;
  } finally {
    await lab.stop();
    await target.stop();
  }
}

export async function capacity(): Promise<void> {
  const all: boolean[] = [];
  for (const failsOneIn of [0, BACKGROUND])
    for (const rate of RATES.slice(0, TIMES)) all.push(await prove(rate, failsOneIn));
  if (!all.every(Boolean)) throw new Error(`${all.filter((isGood) => !isGood).length} of ${all.length} do not hold`);
}
