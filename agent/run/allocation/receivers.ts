/**
 * Assigns a call that names no endpoint. Among the shares of one thread that take calls to any number, it goes to the
 * one whose server sent it; among equals, to the one whose account is called. A call that could belong to several runs
 * is refused.
 */
import type { SipAddress, UserAgent } from '../../sip/engine.ts';
import { parseUri } from '../../sip/message/uri.ts';
import type { SharePlan } from '../plan.ts';
import type { CallSources } from './call-sources.ts';

/** A share, as far as incoming calls concern it. */
export type Receiver = {
  readonly plan: SharePlan;
  readonly sources: CallSources;
  /** Whether the share waits for calls, or will do so. */
  readonly isReceiving: boolean;
  /** An endpoint of the share that would take a call to any number. */
  takeAnyCall(): UserAgent | null;
  /** An INVITE was refused that might have been for this share. */
  noteStranger(detail: string): void;
};

export class Receivers {
  readonly #shares: ReadonlyMap<number, Receiver>;

  constructor(shares: ReadonlyMap<number, Receiver>) {
    this.#shares = shares;
  }

  /**
   * Null: no share matches, or no endpoint is free. `source`: the local address that received the call, as a group names it.
   */
  takerOf(requestUri: string, from: SipAddress, source = ''): UserAgent | null {
    let best = 0;
    let first: Receiver | null = null;
    let taker: UserAgent | null = null;
    let isTied = false;
    for (const share of this.#shares.values()) {
      const rank = share.plan.group.sourceAddress === source ? rankOf(share, requestUri, from) : 0;
      if (rank === 0 || rank < best) continue;
      if (rank > best) {
        best = rank;
        first = share;
        taker = null;
        isTied = false;
      }
      isTied ||= first?.plan.run !== share.plan.run;
      taker ??= share.takeAnyCall();
    }
    return isTied ? null : taker;
  }

  /**
   * Why calls for a new share could not be distinguished from those of another run; null: they can be. Registered
   * endpoints are called by name.
   */
  conflictOf(opening: Receiver): string | null {
    if (!takesNumbers(opening)) return null;
    for (const share of this.#shares.values()) {
      if (share.plan.run === opening.plan.run || !takesNumbers(share) || !share.isReceiving) continue;
      if (share.plan.group.sourceAddress !== opening.plan.group.sourceAddress) continue;
      const from = opening.sources.sharedWith(share.sources);
      if (from !== null)
        return `calls from ${from} are accepted by run ${share.plan.run} on this agent: wait for its end, or place the callees on another worker`;
    }
    return null;
  }

  /** An INVITE was refused: the runs that wait for calls get the reason. */
  refused(requestUri: string, { address, port }: SipAddress, source = ''): void {
    const from = { address, port };
    for (const share of this.#shares.values()) {
      if (!share.isReceiving || share.plan.group.sourceAddress !== source) continue;
      const rank = share.plan.group.takesAnyCall ? rankOf(share, requestUri, from) : 0;
      const why =
        rank === 0
          ? `calls are accepted from ${share.sources.names}`
          : 'no endpoint was free, or another run accepts calls from there';
      share.noteStranger(`${requestUri} from ${address}:${port}: ${why}`);
    }
  }
}

const takesNumbers = ({ plan }: Receiver): boolean => plan.group.takesAnyCall && !plan.group.register;

function rankOf(share: Receiver, requestUri: string, from: SipAddress): number {
  if (!share.plan.group.takesAnyCall || !share.isReceiving) return 0;
  const rank = share.sources.rank(from);
  return rank === 0
    ? 0
    : 2 * rank + (share.plan.group.register && share.sources.hasAccount(userOf(requestUri)) ? 10 : 0);
}

function userOf(requestUri: string): string {
  const uri = parseUri(requestUri);
  return typeof uri === 'string' ? '' : uri.user;
}
