/**
 * Two media threads of this host call each other over loopback, all trials in parallel; packets for the second are
 * impaired before they are counted. Rejects if no media thread can be started, or no ports are free.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { count, mean, quantile } from '@carillon/media/quality/histogram.ts';
import { nowMs } from '../clock.ts';
import { NoiseMeter } from '../rtp/figures/noise-meter.ts';
import { Sampler } from '../rtp/figures/sampler.ts';
import type { StreamRecord } from '../rtp/figures/stream-record.ts';
import type { AudioFormat, MediaStream } from '../rtp/media-engine.ts';
import { createMediaEngine } from '../rtp/threads/media-client.ts';
import { type MediaThread, startMediaThread } from '../rtp/threads/media-thread-host.ts';
import { TRIALS, type Trial } from './impairments.ts';
import { judge, type TrialFigure } from './judge.ts';

/**
 * The interval of reports; both ends are ours. With the usual five seconds a short test would end before a round trip
 * is known.
 */
const RTCP_MS = 1000;

export type SelfTestOptions = {
  readonly adapter: 'auto' | 'ffi' | 'dgram';
  readonly seconds: number;
  /** The number of calls of each trial. */
  readonly streams: number;
  readonly seed: number;
  readonly address: string;
};

/** The host's noise during the run, of both threads together. */
export type HostNoise = {
  readonly pacingMeanMs: number;
  readonly pacingP99Ms: number;
  readonly slotsPlanned: number;
  readonly slotsSkipped: number;
  readonly receiveDrops: number;
  readonly clockSteps: number;
  /** The mean of J before the impairments. */
  readonly jitterMs: number;
  /** Why the host may have affected the figures; empty: no reason. */
  readonly tooNoisy: readonly string[];
};

export type SelfTest = {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fallbackReason: string | null;
  readonly seconds: number;
  readonly streams: number;
  readonly packets: number;
  readonly host: HostNoise;
  readonly trials: readonly { readonly trial: Trial; readonly figures: readonly TrialFigure[] }[];
  /** The number of figures that are outside their interval. */
  readonly failures: number;
};

const PCMU: AudioFormat = { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 };
/** The longest wait after the last packet was sent. */
const LAST_ARRIVAL_MS = 10_000;
/** The limits of a run's verdict SUSPECT. */
const PACING_P99_MS = 5;
const SKIPPED_SHARE = 0.001;

