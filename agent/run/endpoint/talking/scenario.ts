/**
 * One endpoint's actions: each waits for its trigger, runs once, and is reported as done or failed. Session changes run
 * one after another, because an offer must wait for the previous answer (RFC 3261, 14.1).
 */
import { DTMF_RELAY, signalledBody, signalledDigit } from '@carillon/media/dtmf/signalled-digits.ts';
import type { Call } from '../../../sip/engine.ts';
import type { ActionPlan, StepPlan, TriggerPlan } from '../../plan.ts';
import type { TransferFailure } from '../../report/facts.ts';
import type { EndpointMedia } from '../media/endpoint-media.ts';
import { AttendedTransfer, type TransferListener } from '../transfer/attended-transfer.ts';

/** The endpoint, as far as its scenario needs it. */
export interface ScenarioHost {
  readonly media: EndpointMedia;
  /** Null: the call is not answered yet, or has ended. */
  readonly currentCall: Call | null;
  /** A REFER for the call is on its way. */
  noteReferred(): void;
  /** Places the consultation call of a transfer; returns why it cannot be placed, or null. */
  consult(transfer: AttendedTransfer): string | null;
  noteTransferFailed(failure: TransferFailure, detail: string): void;
  /** Our session description as the peer knows it. */
  readonly localDescription: string;
  /** Calls `due` with this index at the instant. */
  scheduleAction(atMs: number, index: number): void;
  scheduleListening(atMs: number): void;
  /** `fails`: the call counts as failed. */
  tellAction(detail: string, problem: string | null, fails: boolean, atMs: number): void;
  /** The last report on its REFER has arrived. */
  onReported(): void;
  hangUpNow(): void;
}

/** The polling interval for received digits, which are in shared columns. */
const LISTEN_MS = 50;
const INSTANT_MS = 0.001;
/** `Duration` of application/dtmf-relay: milliseconds. */
const INFO_KEY_MS = 160;

/** The action is not at fault: the call ended first. */
const OVER = 'the call ended before the action';

const MOVED = 'the call was moved before the action';

const UNREPORTED = 'the call ended, and the result was not reported';

/** `index` null: resuming the far end after a failed transfer, which is not an action. */
type Change = { readonly index: number | null; readonly undo: (() => void) | null };

export class Scenario implements TransferListener {
  readonly #host: ScenarioHost;
  readonly #actions: readonly ActionPlan[];
  /** Triggers that have occurred, and actions that wait for their instant. */
  readonly #fired: boolean[];
  readonly #due = new Set<number>();
  /** Actions that wait for a free session, and the one with an open offer. */
  readonly #waiting: (number | null)[] = [];
  #change: Change | null = null;
  /** Actions whose INFO requests are not all answered, in order. */
  readonly #infos: { readonly index: number; left: number; problem: string | null }[] = [];
  #refer: number | null = null;
  /** The attended transfer of `#refer`; null: it is not an attended one. */
  #transfer: AttendedTransfer | null = null;
  /** Resumes the far end after a failed transfer; null: it was on hold before. */
  #retrieve: (() => void) | null = null;
  /** Earlier events trigger nothing, because there is no call yet. */
  #isUp = false;
  #heard = '';
  #counted = 0;

  constructor(host: ScenarioHost, actions: readonly ActionPlan[]) {
    this.#host = host;
    this.#actions = actions;
    this.#fired = actions.map(() => false);
  }

