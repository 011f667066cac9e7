/**
 * Media for allocations, loaded into the media threads before an allocation is ready and unloaded after the last one:
 * from the cache on disk, otherwise encoded from a cached recording, otherwise fetched.
 */
import { createHash } from 'node:crypto';
import type { EncodedAudio } from '@carillon/media/audio/encode.ts';
import { PREPARED_CODECS } from '@carillon/media/audio/frames.ts';
import type { AudioCodec } from '@carillon/media/codec/audio-codecs.ts';
import type { H264Stream } from '@carillon/media/sdp/h264-format.ts';
import type { FilePackets } from '@carillon/media/video/file-packets.ts';
import type { Log } from '../log.ts';
import type { LoadedMedia } from '../rtp/send/playlists.ts';
import { shared } from './encode-source.ts';
import { readEncoded, writeEncoded } from './encoded-file.ts';
import type { MediaCache } from './media-cache.ts';

/** The media of a track that sends. */
export type WantedMedia =
  | { readonly kind: 'AUDIO'; readonly source: string; readonly codecs: readonly AudioCodec[] }
  | { readonly kind: 'VIDEO'; readonly source: string };

/**
 * The origin of a recording, for sound in one codec: its encoding on disk, the file on disk, the control plane;
 * REFUSED: it is not available.
 */
export type RecordingOrigin = 'ENCODED' | 'CACHED' | 'FETCHED' | 'REFUSED';

export type LibraryParts = {
  readonly cache: MediaCache;
  readonly log: Log;
  /** Fetches the file with that SHA-256 (hex); rejects if it is not available. */
  readonly fetch: (checksum: string) => Promise<Uint8Array>;
  readonly encode: (source: string | Uint8Array, codec: AudioCodec) => Promise<readonly EncodedAudio[]>;
  /** Splits a video into packets: it is sent as it was encoded. */
  readonly packetize: (file: Uint8Array) => Promise<readonly FilePackets[]>;
  /** Loads media into every media thread, and unloads them. */
  readonly load: (media: LoadedMedia) => Promise<void>;
  readonly unload: (source: string) => void;
  readonly onRecording?: (origin: RecordingOrigin) => void;
};

/** A change of the encoding needs another number, so that no older file is played. */
const ENCODING = 1;
const FILE = 'FILE:';
/** A form derived from a source: its audio in one codec, or a video's packets. */
type Form = AudioCodec | 'PACKETS';

export class MediaLibrary {
  readonly #parts: LibraryParts;
  /** The loaded media by source and codec. */
  readonly #loaded = new Map<string, Promise<void>>();
  readonly #holders = new Map<string, Set<string>>();
  /** The format of the sent media by source, if it is H.264. */
  readonly #h264 = new Map<string, H264Stream>();
  /** Files that are being read or fetched, until they are on disk, by checksum. */
  readonly #coming = new Map<string, Promise<Uint8Array>>();
  /** The most recent request. */
  #encodings: Promise<unknown> = Promise.resolve();

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /**
   * Settles when the media threads can play everything, or its holder is gone; rejects with what is not available, and
   * why.
   */
  async hold(holder: string, wanted: readonly WantedMedia[]): Promise<void> {
    for (const { source } of wanted) this.#holders.set(source, (this.#holders.get(source) ?? new Set()).add(holder));
    for (const track of wanted) {
      const { source } = track;
      for (const form of track.kind === 'AUDIO' ? track.codecs : (['PACKETS'] as const)) {
        if (!this.#holders.get(source)?.has(holder)) return;
        await this.#load(source, form).catch((error: Error) => {
          if (this.#holders.get(source)?.has(holder)) throw error;
        });
      }
    }
  }

  /** The format of a loaded video, if it is H.264. */
  h264(source: string): H264Stream | null {
    return this.#h264.get(source) ?? null;
  }

