/**
 * Places calls from this host to itself over loopback, as in a run: real threads, sockets, SIP and RTP. Rejects if a
 * thread cannot start.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, createHistogram, fromSparse, merge, quantile } from '@carillon/media/quality/histogram.ts';
import { encodeFacts, wire } from '@carillon/proto';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { createLog } from '../log.ts';
import { reachPredicate } from '../policy/judge.ts';
import { DayMinutes } from '../policy/minutes.ts';
import { type Policy, readPolicy } from '../policy/policy.ts';
import { abilitiesOf } from '../rtp/abilities.ts';
import { NoiseMeter } from '../rtp/figures/noise-meter.ts';
import { type MediaThreads, startMediaThreads } from '../rtp/threads/media-threads.ts';
import { Book } from '../run/allocation/book.ts';
import { BookTurn, TURN_MS } from '../run/allocation/book-turn.ts';
import { HostPace } from '../run/limits/host-pace.ts';
import type { ShareFacts } from '../run/report/facts.ts';
import type { SignallingNoise } from '../run/report/noise.ts';
import { NoiseCollector } from '../run/report/noise.ts';
import { type SignallingThread, startSignallingThread } from '../run/threads/signalling-host.ts';
import type { StepNoise } from './steps.ts';

const ADDRESS = '127.0.0.1';
/** No limit applies, because the policy limits calls to others only. */
const NO_LIMIT = 100_000;
const END_MS = 15_000;

/**
 * Calls that start at a rate, each `seconds` long. The measurement covers the time in which all are in progress or, for
 * short calls, the time in which they start.
 */
export type BenchLoad = { readonly endpoints: number; readonly callsPerSecond: number; readonly seconds: number };

export type Bench = {
  readonly adapter: string;
  /** Rejects if its calls fail. */
  measure(load: BenchLoad): Promise<StepNoise>;
  close(): Promise<void>;
};

const ignore = (): void => undefined;

export async function openBench(config: Config, most: number): Promise<Bench> {
  const policy = {
    ...(await readPolicy(null)),
    maxEndpoints: NO_LIMIT,
    maxCallsPerSecond: NO_LIMIT,
    targetNetworks: ['127.0.0.0/8'],
  };
  const media = await startMediaThreads(config.mediaThreads, {
    adapter: config.io,
    capacity: Math.ceil(most * 1.25) + 16,
    firstPort: config.rtpPorts.from,
    lastPort: config.rtpPorts.to,
    realtime: config.realtime,
  });
  const noise = new NoiseCollector(nowMs());
  let lateness = createHistogram();
  let [planned, notStarted, answered] = [0, 0, 0];
  const onFacts = (listener: number, facts: readonly ShareFacts[]): void => {
    for (const one of facts) {
      book.onFacts(listener, one);
      if (one.startNoise === null) continue;
      merge(lateness, fromSparse(one.startNoise.inviteLateMs));
      planned += one.startNoise.planned;
      notStarted += one.startNoise.notStarted;
    }
  };
  const threads = await startThreads(config, policy, media, onFacts, (one) => noise.add(one));
  const meters = media.memories.map((memory) => new NoiseMeter(memory));
  const room = () => ({
    policy,
    mayReach: reachPredicate(policy),
    room: NO_LIMIT,
    streamRoom: NO_LIMIT,
    abilities: abilitiesOf(media),
  });
  const book: Book = new Book({
    threads,
    memories: media.memories,
    limits: room,
    log: createLog('silent'),
    events: {
      onOutcome: (o) => {
        if (o.callResult === 'SUCCESS') answered++;
      },
      onSip: ignore,
      onSamples: ignore,
      onStream: ignore,
    },
  });
  const states = new Map<string, string>();
  const turn = new BookTurn(book);
  let batches = 0;
  const pump = (): void => {
    const now = nowMs();
    turn.sample(now);
    const { taken, allocations } = turn.take(now, 0, true);
    for (const { id, state, reason } of taken) if (state !== null) states.set(id, reason === '' ? state : reason);
    // Facts cost as much as in a run: they are encoded, but not sent.
    if (taken.length > 0) encodeFacts(++batches, { allocations, noise: [] });
    book.left(1);
    book.committed(1);
  };
  const pumping = setInterval(pump, TURN_MS);
  const take = () =>
    noise.take(
      nowMs(),
      0,
      meters.map((meter) => meter.read()),
      media.stamps,
    );

  async function measure(load: BenchLoad): Promise<StepNoise> {
    const [callees, callers] = [randomUUID(), randomUUID()];
    const pairs = Math.ceil(load.endpoints / 2);
    const buildMs = (1000 * pairs) / load.callsPerSecond;
    const isShort = load.seconds * 1000 < buildMs;
    [lateness, planned, notStarted, answered] = [createHistogram(), 0, 0, 0];
    states.clear();
    await book.allocate(callees, 'calibrate', allocation('CALLEE', pairs, load, threads));
    await reaches([callees], 'READY');
    await book.allocate(callers, 'calibrate', allocation('CALLER', pairs, load, threads));
    await reaches([callers], 'READY');
    book.start([callees, callers], nowMs());
    if (!isShort) await sleep(buildMs + 500);
    take();
    const seconds: ReturnType<typeof take>[] = [];
    const untilMs = nowMs() + (isShort ? buildMs : load.seconds * 1000);
    while (nowMs() < untilMs) {
      await sleep(1000);
      seconds.push(take());
    }
    await end();
    return summed(seconds, {
      lateness,
      planned,
      notStarted: notStarted + Math.max(0, pairs - notStarted - answered / 2),
    });
  }

  async function end(): Promise<void> {
    book.stopAll('the step has ended');
    for (const giveUpMs = nowMs() + END_MS; !book.isIdle && nowMs() < giveUpMs; await sleep(20)) pump();
  }

  async function reaches(ids: readonly string[], state: string): Promise<void> {
    for (const giveUpMs = nowMs() + END_MS; nowMs() < giveUpMs; await sleep(10)) {
      pump();
      const reported = ids.map((id) => states.get(id));
      if (reported.every((one) => one === state)) return;
      const other = reported.find((one) => one !== undefined && one !== state);
      if (other !== undefined) throw new Error(`calls failed: ${other}`);
    }
    throw new Error('the threads did not become ready');
  }

  return {
    adapter: media.adapter,
    // Resources of a step that could not start must be free for the next step.
    measure: (load) => measure(load).finally(end),
    async close() {
      clearInterval(pumping);
      await Promise.all(threads.map((thread) => thread.close()));
      await media.close();
    },
  };
}

