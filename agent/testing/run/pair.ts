/**
 * A SIP engine and media of the tests, for callers and callees of agent/run that call each other on virtual time: the events of
 * engine.ts without messages. What one end does reaches the other in the next turn.
 */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import type { MediaEngine, MediaStream, StreamSession } from '../../rtp/media-engine.ts';
import { AllocationShare } from '../../run/allocation/share.ts';
import { HostPace } from '../../run/limits/host-pace.ts';
import type { HostPolicy } from '../../run/limits/host-policy.ts';
import { plainSettings } from '../../run/plain-settings.ts';
import type { EndpointPlan, GroupPlan, SharePlan, TrackPlan } from '../../run/plan.ts';
import type { ShareFacts } from '../../run/report/facts.ts';
import {
  type CallEvents,
  type IncomingCall,
  PLAIN_SIGNALLING,
  type SipEngine,
  type UserAgent,
  type UserAgentOptions,
} from '../../sip/engine.ts';

/** Methods that a peer refuses: method -> status. */
export type Refusals = { changeSession?: number; info?: number; refer?: number };

/** A stream is told of a session, of its end, or whether media are owed to it. */
export type MediaStep =
  | { readonly atMs: number; readonly session: StreamSession | null }
  | { readonly atMs: number; readonly owed: boolean };

export class PairWorld {
  nowMs = 0;
  readonly refusals: Refusals = {};
  readonly agents = new Map<string, UserAgentOptions>();
  /** The answer to an INVITE to an unknown callee. */
  nobody: { status: number; retryAfterSeconds?: number } = { status: 404 };
  invites = 0;
  /** As their callers see them, in order. */
  readonly calls: PairCall[] = [];
  /** Of the 2xx, in order. */
  readonly answers: string[] = [];
  /** The result of REFERs, by the call that sent one; null: their peers follow them. */
  takesRefer: ((call: PairCall) => void) | null = null;
  /** Callees settle the session before they answer (RFC 3262). */
  reliable = false;
  hostPace = new HostPace(50);
  /** The owner's policy; null: everything that is not called forbidden. */
  host: HostPolicy | null = null;
  /** By RTP port: the last parameters of each stream, and the keys that it was told to press. */
  readonly streams = new Map<number, StreamSession>();
  /** By RTP port: the events of each stream, in order. */
  readonly histories = new Map<number, MediaStep[]>();
  /** By RTP port: the new target of a stream. */
  readonly followed = new Map<number, string>();
  readonly pressed: string[] = [];
  readonly heard = new Map<number, string[]>();
  readonly #tasks: (() => void)[] = [];
  readonly #shares: AllocationShare[] = [];
  readonly facts: ShareFacts[] = [];
  /** The server between the two ends keeps unknown headers. */
  passesHeaders = true;
  /** By allocation, stream and endpoint: in the order in which shares are opened, whenever their calls come. */
  readonly #portOf = new Map<string, number>();

  soon(task: () => void): void {
    this.#tasks.push(task);
  }

  readonly engine = {
    name: 'core',
    local: { address: '127.0.0.1', port: 5060 },
    createUserAgent: (options: UserAgentOptions): UserAgent => {
      this.agents.set(options.contactUser, options);
      return {
        contactUri: `sip:${options.contactUser}@127.0.0.1:5060`,
        register: () => undefined,
        unregister: () => undefined,
        close: () => undefined,
        ping: () => undefined,
        invite: (target: string, offer: string, events: CallEvents) =>
          this.#invite(target, offer, events, this.passesHeaders ? (options.correlation ?? '') : ''),
      };
    },
  } as unknown as SipEngine;

