/** A short summary of the agent's state, for `carillon-agent status`. */
import type { Link } from '../link/link.ts';
import { versionsOf } from '../link/versions.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';
import type { Book } from '../run/allocation/book.ts';
import type { SignallingThread } from '../run/threads/signalling-host.ts';
import { AGENT_VERSION } from '../version.ts';
import type { Host } from './host.ts';

type Parts = {
  readonly link: Link;
  readonly book: Book;
  readonly media: MediaThreads;
  readonly threads: readonly SignallingThread[];
  readonly capacity: () => number;
};

export const statusOf = (
  { url, identity, currentPolicy, minutes, outbox }: Host,
  { link, book, media, threads, capacity }: Parts,
) => ({
  version: AGENT_VERSION,
  publicKey: Buffer.from(identity.present.publicKey).toString('hex'),
  url,
  link: link.state,
  linkFault: link.lastFault || null,
  controlPlane: link.welcome && versionsOf(link.welcome, AGENT_VERSION),
  allocations: book.held.length,
  endpoints: book.endpoints,
  capacity: capacity(),
  policy: {
    file: currentPolicy.file,
    fault: currentPolicy.fault,
    minutesToday: minutes.minutes.spentMs / 60_000,
    maxMinutesADay: currentPolicy.policy.maxMinutesADay,
  },
  outboxBatches: outbox.depth,
  sip: {
    adapter: threads[0]?.ready.adapter ?? null,
    listeners: threads.map((t) => `${t.ready.address}:${t.ready.port}`),
  },
  rtp: { adapter: media.adapter, priority: media.priority, srtp: media.srtpCiphers },
});
