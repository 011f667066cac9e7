/** The host's policy for one signalling thread. It may be replaced during calls; users must query it each time. */
import { isIP } from 'node:net';
import { numberPredicate } from '@carillon/proto/dialled-number.ts';
import { callPredicate, domainPredicate, reachPredicate } from '../../policy/judge.ts';
import { DayMinutes } from '../../policy/minutes.ts';
import type { Policy } from '../../policy/policy.ts';
import { HostPace } from './host-pace.ts';

/** Calls that the new policy refuses have this long for a clean end if the old policy allowed them. */
const ENDING_MS = 5000;

/** A refusal by the owner's policy: the cause that the endpoint reports, and a text. */
export type PolicyRefusal = { readonly cause: 'TARGET_NOT_ALLOWED' | 'NUMBER_NOT_ALLOWED'; readonly text: string };

type Judges = {
  readonly policy: Policy;
  readonly mayReach: (address: string) => boolean;
  readonly mayCall: (uri: string) => boolean;
  readonly mayDial: (uri: string) => boolean;
  readonly mayName: (host: string) => boolean;
  readonly pace: HostPace;
};

export class HostPolicy {
  readonly minutes: DayMinutes;
  #now: Judges;
  #before: Judges | null = null;
  #endingUntilMs = Number.NEGATIVE_INFINITY;

  constructor(policy: Policy, paceMemory: SharedArrayBuffer, minutesMemory: SharedArrayBuffer) {
    this.minutes = new DayMinutes(minutesMemory);
    this.#now = judgesOf(policy, paceMemory);
  }

  get policy(): Policy {
    return this.#now.policy;
  }

  replace(policy: Policy, paceMemory: SharedArrayBuffer, nowMs: number): void {
    this.#before = this.#now;
    this.#endingUntilMs = nowMs + ENDING_MS;
    this.#now = judgesOf(policy, paceMemory);
  }

  readonly mayReach = (address: string): boolean => this.#now.mayReach(address);
  readonly mayCall = (uri: string): boolean => this.#now.mayCall(uri);
  readonly mayDial = (uri: string): boolean => this.#now.mayDial(uri);
  readonly mayName = (host: string): boolean => this.#now.mayName(host);

  /**
   * Messages that end calls and registrations may still go where the previous policy allowed them. `host`: an address,
   * or a name to look up.
   */
  mayLeave(host: string, nowMs: number): boolean {
    if (nowMs >= this.#endingUntilMs || this.#before === null) return false;
    return isIP(host) === 0 ? this.#before.mayName(host) : this.#before.mayReach(host);
  }

  /** Whether one more call of the host may be placed now; it counts as placed. */
  take(nowMs: number): boolean {
    return this.#now.pace.take(nowMs);
  }
}

const judgesOf = (policy: Policy, paceMemory: SharedArrayBuffer): Judges => ({
  policy,
  mayReach: reachPredicate(policy),
  mayCall: callPredicate(policy),
  mayDial: numberPredicate(policy),
  mayName: domainPredicate(policy),
  pace: new HostPace(policy.maxCallsPerSecond, paceMemory),
});