  onConnected(atMs: number): void {
    this.#isUp = true;
    this.#fire('ANSWERED', atMs);
    if (this.#actions.some(({ trigger }) => trigger.on === 'DTMF')) this.#host.scheduleListening(atMs + LISTEN_MS);
  }

  onHeld(atMs: number): void {
    this.#fire('HOLD', atMs);
  }

  onResumed(atMs: number): void {
    this.#fire('RESUME', atMs);
  }

  onRefreshed(atMs: number): void {
    this.#fire('REFRESH', atMs);
  }

  /** INFO of the peer; a digit in it counts as received (RFC 6086; application/dtmf-relay, application/dtmf). */
  onInfo(contentType: string, body: string, atMs: number): void {
    this.#fire('INFO', atMs);
    const pressed = signalledDigit(contentType, body);
    if (pressed === null) return;
    // The digit is also in the list of digits, and must count once.
    if (this.#host.media.countsSignalled) this.#counted++;
    this.#hear(pressed.digit, atMs);
  }

  /** Polls for digits that have arrived by RTP. */
  listen(atMs: number): void {
    if (!this.#isUp) return;
    this.hearNew(atMs);
    const waits = this.#actions.some(({ trigger }, i) => trigger.on === 'DTMF' && !this.#fired[i]);
    if (waits) this.#host.scheduleListening(atMs + LISTEN_MS);
  }

  /** Handles the digits that have arrived by RTP since the last time. */
  hearNew(atMs: number): void {
    const digits = this.#host.media.receivedDigits();
    const fresh = digits.slice(this.#counted);
    this.#counted = Math.max(this.#counted, digits.length);
    for (const digit of fresh) this.#hear(digit, atMs);
  }

  #hear(digit: string, atMs: number): void {
    this.#heard = (this.#heard + digit).slice(-32);
    this.#fire('DTMF', atMs);
  }

  #fire(on: TriggerPlan['on'], atMs: number): void {
    if (!this.#isUp) return;
    for (const [i, { trigger }] of this.#actions.entries()) {
      if (trigger.on !== on || this.#fired[i] || !this.#heard.endsWith(trigger.heard)) continue;
      this.#fired[i] = true;
      this.#due.add(i);
      // Equal instants keep their order.
      this.#host.scheduleAction(atMs + trigger.afterMs + i * INSTANT_MS, i);
    }
  }

  due(index: number, atMs: number): void {
    if (!this.#due.delete(index)) return;
    const call = this.#host.currentCall;
    if (call !== null) this.#perform(index, (this.#actions[index] as ActionPlan).step, call, atMs);
    // The endpoint is between two calls.
    else this.#waiting.push(index);
  }

  #perform(index: number, step: StepPlan, call: Call, atMs: number): void {
    switch (step.do) {
      case 'SEND_DTMF':
        if (step.by === 'RFC4733') this.#tell(index, this.#host.media.pressKeys(step.digits), atMs);
        else this.#sendInfos(index, step.digits, call);
        break;
      case 'REFER':
        if (this.#refer !== null) this.#tell(index, 'another REFER is in progress', atMs);
        else {
          this.#refer = index;
          this.#host.noteReferred();
          call.refer(step.target);
        }
        break;
      case 'ATTENDED_TRANSFER':
        if (this.#refer !== null) this.#tell(index, 'another REFER is in progress', atMs);
        else {
          this.#refer = index;
          this.#transfer = new AttendedTransfer(step.target, this);
          this.#waiting.push(index);
          this.#nextChange(atMs);
        }
        break;
      case 'HANG_UP':
        this.#tell(index, null, atMs);
        this.#host.hangUpNow();
        break;
      default:
        this.#waiting.push(index);
        this.#nextChange(atMs);
    }
  }

  #sendInfos(index: number, digits: string, call: Call): void {
    this.#infos.push({ index, left: digits.length, problem: null });
    for (const digit of digits) {
      this.#host.media.noteDigit('SENT', digit, INFO_KEY_MS);
      call.sendInfo(DTMF_RELAY, signalledBody(digit, INFO_KEY_MS));
    }
  }

  #nextChange(atMs: number): void {
    while (this.#change === null) {
      const index = this.#waiting.shift();
      if (index === undefined) return;
      const call = this.#host.currentCall;
      if (call !== null) this.#offer(index, call, atMs);
    }
  }

  #offer(index: number | null, call: Call, atMs: number): void {
    const { media, localDescription } = this.#host;
    const step = this.#stepOf(index);
    const undo = step === null ? this.#retrieve : media.want(step);
    if (step === null) undo?.();
    const offer = media.offerAgain(localDescription);
    if (typeof offer !== 'string') {
      if (step !== null) undo?.();
      this.#changeFailed(index, offer.reason, atMs);
      return;
    }
    this.#change = { index, undo: step === null ? null : undo };
    call.changeSession(offer, step?.do === 'UPDATE' ? 'UPDATE' : 'INVITE');
  }

  #stepOf(index: number | null): StepPlan | null {
    return index === null ? null : (this.#actions[index] as ActionPlan).step;
  }

  /** Our offer was answered; `problem`: the answer cannot be used. */
  onOurChange(problem: string | null, atMs: number): void {
    if (this.#change === null) return;
    const { index, undo } = this.#change;
    this.#change = null;
    const step = this.#stepOf(index);
    const lack = problem ?? (step && this.#host.media.missed(step));
    if (index !== null && lack === null && step?.do !== 'ATTENDED_TRANSFER') this.#tell(index, null, atMs);
    else if (lack !== null) this.#changeFailed(index, lack, atMs);
    else if (index !== null) this.#held(index, undo, atMs);
    this.#nextChange(atMs);
  }

  #changeFailed(index: number | null, problem: string, atMs: number): void {
    if (index === null) return;
    if (index === this.#refer) this.#dropTransfer();
    this.#tell(index, problem, atMs);
  }

  /** The far end waits for its transfer. */
  #held(index: number, retrieve: (() => void) | null, atMs: number): void {
    const transfer = this.#transfer;
    if (transfer === null) return;
    this.#retrieve = retrieve;
    const problem = this.#host.consult(transfer);
    if (problem === null) return;
    this.#dropTransfer();
    this.#tell(index, problem, atMs);
    this.#waiting.push(null);
  }

  #dropTransfer(): void {
    this.#transfer?.abandon();
    this.#transfer = null;
    this.#refer = null;
  }

  /** The target of the endpoint's additional calls; '': it has no additional calls. */
  get consulted(): string {
    return this.#transfer?.target ?? '';
  }

  /** The consultation call should have been answered by now. */
  onConsultationDue(seconds: number): void {
    this.#transfer?.giveUp(seconds);
  }

  onConsulted(referTo: string): void {
    this.#host.noteReferred();
    this.#host.currentCall?.refer(referTo);
  }

  onTransferred(atMs: number): void {
    if (this.#refer !== null) this.#tell(this.#refer, null, atMs);
    this.#refer = null;
    this.#host.onReported();
  }

  /** The far end is as it was before: the conversation continues until the planned end of the call. */
  onTransferFailed(failure: TransferFailure, detail: string, atMs: number): void {
    this.#host.noteTransferFailed(failure, detail);
    if (this.#refer !== null) this.#host.tellAction(this.#text(this.#refer), `${failure}: ${detail}`, false, atMs);
    this.#refer = null;
    this.#transfer = null;
    this.#host.onReported();
    if (!this.#isUp) return;
    this.#waiting.push(null);
    this.#nextChange(atMs);
  }

  onRefused(status: number, reason: string, atMs: number): void {
    if (this.#change === null) return;
    const { index, undo } = this.#change;
    this.#change = null;
    undo?.();
    this.#changeFailed(index, `${status} ${reason}`, atMs);
    this.#nextChange(atMs);
  }

  onInfoAnswered(status: number, atMs: number): void {
    const [info] = this.#infos;
    if (info === undefined) return;
    info.left--;
    if (status >= 300) info.problem ??= `INFO was answered with ${status}`;
    if (info.left > 0) return;
    this.#infos.shift();
    this.#tell(info.index, info.problem, atMs);
  }

  /** True: the peer has reached the target, and this call is no longer needed (RFC 5589, 6). */
  onReferProgress(status: number, reason: string, final: boolean, atMs: number): boolean {
    if (this.#transfer !== null) {
      this.#transfer.onReferProgress(status, reason, final, atMs);
      return this.#transfer?.state === 'DONE';
    }
    if (this.#refer === null || !final) return false;
    const moved = status >= 200 && status < 300;
    if (!this.#isUp && (status === 408 || status === 481)) {
      // The request crossed the end of the call: no dialog is left that could take it.
      this.#host.tellAction(this.#text(this.#refer), OVER, false, atMs);
      this.#refer = null;
      this.#host.onReported();
      return false;
    }
    const problem = status === 0 ? `the result was not reported: ${reason}` : `${status} ${reason}`;
    this.#tell(this.#refer, moved ? null : problem, atMs);
    this.#refer = null;
    this.#host.onReported();
    return moved;
  }

  /** A report on our REFER is due; the call may have ended by then (RFC 5057, 4.1). */
  get awaitsReport(): boolean {
    return this.#refer !== null && (this.#transfer === null || this.#transfer.state === 'REFERRING');
  }

  /** Another call has replaced this one, which gets no more answers: its pending actions end. */
  onMoved(atMs: number): void {
    const open = new Set(this.#infos.map(({ index }) => index));
    if (this.#change !== null) {
      if (this.#change.index !== null) open.add(this.#change.index);
      this.#change.undo?.();
    }
    if (this.#refer !== null) open.add(this.#refer);
    this.#infos.length = 0;
    this.#change = null;
    this.#dropTransfer();
    for (const index of open) this.#host.tellAction(this.#text(index), MOVED, false, atMs);
    // Waiting actions continue in the current call.
    for (const index of this.#waiting.splice(0)) {
      if (index === null || open.has(index)) continue;
      this.#due.add(index);
      this.#host.scheduleAction(atMs, index);
    }
  }

  /** The call has ended: pending and triggered actions have failed, except a REFER whose result is due. */
  onEnded(atMs: number): void {
    this.#isUp = false;
    this.#transfer?.onCallEnded(atMs);
    const open = new Set([...this.#due, ...this.#waiting, ...this.#infos.map(({ index }) => index)]);
    if (this.#change !== null) open.add(this.#change.index);
    if (!this.awaitsReport) {
      if (this.#refer !== null) open.add(this.#refer);
      this.#dropTransfer();
    }
    open.delete(null);
    this.#due.clear();
    this.#waiting.length = 0;
    this.#infos.length = 0;
    this.#change = null;
    for (const index of open) if (index !== null) this.#host.tellAction(this.#text(index), OVER, false, atMs);
  }

  /** Reports are no longer waited for. */
  onLeft(atMs: number): void {
    this.onEnded(atMs);
    this.#transfer?.giveUpReport(atMs);
    if (this.#refer !== null) this.#host.tellAction(this.#text(this.#refer), UNREPORTED, false, atMs);
    this.#dropTransfer();
  }

  #tell(index: number, problem: string | null, atMs: number): void {
    this.#host.tellAction(this.#text(index), problem, problem !== null, atMs);
  }

  #text(index: number): string {
    return describe(this.#actions[index] as ActionPlan);
  }
}

/** For example `SEND_DTMF 12# by INFO, 2 s after ANSWERED`. */
function describe({ trigger, step }: ActionPlan): string {
  const what =
    step.do === 'SEND_DTMF'
      ? `SEND_DTMF ${step.digits} by ${step.by}`
      : step.do === 'ACTIVATE_TRACK'
        ? `ACTIVATE_TRACK ${step.track}`
        : step.do === 'REFER' || step.do === 'ATTENDED_TRANSFER'
          ? `${step.do} to ${step.target}`
          : step.do;
  const on = trigger.heard === '' ? trigger.on : `${trigger.on} ${trigger.heard}`;
  return `${what}, ${trigger.afterMs === 0 ? 'on' : `${trigger.afterMs / 1000} s after`} ${on}`;
}
