/** What a media thread has to play: generated signals, encoded by itself, and what its owner has loaded (Opus, recordings). */
import type { AudioCodec, EncodedAudio } from '@carillon/media/audio/encode.ts';
import {
  AUDIO_SOURCES,
  encodeGenerated,
  fits,
  OWN_CODECS,
  type PayloadFrames,
  toFrames,
} from '@carillon/media/audio/frames.ts';
import { PACKET_TIMES_MS } from '@carillon/media/sdp/packet-time.ts';
import type { FilePackets } from '@carillon/media/video/file-packets.ts';

/** Encoded streams of one source: a signal, or a recording (`FILE:` and its checksum). In shared memory: no thread has a copy. */
export type LoadedAudio = { readonly source: string; readonly encoded: readonly EncodedAudio[] };
/** A video (`FILE:` and its checksum) as packets, one for each way to cut it. */
export type LoadedVideo = { readonly source: string; readonly packets: readonly FilePackets[] };
export type LoadedMedia = LoadedAudio | LoadedVideo;

/** What there is of one source: encoded streams, and frames made of them, by codec and packet time. */
type Entry = { readonly encoded: EncodedAudio[]; readonly frames: Map<string, PayloadFrames> };

export class Playlists {
  private readonly entries = new Map<string, Entry>();
  private readonly mostFrameBytes: number;

  constructor(mostFrameBytes: number) {
    this.mostFrameBytes = mostFrameBytes;
    for (const source of AUDIO_SOURCES) this.entries.set(source, { encoded: [], frames: new Map() });
  }

  /** Encodes every signal that needs no library, which takes some 0.3 s. */
  prepare(): void {
    for (const source of AUDIO_SOURCES)
      for (const codec of OWN_CODECS) for (const packetMs of PACKET_TIMES_MS) this.find(source, codec, packetMs);
  }

  /** From now on it can be played; of a codec and unit that are there already nothing changes. */
  load({ source, encoded }: LoadedAudio): void {
    const entry: Entry = this.entries.get(source) ?? { encoded: [], frames: new Map() };
    this.entries.set(source, entry);
    for (const stream of encoded) {
      const isKnown = entry.encoded.some(({ codec, unitMs }) => codec === stream.codec && unitMs === stream.unitMs);
      if (!isKnown) entry.encoded.push(stream);
    }
  }

  /** Streams that play it go on to. */
  unload(source: string): void {
    this.entries.delete(source);
  }

  /** Frames of a packet time; undefined where nothing like it was loaded, or its packets would be too large. */
  find(source: string, codec: AudioCodec, packetMs: number): PayloadFrames | undefined {
    const entry = this.entries.get(source);
    const key = `${codec} ${packetMs}`;
    const known = entry?.frames.get(key);
    if (known || !entry) return known;
    const stream = longest(entry.encoded, codec, packetMs) ?? generate(entry, source, codec);
    const made = stream && toFrames(stream, packetMs);
    if (!made || made.length === 0 || made.mostBytes > this.mostFrameBytes) return undefined;
    entry.frames.set(key, made);
    return made;
  }
}

/** The longest units that fit: what is joined of shorter ones sounds the same and takes more bytes. */
const longest = (encoded: readonly EncodedAudio[], codec: AudioCodec, packetMs: number): EncodedAudio | undefined =>
  encoded.filter((stream) => stream.codec === codec && fits(stream, packetMs)).sort((a, b) => b.unitMs - a.unitMs)[0];

function generate(entry: Entry, source: string, codec: AudioCodec): EncodedAudio | undefined {
  const signal = AUDIO_SOURCES.find((known) => known === source);
  const own = OWN_CODECS.find((known) => known === codec);
  if (!signal || !own) return undefined;
  const encoded = encodeGenerated(signal, own);
  entry.encoded.push(encoded);
  return encoded;
}
