/**
 * Decodes the wire's facts to plain data and checks them: columns of equal length, known words, plausible numbers.
 * Faults are FrameErrors.
 */
import { isIP } from 'node:net';
import { FrameError, isCause, isFindingKind, wire } from '@carillon/proto';
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import { SAMPLE_FIGURE_NAMES } from '@carillon/proto/figures/sample-figures.ts';
import { CALL_RESULTS, OUTCOMES, PHASES } from '../../contract/run/words.ts';
import { HISTOGRAM_BUCKETS } from '../../domain/figures/noise-tally.ts';
import type {
  AllocationFacts,
  CallTallyFacts,
  Facts,
  NoiseFact,
  RegistrationEndFacts,
  ReportedFinding,
  ReportedOutcome,
  RtpHeaderFact,
  SampleFacts,
  SipCountFacts,
} from '../../domain/run/facts.ts';
import { columns } from './columns.ts';
import { messageFacts } from './decode-messages.ts';
import { scaleOf, streamFact } from './decode-stream.ts';
import { toId } from './identifiers.ts';
import { plainText } from './plain-text.ts';

type Wire = typeof wire.agent.v1;
type Decoded<K extends keyof Wire> = Wire[K] extends { decode(...args: never[]): infer T } ? T : never;

const refuse = (what: string): never => {
  throw new FrameError(`facts: ${what}`);
};

/** The valid range of instants in Unix milliseconds, so that an agent cannot create arbitrary partitions. */
export type Instants = { readonly fromMs: number; readonly toMs: number };

/** Both come from untrusted peers and become part of a key. RFC 3261's longest method is REGISTER; reasons are for people. */
const MAX_METHOD = 32;
const MAX_REASON = 200;
const MAX_DETAIL = 500;
/** The maxima of a UDP datagram over IPv4 (RFC 768), of a kept header, and of the database columns. */
const MAX_PACKET_BYTES = 65_507;
const MAX_HEADER_BYTES = 255;
const MAX_STREAM = 32_767;
/** The longest is `[IPv6 with a zone]:65535`. */
const MAX_PEER = 80;
/** The longest is like `TLSv1.3 TLS_AES_256_GCM_SHA384`. */
const MAX_TLS = 80;
const MAX_Q850 = 127;
const MAX_RETRY_SECONDS = 86_400;
/** A stream has each kind at most once. */
const MAX_FINDINGS = 100;
/** The last valid date (ECMA-262, 21.4.1.1). A far end may request any pause. */
const LAST_DATE_MS = 8.64e15;

/** @throws FrameError */
export function decodeFactsIn(facts: Decoded<'Facts'>, instants: Instants): Facts {
  const instant = (unixMs: number): number =>
    unixMs >= instants.fromMs && unixMs <= instants.toMs ? unixMs : refuse(`no instant of these days: ${unixMs}`);
  return {
    allocations: (facts.allocations as Decoded<'AllocationFacts'>[]).map((f) => allocationFacts(f, instant)),
    noise: (facts.noise as Decoded<'Noise'>[]).map((n) => noiseFact(n, instant)),
  };
}

/** Returns the instant if it is plausible. */
type Check = (unixMs: number) => number;