  /** Unused recordings are removed from memory; signals stay. */
  release(holder: string): void {
    for (const [source, holders] of this.#holders) {
      if (!holders.delete(holder) || holders.size > 0 || !source.startsWith(FILE)) continue;
      this.#holders.delete(source);
      this.#h264.delete(source);
      for (const key of this.#loaded.keys()) if (key.startsWith(`${source} `)) this.#loaded.delete(key);
      this.#parts.unload(source);
    }
  }

  #load(source: string, form: Form): Promise<void> {
    const isFile = source.startsWith(FILE);
    // Media threads generate these themselves.
    if (!isFile && (form === 'PACKETS' || PREPARED_CODECS.some((codec) => codec === form))) return Promise.resolve();
    const key = `${source} ${form}`;
    const known = this.#loaded.get(key);
    if (known) return known;
    const isWanted = (): boolean => this.#loaded.get(key) === loading;
    const loading: Promise<void> = this.#made(source, form, isWanted).then((media) =>
      // The holder has released it in the meantime: nothing else would unload it.
      media && isWanted() ? this.#parts.load(media) : undefined,
    );
    this.#loaded.set(key, loading);
    // A failed load is tried again by the next holder that wants it.
    loading.catch(() => isWanted() && this.#loaded.delete(key));
    return loading;
  }

  /** Null: the media are no longer needed. */
  async #made(source: string, form: Form, isWanted: () => boolean): Promise<LoadedMedia | null> {
    const checksum = source.slice(FILE.length);
    if (form !== 'PACKETS' && !source.startsWith(FILE))
      return { source, encoded: await this.#parts.encode(source, form) };
    try {
      if (form === 'PACKETS') {
        const packets = await this.#parts.packetize(await this.#recording(checksum));
        const { profileLevelId = null } = packets[0] ?? {};
        if (profileLevelId !== null && isWanted())
          this.#h264.set(source, { profileLevelId, modes: packets.map(({ mode }) => mode) });
        return { source, packets };
      }
      const encoded = await this.#ofRecording(checksum, form, isWanted);
      return encoded && { source, encoded };
    } catch (error) {
      this.#parts.onRecording?.('REFUSED');
      throw error;
    }
  }

  async #ofRecording(
    checksum: string,
    codec: AudioCodec,
    isWanted: () => boolean,
  ): Promise<readonly EncodedAudio[] | null> {
    const { cache, encode } = this.#parts;
    const name = `${checksum}-${codec}-${ENCODING}`;
    const cached = await cache.read(name);
    const known = cached && readEncoded(cached);
    if (known) {
      this.#parts.onRecording?.('ENCODED');
      return known.map(shared);
    }
    const recording = await this.#recording(checksum);
    // Sequential, like the encoding thread: an item that is no longer needed when its turn comes costs no time.
    const encoding = this.#encodings.then(() => (isWanted() ? encode(recording, codec) : null));
    this.#encodings = encoding.catch(() => null);
    const encoded = await encoding;
    if (encoded === null) return null;
    await this.#keep(name, writeEncoded(encoded));
    return encoded;
  }

  #recording(checksum: string): Promise<Uint8Array> {
    const known = this.#coming.get(checksum);
    if (known) return known;
    const coming = this.#obtain(checksum).finally(() => this.#coming.delete(checksum));
    this.#coming.set(checksum, coming);
    return coming;
  }

  async #obtain(checksum: string): Promise<Uint8Array> {
    const { cache, fetch, onRecording } = this.#parts;
    const cached = await cache.read(checksum);
    if (cached) {
      onRecording?.('CACHED');
      return cached;
    }
    const file = await fetch(checksum);
    const got = createHash('sha256').update(file).digest('hex');
    if (got !== checksum) throw new Error(`the received data has the checksum ${got}`);
    onRecording?.('FETCHED');
    await this.#keep(checksum, file);
    return file;
  }

  /** A full disk costs time, but no runs. */
  async #keep(name: string, content: Uint8Array): Promise<void> {
    const { cache, log } = this.#parts;
    await cache.write(name, content).catch((error: Error) => log.warn({ name, error: error.message }, 'not cached'));
  }
}
