/**
 * A cheap limit in front of the database for addresses that send requests without a valid key: so many a minute, then none
 * is looked at. In memory, one replica each: it guards the replica, not the contract.
 */
import { networkOf } from '../operations/people/network.ts';

const WINDOW_MS = 60_000;
const MOST_NETWORKS = 10_000;

export type Strangers = {
  /** Seconds until this address is looked at again; 0: now. */
  waitSeconds(address: string, nowMs: number): number;
  /** This address sent a request without a valid key. */
  refused(address: string, nowMs: number): void;
};

export function watchStrangers(refusalsPerMinute: number): Strangers {
  let windowStartMs = 0;
  let refusals = new Map<string, number>();
  const turn = (nowMs: number) => {
    if (nowMs - windowStartMs < WINDOW_MS) return;
    windowStartMs = nowMs;
    refusals = new Map();
  };
  return {
    waitSeconds(address, nowMs) {
      turn(nowMs);
      if ((refusals.get(networkOf(address)) ?? 0) < refusalsPerMinute) return 0;
      return Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000));
    },
    refused(address, nowMs) {
      turn(nowMs);
      // A client with very many addresses is limited by the database's own speed, not by our memory.
      const network = networkOf(address);
      if (refusals.size >= MOST_NETWORKS && !refusals.has(network)) return;
      refusals.set(network, (refusals.get(network) ?? 0) + 1);
    },
  };
}
