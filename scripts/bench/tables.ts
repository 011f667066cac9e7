/** The benchmarks' figures as tables. */
import { n, orNone, table, times } from './markdown.ts';
import type { MediaBenchRow } from './media/duplex.ts';
import type { StreamsBenchRow } from './media/streams.ts';
import { benchVideo, type VideoBenchRow } from './media/video.ts';
import type { CallPriceRow } from './product/call-price.ts';
import type { DeletionRow } from './product/deletion.ts';
import type { HttpRow } from './product/http.ts';
import type { IngestRow } from './product/ingest.ts';
import type { LongRun } from './product/long-runs.ts';
import type { ManyCallsReport } from './product/thousand-calls.ts';
import type { SipBenchRow } from './sip/calls.ts';
import type { MemoryRow } from './sip/memory.ts';
import type { RegistrationsRow } from './sip/registrations.ts';

const WORK = { CALLER: 'as caller', CALLEE: 'as callee' } as const;

export const sipTable = (rows: readonly SipBenchRow[]): string =>
  table(
    [
      'what',
      'over',
      'a second',
      'adapter',
      'rounds',
      'SIPp, per CPU-second',
      'SIPp that records',
      'ours, which does',
      'of SIPp',
      'of SIPp that records',
      'set-up p99 ms',
    ],
    rows.map((r) => [
      ...[WORK[r.work], r.transport, n(r.rate), r.adapter, n(r.rounds), orNone(r.sippPerCpuSecond)],
      ...[orNone(r.sippTracedPerCpuSecond), n(r.perCpuSecond), times(r.ratio), times(r.tracedRatio)],
      n(r.setupP99Ms, 2),
    ]),
  );

export const memoryTable = (rows: readonly MemoryRow[]): string =>
  table(
    ['held', 'resident kB each', 'of it heap', 'idle MB'],
    rows.map((r) => [n(r.held), n(r.kilobytesEach, 1), n(r.heapKilobytesEach, 1), n(r.idleMegabytes)]),
  );

export const registrationsTable = (rows: readonly RegistrationsRow[]): string =>
  table(
    [
      'who',
      'registered',
      'failed',
      'registrations per CPU-second',
      'of SIPp',
      'refreshes per CPU-second',
      'bytes resident each',
      'bytes of heap each',
    ],
    rows.map((r) => [
      r.who,
      ...[n(r.endpoints), n(r.failed), n(r.registrationsPerCpuSecond), times(r.ratio)],
      ...[r.refreshesPerCpuSecond, r.residentBytesEach, r.heapBytesEach].map((value) =>
        value === null ? '' : n(value),
      ),
    ]),
  );

export const deletionTable = (rows: readonly DeletionRow[]): string =>
  table(
    [
      'what',
      'samples',
      'answer, ms',
      'gone after, s',
      'statements that delete',
      'the longest, ms',
      'looks at which anybody waited for a lock',
      'PostgreSQL, s of CPU',
      'reads of others, p99 ms without, meanwhile',
      'changes of others',
      'failed',
    ],
    rows.map((r) => [
      ...[r.what, n(r.samples), n(r.answerMs), n(r.seconds, 1), n(r.statements), n(r.longestMs)],
      ...[`${n(r.waiting)} of ${n(r.looks)}`, n(r.postgresCpuSeconds, 1)],
      ...[r.readP99Ms, r.changeP99Ms].map(([without, meanwhile]) => `${n(without)}, ${n(meanwhile)}`),
      n(r.failed),
    ]),
  );

export const callsTable = (rows: readonly ManyCallsReport[]): string =>
  table(
    ['media threads', ...rows.map((r) => (r.realtime ? 'SCHED_FIFO' : 'ordinary priority'))],
    [
      ['calls, for seconds', ...rows.map((r) => `${n(r.calls)}, ${r.seconds}`)],
      ['successes', ...rows.map((r) => n(r.successes))],
      ['failures', ...rows.map((r) => r.failures)],
      ['skipped slots %', ...rows.map((r) => `${n(r.skippedPercent, 3)} of ${n(r.planned)}`)],
      ['kB a call', ...rows.map((r) => n(r.kBPerCall, 1))],
      ['MiB idle, at most', ...rows.map((r) => `${n(r.idleMiB)}, ${n(r.mostMiB)}`)],
      ['MiB a minute', ...rows.map((r) => `${n(r.growth.slope, 2)} (${n(r.growth.low, 2)} to ${n(r.growth.high, 2)})`)],
      ['cores', ...rows.map((r) => n(r.cores, 2))],
      ['verdict', ...rows.map((r) => r.verdict)],
      ['load before, during', ...rows.map((r) => `${n(r.loadBefore, 1)}, ${n(r.loadDuring, 1)}`)],
    ],
  );

export const videoTable = async (): Promise<string> => {
  const rows: VideoBenchRow[] = [];
  for (const streams of [100, 300])
    for (const codec of ['VP8', 'H264'] as const) rows.push(await benchVideo(codec, streams));
  return table(
    [
      'codec',
      'streams',
      'packets a second',
      'streams per CPU-second',
      'us per packet',
      'skipped',
      'lost',
      'frames lost',
    ],
    rows.map((r) => [
      r.codec,
      ...[n(r.streams), n(r.packetsPerSecond), n(r.streamsPerCpuSecond), n(r.usPerPacket, 2)],
      ...[n(r.skipped), n(r.lost), n(r.framesLost)],
    ]),
  );
};

