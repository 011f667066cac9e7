/**
 * The media of a media thread: generated signals in G.711, which it encodes itself, and loaded media (other codecs,
 * recordings).
 */
import type { EncodedAudio } from '@carillon/media/audio/encode.ts';
import {
  AUDIO_SOURCES,
  encodeGenerated,
  fits,
  type PayloadFrames,
  PREPARED_CODECS,
  toFrames,
} from '@carillon/media/audio/frames.ts';
import { type AudioCodec, isOctetCodec } from '@carillon/media/codec/audio-codecs.ts';
import { PACKET_TIMES_MS } from '@carillon/media/sdp/packet-time.ts';
import type { FilePackets } from '@carillon/media/video/file-packets.ts';

/**
 * The encoded streams of one source: a signal, or a recording (`FILE:` and its checksum). They are in shared memory,
 * without copies.
 */
export type LoadedAudio = { readonly source: string; readonly encoded: readonly EncodedAudio[] };
/** A video (`FILE:` and its checksum) as packets, one set for each packetization. */
export type LoadedVideo = { readonly source: string; readonly packets: readonly FilePackets[] };
export type LoadedMedia = LoadedAudio | LoadedVideo;

/** The media of one source: encoded streams, and frames made from them, by codec and packet time. */
type Entry = { readonly encoded: EncodedAudio[]; readonly frames: Map<string, PayloadFrames> };

export class Playlists {
  readonly #entries = new Map<string, Entry>();
  readonly #maxFrameBytes: number;

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
    for (const source of AUDIO_SOURCES) this.#entries.set(source, { encoded: [], frames: new Map() });
  }

  /** Encodes every signal in these codecs, which takes about 0.1 s. */
  prepare(): void {
    for (const source of AUDIO_SOURCES)
      for (const codec of PREPARED_CODECS) for (const packetMs of PACKET_TIMES_MS) this.find(source, codec, packetMs);
  }

  /** Adds media; existing ones of the same codec and unit do not change. */
  load({ source, encoded }: LoadedAudio): void {
    const entry: Entry = this.#entries.get(source) ?? { encoded: [], frames: new Map() };
    this.#entries.set(source, entry);
    for (const stream of encoded) {
      const isKnown = entry.encoded.some(({ codec, unitMs }) => codec === stream.codec && unitMs === stream.unitMs);
      if (!isKnown) entry.encoded.push(stream);
    }
  }

  /** Removes the media of a source; streams that already play them continue. */
  unload(source: string): void {
    this.#entries.delete(source);
  }

  /** The frames for a packet time; undefined if no such media were loaded, or the packets would be too large. */
  find(source: string, codec: AudioCodec, packetMs: number): PayloadFrames | undefined {
    const entry = this.#entries.get(source);
    const key = `${codec} ${packetMs}`;
    const known = entry?.frames.get(key);
    if (known || !entry) return known;
    const stream = longest(entry.encoded, codec, packetMs) ?? generate(entry, source, codec);
    const made = stream && toFrames(stream, packetMs);
    if (!made || made.length === 0 || made.maxBytes > this.#maxFrameBytes) return undefined;
    entry.frames.set(key, made);
    return made;
  }
}

/** The longest units that fit: joining shorter ones sounds the same and takes more bytes. */
const longest = (encoded: readonly EncodedAudio[], codec: AudioCodec, packetMs: number): EncodedAudio | undefined =>
  encoded.filter((stream) => stream.codec === codec && fits(stream, packetMs)).sort((a, b) => b.unitMs - a.unitMs)[0];

function generate(entry: Entry, source: string, codec: AudioCodec): EncodedAudio | undefined {
  const signal = AUDIO_SOURCES.find((known) => known === source);
  if (!signal || !isOctetCodec(codec)) return undefined;
  const encoded = encodeGenerated(signal, codec);
  entry.encoded.push(encoded);
  return encoded;
}