function allocationFacts(f: Decoded<'AllocationFacts'>, instant: Check): AllocationFacts {
  const base = f.baseUnixMs;
  if (!Number.isFinite(base)) refuse('base_unix_ms is not a number');
  const at = (ms: readonly number[]) => ms.map((m) => instant(base + m));
  const {
    phases,
    progress,
    sipCounts,
    samples,
    summedSamples,
    storedSamples,
    startNoise,
    actions,
    tally,
    registrationEnds,
  } = f as {
    registrationEnds?: Decoded<'RegistrationEnds'> | null;
    tally?: Decoded<'CallTally'> | null;
    actions?: Decoded<'ActionsDone'> | null;
    phases?: Decoded<'Phases'> | null;
    progress?: Decoded<'Phases'> | null;
    sipCounts?: Decoded<'SipCounts'> | null;
    samples?: Decoded<'Samples'> | null;
    summedSamples?: Decoded<'Samples'> | null;
    storedSamples?: Decoded<'Samples'> | null;
    startNoise?: Decoded<'StartNoise'> | null;
  };
  return {
    allocationId: toId(f.allocationId, 'allocation_id'),
    phases: phases ? phaseFacts(phases, at) : null,
    progress: progress ? phaseFacts(progress, at) : null,
    outcomes: (f.outcomes as Decoded<'Outcome'>[]).map((o) => outcomeFact(o, instant)),
    registrationEnds: registrationEnds ? registrationEndFacts(registrationEnds) : null,
    sipCounts: sipCounts ? sipCountFacts(sipCounts) : null,
    messages: messageFacts(f.messageBlocks as Decoded<'MessageBlock'>[], f.messages as Decoded<'MessageChunk'>[], at),
    rtpHeaders: (f.rtpHeaders as Decoded<'RtpHeaders'>[]).map((run) => rtpHeaderFact(run, at)),
    samples: samples ? sampleFacts(samples, at) : null,
    summedSamples: summedSamples ? sampleFacts(summedSamples, at) : null,
    storedSamples: storedSamples ? sampleFacts(storedSamples, at) : null,
    streams: (f.streams as Decoded<'StreamTotals'>[]).map(streamFact),
    startNoise: startNoise
      ? {
          unixMs: startNoise.unixMs > 0 ? instant(startNoise.unixMs) : null,
          inviteLate: pairs(startNoise.inviteLateMs as Decoded<'Histogram'> | null),
          actionLate: pairs(startNoise.actionLateMs as Decoded<'Histogram'> | null),
          planned: startNoise.planned,
          started: startNoise.started,
          notStarted: startNoise.notStarted,
          heldBack: startNoise.heldBack,
          noFreeEndpoint: startNoise.noFreeEndpoint,
        }
      : null,
    actions: actions ? actionFacts(actions, at) : null,
    breaches: (f.breaches as Decoded<'Breach'>[]).map((b) => ({
      unixMs: instant(base + b.atMs),
      untilUnixMs: Math.min(amount('until_unix_ms', b.untilUnixMs), LAST_DATE_MS),
      reason: plainText(b.reason, MAX_DETAIL),
    })),
    strangers: (f.strangers as Decoded<'Strangers'>[]).map(({ atMs, count, detail }) => ({
      unixMs: instant(base + atMs),
      count,
      detail: plainText(detail, MAX_DETAIL),
    })),
    tally: tally ? tallyFacts(tally, at) : null,
    state: stateOf(f.state),
    reasonCode: plainText(f.reasonCode, MAX_REASON),
    reason: plainText([f.reasonCode, f.reason].filter(Boolean).join(': '), MAX_DETAIL),
  };
}

function stateOf(state: number): AllocationFacts['state'] {
  const { READY, REFUSED, DONE, ALLOCATION_STATE_UNSPECIFIED } = wire.agent.v1.AllocationState;
  if (state === READY) return 'READY';
  if (state === REFUSED) return 'REFUSED';
  if (state === DONE) return 'DONE';
  return state === ALLOCATION_STATE_UNSPECIFIED ? null : refuse(`unknown allocation state ${state}`);
}

function phaseFacts(p: Decoded<'Phases'>, at: (ms: readonly number[]) => number[]) {
  const { endpoint, phase, atMs } = columns('phases', p, ['endpoint', 'phase', 'atMs']);
  if (phase.some((x) => PHASES[x] === undefined)) refuse('unknown phase');
  return { endpoint, phase: phase as number[], unixMs: at(atMs) };
}

function actionFacts(a: Decoded<'ActionsDone'>, at: (ms: readonly number[]) => number[]) {
  const { endpoint, failed, detail, atMs } = columns('actions', a, ['endpoint', 'failed', 'detail', 'atMs']);
  return { endpoint, failed, detail: detail.map((text) => plainText(text, MAX_DETAIL)), unixMs: at(atMs) };
}

function tallyFacts(t: Decoded<'CallTally'>, at: (ms: readonly number[]) => number[]): CallTallyFacts {
  const { calls, failures, blocked, atMs } = columns('tally', t, ['atMs', 'calls', 'failures', 'blocked']);
  if (failures.some((n, i) => n > (calls[i] as number))) refuse('more failures than calls');
  // Half a second is added, because an instant that is a sum of two floats is not exact.
  return { second: at(atMs).map((ms) => Math.floor((ms + 500) / 1000)), calls, failures, blocked };
}