export const mediaTable = (rows: readonly MediaBenchRow[]): string =>
  table(
    [
      'adapter',
      'security',
      'streams',
      'streams per CPU-second',
      'us per packet',
      'departure jitter ms (mean, p99 stream)',
      'jitter that we add, us (mean, p99 stream)',
      'skipped',
      'lost',
    ],
    rows.map((r) => [
      r.adapter,
      r.security,
      n(r.streams),
      n(r.streamsPerCpuSecond),
      n(r.usPerPacket, 2),
      `${n(r.departureJitterMs, 3)}, ${n(r.departureJitterP99Ms, 3)}`,
      `${n(r.addedJitterUs, 1)}, ${n(r.addedJitterP99Us, 1)}`,
      n(r.skipped),
      n(r.lost + r.lostByPeer),
    ]),
  );

export const ingestTable = (rows: readonly IngestRow[]): string =>
  table(
    [
      'agents at once',
      'samples',
      'samples per second, committed',
      'CPU s of the control plane per million',
      'bytes a sample on the wire',
    ],
    rows.map((r) => [
      r.agents,
      n(r.samples),
      n(r.samplesPerSecond),
      n(r.cpuSecondsPerMillion, 1),
      n(r.bytesPerSample, 1),
    ]),
  );

export const httpTable = (rows: readonly HttpRow[]): string =>
  table(
    ['what', 'requests/s', 'p50 ms', 'p99 ms', 'requests per CPU-second', 'failed'],
    rows.map((r) => [r.what, n(r.requestsPerSecond), n(r.p50Ms), n(r.p99Ms), n(r.requestsPerCpuSecond), n(r.failed)]),
  );

export const callPriceTable = (rows: readonly CallPriceRow[]): string =>
  table(
    [
      'calls a second',
      'calls, of them placed',
      'agent, us a call',
      'SIPp, us a call',
      'of SIPp',
      'control plane with PostgreSQL, us a call',
      'of it PostgreSQL',
      'from the last call to COMPLETED, s',
      'agent, control plane, PostgreSQL, MiB before -> after',
      'bytes a call in the database, of its log',
      'verdict',
    ],
    rows.map((r) => [
      ...[n(r.callsPerSecond), `${n(r.calls)}, ${n(r.placed)}`, n(r.agentUs), n(r.sippUs), times(r.ratio)],
      ...[n(r.controlPlaneUs), n(r.postgresUs), n(r.secondsToEnd, 1)],
      [r.agentMiB, r.controlPlaneMiB, r.postgresMiB].map(([before, after]) => `${n(before)} -> ${n(after)}`).join(', '),
      ...[`${n(r.databaseBytes)}, ${n(r.logBytes)}`, r.verdict.split('.', 1)[0] as string],
    ]),
  );

export const longRunsTable = (rows: readonly LongRun[]): string =>
  table(
    [
      'calls a second, minutes',
      'calls: planned, placed, answered',
      'SIPp: calls, of them good',
      'heard, of those to be heard',
      'agent, us a call',
      'control plane with PostgreSQL, us a call',
      'from the last call to COMPLETED, s',
      'MiB before -> after, growth a minute (95 %): agent; control plane; PostgreSQL',
      'bytes a call in the database',
      'probes beside it',
      'verdict',
    ],
    rows.map((r) => [
      ...[`${n(r.callsPerSecond)} (${r.kind}), ${n(r.minutes)}`, `${n(r.planned)}, ${n(r.placed)}, ${n(r.answered)}`],
      ...[`${n(r.sippCalls)}, ${n(r.sippGood)}`, r.heard === null ? 'no media' : r.heard.map((x) => n(x)).join(', ')],
      ...[n(r.agentUs), n(r.controlPlaneUs), n(r.secondsToEnd, 1)],
      Object.values(r.memory)
        .map(
          ({ from, to, growth: g }) => `${n(from)} -> ${n(to)}, ${n(g.slope, 2)} (${n(g.low, 2)} to ${n(g.high, 2)})`,
        )
        .join('; '),
      n(r.databaseBytes),
      ...[Object.entries(r.probes).flat().join(' '), r.verdict.split('.', 1)[0] as string],
    ]),
  );

export const streamsTable = (rows: readonly StreamsBenchRow[]): string =>
  table(
    [
      'streams',
      'who',
      'what',
      'us per packet',
      'CPU of SIPp (sends) or C++ (both)',
      'streams per CPU-second',
      'departure jitter us (mean, p99 stream)',
      '20 ms missed by, p99 us',
      'jitter that it adds, us (mean, p99 stream)',
      'skipped %',
      'lost',
    ],
    rows.map((r) => [
      n(r.streams),
      r.who,
      r.direction === 'SEND' ? 'sends' : 'sends and measures',
      n(r.usPerPacket, 2),
      r.cpuRatio === null ? '' : `${n(r.cpuRatio, 2)} x`,
      n(r.streamsPerCpuSecond),
      `${n(r.jitterMeanUs)}, ${n(r.jitterP99Us)}`,
      n(r.deviationP99Us),
      r.addedMeanUs === null ? '' : `${n(r.addedMeanUs, 1)}, ${n(r.addedP99Us ?? Number.NaN, 1)}`,
      r.skippedPercent === null ? '' : n(r.skippedPercent, 2),
      r.lost === null ? '' : n(r.lost),
    ]),
  );

export const list = (record: Readonly<Record<string, unknown>>): string =>
  Object.entries(record)
    .map(
      ([name, value]) => `- ${name}: ${typeof value === 'number' ? value.toLocaleString('en') : JSON.stringify(value)}`,
    )
    .join('\n');