async function startThreads(
  config: Config,
  policy: Policy,
  media: MediaThreads,
  onFacts: (listener: number, facts: readonly ShareFacts[]) => void,
  onNoise: (noise: SignallingNoise) => void,
): Promise<SignallingThread[]> {
  const pace = new HostPace(policy.maxCallsPerSecond).memory;
  const threads: SignallingThread[] = [];
  for (let listener = 0; listener < config.signallingThreads; listener++) {
    threads.push(
      await startSignallingThread(
        {
          address: ADDRESS,
          port: 0,
          adapter: config.io,
          drachtio: null,
          userAgentName: 'Carillon/calibrate',
          policy,
          paceMemory: pace,
          minutesMemory: new DayMinutes().memory,
          dns: config.dns,
          tls: { port: 0 },
          latestStartMs: config.latestStartMs,
        },
        media,
        { onFacts: (facts) => onFacts(listener, facts), onNoise, onFault: () => undefined },
      ),
    );
  }
  return threads;
}

function allocation(role: 'CALLER' | 'CALLEE', pairs: number, load: BenchLoad, threads: readonly SignallingThread[]) {
  const { Allocation, Role } = wire.agent.v1;
  const each = <T>(value: (i: number) => T): T[] => Array.from({ length: pairs }, (_, i) => value(i));
  const buildMs = (1000 * pairs) / load.callsPerSecond;
  const listenerOf = (i: number): number => i % threads.length;
  return Allocation.decode(
    Allocation.encode({
      role: Role[role],
      callDurationMs: load.seconds * 1000 + (load.seconds * 1000 < buildMs ? 0 : buildMs + 5000),
      answerTimeoutMs: 10_000,
      receiveWindowMs: 600_000,
      hardEndMs: 900_000,
      sampleIntervalMs: 1000,
      keepMessages: true,
      group: { audioCodecs: ['PCMU'], packetMs: 20, audioSource: 'TONE' },
      endpoints: {
        number: each((i) => (role === 'CALLER' ? i : pairs + i)),
        listener: each(listenerOf),
        registerAtMs: each(() => 0),
        callAtMs: each((i) => Math.round((1000 * i) / load.callsPerSecond)),
        user: each((i) => `${role === 'CALLER' ? 'a' : 'b'}${i}`),
        accountUser: each(() => ''),
        accountPassword: each(() => ''),
        targetUri: each((i) => (role === 'CALLEE' ? '' : `sip:b${i}@${ADDRESS}:${threads[listenerOf(i)]?.ready.port}`)),
      },
    }).finish(),
  ) as wire.agent.v1.Allocation;
}

type Starts = {
  readonly lateness: ReturnType<typeof createHistogram>;
  readonly planned: number;
  readonly notStarted: number;
};

function summed(seconds: readonly wire.agent.v1.Noise.$Properties[], starts: Starts): StepNoise {
  const [pacing, loop] = [createHistogram(), createHistogram()];
  let [slots, skipped, cpu, time, steal, drops, received] = [0, 0, 0, 0, 0, 0, 0];
  for (const one of seconds) {
    for (const [into, from] of [
      [pacing, one.pacingErrorMs],
      [loop, one.loopDelayMs],
    ] as const) {
      const { bucket, count: counts, sum, min, max } = from ?? {};
      if (bucket?.length)
        merge(into, fromSparse({ bucket, count: counts ?? [], sum: sum ?? 0, min: min ?? 0, max: max ?? 0 }));
    }
    slots += one.slotsPlanned ?? 0;
    skipped += one.slotsSkipped ?? 0;
    time += one.seconds ?? 0;
    cpu += (one.threadCpu ?? 0) * (one.seconds ?? 0);
    steal += Number.isFinite(one.steal) ? (one.steal as number) * (one.seconds ?? 0) : 0;
    drops += one.receiveDrops ?? 0;
    received += one.received ?? 0;
  }
  const p99 = (h: Starts['lateness']): number | null => (count(h) > 0 ? quantile(h, 0.99) : null);
  const percent = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null);
  return {
    inviteLatenessMs: p99(starts.lateness),
    pacingErrorMs: p99(pacing),
    skippedSlotsPercent: percent(skipped, slots),
    loopDelayMs: p99(loop),
    threadCpuPercent: percent(cpu, time),
    stealPercent: percent(steal, time),
    receiveDropsPercent: percent(drops, drops + received),
    notStartedPercent: percent(starts.notStarted, starts.planned),
  };
}
