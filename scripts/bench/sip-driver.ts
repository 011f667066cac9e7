/** Drives calls through the SIP engine at a fixed rate, with all that a load test records of a call. */
import { nowMs } from '../../agent/clock.ts';
import { createCoreEngine } from '../../agent/sip/core/engine.ts';
import type {
  Call,
  CallEvents,
  SipEngine,
  SipFailure,
  Traffic,
  TrafficObserver,
  UserAgent,
} from '../../agent/sip/engine.ts';

export type DriveOptions = {
  /** Where the peer listens on 127.0.0.1. */
  readonly port: number;
  /** Calls a second. */
  readonly rate: number;
  readonly calls: number;
  readonly adapter: 'ffi' | 'dgram';
  /** How long calls that are still open at the end are waited for. */
  readonly patienceMs: number;
};

export type DriveResult = {
  readonly ended: number;
  readonly failed: number;
  readonly cpuSeconds: number;
  readonly messages: number;
  readonly retransmissions: number;
  /** Milliseconds from INVITE to 200: median and 99th percentile. */
  readonly setupMs: readonly [number, number];
  readonly lateStartMs: number;
  readonly residentBytes: number;
};

const ADDRESS = '127.0.0.1';
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

class Counter implements TrafficObserver {
  messages = 0;
  retransmissions = 0;

  onMessage(traffic: Readonly<Traffic>): void {
    this.messages++;
    if (traffic.retransmission) this.retransmissions++;
  }
}

/** Instants of all calls, one column a milestone. */
class Log {
  ended = 0;
  failed = 0;
  readonly invite: Float64Array;
  readonly ringing: Float64Array;
  readonly answer: Float64Array;
  readonly bye: Float64Array;
  readonly end: Float64Array;

  constructor(calls: number) {
    this.invite = new Float64Array(calls);
    this.ringing = new Float64Array(calls);
    this.answer = new Float64Array(calls);
    this.bye = new Float64Array(calls);
    this.end = new Float64Array(calls);
  }
}

class BenchCall implements CallEvents {
  call: Call | null = null;
  private readonly log: Log;
  private readonly index: number;

  constructor(log: Log, index: number) {
    this.log = log;
    this.index = index;
  }

  onInviteSent(atMs: number): void {
    this.log.invite[this.index] = atMs;
  }

  onProvisional(status: number, _reason: string, atMs: number): void {
    if (status === 180) this.log.ringing[this.index] = atMs;
  }

  onAnswered(atMs: number): void {
    this.log.answer[this.index] = atMs;
    this.call?.hangUp();
  }

  onFailed(_failure: SipFailure): void {
    this.log.failed++;
  }

  onEnded(_by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number): void {
    this.log.ended++;
    this.log.bye[this.index] = byeAtMs;
    this.log.end[this.index] = endedAtMs;
  }
}

export async function drive(options: DriveOptions): Promise<DriveResult> {
  const engine = await createCoreEngine({
    address: ADDRESS,
    port: 0,
    adapter: options.adapter,
    userAgentName: 'carillon',
    mayReach: () => true,
    onUnclaimedCall: () => null,
  });
  const counter = new Counter();
  const agent = engine.createUserAgent({
    aor: `sip:bench@${ADDRESS}`,
    contactUser: 'bench',
    credentials: null,
    registrarUri: null,
    nextHop: null,
    routeSet: [],
    traffic: counter,
    onIncomingCall: () => null,
  });
  try {
    return await load(engine, agent, counter, options);
  } finally {
    engine.close();
  }
}

function load(engine: SipEngine, agent: UserAgent, counter: Counter, options: DriveOptions): Promise<DriveResult> {
  const { calls, rate } = options;
  const target = `sip:service@${ADDRESS}:${options.port}`;
  const log = new Log(calls);
  const cpuBefore = process.cpuUsage();
  const beginMs = nowMs();
  const deadlineMs = beginMs + (calls / rate) * 1000 + options.patienceMs;
  let started = 0;
  let lateStartMs = 0;
  return new Promise((resolve) => {
    const ticker = setInterval(() => {
      const atMs = nowMs();
      const due = Math.min(calls, Math.floor(((atMs - beginMs) * rate) / 1000) + 1);
      lateStartMs = Math.max(lateStartMs, started < due ? atMs - beginMs - (started * 1000) / rate : 0);
      while (started < due) {
        const one = new BenchCall(log, started++);
        one.call = agent.invite(target, OFFER, one);
      }
      engine.turn(atMs);
      if (log.ended + log.failed < calls && atMs < deadlineMs) return;
      clearInterval(ticker);
      const cpu = process.cpuUsage(cpuBefore);
      resolve({
        ended: log.ended,
        failed: log.failed + (calls - log.ended - log.failed),
        cpuSeconds: (cpu.user + cpu.system) / 1e6,
        messages: counter.messages,
        retransmissions: counter.retransmissions,
        setupMs: setupTimes(log),
        lateStartMs,
        residentBytes: process.memoryUsage().rss,
      });
    }, 1);
  });
}

function setupTimes(log: Log): [number, number] {
  const times = log.answer.map((answer, i) => answer - (log.invite[i] as number)).sort();
  const at = (fraction: number): number => times[Math.floor((times.length - 1) * fraction)] ?? 0;
  return [at(0.5), at(0.99)];
}
