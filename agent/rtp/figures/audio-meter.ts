/**
 * Measures the sound of a stream in a few decoded packets per second, at drawn instants: level, silence, clipping, and
 * whether anything was audible.
 */
import { dbov, loudness, SILENCE_DBOV } from '@carillon/media/audio/level.ts';
import type { OctetCodec } from '@carillon/media/codec/audio-codecs.ts';
import { type Decode, OCTET_CODERS } from '@carillon/media/codec/octet-codecs.ts';
import { askForPayloads, filledSlots, SET, SETS, SLOT_BYTES, type TapColumns, tapped } from './audio-tap.ts';

/** Decodes the packets of one Opus stream; throws if it is not a packet. */
export type OpusDecoder = { decode(packet: Uint8Array): Int16Array; free(): void };
export type OpenOpusDecoder = () => Promise<OpusDecoder>;

/** The samples of the payload being decoded: thousands of separate arrays per second would burden the garbage collector. */
const SAMPLES = new Int16Array(SLOT_BYTES * 2);

/** G.711 has separate payload types, so a stream of one law may have packets of the other (RFC 3551). */
const STATIC: Readonly<Record<number, string>> = { 0: 'PCMU', 8: 'PCMA' };

export type AudioTally = {
  /** Drawn instants at which packets were decoded. */
  instants: number;
  frames: number;
  silent: number;
  activePower: number;
  samples: number;
  clipped: number;
  /** The decoder of a codec with memory. */
  decode: Decode | null;
  opus: OpusDecoder | 'OPENING' | null;
  isOver: boolean;
};
export const noTally = (): AudioTally => ({
  instants: 0,
  frames: 0,
  silent: 0,
  activePower: 0,
  samples: 0,
  clipped: 0,
  decode: null,
  opus: null,
  isOver: false,
});

/** NO_RTP: we sent for a second or more, and nothing came back. SILENT: every analysed packet was silent. */
export type OneWayAudio = 'NO_RTP' | 'SILENT';

/** Null: the audio was not analysed. Shares, 0 to 1, are those of the analysed packets or samples. */
export type AudioFigures = {
  /** The number of drawn instants at which packets were decoded, and the number of these packets. */
  readonly instants: number;
  readonly frames: number;
  /** Mean power of audible packets; null: all were silent, or not measured (Opus). */
  readonly levelDbov: number | null;
  readonly silentShare: number;
  /** NaN: not measured (Opus). */
  readonly clippedShare: number;
};

/** What the meter needs in addition to the packets. */
export type MeterParts = {
  /** Null: Opus is not analysed. */
  readonly openOpus: OpenOpusDecoder | null;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
};

/** A reading of the tap. `isOver`: no more packets will arrive. */
export type TapReading = { readonly codec: string; readonly atMs: number; readonly isOver: boolean };

/** Adds the row's packets to the tally, and requests more. */
export function hearInto(
  c: TapColumns,
  row: number,
  tally: AudioTally,
  { openOpus, random }: MeterParts,
  { codec, atMs, isOver }: TapReading,
): void {
  if (codec === 'OPUS' && !isOver && tally.opus === null && openOpus !== null) openDecoder(tally, openOpus);
  const filled = filledSlots(c, row);
  const sets = Math.floor(filled / SET);
  // Packets wait for a decoder that is not open yet.
  if (!isOver && (sets === 0 || (codec === 'OPUS' && tally.opus === 'OPENING'))) return;
  const counted = Math.floor(random() * sets);
  for (let i = 0; i < (isOver ? filled : sets * SET); i++) {
    const { payloadType, octets } = tapped(c, row, i);
    if (octets.length === 0) continue;
    const before = tally.frames;
    if (codec === 'OPUS') hearOpus(octets, i, counted, sets, tally);
    else hearOctets(octets, i, codec, payloadType, tally);
    if (i % SET === SET - 1 && (tally.frames > before || tally.decode !== null)) tally.instants += 1;
  }
  askForPayloads(c, row, { atMs, random }, isOver ? SETS : sets, isOver ? 0 : filled % SET);
}