  #invite(target: string, offer: string, events: CallEvents, correlation: string): PairCall {
    this.invites++;
    const callee = this.agents.get(/^sip:([^@]*)@/.exec(target)?.[1] ?? '');
    const caller = new PairCall(this, 'OUTGOING', offer);
    caller.events = events;
    this.calls.push(caller);
    events.onInviteSent(this.nowMs);
    this.soon(() => {
      if (caller.isOver) return;
      const replaced = this.calls.find((call) => target.endsWith(`?Replaces=${call.callId}`))?.peer ?? null;
      const called = new PairCall(this, 'INCOMING', offer, replaced);
      called.correlation = correlation;
      if (callee === undefined) return caller.fail(this.nobody.status, 'Nobody', this.nobody.retryAfterSeconds);
      caller.peer = called;
      called.peer = caller;
      const theirs = callee.owner.onIncomingCall(called);
      if (theirs !== null) called.events = theirs;
      for (const told of called.early.splice(0)) told();
    });
    return caller;
  }

  readonly media: MediaEngine = {
    adapter: 'ffi',
    stamps: 'kernel',
    // What a share opens only to check that it can.
    open: async () => [],
    request: (_address, owner, numbers, profile, opened) =>
      opened(numbers.map((number) => this.#stream(`${owner} ${profile?.stream} ${number}`, number))),
    turn: () => undefined,
    close: async () => undefined,
  };

  #stream(key: string, index: number): MediaStream {
    const rtpPort = this.#portOf.get(key) as number;
    const history: MediaStep[] = [];
    this.histories.set(rtpPort, history);
    const told = (session: StreamSession): void => {
      this.streams.set(rtpPort, session);
      history.push({ atMs: this.nowMs, session });
    };
    return {
      index,
      rtpPort,
      rtcpPort: rtpPort + 1,
      start: told,
      change: told,
      sendDigits: (digits) => {
        this.pressed.push(digits);
        const remote = this.streams.get(rtpPort)?.remote?.rtpPort ?? 0;
        this.heard.set(remote, [...(this.heard.get(remote) ?? []), ...digits]);
      },
      digits: () => (this.heard.get(rtpPort) ?? []).map((digit) => ({ digit, durationMs: 100, volume: 10 })),
      followedAddress: () => this.followed.get(rtpPort) ?? null,
      firstPacketAtMs: () => this.nowMs,
      expectMedia: (owed) => void history.push({ atMs: this.nowMs, owed }),
      close: () => {
        if (this.streams.delete(rtpPort)) history.push({ atMs: this.nowMs, session: null });
      },
    };
  }

  async open(plan: SharePlan, opened?: (share: AllocationShare) => void): Promise<AllocationShare> {
    const { engine, media } = this;
    const mayCall = (uri: string): boolean => !uri.includes('forbidden');
    const { hostPace, host } = this;
    const owner = host === null ? { mayReach: () => true, mayCall, hostPace } : policyDeps(host);
    const share = new AllocationShare(plan, { engine, media, latestStartMs: 2000, ...owner }, this.nowMs);
    for (const { kind } of plan.group.tracks)
      for (const { number } of plan.endpoints)
        this.#portOf.set(`${plan.owner} ${kind === 'AUDIO' ? 0 : 1} ${number}`, 20_000 + 2 * this.#portOf.size);
    opened?.(share);
    await share.prepare();
    this.#shares.push(share);
    return share;
  }

  /** A call that replaces `replaced` (RFC 3891). */
  replace(replaced: PairCall, offer: string, callee = 'e1'): PairCall {
    const caller = new PairCall(this, 'OUTGOING', offer);
    caller.events = this.#somebody(caller);
    const called = new PairCall(this, 'INCOMING', offer, replaced);
    [caller.peer, called.peer] = [called, caller];
    this.soon(() => {
      called.events = this.agents.get(callee)?.owner.onIncomingCall(called) ?? null;
    });
    return caller;
  }

  #somebody(call: PairCall): CallEvents {
    const nothing = (): void => undefined;
    const onDelayedOffer = (offer: string): string => offer.replace(/^o=.*$/m, 'o=x 1 1 IN IP4 127.0.0.1');
    const onFailed = (): void => {
      call.isOver = true;
    };
    return {
      onInviteSent: nothing,
      onProvisional: nothing,
      onAnswered: nothing,
      onFailed,
      onEnded: nothing,
      onDelayedOffer,
    };
  }

  stop(): void {
    for (const share of this.#shares) share.stop('a user stopped the run');
  }

  start(): void {
    for (const share of this.#shares) share.start(this.nowMs);
  }

  go(toMs: number): void {
    while (this.nowMs < toMs) {
      this.nowMs++;
      for (const share of this.#shares) share.turn(this.nowMs);
      for (const task of this.#tasks.splice(0)) task();
    }
    for (const share of this.#shares) {
      const taken = share.takeFacts(this.nowMs);
      if (taken) this.facts.push(taken);
    }
  }

  /** `0 HOLD, on INFO` or `0 failed: …`: the actions of all endpoints, in order. */
  get actions(): string[] {
    return this.facts.flatMap(({ actions }) =>
      actions.detail.map((detail, i) => `${actions.endpoint[i]} ${actions.failed[i] ? 'failed: ' : ''}${detail}`),
    );
  }

  get outcomes() {
    return this.facts.flatMap(({ outcomes }) => outcomes).sort((a, b) => a.endpoint - b.endpoint);
  }
}

const policyDeps = (host: HostPolicy) => {
  const { mayReach, mayCall, mayDial, minutes } = host;
  return { mayReach, mayCall, mayDial, minutes, hostPace: host };
};

let calls = 0;

class PairCall implements IncomingCall {
  readonly callId = `call-${++calls}`;
  readonly direction: 'OUTGOING' | 'INCOMING';
  readonly fromUri = 'sip:caller@127.0.0.1';
  correlation = '';
  readonly requestUri = 'sip:callee@127.0.0.1';
  readonly receivedAtMs: number;
  readonly body: string;
  readonly early: (() => void)[] = [];
  events: CallEvents | null = null;
  peer: PairCall | null = null;
  isOver = false;
  #local: string;
  #answered = false;
  readonly replacesValue = this.callId;
  readonly #world: PairWorld;

  readonly replaces: PairCall | null;

  constructor(world: PairWorld, direction: 'OUTGOING' | 'INCOMING', offer: string, replaces: PairCall | null = null) {
    this.#world = world;
    this.replaces = replaces;
    this.direction = direction;
    this.body = offer;
    this.#local = direction === 'OUTGOING' ? offer : '';
    this.receivedAtMs = world.nowMs;
  }

  /** Events in the next turn, and only while the call is there. */
  tell(what: (events: CallEvents) => void, whenOver = false): void {
    this.#world.soon(() => {
      if (this.events !== null && (whenOver || !this.isOver)) what(this.events);
    });
  }

  ring(): void {
    this.progress(180, '');
  }

  progress(status: 180 | 183, body: string): void {
    const { peer } = this;
    peer?.tell((e) => {
      e.onProvisional(status, 'Progress', this.#world.nowMs, body);
      if (body !== '') e.onEarlyMedia?.(peer.#local, body, false, this.#world.nowMs);
    });
  }

  answer(body: string): void {
    const { peer } = this;
    this.#local = body;
    this.replaces?.hangUp();
    this.#world.answers.push(body);
    const settled = this.#world.reliable && peer !== null && peer.#local !== '';
    if (settled) peer.tell((e) => e.onEarlyMedia?.(peer.#local, body, true, this.#world.nowMs));
    peer?.tell((e) => {
      peer.#answered = true;
      const delayed = peer.#local === '' ? e.onDelayedOffer?.(body) : undefined;
      const ack = delayed === undefined || isSdpFault(delayed) ? '' : delayed;
      if (ack !== '') peer.#local = ack;
      e.onAnswered(this.#world.nowMs, 200, 'OK', settled ? '' : body);
      this.tell((mine) => {
        this.#answered = true;
        mine.onAnswered(this.#world.nowMs, 200, 'OK', ack);
      });
    });
  }

  reject(status: number, reason: string): void {
    this.peer?.fail(status, reason);
    if (this.events === null) this.early.push(() => this.fail(status, reason));
    else this.fail(status, reason);
  }

  redirect(): void {
    throw new Error('no test redirects');
  }

  fail(status: number, reason: string, retryAfterSeconds?: number): void {
    const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    this.isOver = true;
    this.tell((e) => e.onFailed({ kind: 'STATUS', status, reason, atMs: this.#world.nowMs, ...more }), true);
  }

  hangUp(): void {
    if (this.isOver) return;
    const { peer } = this;
    const at = this.#world.nowMs;
    if (!this.#answered) {
      this.fail(487, 'Request Terminated');
      peer?.fail(487, 'Request Terminated');
      return;
    }
    this.isOver = true;
    this.tell((e) => e.onEnded('LOCAL', at, at + 1), true);
    if (peer === null || peer.isOver) return;
    peer.isOver = true;
    peer.tell((e) => e.onEnded('REMOTE', at, at), true);
  }

  changeSession(offer: string): void {
    const { peer } = this;
    const refused = this.#world.refusals.changeSession;
    const at = this.#world.nowMs;
    peer?.tell((theirs) => {
      const answer = refused === undefined ? theirs.onSessionOffer?.(peer.#local, offer) : undefined;
      if (typeof answer !== 'string') {
        this.tell((e) => e.onSessionRefused?.(refused ?? 488, 'Not Acceptable Here', at));
        return;
      }
      this.#local = offer;
      peer.#local = answer;
      theirs.onSessionChanged?.(answer, offer, 'REMOTE', at, 'PEER');
      this.tell((e) => e.onSessionChanged?.(offer, answer, 'LOCAL', at, 'OWNER'));
    });
  }

  sendInfo(contentType: string, body: string): void {
    const status = this.#world.refusals.info ?? 200;
    this.peer?.tell((e) => {
      if (status < 300) e.onInfo?.(contentType, body, this.#world.nowMs);
      this.tell((mine) => mine.onInfoAnswered?.(status, this.#world.nowMs));
    });
  }

  refer(targetUri: string): void {
    const { takesRefer } = this.#world;
    if (takesRefer !== null) {
      takesRefer(this);
      return;
    }
    this.peer?.tell((e) => {
      if (this.#world.refusals.refer === undefined && e.onRefer?.(targetUri, this.#world.nowMs) === true) {
        this.tell((mine) => mine.onReferProgress?.(202, 'Accepted', false, this.#world.nowMs));
        return;
      }
      const status = this.#world.refusals.refer ?? 603;
      this.tell((mine) => mine.onReferProgress?.(status, 'Decline', true, this.#world.nowMs));
    });
  }

  notifyRefer(status: number, reason: string): void {
    // A subscription outlives the call (RFC 5057, 4.1).
    this.peer?.tell((e) => e.onReferProgress?.(status, reason, status >= 200, this.#world.nowMs), true);
  }
}

const track = { source: 'TONE', direction: 'BOTH', dscp: 0, deferred: false } as const;
export const AUDIO: TrackPlan = { ...track, kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20 };
export const VIDEO: TrackPlan = { ...track, kind: 'VIDEO', codecs: ['VP8'], source: 'PATTERN', h264: null };

export const CALL_MS = 10_000;

export const endpoint = (number: number, more: Partial<EndpointPlan> = {}): EndpointPlan => ({
  number,
  registerAtMs: 0,
  callAtMs: 0,
  user: `e${number}`,
  account: null,
  values: {},
  targetUri: 'sip:e1@127.0.0.1:5060',
  nextHop: null,
  nextHopUri: null,
  ...more,
});

export const sharePlan = (
  role: SharePlan['role'],
  group: Partial<GroupPlan>,
  more: Partial<SharePlan> = {},
): SharePlan => ({
  owner: role === 'CALLER' ? 1 : 2,
  run: '0'.repeat(32),
  role,
  group: {
    ...plainSettings({ telephoneEvent: true }),
    mode: 'CALL',
    registerExpiresSeconds: 3600,
    registerRetry: null,
    headers: [],
    gateways: [],
    routeSet: [],
    engine: 'CORE',
    callsFrom: 'ANYBODY',
    protocol: 'UDP',
    tls: null,
    tracks: [AUDIO],
    withoutMedia: null,
    encryption: 'NONE',
    ice: null,
    dtmf: null,
    impairment: null,
    actions: [],
    signalling: PLAIN_SIGNALLING,
    outbound: false,
    answering: { delayMs: 0, ringMs: 0, provisional: 180, rejectStatus: null },
    correlate: true,
    tolerated: [],
    ...group,
  },
  endpoints: [endpoint(role === 'CALLER' ? 0 : 1)],
  callDurationMs: CALL_MS,
  answerTimeoutMs: 3000,
  receiveWindowMs: 60_000,
  hardEndMs: 120_000,
  longestCallMs: 60_000,
  keepMessages: false,
  keepBodies: true,
  traced: null,
  breaker: null,
  load: null,
  keeping: null,
  receives: null,
  ...more,
});
