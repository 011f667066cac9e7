/**
 * Converts the collected facts of the agent's allocations to the wire. Instants become the control plane's Unix time.
 */
import type { SparseHistogram } from '@carillon/media/quality/histogram.ts';
import { wire } from '@carillon/proto';
import { uuidBytes } from '@carillon/proto/base/uuid.ts';
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import { sampleColumns } from '@carillon/proto/figures/sample-figures.ts';
import { readStreamFigures, STREAM_FIGURES } from '@carillon/proto/figures/stream-figures.ts';
import { boundedText, MAX_IDENTIFIER, MAX_REASON } from '../../capture/bounded-text.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { StreamSamples } from '../../rtp/figures/stream-samples.ts';
import { hostPortText } from '../../sip/message/uri.ts';
import type { CallTally } from '../limits/breaker.ts';
import { phaseIndex } from '../phases.ts';
import { encodedMessages } from './encode-messages.ts';
import { rtpHeaders } from './encode-rtp-headers.ts';
import { figureDetails, streamDetails } from './encode-stream-details.ts';
import type { Closed, FindingFact, OutcomeFact, PhaseChanges, ShareFacts } from './facts.ts';
import type { Pending } from './pending.ts';
import { phasesOf } from './withheld-detail.ts';

type V1 = typeof wire.agent.v1;
type Encodable<K extends keyof V1> = V1[K] extends { encode(message: infer T, ...rest: never[]): unknown } ? T : never;

const { AllocationState, Scale } = wire.agent.v1;
const CLOSED = phaseIndex('CLOSED');
const STATES = { READY: AllocationState.READY, REFUSED: AllocationState.REFUSED, DONE: AllocationState.DONE };

/** The longest explanation of why an allocation ended, in our words, possibly with quotations. */
const MAX_SENTENCE = 500;

