/**
 * Networks that send requests without a valid key or session: above a rate per minute further ones must wait. Valid
 * keys are still accepted from there: addresses may be shared. In memory, per replica.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { networkOf } from '../domain/network.ts';

const WINDOW_MS = 60_000;
const MOST_NETWORKS = 10_000;

export type Strangers = {
  /**
   * Records a request without a valid key from this address. `waitSeconds` 0: only refused; `news`: unreported
   * refusals.
   */
  refused(address: string, nowMs: number): { readonly waitSeconds: number; readonly news: number };
};

type Counted = { refusals: number; logged: number };

export function watchStrangers(refusalsPerMinute: number): Strangers {
  let windowStartMs = 0;
  let networks = new Map<string, Counted>();
  return {
    refused(address, nowMs) {
      if (nowMs - windowStartMs >= WINDOW_MS) {
        windowStartMs = nowMs;
        networks = new Map();
      }
      const network = networkOf(address);
      const counted = networks.get(network) ?? { refusals: 0, logged: 0 };
      // A client with very many addresses is limited by the database's own speed, not by our memory.
      if (networks.size < MOST_NETWORKS) networks.set(network, counted);
      counted.refusals++;
      const isOver = counted.refusals > refusalsPerMinute;
      const waitSeconds = isOver ? Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000)) : 0;
      // The first, then a tenth more each time, so that the log of a flood grows logarithmically.
      const isNews = counted.refusals >= Math.max(counted.logged + 1, counted.logged * 1.1);
      const news = isNews ? counted.refusals - counted.logged : 0;
      counted.logged += news;
      return { waitSeconds, news };
    },
  };
}

/** Requests of a network in a minute for what needs no key. Many times what pages and scrapers ask. */
const VISITS_PER_MINUTE = 600;

/** Hook for what needs no key. @throws ApiError RATE_LIMITED */
export function visitorsShare(now: () => Date): (request: FastifyRequest) => Promise<void> {
  const visits = watchStrangers(VISITS_PER_MINUTE);
  return async ({ ip }) => {
    const { waitSeconds } = visits.refused(ip, now().getTime());
    if (waitSeconds === 0) return;
    const message = `Too many requests from this network for what needs no key. Try again in ${waitSeconds} s.`;
    throw new ApiError('RATE_LIMITED', message, [], waitSeconds);
  };
}