const registrationEndFacts = (r: Decoded<'RegistrationEnds'>): RegistrationEndFacts =>
  columns('registration_ends', r, ['endpoint', 'refreshes', 'refreshFailures', 'refreshLapses', 'refreshRecoveries']);

function sipCountFacts(c: Decoded<'SipCounts'>): SipCountFacts {
  const counts = columns('sip_counts', c, ['sent', 'method', 'status', 'reason', 'count', 'retransmissions']);
  return {
    sent: counts.sent,
    method: counts.method.map((m) => plainText(m, MAX_METHOD)),
    status: counts.status,
    reason: counts.reason.map((r) => plainText(r, MAX_REASON)),
    count: counts.count,
    retransmissions: counts.retransmissions,
  };
}

/** Values of newer agents are not errors, but become part of a key. '': none. */
function causeOf(cause: string): string | null {
  if (cause === '') return null;
  return isCause(cause) || /^[A-Z][A-Z0-9_]{0,39}$/.test(cause) ? cause : refuse(`no cause: ${cause.slice(0, 40)}`);
}

function outcomeFact(o: Decoded<'Outcome'>, instant: Check): ReportedOutcome {
  if (!OUTCOMES.includes(o.outcome as never)) refuse(`unknown outcome ${o.outcome.slice(0, 40)}`);
  if (o.callResult !== '' && !CALL_RESULTS.includes(o.callResult as never)) refuse('unknown call result');
  const orNull = (text: string, most = MAX_DETAIL) => (text === '' ? null : plainText(text, most));
  return {
    number: o.endpoint,
    outcome: o.outcome,
    cause: causeOf(o.cause),
    causeText: orNull(o.causeText),
    causeStatus: o.sipStatus,
    attempted: o.attempted,
    callResult: orNull(o.callResult),
    finalStatus: o.finalStatus,
    finalReason: orNull(o.finalReason, MAX_REASON),
    rang: o.rang,
    calleeUri: orNull(o.calleeUri),
    callerUri: orNull(o.callerUri),
    callId: orNull(o.callId),
    ...readFigures((name) => o[name]),
    plannedUnixMs: Number.isNaN(o.plannedUnixMs) ? Number.NaN : instant(o.plannedUnixMs),
    peer: o.peerEndpoint ?? null,
    tls: orNull(o.tls, MAX_TLS),
    refreshes: o.refreshes ?? Number.NaN,
    refreshFailures: o.refreshFailures ?? Number.NaN,
    refreshLapses: o.refreshLapses ?? Number.NaN,
    refreshRecoveries: o.refreshRecoveries ?? Number.NaN,
    endedBy: orNull(o.endedBy),
    q850: o.q850 <= MAX_Q850 ? o.q850 : refuse(`no cause of Q.850: ${o.q850}`),
    reasonText: orNull(o.reasonText, MAX_REASON),
    warning: orNull(o.warning, MAX_REASON),
    retryAfterSeconds: Math.min(o.retryAfterSeconds, MAX_RETRY_SECONDS),
    awaitedMs: amount('awaited_ms', o.awaitedMs),
    absentMs: amount('absent_ms', o.absentMs),
    pausedMs: amount('paused_ms', o.pausedMs),
    unreported: o.unreported,
    findings: findingFacts(o.findings as Decoded<'Finding'>[], instant),
    kept: o.kept ?? true,
  };
}

function findingFacts(findings: readonly Decoded<'Finding'>[], instant: Check): ReportedFinding[] {
  if (findings.length > MAX_FINDINGS) refuse(`${findings.length} findings of one call`);
  return findings.flatMap((f) => {
    if (!isFindingKind(f.kind)) return [];
    if ((f.stream ?? 0) > MAX_STREAM) refuse('a finding of no stream');
    return {
      kind: f.kind,
      stream: f.stream ?? null,
      atUnixMs: f.atUnixMs === 0 ? Number.NaN : instant(f.atUnixMs),
      lastedMs: Number.isNaN(f.lastedMs) ? Number.NaN : amount('lasted_ms', f.lastedMs),
      count: counted('count', f.count),
      of: counted('of', f.of),
      detail: plainText(f.detail, MAX_REASON),
      tolerated: f.tolerated,
    };
  });
}

