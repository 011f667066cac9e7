/** The values that the metrics read from the link, the outbox, the policy and HEP. */
import type { HepExporter } from '../capture/hep-exporter.ts';
import { nowMs } from '../clock.ts';
import type { Link } from '../link/link.ts';
import type { Readings } from '../metrics/readings.ts';
import type { Book } from '../run/allocation/book.ts';
import type { Host } from './host.ts';
import type { AgentNoise } from './noise.ts';

type Parts = {
  readonly book: Book;
  readonly link: Link;
  readonly noise: AgentNoise;
  readonly hep: HepExporter | null;
};

export const readingsOf = ({ outbox, currentPolicy, minutes }: Host, { book, link, noise, hep }: Parts): Readings => ({
  endpoints: () => book.endpoints,
  linkState: () => link.state,
  outboxDepth: () => outbox.depth,
  linkOfflineMs: () => link.offlineMs(nowMs()),
  clockErrorMs: () => link.clock.errorMs,
  outboxBytes: () => outbox.bytes,
  outboxDropped: () => ({ full: outbox.counters.thinned, refused: outbox.counters.refused }),
  strays: () => noise.strays,
  hep: () => hep?.counters ?? { sent: 0, dropped: 0 },
  policy: () => ({
    fault: currentPolicy.fault,
    ...currentPolicy.readings,
    minutesToday: minutes.minutes.spentMs / 60_000,
  }),
});
