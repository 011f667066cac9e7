/**
 * Drives calls through the SIP engine at a fixed rate, with everything that a load test records: the instants of every
 * call, counters by kind of message, every message kept with masked credentials. User agents are created beforehand and
 * call repeatedly.
 */
import { EndpointTraffic, SipCounts } from '../../../agent/capture/endpoint-traffic.ts';
import { MessageStore } from '../../../agent/capture/message-store.ts';
import { nowMs } from '../../../agent/clock.ts';
import { createIdentity } from '../../../agent/net/text/self-signed.ts';
import { createCoreEngine } from '../../../agent/sip/core/engine.ts';
import type {
  Call,
  CallEvents,
  IncomingCall,
  SipEngine,
  SipFailure,
  TlsSettings,
  UserAgent,
} from '../../../agent/sip/engine.ts';
import { busyTurnMs, Doorbell, keepTurning } from '../../../agent/sip/turns.ts';
import { ADDRESS, type SippTransport } from './sipp.ts';

/** Which end of the calls is ours. */
export type DriverWork = 'CALLER' | 'CALLEE';

export type DriveOptions = {
  readonly work: DriverWork;
  readonly transport: SippTransport;
  /** The peer's, or where we listen for its calls; on 127.0.0.1. */
  readonly port: number;
  /** A second; ignored where the peer calls. */
  readonly rate: number;
  /**
   * The first calls, at WARM_UP_RATE, are not measured: a load test runs for minutes, and uncompiled code (80 us per
   * call instead of 12) is not representative.
   */
  readonly warmUp: number;
  readonly count: number;
  readonly adapter: 'ffi' | 'dgram';
  /** How long to wait for calls that are still open at the end. */
  readonly patienceMs: number;
  /** We listen. */
  readonly onReady?: () => void;
  /** The first calls have started: counting starts here. */
  readonly onWarm?: () => void;
};

export type DriveResult = {
  readonly ended: number;
  readonly failed: number;
  readonly cpuSeconds: number;
  readonly userSeconds: number;
  readonly messages: number;
  readonly retransmissions: number;
  /** Milliseconds from INVITE to 200: median and 99th percentile. */
  readonly setupMs: readonly [number, number];
  readonly lateStartMs: number;
  readonly residentBytes: number;
};

const OFFER = [
  'v=0',
  `o=- 1 1 IN IP4 ${ADDRESS}`,
  's=-',
  't=0 0',
  'm=audio 6000 RTP/AVP 0',
  `c=IN IP4 ${ADDRESS}`,
  'a=rtpmap:0 PCMU/8000',
  'a=sendrecv',
  '',
].join('\r\n');
/** Certificates are made for the occasion. */
const TLS: TlsSettings = { verify: 'SKIP' };
/** Calls a second. */
export const WARM_UP_RATE = 4000;
/** Four times as many calls as are in progress, or ended and not collected, at 4,000 calls a second. */
const ENDPOINTS = 4000;
/** Limit of an endpoint, which keeps 500 messages: with few concurrent calls each has many. */
const MOST_CALLS = 80;
/** The reporting interval of a signalling thread. */
const GATHER_MS = 100;
/** Most calls per turn, as time of the planned rate. */
const MOST_AT_ONCE_MS = 6;

/** The milestones of all calls, one column each. */
class Log {
  readonly counts = new SipCounts();
  readonly store = new MessageStore(ADDRESS);
  readonly sent: Float64Array;
  readonly ringing: Float64Array;
  readonly answered: Float64Array;
  readonly bye: Float64Array;
  readonly end: Float64Array;
  /** Calls so far. */
  begun = 0;
  ended = 0;
  failed = 0;
  messages = 0;
  retransmissions = 0;
  /** Messages that were kept and taken. */
  traced = 0;
  /** Ended, and to be collected. */
  over: Line[] = [];

  constructor(size: number) {
    this.sent = new Float64Array(size);
    this.ringing = new Float64Array(size);
    this.answered = new Float64Array(size);
    this.bye = new Float64Array(size);
    this.end = new Float64Array(size);
  }

  /** Including those that had ended at the last collection: the last response of a call leaves after its end. */
  gather(before: Line[], free: Line[], all = false): Line[] {
    for (const { count, retransmissions } of this.counts.take()) {
      this.messages += count + retransmissions;
      this.retransmissions += retransmissions;
    }
    // As it would be reported.
    for (const block of this.store.take(all)) this.traced += block.atMs.length;
    free.push(...before.filter((line) => line.calls < MOST_CALLS));
    const over = this.over;
    this.over = [];
    return over;
  }
}

/** One endpoint: its user agent, and its one call. */
class Line implements CallEvents {
  readonly agent: UserAgent;
  calls = 0;
  private readonly log: Log;
  /** Of its call. */
  private index = 0;
  private call: Call | null = null;

  constructor(engine: SipEngine, log: Log, index: number) {
    this.log = log;
    this.agent = engine.createUserAgent({
      aor: `sip:bench${index}@${ADDRESS}`,
      contactUser: `bench${index}`,
      credentials: null,
      registrarUri: null,
      nextHop: null,
      routeSet: [],
      tls: TLS,
      traffic: new EndpointTraffic(index, log.counts, log.store, { keepMessages: true, keepBodies: true }),
      owner: { onIncomingCall: (call) => this.take(call) },
    });
  }

  invite(target: string): void {
    this.index = this.log.begun++;
    this.call = this.agent.invite(target, OFFER, this);
  }

