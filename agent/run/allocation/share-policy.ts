/** What the policy of the host lets one share do, by now: a change of the policy replaces it during calls. */
import { domainPredicate } from '../../policy/judge.ts';
import type { Policy } from '../../policy/policy.ts';
import { longestCallMs } from '../limits/check-policy.ts';
import type { Permission } from '../limits/policy-change.ts';
import { TalkedMinutes } from '../limits/talked-minutes.ts';
import type { SharePlan } from '../plan.ts';
import type { ShareDeps } from './share-deps.ts';

export class SharePolicy implements Permission {
  readonly mayReach: (address: string) => boolean;
  readonly mayCall: (uri: string) => boolean;
  readonly mayDial: (uri: string) => boolean;
  mayName: (host: string) => boolean = () => true;
  longestMs = Number.POSITIVE_INFINITY;
  readonly keep: { keepMessages: boolean; keepBodies: boolean };
  readonly talked: TalkedMinutes;
  /** A policy has come since the share was planned. */
  hasChanged = false;

  constructor({ keepMessages, keepBodies }: SharePlan, deps: ShareDeps, nowMs: number) {
    this.keep = { keepMessages, keepBodies };
    this.mayReach = deps.mayReach;
    this.mayCall = deps.mayCall;
    this.mayDial = deps.mayDial ?? (() => true);
    this.talked = new TalkedMinutes(deps.minutes ?? null, nowMs);
  }

  /** True: less of the messages may be kept than before. */
  follow(policy: Policy): boolean {
    const { keep } = this;
    const { messages, bodies } = policy.mayKeep;
    const keepsLess = (keep.keepMessages && !messages) || (keep.keepBodies && !bodies);
    keep.keepMessages &&= messages;
    keep.keepBodies &&= bodies;
    this.hasChanged = true;
    this.longestMs = longestCallMs(policy);
    this.mayName = domainPredicate(policy);
    return keepsLess;
  }
}