/** `takesBlocks`: the control plane accepts blocks of messages. */
export function encodeAllocation(
  p: Pending,
  baseMs: number,
  offsetMs: number,
  takesBlocks: boolean,
): Encodable<'AllocationFacts'> {
  const facts = p.facts;
  const flat = <T>(pick: (f: ShareFacts) => readonly T[]): T[] => facts.flatMap((f) => pick(f) as T[]);
  const at = (ms: readonly number[]) => ms.map((m) => m - baseMs);
  const [kept, others] = [p.closed.filter(({ isKept }) => isKept), p.closed.filter(({ isKept }) => !isKept)];
  const phases = phaseColumns([...facts.map((f) => f.phases), ...p.details.map(phasesOf)], kept, at);
  const progress = phaseColumns(
    facts.map((f) => f.progress),
    others,
    at,
  );
  const counts = flat((f) => f.sipCounts);
  const stored = p.details.flatMap((d) => d.samples ?? []);
  const done = [...facts.map((f) => f.actions), ...p.details.flatMap((d) => d.actions ?? [])];
  const actions = done.flatMap(({ endpoint }) => endpoint);
  const ends = flat((f) => f.registrations);
  const noise = facts.flatMap((f) => (f.startNoise ? [f.startNoise] : []));
  const first = noise[0];
  return {
    allocationId: uuidBytes(p.id),
    baseUnixMs: baseMs + offsetMs,
    ...(phases.endpoint.length > 0 && { phases }),
    ...(progress.endpoint.length > 0 && { progress }),
    outcomes: p.closed.map((closed) => ({
      ...outcome(closed.outcome, offsetMs),
      ...(!closed.isKept && { kept: false }),
    })),
    ...(ends.length > 0 && {
      registrationEnds: {
        endpoint: ends.map(({ endpoint }) => endpoint),
        refreshes: ends.map(({ refreshes }) => refreshes.granted),
        refreshFailures: ends.map(({ refreshes }) => refreshes.failed),
        refreshLapses: ends.map(({ refreshes }) => refreshes.lapsed),
        refreshRecoveries: ends.map(({ refreshes }) => refreshes.recovered),
      },
    }),
    ...(counts.length > 0 && {
      sipCounts: {
        sent: counts.map((c) => c.sent),
        method: counts.map((c) => c.method),
        status: counts.map((c) => c.status),
        reason: counts.map((c) => c.reason),
        count: counts.map((c) => c.count),
        retransmissions: counts.map((c) => c.retransmissions),
      },
    }),
    ...encodedMessages([...flat((f) => f.messages), ...p.messages], baseMs, takesBlocks),
    ...(p.samples.length > 0 && { samples: samples(p.samples, at) }),
    ...(p.summed.length > 0 && { summedSamples: samples(p.summed, at) }),
    ...(stored.length > 0 && { storedSamples: samples(stored, at) }),
    streams: [
      ...p.records.map((record) => ({ ...streamTotals(record), details: streamDetails(record, offsetMs) })),
      ...p.figures.map((record) => ({ ...streamTotals(record), details: figureDetails(record), figuresOnly: true })),
    ],
    rtpHeaders: rtpHeaders(p.headers, at),
    ...(actions.length > 0 && {
      actions: {
        endpoint: actions,
        failed: done.flatMap(({ failed }) => failed),
        detail: done.flatMap(({ detail }) => detail).map((text) => boundedText(text, MAX_SENTENCE)),
        atMs: at(done.flatMap(({ atMs }) => atMs)),
      },
    }),
    breaches: flat((f) => f.breaches).map(({ atMs, untilMs, reason }) => ({
      atMs: atMs - baseMs,
      reason: boundedText(reason, MAX_SENTENCE),
      untilUnixMs: Number.isFinite(untilMs) ? untilMs + offsetMs : 0,
    })),
    strangers: flat((f) => f.strangers).map(({ atMs, count, detail }) => ({
      atMs: atMs - baseMs,
      count,
      detail: boundedText(detail, MAX_SENTENCE),
    })),
    ...tallies(
      flat((f) => (f.tally === null ? [] : [f.tally])),
      baseMs,
      offsetMs,
    ),
    ...(first && {
      startNoise: {
        unixMs: Math.max(...noise.map((n) => n.atMs)) + offsetMs,
        inviteLateMs: histogram(mergeSparse(noise.map((n) => n.inviteLateMs))),
        actionLateMs: histogram(mergeSparse(noise.map((n) => n.actionLateMs))),
        planned: sum(noise.map((n) => n.planned)),
        started: sum(noise.map((n) => n.started)),
        notStarted: sum(noise.map((n) => n.notStarted)),
        heldBack: sum(noise.map((n) => n.heldBack)),
        noFreeEndpoint: sum(noise.map((n) => n.noFreeEndpoint)),
      },
    }),
    ...(p.state && { state: STATES[p.state], reasonCode: p.reasonCode, reason: boundedText(p.reason, MAX_SENTENCE) }),
  };
}

/** Reported phase changes, and the last ones of closed calls. */
const phaseColumns = (
  reported: readonly PhaseChanges[],
  closed: readonly Closed[],
  at: (ms: readonly number[]) => number[],
) => ({
  endpoint: [...reported.flatMap(({ endpoint }) => endpoint), ...closed.map(({ outcome }) => outcome.endpoint)],
  phase: [...reported.flatMap(({ phase }) => phase), ...closed.map(() => CLOSED)],
  atMs: at([...reported.flatMap(({ atMs }) => atMs), ...closed.map(({ closedAtMs }) => closedAtMs)]),
});