function rtpHeaderFact(r: Decoded<'RtpHeaders'>, at: (ms: readonly number[]) => number[]): RtpHeaderFact {
  const rows = columns('rtp_headers', r, ['headerBytes', 'packetBytes', 'sent', 'atMs']);
  if (isIP(r.localAddress) === 0) refuse('rtp_headers have no address');
  if (rows.headerBytes.reduce((sum, n) => sum + n, 0) !== r.header.length)
    refuse('rtp_headers are not as long as they say');
  if (r.stream > MAX_STREAM) refuse('rtp_headers of no stream');
  if (rows.headerBytes.some((n) => n > MAX_HEADER_BYTES)) refuse('rtp_headers are longer than headers');
  if (rows.packetBytes.some((n, i) => n < (rows.headerBytes[i] as number) || n > MAX_PACKET_BYTES))
    refuse('rtp_headers of no packet');
  return {
    endpoint: r.endpoint,
    stream: r.stream,
    localAddress: r.localAddress,
    localPort: Math.min(r.localPort, 65_535),
    peer: r.peer.slice(0, MAX_PEER),
    header: r.header,
    headerBytes: rows.headerBytes,
    packetBytes: rows.packetBytes,
    sent: rows.sent,
    unixMs: at(rows.atMs),
  };
}

const SAMPLE_COLUMNS = ['endpoint', 'stream', 'atMs', ...SAMPLE_FIGURE_NAMES] as const;

function sampleFacts(s: Decoded<'Samples'>, at: (ms: readonly number[]) => number[]): SampleFacts {
  // Older agents have no such columns: absent or paused packets are among their lost ones.
  const told = (column: readonly number[]) => (column.length > 0 ? column : new Array<number>(s.atMs.length).fill(0));
  const all = { ...s, absent: told(s.absent as number[]), paused: told(s.paused as number[]) };
  const { atMs, ...rest } = columns('samples', all, SAMPLE_COLUMNS) as Decoded<'Samples'>;
  const scale = s.scale as readonly number[];
  if (scale.length > 0 && scale.length !== atMs.length) refuse('the columns of samples differ in length');
  return {
    ...rest,
    octetsReceived: s.octetsReceived as number[],
    unixMs: at(atMs),
    // Agents that do not report the scale rate only narrowband.
    scale: scale.length > 0 ? scale.map(scaleOf) : atMs.map(() => 'nb' as const),
  };
}

const pairs = (h: Decoded<'Histogram'> | null): number[] => {
  if (!h) return [];
  const { bucket, count } = columns('histogram', h, ['bucket', 'count']);
  if (bucket.some((b) => b >= HISTOGRAM_BUCKETS)) refuse('a histogram has a bucket that its layout has not');
  return bucket.flatMap((b, i) => [b, count[i] as number]);
};

/** The inputs of a verdict must be numbers. */
const amount = (what: string, value: number): number =>
  Number.isFinite(value) && value >= 0 ? value : refuse(`${what} is not an amount: ${value}`);

/** Requires an integer of a column. */
const counted = (what: string, value: number): number =>
  amount(what, value) <= Number.MAX_SAFE_INTEGER ? value : refuse(`${what} is not a count: ${value}`);

const noiseFact = (n: Decoded<'Noise'>, instant: Check): NoiseFact => ({
  unixMs: instant(n.fromUnixMs),
  seconds: amount('seconds', n.seconds),
  pacingError: pairs(n.pacingErrorMs as Decoded<'Histogram'> | null),
  slotsPlanned: n.slotsPlanned,
  slotsSkipped: n.slotsSkipped,
  loopDelay: pairs(n.loopDelayMs as Decoded<'Histogram'> | null),
  threadCpu: amount('thread_cpu', n.threadCpu),
  steal: n.steal,
  receiveDrops: n.receiveDrops,
  received: n.received,
  clockSteps: n.clockSteps,
  stamps: n.stamps,
  coldSeconds: amount('cold_seconds', n.coldSeconds),
});
