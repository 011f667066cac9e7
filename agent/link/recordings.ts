/**
 * Recordings from the control plane: they are requested by checksum, one chunk at a time. After a lost connection,
 * requests wait and continue; received chunks are kept.
 */
import type { wire } from '@carillon/proto';

type AgentFrame = wire.agent.v1.AgentFrame.$Properties;

/** The recording is not available; the message says why. */
export class RecordingRefused extends Error {
  override readonly name = 'RecordingRefused';
}

/** Uploads are smaller; protects against a faulty control plane. */
const MAX_BYTES = 64 * 1024 * 1024;
const STOPPING = 'the agent is stopping';
/** The longest time without a chunk. */
const SILENCE_MS = 60_000;

type Fetch = {
  readonly sha256: Buffer;
  readonly chunks: Uint8Array[];
  bytes: number;
  readonly promise: Promise<Uint8Array>;
  readonly resolve: (file: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  overdue: NodeJS.Timeout | undefined;
};

export class Recordings {
  readonly #fetches = new Map<string, Fetch>();
  readonly #send: (frame: AgentFrame) => void;
  readonly #silenceMs: number;
  #isClosed = false;

  constructor(send: (frame: AgentFrame) => void, silenceMs = SILENCE_MS) {
    this.#send = send;
    this.#silenceMs = silenceMs;
  }

  /** Fetches the file with that SHA-256 (hex); the caller must verify it. Rejects with RecordingRefused. */
  fetch(checksum: string): Promise<Uint8Array> {
    const known = this.#fetches.get(checksum);
    if (known) return known.promise;
    if (this.#isClosed) return Promise.reject(new RecordingRefused(STOPPING));
    const sha256 = Buffer.from(checksum, 'hex');
    const fetch: Fetch = { sha256, chunks: [], bytes: 0, overdue: undefined, ...Promise.withResolvers<Uint8Array>() };
    this.#fetches.set(checksum, fetch);
    this.#ask(checksum, fetch);
    return fetch.promise;
  }

  /** The link is connected again: requests on the last connection are lost. */
  onWelcome(): void {
    for (const [checksum, fetch] of this.#fetches) this.#ask(checksum, fetch);
  }

  /** An unexpected or repeated chunk is ignored. */
  onChunk({ sha256, offset, totalBytes, data, refused }: wire.agent.v1.MediaChunk): void {
    const checksum = Buffer.from(sha256).toString('hex');
    const fetch = this.#fetches.get(checksum);
    if (!fetch || offset !== fetch.bytes) return;
    if (refused !== '') this.#end(checksum, new RecordingRefused(refused));
    else if (totalBytes > MAX_BYTES || data.length === 0)
      this.#end(checksum, new RecordingRefused(`${fetch.bytes} of ${totalBytes} bytes, and no more are available`));
    else {
      fetch.chunks.push(data);
      fetch.bytes += data.length;
      if (fetch.bytes < totalBytes) this.#ask(checksum, fetch);
      else this.#end(checksum, null);
    }
  }

  /** No more chunks will arrive: waiting requests are refused. */
  close(): void {
    this.#isClosed = true;
    for (const checksum of this.#fetches.keys()) this.#end(checksum, new RecordingRefused(STOPPING));
  }

  #ask(checksum: string, fetch: Fetch): void {
    clearTimeout(fetch.overdue);
    const late = () => this.#end(checksum, new RecordingRefused('the control plane does not send it'));
    fetch.overdue = setTimeout(late, this.#silenceMs);
    fetch.overdue.unref();
    this.#send({ mediaRequest: { sha256: fetch.sha256, offset: fetch.bytes } });
  }

  #end(checksum: string, error: Error | null): void {
    const fetch = this.#fetches.get(checksum);
    if (!fetch) return;
    clearTimeout(fetch.overdue);
    this.#fetches.delete(checksum);
    if (error) fetch.reject(error);
    else fetch.resolve(Buffer.concat(fetch.chunks));
  }
}