  private take(call: IncomingCall): CallEvents {
    this.call = call;
    this.index = this.log.begun++;
    this.log.sent[this.index] = call.receivedAtMs;
    call.ring();
    call.answer(OFFER);
    return this;
  }

  onInviteSent(atMs: number): void {
    this.log.sent[this.index] = atMs;
  }

  onProvisional(status: number, _reason: string, atMs: number): void {
    if (status === 180) this.log.ringing[this.index] = atMs;
  }

  onAnswered(atMs: number): void {
    this.log.answered[this.index] = atMs;
    if (this.call?.direction === 'OUTGOING') this.call.hangUp();
  }

  onFailed(_failure: SipFailure): void {
    this.log.failed++;
    this.log.over.push(this);
  }

  onEnded(_by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number): void {
    this.log.bye[this.index] = byeAtMs;
    this.log.end[this.index] = endedAtMs;
    this.finish();
  }

  private finish(): void {
    this.call = null;
    this.calls++;
    this.log.ended++;
    this.log.over.push(this);
  }
}

export async function drive(options: DriveOptions): Promise<DriveResult> {
  const { work, transport, port, adapter } = options;
  const free: Line[] = [];
  const engine = await createCoreEngine({
    address: ADDRESS,
    port: work === 'CALLEE' && transport !== 'TLS' ? port : 0,
    tls: work === 'CALLEE' && transport === 'TLS' ? { port, ...createIdentity(ADDRESS) } : { port: 0 },
    adapter,
    userAgentName: 'carillon',
    mayReach: () => true,
    onUnclaimedCall: () => free.pop()?.agent ?? null,
  });
  if (transport === 'TLS') await engine.listenTls();
  const size = options.warmUp + options.count;
  if (size > ENDPOINTS * MOST_CALLS) throw new Error(`${size} calls; at most ${ENDPOINTS * MOST_CALLS} are all traced`);
  const log = new Log(size);
  for (let i = 0; i < ENDPOINTS; i++) free.push(new Line(engine, log, i));
  options.onReady?.();
  try {
    return await load(engine, log, free, options);
  } finally {
    engine.close();
  }
}

function load(engine: SipEngine, log: Log, free: Line[], options: DriveOptions): Promise<DriveResult> {
  const { work, rate, warmUp, count } = options;
  const by = options.transport === 'UDP' ? '' : `;transport=${options.transport.toLowerCase()}`;
  const target = `sip:service@${ADDRESS}:${options.port}${by}`;
  const size = warmUp + count;
  let beginMs = nowMs();
  const deadlineMs = beginMs + (warmUp * 1000) / WARM_UP_RATE + (count * 1000) / rate + options.patienceMs;
  const most = Math.ceil((Math.max(rate, WARM_UP_RATE) * MOST_AT_ONCE_MS) / 1000);
  let cpuBefore: NodeJS.CpuUsage | null = null;
  let before: Line[] = [];
  let gatherDueMs = 0;
  let turnedAtMs = nowMs();
  let lateStartMs = 0;
  return new Promise((resolve) => {
    const turn = (): number | null => {
      const atMs = nowMs();
      if (cpuBefore === null && log.begun >= warmUp) {
        options.onWarm?.();
        cpuBefore = process.cpuUsage();
        beginMs = atMs;
      }
      if (work === 'CALLER') {
        const sinceMs = atMs - beginMs;
        const due =
          cpuBefore === null
            ? Math.min(warmUp, (sinceMs * WARM_UP_RATE) / 1000)
            : Math.min(size, warmUp + (sinceMs * rate) / 1000);
        if (cpuBefore !== null) lateStartMs = Math.max(lateStartMs, ((due - log.begun) * 1000) / rate);
        // Late calls are not bunched: the peer's queue would overflow, and cause retransmissions.
        const end = Math.min(due, log.begun + most);
        while (log.begun < end && free.length > 0) (free.pop() as Line).invite(target);
      }
      const came = engine.turn(atMs);
      const waitMs = busyTurnMs(came, atMs - turnedAtMs);
      turnedAtMs = atMs;
      if (atMs >= gatherDueMs) {
        before = log.gather(before, free);
        gatherDueMs = atMs + GATHER_MS;
      }
      const done = log.ended + log.failed;
      if (done < size && atMs < deadlineMs) return waitMs;
      const cpu = process.cpuUsage(cpuBefore ?? undefined);
      log.gather(before, free, true);
      if (log.traced !== log.messages)
        throw new Error(
          `${log.traced} of ${log.messages} messages were traced: the others are beyond the 500 of an endpoint`,
        );
      resolve({
        ended: log.ended - warmUp,
        failed: size - log.ended,
        cpuSeconds: (cpu.user + cpu.system) / 1e6,
        userSeconds: cpu.user / 1e6,
        messages: log.messages,
        retransmissions: log.retransmissions,
        setupMs: setupTimes(log, warmUp),
        lateStartMs,
        residentBytes: process.memoryUsage().rss,
      });
      return null;
    };
    // As a signalling thread waits.
    keepTurning({ turn, needsLoop: () => engine.needsLoop, doorbell: new Doorbell() });
  });
}

function setupTimes(log: Log, from: number): [number, number] {
  const times = log.answered.subarray(from).map((answered, i) => answered - (log.sent[from + i] as number));
  times.sort();
  const at = (fraction: number): number => times[Math.floor((times.length - 1) * fraction)] ?? 0;
  return [at(0.5), at(0.99)];
}
