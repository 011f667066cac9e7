/**
 * Ten minutes of load from one agent, against SIPp that counts by itself, with probes every minute beside it: 500 calls a second
 * without media, and 100 calls a second of 3 s with measured media. node_modules/.bin/node scripts/bench/product/long-runs.ts
 * [--minutes 10] [--only signalling|media]
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { Lab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsTo, type MediaInput, type ProbeInput } from '../../peers/lab/provision.ts';
import { freePort, ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { type Sipp, startSipp } from '../../peers/sip/sipp.ts';
import { type CostTrend, trend } from '../media/trend.ts';
import { databaseSize, halves, secondsToEnd } from './call-price.ts';
import { cpuSecondsOfTree, memoryMiB } from './process-tree.ts';

type Kind = 'signalling' | 'media';

export type LongRun = {
  readonly kind: Kind;
  readonly callsPerSecond: number;
  readonly minutes: number;
  readonly planned: number;
  readonly placed: number;
  readonly answered: number;
  /** By SIPp itself: calls created, and calls that ended as its scenario says. */
  readonly sippCalls: number;
  readonly sippGood: number;
  readonly verdict: string;
  /** Calls in which audio was heard, of those in which it was to come; null: without media. */
  readonly heard: readonly [number, number] | null;
  /** Resident memory: MiB when the run began and when it ended, and its trend in MiB a minute after the first two minutes. */
  readonly memory: Readonly<
    Record<Program, { readonly from: number; readonly to: number; readonly growth: CostTrend }>
  >;
  readonly agentUs: number;
  readonly controlPlaneUs: number;
  readonly databaseBytes: number;
  readonly secondsToEnd: number;
  /** Executions of the probe while the load was on, by status. */
  readonly probes: Readonly<Record<string, number>>;
};

const PROGRAMS = ['agent', 'controlPlane', 'postgres'] as const;
type Program = (typeof PROGRAMS)[number];

const TEST = 'long';
const LOADS: Readonly<Record<Kind, { rate: number; callSeconds: number; slots: number; media: MediaInput }>> = {
  signalling: { rate: 500, callSeconds: 1, slots: 1500, media: { mediaTracks: [] } },
  // SIPp sends back what it receives.
  media: { rate: 100, callSeconds: 3, slots: 600, media: { mediaTracks: [{ kind: 'AUDIO', source: 'TONE' }] } },
};
const SETTLE_MS = 5000;
const SAMPLE_MS = 10_000;
/** The code compiles and the heaps find their size in the first minutes. */
const WARM_MINUTES = 2;
const PATIENCE_MS = 120_000;
const PROBE_MS = 60_000;

const probe = (uri: string): ProbeInput => ({
  ...{ slug: 'beside', name: 'beside', enabled: true, fixedIntervalSec: 300, durationSeconds: 2 },
  test: {
    registrar: 'cloud',
    callee: { mode: 'EXTERNAL_URI', uri },
    placement: { mode: 'REGION', region: 'local' },
  },
});

/** Starts a separate installation and ends it. Rejects if the run fails. */
async function longRun(kind: Kind, minutes: number): Promise<LongRun> {
  const { rate, callSeconds, slots, media } = LOADS[kind];
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-long-'));
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const net = ownLoopback();
  const callee = (at: number): Promise<Sipp> =>
    startSipp({
      address: net.address(at),
      scenario: { builtIn: 'uas' },
      args: ['-rtp_echo', '-buff_size', '4194304', '-l', '100000'],
    });
  const [target, probed] = await Promise.all([callee(70), callee(71)]);
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'embedded'), await freePort(), {
    net,
    capacity: 2 * slots,
    agentEnv: { CARILLON_CAPACITY: String(2 * slots) },
    policy: {
      maxCallsPerSecond: 2 * rate,
      maxEndpoints: 2 * slots,
      maxMinutesADay: null,
      targetNetworks: ['127.0.0.0/8'],
    },
    provision: () => ({
      probes: [probe(probed.uri)],
      tests: [
        callsTo(target.uri, TEST, {
          ...{ endpoints: slots, calls: null, durationSeconds: callSeconds, media },
          load: { shape: 'RATE', callsPerSecond: rate, seconds: minutes * 60 },
        }),
      ],
    }),
  });
  try {
    await lab.start();
    return { kind, callsPerSecond: rate, minutes, ...(await measure(lab, target, minutes, rate)) };
  } finally {
    await lab.stop();
    await Promise.all([target, probed].map((one) => one.stop('SIGKILL')));
  }
}

