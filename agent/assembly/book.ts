/** The book of allocations: its limits, and the receivers of its facts. */
import type { HepExporter } from '../capture/hep-exporter.ts';
import type { Link } from '../link/link.ts';
import type { AgentMetrics } from '../metrics/metrics.ts';
import { createOpusDecoder } from '../playback/opus.ts';
import type { MediaAbilities } from '../rtp/abilities.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';
import { Book } from '../run/allocation/book.ts';
import type { Host } from './host.ts';
import type { Playback } from './playback.ts';
import type { SignallingThreads } from './signalling.ts';

type Parts = {
  readonly media: MediaThreads;
  readonly signalling: SignallingThreads;
  readonly library: Playback['library'];
  readonly link: Link;
  readonly metrics: AgentMetrics;
  readonly hep: HepExporter | null;
  readonly abilities: MediaAbilities;
  /** The capacity by the current policy. */
  readonly capacity: () => number;
  readonly streamCapacity: number;
};

export function openBook(
  { log, currentPolicy, minutes }: Pick<Host, 'log' | 'currentPolicy' | 'minutes'>,
  { media, signalling, library, link, metrics, hep, abilities, capacity, streamCapacity }: Parts,
): Book {
  const book = new Book({
    threads: signalling.threads,
    memories: media.memories,
    limits: (taken) => ({
      policy: currentPolicy.policy,
      minutes: minutes.minutes,
      mayReach: currentPolicy.mayReach,
      room: capacity() - taken.endpoints,
      streamRoom: streamCapacity - taken.streams,
      abilities,
    }),
    log,
    events: {
      onOutcome: (outcome) => metrics.onOutcome(outcome),
      onSip: (facts, runId) => {
        metrics.onSip(facts);
        for (const block of [...facts.messages, ...facts.withheldMessages])
          hep?.send(block, runId.replaceAll('-', ''), link.clock.offsetMs);
      },
      onSamples: (samples) => metrics.onSamples(samples),
      onStream: (record) => {
        metrics.onStream(record);
        if (record.unplayable)
          log.error(
            { endpoint: record.endpointNumber, codec: record.codec },
            'a stream sent nothing: its recording is not available in that format',
          );
      },
    },
    library,
    openOpus: createOpusDecoder,
  });
  signalling.reportTo((listener, facts) => book.onFacts(listener, facts));
  return book;
}
