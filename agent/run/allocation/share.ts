/**
 * One thread's share of an allocation, from prepare to done: first receivers are registered, then the timetable is
 * executed, then every endpoint is closed (share-machine.ts). It has no timer: `turn` is called every few milliseconds
 * (agent/sip/turns.ts).
 */

import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Fingerprint } from '../../rtp/media-engine.ts';
import type { SipEngine, UserAgent } from '../../sip/engine.ts';
import { takeStep } from '../../steps.ts';
import { CALLERS } from '../endpoint/callers.ts';
import type { Endpoint } from '../endpoint/core/endpoint.ts';
import type { EndpointTimer, Sleeper, Starter } from '../endpoint/core/endpoint-timer.ts';
import type { StreamHolder, StunFailure } from '../endpoint/core/holders.ts';
import type { LastingEndpoint } from '../endpoint/lasting-endpoint.ts';
import { Callee } from '../endpoint/talking/callee.ts';
import { Caller } from '../endpoint/talking/caller.ts';
import { Breaker } from '../limits/breaker.ts';
import { NumberTable } from '../number-table.ts';
import { needsTls, type SharePlan } from '../plan.ts';
import type { ShareFacts } from '../report/facts.ts';
import { FactsBuffer } from '../report/facts-buffer.ts';
import { isReported } from '../report/keeping.ts';
import { CallSources } from './call-sources.ts';
import { CallStarts } from './call-starts.ts';
import { LastingEndpoints, type LastingShare } from './lasting-endpoints.ts';
import { LoadCalls, type LoadHost } from './load-calls.ts';
import type { ShareDeps } from './share-deps.ts';
import { isShareOver, SHARE, type ShareEvent, type ShareState } from './share-machine.ts';
import { SharePolicy } from './share-policy.ts';
import { ShareStreams } from './share-streams.ts';
import { Wakings } from './wakings.ts';

/** After a stop, calls and registrations have this long to end cleanly. */
const STOP_LIMIT_MS = 4000;

export class AllocationShare implements LastingShare {
  readonly plan: SharePlan;
  readonly engine: SipEngine;
  readonly fingerprint: Fingerprint | null;
  readonly facts: FactsBuffer;
  readonly policy: SharePolicy;
  readonly sources: CallSources;
  /** Null: there is no breaker. */
  readonly breaker: Breaker | null;
  nowMs: number;
  readonly latestStartMs: number;
  #state: ShareState = SHARE.initial;
  /** Open endpoints, by call number. */
  readonly #endpoints = new NumberTable<Callee | (Endpoint & Starter)>();
  readonly #lasting: LastingEndpoints;
  /** Closed endpoints, kept until their last messages are reported. */
  readonly #retired: { release(): void }[] = [];
  #open = 0;
  /** Receivers whose registration is pending. */
  readonly #unsettled = new Set<object>();
  #stopDeadlineMs = Number.POSITIVE_INFINITY;
  #hardEndAtMs = Number.POSITIVE_INFINITY;
  #held = false;
  readonly #streams: ShareStreams;
  readonly #wakings = new Wakings();
  readonly #starts: CallStarts;
  /** Null: each endpoint places one call, at its own instant. */
  readonly load: LoadCalls | null;
  readonly #conflictOf: NonNullable<ShareDeps['conflictOf']>;

