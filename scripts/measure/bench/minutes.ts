/**
 * What a call costs the product in the first minute after everything was started, and in later ones. Nothing was called before:
 * the programs have their code, and no compiled form of it. One run goes on for all minutes at one rate, so each has as many calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { cpuOf, type InstallationCpu, withInstallation } from '../installation.ts';
import { n, type ResultTable } from '../table.ts';

const RATE = 100;
const CALL_SECONDS = 1;
const MINUTES = Number(process.env['CARILLON_BENCH_MINUTES'] ?? 10);
const SHOWN = [1, 2, 5, 10].filter((minute) => minute < MINUTES).concat(MINUTES);
const PARTS = ['agent', 'controlPlane', 'postgres'] as const;
const TEST = 'minutes';

export async function measureMinutes(): Promise<ResultTable> {
  const net = ownLoopback();
  const target = await startSipp({ address: net.address(70), scenario: { builtIn: 'uas' } });
  const load = { shape: 'RATE', callsPerSecond: RATE, calls: RATE * 60 * MINUTES } as const;
  const shape = { endpoints: 2 * RATE, calls: null, durationSeconds: CALL_SECONDS, media: { mediaTracks: [] }, load };
  try {
    return await withInstallation(
      {
        net,
        capacity: 4 * RATE,
        agentEnv: { CARILLON_CAPACITY: String(4 * RATE) },
        policy: { maxCallsPerSecond: 2 * RATE, maxEndpoints: 4 * RATE, targetNetworks: ['127.0.0.0/8'] },
        provision: () => ({ tests: [callsTo(target.uri, TEST, shape)] }),
      },
      async (lab) => {
        const id = await lab.begin(TEST);
        const minutes: InstallationCpu[] = [await cpuOf(lab)];
        while (minutes.length <= MINUTES) {
          await sleep(60_000);
          minutes.push(await cpuOf(lab));
        }
        const run = await lab.ended(id);
        const us = (minute: number, what: (typeof PARTS)[number]) =>
          (((minutes[minute]?.[what] ?? 0) - (minutes[minute - 1]?.[what] ?? 0)) / (RATE * 60)) * 1e6;
        const { totalCalls, successCount } = run.callTiming;
        return {
          heads: [
            'minute',
            'agent, µs a call',
            'control plane, µs a call',
            'PostgreSQL, µs a call',
            'calls, good',
            'verdict',
          ],
          rows: SHOWN.map((minute) => [
            n(minute),
            ...PARTS.map((what) => n(us(minute, what))),
            ...(minute === MINUTES
              ? [`${n(totalCalls)}, ${n(successCount)}`, run.validity?.sentence.split('. ', 1)[0] ?? 'none']
              : ['', '']),
          ]),
        };
      },
    );
  } finally {
    await target.end();
  }
}
