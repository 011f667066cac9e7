/**
 * Sound of a stream from a few decoded packets per second, at drawn instants: level, silence, clipping, and whether anything was audible.
 */
import { dbov, loudness, SILENCE_DBOV } from '@carillon/media/audio/level.ts';
import { A_LAW_TO_LINEAR, decodeG711, MU_LAW_TO_LINEAR } from '@carillon/media/codec/g711.ts';
import { G722Decoder } from '@carillon/media/codec/g722.ts';
import {
  askForPayloads,
  forget,
  isTapped,
  SET,
  SETS,
  SLOT_BYTES,
  SLOTS,
  type TapColumns,
  tapped,
} from './audio-tap.ts';

type Decode = (octets: Uint8Array, samples: Int16Array, tally: AudioTally, first: boolean) => number;

/** Decodes the packets of one Opus stream; throws if it is not a packet. */
export type OpusDecoder = { decode(packet: Uint8Array): Int16Array; free(): void };
export type OpenOpusDecoder = () => Promise<OpusDecoder>;

const overG711 =
  (table: Int16Array): Decode =>
  (octets, samples) => {
    decodeG711(table, octets, samples);
    return octets.length;
  };

/**
 * By codec; codecs without a decoder are not analysed. Returns the number of samples; 0: the decoder is still adapting
 * its level.
 */
const DECODERS: Readonly<Record<string, Decode>> = {
  PCMU: overG711(MU_LAW_TO_LINEAR),
  PCMA: overG711(A_LAW_TO_LINEAR),
  // Each set starts in mid-stream: its first packet adapts the decoder, which keeps the step sizes of the previous set.
  G722: (octets, samples, tally, first) => {
    tally.g722 ??= new G722Decoder();
    tally.g722.decode(octets, samples);
    return first || tally.instants === 0 ? 0 : octets.length * 2;
  },
};

/** Of the payload being decoded: thousands per second in separate arrays would burden the garbage collector. */
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
  g722: G722Decoder | null;
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
  g722: null,
  opus: null,
  isOver: false,
});

/** NO_RTP: we sent for a second or more, and nothing came back. SILENT: every analysed packet was silent. */
export type OneWayAudio = 'NO_RTP' | 'SILENT';

/** Null: not heard into. Shares 0 to 1 of the packets or samples that were. */
export type AudioFigures = {
  /** Drawn instants at which packets were decoded, and how many. */
  readonly instants: number;
  readonly frames: number;
  /** Mean power of audible packets; null: all were silent, or not measured (Opus). */
  readonly levelDbov: number | null;
  readonly silentShare: number;
  /** NaN: not measured (Opus). */
  readonly clippedShare: number;
};

/** What the meter needs besides the packets. */
export type MeterParts = {
  /** Null: Opus is not heard into. */
  readonly openOpus: OpenOpusDecoder | null;
  /** 0 to 1. */
  readonly random: () => number;
};

/** Adds the row's packets to the tally, and requests more. `isOver`: no more will come. */
export function hearInto(
  c: TapColumns,
  row: number,
  codec: string,
  tally: AudioTally,
  { openOpus, random }: MeterParts,
  atMs: number,
  isOver: boolean,
): void {
  if (!isOver && !isTapped(c, row)) return;
  const counted = Math.floor(random() * SETS);
  for (let i = 0; i < SLOTS; i++) {
    const { payloadType, octets } = tapped(c, row, i);
    if (octets.length === 0) continue;
    const before = tally.frames;
    if (codec === 'OPUS') hearOpus(octets, i, counted, tally, openOpus);
    else {
      const own = codec === 'PCMU' || codec === 'PCMA' ? (STATIC[payloadType] ?? codec) : codec;
      const samples = DECODERS[own]?.(octets, SAMPLES, tally, i % SET === 0) ?? 0;
      if (samples > 0) count(tally, SAMPLES, samples);
    }
    forget(c, row, i);
    if (i % SET === SET - 1 && (tally.frames > before || codec === 'G722')) tally.instants += 1;
  }
  askForPayloads(c, row, atMs, random);
}

/**
 * Opus predicts each frame's loudness from the previous frame (RFC 6716, 4.3.2.1), which is missing at the start of a
 * set: sufficient to tell sound from silence, but not for a level. Decoding is dear: once there was sound, one set of each
 * request, drawn, stands for all of them.
 */
function hearOpus(
  packet: Uint8Array,
  slot: number,
  counted: number,
  tally: AudioTally,
  open: OpenOpusDecoder | null,
): void {
  if (tally.opus === null && open !== null) openDecoder(tally, open);
  if (tally.opus === null || tally.opus === 'OPENING') return;
  const isHeard = tally.silent < tally.frames;
  if (isHeard && Math.floor(slot / SET) !== counted) return;
  const weight = isHeard ? SETS : 1;
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
 * Instants: fewer that were silent do not prove silence. Calls with a beep of 200 ms in each second would be taken for silent
 * once in 27 where they last for three seconds, once in 100 for five, once in 15,000 for ten.
 */
export const HEARD_ENOUGH = 12;

/** Fault of a stream in both directions; null: audible, or unknown. */
export function oneWayAudio(packetsSent: number, packetsReceived: number, tally: AudioTally): OneWayAudio | null {
  if (packetsSent < SENT_ENOUGH) return null;
  if (packetsReceived === 0) return 'NO_RTP';
  return tally.instants >= HEARD_ENOUGH && tally.silent === tally.frames ? 'SILENT' : null;
}