export async function selfTest(options: SelfTestOptions): Promise<SelfTest> {
  const capacity = TRIALS.length * options.streams;
  const threads = await startBoth({ adapter: options.adapter, capacity });
  try {
    return await measure(threads, options);
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

async function startBoth(options: {
  adapter: 'auto' | 'ffi' | 'dgram';
  capacity: number;
}): Promise<[MediaThread, MediaThread]> {
  const thread = { ...options, rtcpMinimumMs: RTCP_MS };
  const here = await startMediaThread(thread);
  try {
    return [here, await startMediaThread(thread)];
  } catch (error) {
    await here.close();
    throw error;
  }
}

async function measure([here, there]: [MediaThread, MediaThread], options: SelfTestOptions): Promise<SelfTest> {
  const { address, seconds, seed } = options;
  const sender = createMediaEngine(here.connect());
  const receiver = createMediaEngine(there.connect());
  const endpoints = Array.from({ length: options.streams }, (_, i) => i);
  const calls: { readonly ours: MediaStream[]; readonly theirs: MediaStream[]; readonly trial: Trial }[] = [];
  for (const [owner, trial] of TRIALS.entries()) {
    const ours = await sender.open(address, owner, endpoints);
    // Each trial has different seeds, so that the trials do not lose the same packets.
    const impairment = { ...trial.impairment, seed: seed + owner };
    const theirs = await receiver.open(address, owner, endpoints, { stream: 0, impairment });
    calls.push({ ours, theirs, trial });
  }
  const noise = [new NoiseMeter(here.memory), new NoiseMeter(there.memory)];
  const to = ({ rtpPort, rtcpPort }: MediaStream) => ({ address, rtpPort, rtcpPort });
  for (const { ours, theirs, trial } of calls) {
    const session = { format: PCMU, source: 'TONE' } as const;
    for (const [i, stream] of theirs.entries())
      stream.start({ ...session, remote: to(ours[i]!), direction: trial.bothWays ? 'BOTH' : 'RECEIVE' });
    for (const [i, stream] of ours.entries())
      stream.start({ ...session, remote: to(theirs[i]!), direction: trial.bothWays ? 'BOTH' : 'SEND' });
  }
  await sleep(seconds * 1000);
  const readings = noise.map((meter) => meter.read());

  await sender.close();
  const sent = await recordsOf(here, TRIALS.length * options.streams);
  await allArrived(there, sent);
  await receiver.close();
  const heard = await recordsOf(there, TRIALS.length * options.streams);

  const drops = total(readings.map((reading) => reading.receiveDrops));
  const trials = calls.map(({ trial }, owner) => {
    const of = (records: readonly StreamRecord[]): StreamRecord[] => records.filter((r) => r.owner === owner);
    return { trial, figures: judge(trial, { impaired: of(heard), other: of(sent), stamps: there.stamps }, drops) };
  });
  const pacing = readings[0]!.pacingErrorMs;
  const before = heard.map((record) => record.injected!.jitterBeforeMs).filter((ms) => !Number.isNaN(ms));
  const host = {
    pacingMeanMs: mean(pacing),
    pacingP99Ms: count(pacing) > 0 ? quantile(pacing, 0.99) : Number.NaN,
    slotsPlanned: total(readings.map((reading) => reading.slotsPlanned)),
    slotsSkipped: total(readings.map((reading) => reading.slotsSkipped)),
    receiveDrops: drops,
    clockSteps: total(readings.map((reading) => reading.clockSteps)),
    jitterMs: total(before) / before.length,
  };
  return {
    adapter: there.adapter,
    stamps: there.stamps,
    fallbackReason: there.fallbackReason,
    seconds,
    streams: options.streams,
    packets: total(heard.map((record) => record.injected!.offered)),
    host: { ...host, tooNoisy: noiseOf(host) },
    trials,
    failures: trials.flatMap(({ figures }) => figures).filter(({ verdict }) => verdict !== 'inside').length,
  };
}

function noiseOf(host: Omit<HostNoise, 'tooNoisy'>): string[] {
  const reasons: string[] = [];
  if (host.pacingP99Ms > PACING_P99_MS)
    reasons.push(`one packet in a hundred left ${host.pacingP99Ms.toFixed(1)} ms late or later`);
  if (host.slotsSkipped > host.slotsPlanned * SKIPPED_SHARE)
    reasons.push(`${host.slotsSkipped} of ${host.slotsPlanned} packets were too late to be sent`);
  if (host.receiveDrops > 0) reasons.push(`the kernel dropped ${host.receiveDrops} datagrams`);
  if (host.clockSteps > 0) reasons.push(`the wall clock was set ${host.clockSteps} times`);
  return reasons;
}

/** The records of all streams of a thread whose engine was closed. */
async function recordsOf(thread: MediaThread, streams: number): Promise<StreamRecord[]> {
  const sampler = new Sampler(thread.memory);
  const records: StreamRecord[] = [];
  const giveUpAtMs = nowMs() + LAST_ARRIVAL_MS;
  while (records.length < streams) {
    records.push(...sampler.sample(nowMs()).records);
    if (nowMs() > giveUpAtMs) throw new Error(`${streams - records.length} streams did not end`);
    await sleep(10);
  }
  return records;
}

/** Waits until all sent packets are impaired, and the remaining ones counted. */
async function allArrived({ memory }: MediaThread, sent: readonly StreamRecord[]): Promise<void> {
  const packets = total(sent.map((record) => record.packetsSent));
  const { offered, passed, duplicated } = memory.injected;
  const giveUpAtMs = nowMs() + LAST_ARRIVAL_MS;
  const isThere = (): boolean =>
    total(offered) >= packets && total(memory.received.packets) >= total(passed) + total(duplicated);
  while (!isThere() && nowMs() < giveUpAtMs) await sleep(20);
}

const total = (list: Iterable<number>): number => {
  let sum = 0;
  for (const value of list) sum += value;
  return sum;
};
