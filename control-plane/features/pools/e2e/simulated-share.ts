/**
 * A share of a load whose calls go nowhere: the agent's own clock says when each begins, and how it ends is drawn. What is reported of
 * it is made by the agent's own record and facts. Instants are the drawn ones, so a host that is held up changes no figure.
 */
import type { Random } from '@carillon/media/seeded.ts';
import { causeOfInviteResponse } from '@carillon/proto';
import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import { EndpointTraffic } from '../../../../agent/capture/endpoint-traffic.ts';
import { nowMs as clockMs } from '../../../../agent/clock.ts';
import { ShareLoad } from '../../../../agent/run/allocation/share-load.ts';
import { isShareOver, SHARE, type ShareEvent } from '../../../../agent/run/allocation/share-machine.ts';
import { EndpointBinding } from '../../../../agent/run/endpoint/account/binding.ts';
import { CallRecord } from '../../../../agent/run/endpoint/core/call-record.ts';
import { Timetable } from '../../../../agent/run/order/timetable.ts';
import type { EndpointPlan, SharePlan } from '../../../../agent/run/plan.ts';
import { FactsBuffer } from '../../../../agent/run/report/facts-buffer.ts';
import { isReported } from '../../../../agent/run/report/keeping.ts';
import { takeStep } from '../../../../agent/steps.ts';
import { CALL, type DrawnCall, drawnCall, OK, sipMessages } from './drawn-call.ts';

/** What the share has put into its facts. `setupMs`: of each call that was answered and has ended. */
export type Played = { begun: number; ended: number; readonly setupMs: number[] };

type Play = { readonly plan: EndpointPlan; readonly record: CallRecord; readonly call: DrawnCall; next: number };

/** The clock is read once for so many steps of calls. */
const PLAYED_AT_ONCE = 64;
const NOT_REGISTERED = new EndpointBinding();
const NO_MEDIA = { started: 0 };
const NOTHING_KEPT = { keepMessages: false, keepBodies: false };

export class SimulatedShare {
  readonly facts: FactsBuffer;
  readonly #plan: SharePlan;
  readonly #load: ShareLoad;
  readonly #random: Random;
  readonly #played: Played;
  /** Of all calls, one after the other. */
  readonly #traffic: EndpointTraffic;
  readonly #plays = new Timetable<Play>();
  #state = SHARE.initial;

  /** @throws Error if each endpoint is to place one call: only loads are played */
  constructor(plan: SharePlan, random: Random, played: Played) {
    if (plan.load === null) throw new Error('only a load is played');
    this.#plan = plan;
    this.#load = new ShareLoad(plan.load, plan.endpoints);
    this.#random = random;
    this.#played = played;
    this.facts = new FactsBuffer(plan.owner, '', (endpoint) => isReported(plan, endpoint));
    this.#traffic = new EndpointTraffic(0, this.facts.counts, this.facts.storeOf(0), NOTHING_KEPT);
    this.#enter('prepared');
    this.facts.state('READY');
  }

  get isOver(): boolean {
    return isShareOver(this.#state);
  }

  start(atMs: number): void {
    if (this.#enter('started')) this.#load.start(atMs);
  }

  changeLoad(steps: readonly LoadStep[]): void {
    this.#load.change(steps);
  }

  /** Calls that go on end as they would have. */
  stop(): void {
    if (this.#enter('stopped')) this.#load.stop();
  }

  /** Plays what is due, in its order. The rest of what takes longer than until `untilMs` is played by the next turn. */
  turn(nowMs: number, untilMs: number): void {
    const [load, plays] = [this.#load, this.#plays];
    for (let played = 1; ; played++) {
      const atMs = Math.min(load.nextMs, plays.nextMs);
      if (atMs > nowMs) break;
      if (played % PLAYED_AT_ONCE === 0 && clockMs() > untilMs) return;
      if (plays.nextMs <= atMs) this.#proceed(atMs, plays.take());
      else this.#begin(atMs);
    }
    if (plays.size > 0 || this.isOver || !load.isOver(nowMs)) return;
    for (const { number } of load.takeUnused()) this.#leaveOut(number, nowMs);
    if (this.#enter('emptied')) this.facts.state('DONE');
  }

  #begin(atMs: number): void {
    const plan = this.#load.take();
    if (plan === null) {
      this.facts.noFreeEndpoint();
      return;
    }
    const call = drawnCall(this.#random, this.#plan.callDurationMs);
    const record = new CallRecord();
    const sentAtMs = atMs + call.lateMs;
    record.planned(atMs);
    record.calling(plan.targetUri);
    record.inviteSent(sentAtMs);
    this.facts.planned();
    this.facts.started(call.lateMs);
    this.facts.phase(plan.number, 'CALLING', sentAtMs);
    this.#played.begun++;
    this.#plays.add(sentAtMs + call.afterMs[0], { plan, record, call, next: 0 });
  }

  #proceed(atMs: number, play: Play): void {
    const { plan, record, call } = play;
    const { number } = plan;
    const moment = CALL[call.status === OK ? 'ANSWERED' : 'REFUSED'][play.next++];
    if (moment === 'RINGING') {
      record.provisional(180, atMs);
      this.facts.phase(number, 'RINGING', atMs);
    } else if (moment === 'ANSWERED') {
      record.answered(OK, 'OK', atMs);
      record.connected(atMs);
      this.facts.phase(number, 'NEGOTIATING', atMs);
      this.facts.phase(number, 'INCALL', atMs);
    } else if (moment === 'LEFT') {
      record.mediaEnded(atMs, null);
      this.facts.phase(number, 'DISCONNECTING', atMs);
    } else {
      if (call.status === OK) {
        record.ended(call.endedBy, atMs - call.afterMs[3], atMs, undefined);
        this.#played.setupMs.push(record.answeredAtMs - record.plannedAtMs);
      } else {
        record.finished(call.status, call.reason);
        record.fail(causeOfInviteResponse(call.status), call.reason, call.status);
      }
      for (const message of sipMessages(call)) this.#traffic.onMessage(message);
      this.#load.freed(number, atMs);
      this.#close(number, record, atMs);
      this.#played.ended++;
      return;
    }
    this.#plays.add(atMs + (call.afterMs[play.next] as number), play);
  }

  #leaveOut(number: number, atMs: number): void {
    const record = new CallRecord();
    record.done();
    this.#close(number, record, atMs);
  }

  #close(number: number, record: CallRecord, atMs: number): void {
    this.facts.phase(number, 'CLOSED', atMs);
    const self = { plan: { number }, role: this.#plan.role, binding: NOT_REGISTERED, traffic: this.#traffic };
    this.facts.outcome(record.outcome({ ...self, callId: `${this.#plan.run}-${number}`, media: NO_MEDIA }));
  }

  #enter(event: ShareEvent): boolean {
    const next = takeStep('share', SHARE.transitions, this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }
}