/** Tallies by the seconds of the control plane's clock, which all agents share. */
function tallies(all: readonly CallTally[], baseMs: number, offsetMs: number): { tally?: Encodable<'CallTally'> } {
  if (all.length === 0) return {};
  const bySecond = new Map<number, { calls: number; failures: number; blocked: number }>();
  for (const { atMs, calls, failures, blocked } of all) {
    const second = Math.floor((atMs + offsetMs) / 1000);
    const sums = bySecond.get(second) ?? { calls: 0, failures: 0, blocked: 0 };
    bySecond.set(second, {
      calls: sums.calls + calls,
      failures: sums.failures + failures,
      blocked: sums.blocked + blocked,
    });
  }
  const rows = [...bySecond.values()];
  return {
    tally: {
      atMs: [...bySecond.keys()].map((second) => second * 1000 - offsetMs - baseMs),
      calls: rows.map((row) => row.calls),
      failures: rows.map((row) => row.failures),
      blocked: rows.map((row) => row.blocked),
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const outcome = (o: OutcomeFact, offsetMs: number): Encodable<'Outcome'> => ({
  endpoint: o.endpoint,
  outcome: o.outcome,
  cause: o.cause ?? '',
  causeText: boundedText(o.causeText, MAX_REASON),
  sipStatus: o.sipStatus,
  attempted: o.attempted,
  callResult: o.callResult ?? '',
  finalStatus: o.finalStatus,
  finalReason: boundedText(o.finalReason, MAX_REASON),
  rang: o.rang,
  calleeUri: boundedText(o.calleeUri, MAX_IDENTIFIER),
  callerUri: boundedText(o.callerUri, MAX_IDENTIFIER),
  callId: boundedText(o.callId, MAX_IDENTIFIER),
  ...readFigures((name) => o[name]),
  ...(o.peer !== null && { peerEndpoint: o.peer }),
  plannedUnixMs: o.plannedAtMs + offsetMs,
  endedBy: o.endedBy,
  tls: o.tls,
  ...(o.refreshes && {
    refreshes: o.refreshes.granted,
    refreshFailures: o.refreshes.failed,
    refreshLapses: o.refreshes.lapsed,
    refreshRecoveries: o.refreshes.recovered,
  }),
  findings: o.findings.map((f) => finding(f, offsetMs)),
  ...(o.explanation && {
    q850: o.explanation.q850,
    reasonText: boundedText(o.explanation.reason, MAX_REASON),
    warning: boundedText(o.explanation.warning, MAX_REASON),
    retryAfterSeconds: o.explanation.retryAfterSeconds,
  }),
  awaitedMs: o.awaitedMs || 0,
  absentMs: o.absentMs || 0,
  pausedMs: o.pausedMs || 0,
  unreported: o.unreported,
});

const finding = (f: FindingFact, offsetMs: number): Encodable<'Finding'> => ({
  kind: f.kind,
  ...(f.stream !== null && { stream: f.stream }),
  atUnixMs: Number.isNaN(f.atMs) ? 0 : f.atMs + offsetMs,
  lastedMs: f.lastedMs,
  count: f.count,
  of: f.of,
  detail: boundedText(f.detail, MAX_REASON),
  tolerated: f.tolerated,
});

function samples(parts: readonly StreamSamples[], at: (ms: readonly number[]) => number[]): Encodable<'Samples'> {
  const column = (name: keyof StreamSamples) => parts.flatMap((p) => p[name]);
  return {
    endpoint: column('endpointNumber'),
    stream: column('stream'),
    atMs: at(column('startMs')),
    ...sampleColumns((name) => column(name)),
    scale: column('scale'),
  };
}

function streamTotals(r: StreamRecord): Encodable<'StreamTotals'> {
  const measured = { ...r, discarded: r.lateDiscarded };
  return {
    endpoint: r.endpointNumber,
    stream: r.stream,
    codec: r.codec,
    remote: hostPortText(r.remoteAddress, r.remotePort),
    // Counts have no NaN on the wire: plcMs indicates it for a playout buffer, `feedback` for the far end's reports.
    ...readStreamFigures((name) => (STREAM_FIGURES[name].type === 'real' ? measured[name] : measured[name] || 0)),
    feedback: r.hasFeedback,
    scale: r.scale ? Scale[r.scale] : Scale.UNRATED,
  };
}

/** Merges several histograms into one for the wire. */
export function mergeSparse(parts: readonly SparseHistogram[]): SparseHistogram {
  const counts = new Map<number, number>();
  for (const part of parts) {
    part.bucket.forEach((bucket, i) => {
      counts.set(bucket, (counts.get(bucket) ?? 0) + (part.count[i] as number));
    });
  }
  const bucket = [...counts.keys()].sort((a, b) => a - b);
  const filled = parts.filter((p) => p.bucket.length > 0);
  return {
    bucket,
    count: bucket.map((b) => counts.get(b) as number),
    sum: sum(parts.map((p) => p.sum)),
    min: filled.length > 0 ? Math.min(...filled.map((p) => p.min)) : 0,
    max: filled.length > 0 ? Math.max(...filled.map((p) => p.max)) : 0,
  };
}

export const histogram = (h: SparseHistogram): Encodable<'Histogram'> => ({
  bucket: [...h.bucket],
  count: [...h.count],
  sum: h.sum,
  min: h.min,
  max: h.max,
});