  constructor(plan: SharePlan, deps: ShareDeps, nowMs: number) {
    this.plan = plan;
    this.engine = deps.engine;
    this.fingerprint = deps.media.fingerprint ?? null;
    this.#streams = new ShareStreams(plan, deps, deps.engine.local.address);
    this.policy = new SharePolicy(plan, deps, nowMs);
    this.#starts = new CallStarts(plan, deps.hostPace);
    this.#conflictOf = deps.conflictOf ?? (() => null);
    this.sources = new CallSources(plan, deps);
    this.breaker = plan.breaker && new Breaker(plan.breaker, (breach) => this.facts.breach(breach));
    this.facts = new FactsBuffer(plan.owner, deps.engine.local.address, (endpoint) => isReported(plan, endpoint));
    this.nowMs = nowMs;
    this.latestStartMs = deps.latestStartMs;
    this.load = plan.load && new LoadCalls(plan.load, plan.endpoints, plan.group.register, this.#loadHost());
    this.#lasting = new LastingEndpoints(this, this.load);
  }

  takeReferral(): boolean {
    return this.#starts.takeReferral(this.nowMs);
  }

  get state(): ShareState {
    return this.#state;
  }

  get held(): boolean {
    return this.#held;
  }

  get isOver(): boolean {
    return isShareOver(this.#state);
  }

  get openEndpoints(): number {
    return this.#open;
  }

  /** Creates the user agents and registers the receivers. READY or REFUSED follows as a fact. */
  async prepare(): Promise<void> {
    const { endpoints, role, group } = this.plan;
    try {
      if (needsTls(this.plan)) await this.engine.listenTls();
      await this.#streams.prove();
      await this.sources.found(this.nowMs);
    } catch (error) {
      this.#refuse((error as Error).name, (error as Error).message);
      return;
    }
    if (this.#state !== 'PREPARING') return;
    const conflict = this.#conflictOf(this);
    if (conflict !== null) return this.#refuse('CALLS_TAKEN', conflict);
    const Kind = role === 'CALLER' ? CALLERS[group.mode] : Callee;
    try {
      this.#lasting.open();
      if (this.load === null && this.#lasting.size === 0) for (const plan of endpoints) this.#add(new Kind(this, plan));
    } catch (error) {
      for (const endpoint of this.#endpoints.values()) endpoint.abandon();
      this.#refuse('INTERNAL', (error as Error).message);
      return;
    }
    // A policy may have arrived before the endpoints existed.
    if (this.policy.hasChanged) this.#followPolicy();
    if (group.register && (role === 'CALLEE' || this.load !== null)) {
      for (const endpoint of this.#lasting.size > 0 ? this.#lasting.all : this.#endpoints.values()) {
        if (endpoint.isClosed) continue;
        this.schedule(this.nowMs + endpoint.plan.registerAtMs, endpoint, 'REGISTER');
        this.#unsettled.add(endpoint);
      }
    }
    if (this.#unsettled.size === 0) this.#ready();
  }

  start(startAtMs: number): void {
    if (!this.#enter('started')) return;
    this.#hardEndAtMs = startAtMs + this.plan.hardEndMs;
    this.load?.start(startAtMs);
    const windowEndsAtMs = startAtMs + this.plan.receiveWindowMs;
    this.#lasting.start(windowEndsAtMs);
    for (const endpoint of this.#lasting.size > 0 ? [] : this.#endpoints.values()) {
      if (endpoint instanceof Callee) {
        this.schedule(windowEndsAtMs, endpoint, 'RECEIVE_END');
        continue;
      }
      const { registerAtMs, callAtMs } = endpoint.plan;
      const { mode, register } = this.plan.group;
      if (mode === 'CALL' && register) this.schedule(startAtMs + registerAtMs, endpoint, 'REGISTER');
      if (endpoint instanceof Caller) this.#streams.expect(startAtMs + callAtMs, endpoint);
      this.#starts.add(startAtMs + (mode === 'REGISTER' ? registerAtMs : callAtMs), endpoint);
    }
    this.#doneWhenEmpty();
  }

  /** Callees without a call stop waiting. */
  finish(): void {
    this.#lasting.finish();
    for (const endpoint of this.#endpoints.values()) if (endpoint instanceof Callee) endpoint.finish();
  }

  /** The load has these steps from now on. */
  changeLoad(steps: readonly LoadStep[]): void {
    if (this.load !== null) this.#starts.follow(this.load.change(steps));
  }

  /** While it is held, no new calls start, as without a control plane (docs/architecture.md, What happens when something dies). */
  hold(held: boolean): void {
    this.#held = held;
  }

  /** Another breaker has opened. `untilMs` Infinity: permanently. */
  breakOff(untilMs: number, reason: string): void {
    this.breaker?.open(this.nowMs, untilMs, reason);
  }

  stop(reason: string): void {
    if (!this.#enter('stopped')) return;
    this.#hardEndAtMs = Number.POSITIVE_INFINITY;
    this.#stopDeadlineMs = this.nowMs + STOP_LIMIT_MS;
    this.#starts.clear();
    this.load?.stop();
    this.#streams.clear();
    this.#lasting.leave();
    for (const endpoint of this.#endpoints.values()) endpoint.stop('STOPPED', reason);
    this.#doneWhenEmpty();
  }

  get isReceiving(): boolean {
    return this.plan.role === 'CALLEE' && !this.isOver && this.#state !== 'STOPPING';
  }

  noteStranger(detail: string): void {
    this.facts.stranger(detail, this.nowMs);
  }

  /** A callee that would take a call to any number. */
  takeAnyCall(): UserAgent | null {
    if (!this.plan.group.takesAnyCall || (this.#state !== 'RUNNING' && this.#state !== 'READY')) return null;
    if (this.#lasting.size > 0) return this.#lasting.idleAgent;
    for (const endpoint of this.#endpoints.values()) if (endpoint.isIdle) return endpoint.userAgent;
    return null;
  }

  turn(nowMs: number): void {
    this.nowMs = nowMs;
    // A NaN instant is due.
    for (let atMs = this.#wakings.nextMs; !(atMs > nowMs); atMs = this.#wakings.nextMs) {
      this.facts.acted(nowMs - atMs);
      this.#wakings.wake();
    }
    this.#streams.turn(nowMs);
    this.sources.turn(nowMs);
    if (this.#state === 'RUNNING') this.load?.turn(nowMs);
    this.#starts.turn(nowMs);
    if (this.load !== null) this.#doneWhenEmpty();
    if (nowMs >= this.#hardEndAtMs) this.stop('the allocation reached its hard end');
    if (nowMs < this.#stopDeadlineMs) return;
    for (const endpoint of this.#endpoints.values()) endpoint.abandon();
    this.#lasting.abandon();
  }

  #add(endpoint: Callee | (Endpoint & Starter)): void {
    this.#endpoints.set(endpoint.plan.number, endpoint);
    this.#open++;
  }

  #loadHost(): LoadHost {
    const { facts } = this;
    return {
      aheadMs: this.#streams.aheadMs,
      make: (call) => this.#lasting.callerOf(call),
      expect: (atMs, caller) => this.#streams.expect(atMs, caller),
      begin: (atMs, caller) => {
        this.#add(caller);
        this.#starts.add(atMs, caller);
      },
      noFreeEndpoint: () => facts.noFreeEndpoint(),
    };
  }

  join(call: Callee | Caller): void {
    this.#add(call);
  }

  onLeft(endpoint: LastingEndpoint): void {
    this.#retired.push(endpoint);
    this.#wakings.leave(endpoint);
    this.onRegistrationSettled(endpoint);
    this.#doneWhenEmpty();
  }

  readonly askStun = (number: number): Promise<StunFailure | null> => this.#streams.askStun(number);

  openStreams(holder: StreamHolder): void {
    this.#streams.open(holder);
  }

  startCall(fromMs: number, caller: Starter): void {
    this.#starts.addAgain(fromMs, caller);
  }

  /** The policy has changed: calls that it refuses are ended. */
  obey(policy: Policy, nowMs: number): void {
    if (this.isOver) return;
    this.nowMs = Math.max(this.nowMs, nowMs);
    if (this.policy.follow(policy)) this.facts.dropMessages();
    this.#followPolicy();
  }

  #followPolicy(): void {
    this.#lasting.followPolicy();
    for (const endpoint of this.#endpoints.values()) endpoint.followPolicy();
  }

  /** Adds the minutes talked since the last time; stops calls if the minutes are used up. */
  #countMinutes(nowMs: number): void {
    const spent = this.policy.talked.count(nowMs);
    if (spent === null) return;
    for (const endpoint of this.#endpoints.values()) if (endpoint.isTalking) endpoint.forbid('MINUTES_SPENT', spent);
  }

  takeFacts(nowMs: number): ShareFacts | null {
    this.#countMinutes(nowMs);
    this.facts.gather(nowMs, this.isOver);
    // Endpoints are not released when they end: the engine reports a message when it is sent, and the last one is sent
    // after that.
    for (const endpoint of this.#retired.splice(0)) endpoint.release();
    this.facts.tally(this.breaker?.takeTally(nowMs) ?? null);
    return this.facts.take(nowMs);
  }

  schedule(atMs: number, sleeper: Sleeper, what: EndpointTimer): void {
    this.#wakings.add(atMs, sleeper, what);
  }

  onRegistrationSettled(endpoint: object): void {
    if (this.#unsettled.delete(endpoint) && this.#unsettled.size === 0) this.#ready();
  }

  onClosed(endpoint: Endpoint): void {
    this.#retired.push(endpoint);
    this.#wakings.leave(endpoint);
    if (this.#endpoints.get(endpoint.plan.number) === endpoint) this.#endpoints.delete(endpoint.plan.number);
    this.#open--;
    this.load?.freed(endpoint.plan.number, this.nowMs);
    this.#lasting.released(endpoint);
    // An endpoint that the policy ended is no longer waited for.
    this.onRegistrationSettled(endpoint);
    this.#doneWhenEmpty();
  }

  /** False: the table has no such step, and nothing may happen. */
  #enter(event: ShareEvent): boolean {
    const next = takeStep('share', SHARE.transitions, this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }

  #ready(): void {
    if (this.#enter('prepared')) this.facts.state('READY');
  }

  /** This has no effect if the share was stopped in the meantime. */
  #refuse(code: string, reason: string): void {
    if (this.#enter('refused')) this.facts.state('REFUSED', code, reason);
  }

  /** Closes the endpoints of a load that have had no call: true if the last of them completes the share. */
  #closeUnused(): boolean {
    const unused = this.load?.takeUnused() ?? [];
    for (const caller of unused) this.#add(caller);
    for (const caller of unused) caller.spare();
    return unused.length > 0;
  }

  /** Registrations outlast all calls: callers that have placed theirs leave, callees wait for others. */
  #stillLasting(): boolean {
    if (this.load !== null) this.#lasting.leave();
    return this.#lasting.size > 0;
  }

  #doneWhenEmpty(): void {
    if (this.#open > 0 || this.load?.isOver(this.nowMs) === false) return;
    if (this.#closeUnused() || this.#stillLasting() || !this.#enter('emptied')) return;
    this.#hardEndAtMs = Number.POSITIVE_INFINITY;
    this.#wakings.clear();
    this.facts.state('DONE');
  }
}
