/**
 * Calls from one engine to another in memory, before an agent says that it is ready: V8 compiles what is called often, and until it has,
 * a call costs several times what it costs afterwards. Most tests would be over by then. Nothing leaves the thread, and time is invented.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import { EndpointTraffic, SipCounts } from '../../capture/endpoint-traffic.ts';
import { MessageStore } from '../../capture/message-store.ts';
import { CoreEngine } from '../../sip/core/engine.ts';
import { Inbox } from '../../sip/core/ports.ts';
import type { Call, CallEvents, IncomingCall, UserAgent } from '../../sip/engine.ts';
import { inOnePiece } from '../../sip/message/own-text.ts';
import { stepAside } from '../../sip/turns.ts';
import { takeRefused } from '../../steps.ts';

export type WarmUpLimits = {
  readonly calls: number;
  /** Of the thread's CPU time. */
  readonly cpuMs: number;
};

type Rehearsal = { readonly placed: number; readonly failed: number };

/** What is left to gain after so many calls is not worth a longer start (scripts/bench/RESULTS.md). */
export const WARM_UP: WarmUpLimits = { calls: 4000, cpuMs: 400 };

const ADDRESS = '192.0.2.1';
const PORTS = { caller: 5060, callee: 5062 } as const;
const TURN_MS = 4;
const CALLS_A_TURN = 8;
/** Turns before the thread hears of what else there is. */
const TURNS_A_ROUND = 4;
const LINES = 256;
/** As an agent describes a track; what else is in it is nobody's matter here. */
const SDP = [
  'v=0',
  `o=- 1 1 IN IP4 ${ADDRESS}`,
  's=-',
  `c=IN IP4 ${ADDRESS}`,
  't=0 0',
  'm=audio 6000 RTP/AVP 0 8 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=sendrecv',
  '',
].join('\r\n');

/** As many calls as the limits allow, fewer where `isOver` says that there is something better to do. */
export async function warmUp(limits: WarmUpLimits, isOver: () => boolean = () => false): Promise<Rehearsal> {
  const restore = stepAside();
  const before = process.threadCpuUsage();
  const stage = new Stage();
  const hasTime = (): boolean => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000 < limits.cpuMs && !isOver();
  };
  while (stage.placed < limits.calls && hasTime()) {
    for (let turn = 0; turn < TURNS_A_ROUND; turn++) stage.turn(Math.min(CALLS_A_TURN, limits.calls - stage.placed));
    await nextRound();
  }
  const { placed, failed } = stage;
  stage.close();
  takeRefused();
  restore();
  return { placed, failed };
}

/** Both ends of the calls, on a time of their own. */
class Stage {
  placed = 0;
  private nowMs = 0;
  private readonly caller: End;
  private readonly callee: End;

  constructor() {
    const clock = (): number => this.nowMs;
    this.caller = new End(PORTS.caller, clock);
    this.callee = new End(PORTS.callee, clock);
  }

  get failed(): number {
    return this.caller.failed + this.callee.failed;
  }

  turn(calls: number): void {
    this.nowMs += TURN_MS;
    for (let i = 0; i < calls; i++) if (this.caller.invite(`sip:callee@${ADDRESS}:${PORTS.callee}`)) this.placed++;
    this.caller.engine.turn(this.nowMs);
    this.caller.carryTo(this.callee, this.nowMs);
    this.callee.engine.turn(this.nowMs);
    this.callee.carryTo(this.caller, this.nowMs);
    this.caller.report();
    this.callee.report();
  }

  close(): void {
    this.caller.engine.close();
    this.callee.engine.close();
  }
}

/** An engine, its endpoints, and what they send. */
class End {
  readonly engine: CoreEngine;
  readonly free: Line[] = [];
  failed = 0;
  private readonly port: number;
  private readonly inbox = new Inbox();
  private readonly counts = new SipCounts();
  private readonly store = new MessageStore(ADDRESS);
  private sent: string[] = [];

  constructor(port: number, clock: () => number) {
    this.port = port;
    this.engine = new CoreEngine(
      {
        ...{ address: ADDRESS, port, adapter: 'ffi', userAgentName: 'carillon', mayReach: () => true },
        onUnclaimedCall: () => this.free.pop()?.agent ?? null,
      },
      {
        ...{ adapter: 'ffi', stamps: 'kernel', fallbackReason: null, address: ADDRESS, port },
        counters: { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 },
        send: (text) => this.sent.push(text) > 0,
        ...{ poll: () => 0, flush: () => undefined, close: () => undefined },
      },
      this.inbox,
      clock,
    );
    for (let i = 0; i < LINES; i++) this.free.push(new Line(this, i));
  }

  invite(target: string): boolean {
    const line = this.free.pop();
    line?.invite(target);
    return line !== undefined;
  }

  /** As bytes that become text, the way of sockets. */
  carryTo(other: End, atMs: number): void {
    const { sent } = this;
    this.sent = [];
    for (const text of sent) other.inbox.onDatagram(inOnePiece(text), atMs, ADDRESS, this.port);
  }

  report(): void {
    this.counts.take();
    this.store.take(false);
  }

  trafficOf(endpoint: number): EndpointTraffic {
    return new EndpointTraffic(endpoint, this.counts, this.store, { keepMessages: true, keepBodies: true });
  }
}

/** One endpoint, which hangs up as soon as its call is answered. */
class Line implements CallEvents {
  readonly agent: UserAgent;
  private readonly end: End;
  private call: Call | null = null;

  constructor(end: End, index: number) {
    this.end = end;
    this.agent = end.engine.createUserAgent({
      ...{ aor: `sip:line${index}@${ADDRESS}`, contactUser: `line${index}`, credentials: null, registrarUri: null },
      ...{ nextHop: null, routeSet: [], traffic: end.trafficOf(index) },
      onIncomingCall: (call) => this.take(call),
    });
  }

  invite(target: string): void {
    this.call = this.agent.invite(target, SDP, this);
  }

  onInviteSent(): void {
    return;
  }

  onProvisional(): void {
    return;
  }

  onAnswered(): void {
    if (this.call?.direction === 'OUTGOING') this.call.hangUp();
  }

  onFailed(): void {
    this.end.failed++;
    this.end.free.push(this);
  }

  onEnded(): void {
    this.end.free.push(this);
  }

  private take(call: IncomingCall): CallEvents {
    this.call = call;
    call.ring();
    call.answer(SDP);
    return this;
  }
}