async function measure(lab: Lab, target: Sipp, minutes: number, rate: number) {
  await sleep(SETTLE_MS);
  const agent = lab.agents[0]?.pid ?? 0;
  const { controlPlane, postgres } = halves(lab);
  const pids: Readonly<Record<Program, number[]>> = { agent: [agent], controlPlane, postgres };
  const memory = (): Record<Program, number> => {
    const of = (program: Program) => memoryMiB(program === 'postgres' ? halves(lab).postgres : pids[program]);
    return { agent: of('agent'), controlPlane: of('controlPlane'), postgres: of('postgres') };
  };
  const cpu = () => [agent, lab.controlPlane.pid].map(cpuSecondsOfTree) as [number, number];
  const [sizeBefore, cpuBefore, probes] = [await databaseSize(lab), cpu(), await probeEachMinute(lab)];
  const points: (readonly [minute: number, Record<Program, number>])[] = [[0, memory()]];
  const id = await lab.begin(TEST);
  const startedMs = Date.now();
  const minute = () => (Date.now() - startedMs) / 60_000;
  // REST would compute the figures of the current run.
  const isOver = async () =>
    (await lab.query<{ is: boolean }>('select ended_at is not null as is from test_runs where id = $1', [id]))[0]?.is;
  while (!(await isOver())) {
    if (Date.now() - startedMs > minutes * 60_000 + PATIENCE_MS) throw new Error('the run does not end');
    await sleep(SAMPLE_MS);
    points.push([minute(), memory()]);
  }
  const [cpuAfter, sizeAfter] = [cpu(), await databaseSize(lab)];
  const run = await lab.run(id);
  if (run.status !== 'COMPLETED') throw new Error(`the run is ${run.status}: ${JSON.stringify(run.error)}`);
  const placed = run.callTiming.totalCalls;
  const { totals } = await target.end();
  const us = (i: 0 | 1) => ((cpuAfter[i] - cpuBefore[i]) / placed) * 1e6;
  const growth = (program: Program) =>
    trend(points.flatMap(([at, mib]) => (at >= WARM_MINUTES && at <= minutes ? [[at, mib[program]] as const] : [])));
  return {
    planned: rate * minutes * 60,
    placed,
    answered: run.callTiming.successCount,
    sippCalls: totals['TotalCallCreated'] ?? totals['IncomingCall'] ?? Number.NaN,
    sippGood: totals['SuccessfulCall'] ?? Number.NaN,
    verdict: run.validity?.sentence ?? 'not told',
    heard: heardOf(run),
    memory: Object.fromEntries(
      PROGRAMS.map((program) => [
        program,
        { from: points[0]?.[1][program] ?? 0, to: points.at(-1)?.[1][program] ?? 0, growth: growth(program) },
      ]),
    ) as LongRun['memory'],
    agentUs: us(0),
    controlPlaneUs: us(1),
    databaseBytes: (sizeAfter.bytes - sizeBefore.bytes) / placed,
    secondsToEnd: await secondsToEnd(lab, id),
    probes: await probes(),
  };
}

function heardOf({ callQuality: quality }: RunDetail): LongRun['heard'] {
  return quality && quality.soundAsked > 0 ? [quality.heard + quality.unreported, quality.soundAsked] : null;
}

/** A probe's own interval is five minutes at least: each minute it is asked for. */
async function probeEachMinute(lab: Lab): Promise<() => Promise<Record<string, number>>> {
  const { projectId } = lab;
  const { rows } = await lab.call('listProbes', { projectId });
  const probeId = rows[0]?.id ?? '';
  const from = new Date().toISOString();
  const timer = setInterval(() => void lab.call('runProbe', { projectId, probeId }), PROBE_MS);
  return async () => {
    clearInterval(timer);
    const executions = async () =>
      (await lab.call('listProbeInstances', { projectId, probeId, from, per_page: 100 })).rows;
    await until('every execution has ended', async () =>
      (await executions()).every(({ completedAt }) => completedAt !== null),
    );
    const counts: Record<string, number> = {};
    for (const { status } of await executions()) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
}

/** Both, one after the other. */
export async function benchLongRuns(minutes = 10): Promise<LongRun[]> {
  return [await longRun('signalling', minutes), await longRun('media', minutes)];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, only: { type: 'string' } } });
  for (const kind of ['signalling', 'media'] as const)
    if (values.only === undefined || values.only === kind)
      console.dir(await longRun(kind, Number(values.minutes)), { depth: 5 });
}
