/**
 * Limits the requests that networks make without a key. Valid keys from there are still accepted, because addresses may
 * be shared.
 */
import { ApiError } from '../contract/errors.ts';
import { networkOf } from '../domain/network.ts';
import { LIMITS, type RequestLimit } from './limits.ts';
import { Windows } from './windows.ts';

export class NetworkLimit {
  readonly #max: number;
  readonly #windows: Windows;
  /** The reported count of each network. */
  readonly #reported: Windows;

  constructor({ max, withinMs }: RequestLimit) {
    this.#max = max;
    this.#windows = new Windows(withinMs);
    this.#reported = new Windows(withinMs);
  }

  /** Counts a request from this address. `waitSeconds` 0: within the limit; `news`: requests to report now. */
  count(address: string, nowMs: number): { readonly waitSeconds: number; readonly news: number } {
    const network = networkOf(address);
    const count = this.#windows.add(network, nowMs);
    const reported = this.#reported.of(network, nowMs);
    // The first one is reported, and then each increase by a tenth, so that the log of a flood grows logarithmically.
    const news = count >= Math.max(reported + 1, reported * 1.1) ? count - reported : 0;
    if (news > 0) this.#reported.add(network, nowMs, news);
    return { waitSeconds: count > this.#max ? this.#windows.secondsLeft(nowMs) : 0, news };
  }
}

/** A hook for routes that need no key. @throws ApiError RATE_LIMITED */
export function visitorsShare(now: () => Date): (request: { readonly ip: string }) => Promise<void> {
  const visits = new NetworkLimit(LIMITS.visits);
  return async ({ ip }) => {
    const { waitSeconds } = visits.count(ip, now().getTime());
    if (waitSeconds === 0) return;
    const message = `Too many requests from this network for what needs no key. Try again in ${waitSeconds} s.`;
    throw new ApiError('RATE_LIMITED', message, [], waitSeconds);
  };
}
