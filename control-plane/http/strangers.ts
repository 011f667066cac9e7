/**
 * Networks that send requests without a valid key or session: so many a minute, and further ones are told to wait. A valid key is taken
 * from there all the same: others may share the address. In memory, one replica each.
 */
import { networkOf } from '../domain/network.ts';

const WINDOW_MS = 60_000;
const MOST_NETWORKS = 10_000;

export type Strangers = {
  /** One without a valid key came from this address. `waitSeconds` 0: it is only refused; `news`: refusals that nobody was told of yet. */
  refused(address: string, nowMs: number): { readonly waitSeconds: number; readonly news: number };
};

type Counted = { refusals: number; told: number };

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
      const counted = networks.get(network) ?? { refusals: 0, told: 0 };
      // A client with very many addresses is limited by the database's own speed, not by our memory.
      if (networks.size < MOST_NETWORKS) networks.set(network, counted);
      counted.refusals++;
      const isOver = counted.refusals > refusalsPerMinute;
      const waitSeconds = isOver ? Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000)) : 0;
      // The first, then a tenth more each time: what is written down of a flood grows with its logarithm.
      const isNews = counted.refusals >= Math.max(counted.told + 1, counted.told * 1.1);
      const news = isNews ? counted.refusals - counted.told : 0;
      counted.told += news;
      return { waitSeconds, news };
    },
  };
}
