/** The two ends of rehearsed calls: engines in memory, of which one calls as an allocation does, and the other answers. */
import { EndpointTraffic, SipCounts } from '../../capture/endpoint-traffic.ts';
import { MessageStore } from '../../capture/message-store.ts';
import { DayMinutes } from '../../policy/minutes.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MediaEngine } from '../../rtp/media-engine.ts';
import { CoreEngine } from '../../sip/core/engine.ts';
import { Inbox } from '../../sip/core/ports.ts';
import type { CallEvents, IncomingCall, SipEngineOptions, UserAgent } from '../../sip/engine.ts';
import { inOnePiece } from '../../sip/message/own-text.ts';
import { AllocationShare } from '../allocation/share.ts';
import { HostPace } from '../limits/host-pace.ts';
import { HostPolicy } from '../limits/host-policy.ts';
import type { SharePlan } from '../plan.ts';
import type { ShareFacts } from '../report/facts.ts';

/** For documentation (RFC 5737): nothing is ever sent there. */
const ADDRESS = '192.0.2.1';
/** The same, as text from the network is: V8 compiles other code for constants. */
const SOURCE = ADDRESS.split('.').join('.');
const PORTS = { caller: 5060, callee: 5062 } as const;
export const CALLEE = `sip:callee@${ADDRESS}:${PORTS.callee}`;
const LINES = 256;
const NO_LIMIT = 100_000;

type EndOptions = Omit<SipEngineOptions, 'address' | 'port' | 'adapter' | 'userAgentName'>;

/** An engine and its sent messages. */
class End {
  readonly engine: CoreEngine;
  readonly port: number;
  private readonly inbox = new Inbox();
  private sent: string[] = [];

  constructor(port: number, clock: () => number, options: EndOptions) {
    this.port = port;
    this.engine = new CoreEngine(
      { address: ADDRESS, port, adapter: 'ffi', userAgentName: 'carillon', ...options },
      {
        ...{ adapter: 'ffi', stamps: 'kernel', fallbackReason: null, address: ADDRESS, port },
        counters: { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 },
        send: (text) => this.sent.push(text) > 0,
        ...{ poll: () => 0, flush: () => undefined, close: () => undefined },
      },
      this.inbox,
      clock,
    );
  }

  /** As bytes that become text, the way of sockets. */
  carryTo(other: End, atMs: number): void {
    const { sent } = this;
    this.sent = [];
    for (const text of sent) other.inbox.onDatagram(inOnePiece(this.asSent(text)), atMs, SOURCE, this.port);
  }

  protected asSent(text: string): string {
    return text;
  }
}

/** The host's, as far as calls need it. */
export const rehearsedPolicy = (policy: Policy): Policy => ({
  ...policy,
  ...{ targetNetworks: [`${ADDRESS}/32`], targetDomains: null, maxCallsPerSecond: NO_LIMIT },
});

/** The end that calls: a share of an allocation, from the order to its facts. */
export class CallingEnd extends End {
  placed = 0;
  failed = 0;
  readonly share: AllocationShare;

  /** `policy`: see `rehearsedPolicy`. */
  constructor(plan: SharePlan, policy: Policy, clock: () => number) {
    const host = new HostPolicy(policy, new HostPace(NO_LIMIT).memory, new DayMinutes().memory);
    const { mayReach, mayCall, mayDial, mayName } = host;
    const judges = { mayReach, mayCall, mayDial, mayName };
    super(PORTS.caller, clock, {
      ...judges,
      mayLeave: (address, atMs) => host.mayLeave(address, atMs),
      onUnclaimedCall: () => null,
    });
    const limits = { hostPace: host, minutes: host.minutes, latestStartMs: Number.POSITIVE_INFINITY };
    const deps = { engine: this.engine, media: NO_MEDIA, ...judges, ...limits };
    this.share = new AllocationShare(plan, deps, clock());
    this.share.obey(policy, clock());
  }

  /** Collected facts; null: none. */
  report(nowMs: number): ShareFacts | null {
    const facts = this.share.takeFacts(nowMs);
    this.placed += facts?.startNoise?.started ?? 0;
    for (const { outcome } of facts?.outcomes ?? []) if (outcome !== 'SUCCESS') this.failed++;
    return facts;
  }
}

/** Calls without media have none. */
const NO_MEDIA: MediaEngine = {
  ...{ adapter: 'ffi', stamps: 'kernel', open: async () => [], close: async () => undefined },
  fingerprint: { hash: 'sha-256', value: '' },
  ...{ request: (_address, _owner, _numbers, _profile, opened) => opened([]), turn: () => undefined },
};

/** The end that is called: endpoints of an engine, which answer. */
export class AnsweringEnd extends End {
  private readonly free: Line[] = [];
  private readonly counts = new SipCounts();
  private readonly store = new MessageStore(ADDRESS);

  constructor(clock: () => number) {
    super(PORTS.callee, clock, { mayReach: () => true, onUnclaimedCall: () => this.free.pop()?.agent ?? null });
    for (let i = 0; i < LINES; i++) this.free.push(new Line(this, i));
  }

  report(): void {
    this.counts.take();
    this.store.take(false);
  }

  /** Other implementations name the transport. */
  protected override asSent(text: string): string {
    return text.replace(/(?<=\n)(Contact: <sip:[^>;\r\n]*)>/, '$1;transport=UDP>');
  }

  trafficOf(endpoint: number): EndpointTraffic {
    return new EndpointTraffic(endpoint, this.counts, this.store, { keepMessages: true, keepBodies: true });
  }

  isFree(line: Line): void {
    this.free.push(line);
  }
}

/** One endpoint. */
class Line implements CallEvents {
  readonly agent: UserAgent;
  private readonly end: AnsweringEnd;

  constructor(end: AnsweringEnd, index: number) {
    this.end = end;
    this.agent = end.engine.createUserAgent({
      ...{ aor: `sip:line${index}@${ADDRESS}`, contactUser: `line${index}`, credentials: null, registrarUri: null },
      ...{ nextHop: null, routeSet: [], traffic: end.trafficOf(index) },
      owner: { onIncomingCall: (call) => this.take(call) },
    });
  }

  onInviteSent(): void {
    return;
  }

  onProvisional(): void {
    return;
  }

  onAnswered(): void {
    return;
  }

  onFailed(): void {
    this.end.isFree(this);
  }

  onEnded(): void {
    this.end.isFree(this);
  }

  private take(call: IncomingCall): CallEvents {
    call.ring();
    call.answer(SDP);
    return this;
  }
}

/** A track as an agent describes it; the rest is not needed here. */
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
  'a=inactive',
  '',
].join('\r\n');