/**
 * Codecs without a decoder are not analysed. Each set starts in mid-stream: its first packet adapts a decoder that has
 * a memory, and the decoder keeps the state of the previous set.
 */
function hearOctets(octets: Uint8Array, slot: number, codec: string, payloadType: number, tally: AudioTally): void {
  const own = OCTET_CODERS[codec as OctetCodec]?.hasMemory === false ? (STATIC[payloadType] ?? codec) : codec;
  const coder = OCTET_CODERS[own as OctetCodec];
  if (!coder) return;
  if (coder.hasMemory) tally.decode ??= coder.openDecoder();
  const samples = (coder.hasMemory ? tally.decode! : coder.openDecoder())(octets, SAMPLES);
  if (!coder.hasMemory || (slot % SET !== 0 && tally.instants > 0)) count(tally, SAMPLES, samples);
}

/**
 * Opus predicts each frame's loudness from the previous frame (RFC 6716, 4.3.2.1), which is missing at the start of a
 * set: sufficient to distinguish sound from silence, but not for a level. Decoding is expensive: once there was sound,
 * one drawn set of each request stands for all of them.
 */
function hearOpus(packet: Uint8Array, slot: number, counted: number, sets: number, tally: AudioTally): void {
  if (tally.opus === null || tally.opus === 'OPENING') return;
  const isHeard = tally.silent < tally.frames;
  if (isHeard && Math.floor(slot / SET) !== counted) return;
  const weight = isHeard ? Math.max(1, sets) : 1;
  try {
    const samples = tally.opus.decode(packet);
    if (slot % SET === 0 || samples.length === 0) return;
    tally.frames += weight;
    if (dbov(loudness(samples).power) < SILENCE_DBOV) tally.silent += weight;
  } catch {
    // A payload that is not an Opus packet is not counted.
    return;
  }
}

function openDecoder(tally: AudioTally, open: OpenOpusDecoder): void {
  tally.opus = 'OPENING';
  open().then(
    (decoder) => {
      if (tally.isOver) decoder.free();
      else tally.opus = decoder;
    },
    () => undefined,
  );
}

/** The stream will not be analysed further. */
export function endTally(tally: AudioTally): void {
  tally.isOver = true;
  if (tally.opus !== null && tally.opus !== 'OPENING') tally.opus.free();
  tally.opus = null;
}

function count(tally: AudioTally, samples: Int16Array, length: number): void {
  const { power, clipped } = loudness(samples, length);
  tally.frames += 1;
  tally.samples += length;
  tally.clipped += clipped;
  if (dbov(power) < SILENCE_DBOV) tally.silent += 1;
  else tally.activePower += power;
}

export function audioFigures(tally: AudioTally): AudioFigures | null {
  if (tally.frames === 0) return null;
  const active = tally.frames - tally.silent;
  return {
    instants: tally.instants,
    frames: tally.frames,
    levelDbov: active > 0 && tally.samples > 0 ? dbov(tally.activePower / active) : null,
    silentShare: tally.silent / tally.frames,
    clippedShare: tally.samples > 0 ? tally.clipped / tally.samples : Number.NaN,
  };
}

/** Fewer packets prove nothing. */
const SENT_ENOUGH = 50;
/**
 * Fewer silent instants do not prove silence. With this many, calls with a beep of 200 ms in each second would be
 * considered silent once in 27 if they last for three seconds, once in 100 for five, once in 15,000 for ten.
 */
export const HEARD_ENOUGH = 12;

/** The fault of a stream in both directions; null: it is audible, or nothing is known. */
export function oneWayAudio(packetsSent: number, packetsReceived: number, tally: AudioTally): OneWayAudio | null {
  if (packetsSent < SENT_ENOUGH) return null;
  if (packetsReceived === 0) return 'NO_RTP';
  return tally.instants >= HEARD_ENOUGH && tally.silent === tally.frames ? 'SILENT' : null;
}
