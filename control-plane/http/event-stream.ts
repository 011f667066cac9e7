/**
 * Sends events to one listener (server-sent events, WHATWG HTML 9.2) as they happen, with comments in between, until
 * the events end, the listener loses access or is too slow, or the server stops.
 */
import type { FastifyReply } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { EventStream } from '../operations/request/perform.ts';

const BEAT_MS = 10_000;
const ACCESS_MS = 3000;
/** The limit of data that waits for one listener. */
const MAX_WAITING_BYTES = 512 * 1024;
/**
 * The listener has this time to read the last events, and then the connection is cut: otherwise the events would stay
 * in memory.
 */
const CLOSE_MS = 5000;
const RETRY_MS = 1000;

type Reason = 'ACCESS' | 'CLOSING' | 'SLOW';
export type OpenStreams = { readonly ends: Set<(reason: Reason) => void>; endAll(): void };

export function openStreams(): OpenStreams {
  const ends = new Set<(reason: Reason) => void>();
  return {
    ends,
    endAll() {
      for (const end of ends) end('CLOSING');
    },
  };
}

type Options = {
  /** @throws ApiError if the listener has lost access */
  readonly access: () => Promise<void>;
  readonly streams: OpenStreams;
};

export async function sendEvents(
  reply: FastifyReply,
  stream: EventStream,
  { access, streams }: Options,
): Promise<FastifyReply> {
  reply.hijack();
  const { raw } = reply;
  let open = true;
  const write = (text: string): void => {
    if (open) raw.write(text);
  };
  const end = (reason?: Reason): void => {
    if (!open) return;
    if (reason) write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    open = false;
    clearInterval(beat);
    clearInterval(check);
    streams.ends.delete(end);
    stream.close();
    raw.end();
    if (raw.closed) return;
    const cut = setTimeout(() => raw.destroy(), reason === 'SLOW' ? 0 : CLOSE_MS);
    cut.unref();
    raw.once('close', () => clearTimeout(cut));
  };
  const beat = setInterval(() => write(':\n\n'), BEAT_MS);
  const check = setInterval(() => {
    access().catch((error: unknown) => {
      // A short outage of the database does not revoke access.
      if (error instanceof ApiError && error.status < 500) end('ACCESS');
    });
  }, ACCESS_MS);
  streams.ends.add(end);
  raw.on('close', () => end());
  raw.on('error', () => end());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store, no-transform',
    // Without this header, nginx would buffer the events.
    'X-Accel-Buffering': 'no',
  });
  write(`retry: ${RETRY_MS}\n\n`);
  while (open) {
    const events = await stream.next();
    if (events === null) break;
    // This is checked before new events are added, so that one large event does not count as slowness.
    if (raw.writableLength > MAX_WAITING_BYTES) end('SLOW');
    for (const { event, id, data } of events)
      write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }
  end();
  return reply;
}
