/**
 * Extended reports (RFC 3611): the VoIP metrics block (4.7), and receiver reference time with its answer, DLRR (4.4,
 * 4.5), from which receive-only ends learn their round trip. Other blocks are skipped.
 */
import { readWord, writeHalf, writeWord } from '../network-order.ts';

export const EXTENDED_REPORT = 207;

const RECEIVER_REFERENCE_TIME = 4;
const DLRR = 5;
const VOIP_METRICS = 7;
const VOIP_METRICS_WORDS = 8;

/** The value of levels, R factors and MOS that are not available. */
export const UNAVAILABLE = 127;

/** The values are those on the wire: densities and rates in 256ths; durations and delays in ms; levels in dBm0; MOS times ten. */
export type VoipMetrics = {
  readonly kind: 'VOIP_METRICS';
  /** The SSRC of the stream that is reported on. */
  readonly ssrc: number;
  readonly lossRate: number;
  readonly discardRate: number;
  readonly burstDensity: number;
  readonly gapDensity: number;
  readonly burstMs: number;
  readonly gapMs: number;
  readonly roundTripMs: number;
  readonly endSystemMs: number;
  readonly signalLevel: number;
  readonly noiseLevel: number;
  readonly echoReturnLoss: number;
  readonly gmin: number;
  readonly rFactor: number;
  readonly externalRFactor: number;
  readonly mosLq10: number;
  readonly mosCq10: number;
  /** The concealment, and the kind of playout buffer (4.7.6). */
  readonly receiverConfiguration: number;
  readonly bufferNominalMs: number;
  readonly bufferMaximumMs: number;
  readonly bufferAbsoluteMaximumMs: number;
};

export type ReceiverReferenceTime = {
  readonly kind: 'RECEIVER_REFERENCE_TIME';
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
};

/** Like LSR and DLSR of a report block, about the receiver reference time of `ssrc`. */
export type Dlrr = {
  readonly kind: 'DLRR';
  readonly blocks: readonly { readonly ssrc: number; readonly lrr: number; readonly dlrr: number }[];
};

export type ExtendedBlock = VoipMetrics | ReceiverReferenceTime | Dlrr;
export type ExtendedReport = { readonly kind: 'XR'; readonly ssrc: number; readonly blocks: readonly ExtendedBlock[] };

const half = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
const signed = (byte: number): number => (byte << 24) >> 24;

/** The body of a packet of type 207, from its SSRC at `from` to `end`; null if its blocks do not add up. */
export function decodeExtendedReport(bytes: Uint8Array, from: number, end: number): ExtendedReport | null {
  if (from + 4 > end) return null;
  const blocks: ExtendedBlock[] = [];
  for (let at = from + 4; at < end; ) {
    if (at + 4 > end) return null;
    const words = half(bytes, at + 2);
    const blockEnd = at + 4 + words * 4;
    if (blockEnd > end) return null;
    const block = decodeBlock(bytes, at, words);
    if (block) blocks.push(block);
    at = blockEnd;
  }
  return { kind: 'XR', ssrc: readWord(bytes, from), blocks };
}

function decodeBlock(bytes: Uint8Array, at: number, words: number): ExtendedBlock | null {
  switch (bytes[at]) {
    case RECEIVER_REFERENCE_TIME:
      if (words !== 2) return null;
      return {
        kind: 'RECEIVER_REFERENCE_TIME',
        ntpSeconds: readWord(bytes, at + 4),
        ntpFraction: readWord(bytes, at + 8),
      };
    case DLRR:
      return {
        kind: 'DLRR',
        blocks: Array.from({ length: Math.floor(words / 3) }, (_, i) => ({
          ssrc: readWord(bytes, at + 4 + i * 12),
          lrr: readWord(bytes, at + 8 + i * 12),
          dlrr: readWord(bytes, at + 12 + i * 12),
        })),
      };
    case VOIP_METRICS:
      return words === VOIP_METRICS_WORDS ? decodeVoipMetrics(bytes, at) : null;
    default:
      return null;
  }
}

const decodeVoipMetrics = (bytes: Uint8Array, at: number): VoipMetrics => ({
  kind: 'VOIP_METRICS',
  ssrc: readWord(bytes, at + 4),
  lossRate: bytes[at + 8]!,
  discardRate: bytes[at + 9]!,
  burstDensity: bytes[at + 10]!,
  gapDensity: bytes[at + 11]!,
  burstMs: half(bytes, at + 12),
  gapMs: half(bytes, at + 14),
  roundTripMs: half(bytes, at + 16),
  endSystemMs: half(bytes, at + 18),
  signalLevel: signed(bytes[at + 20]!),
  noiseLevel: signed(bytes[at + 21]!),
  echoReturnLoss: bytes[at + 22]!,
  gmin: bytes[at + 23]!,
  rFactor: bytes[at + 24]!,
  externalRFactor: bytes[at + 25]!,
  mosLq10: bytes[at + 26]!,
  mosCq10: bytes[at + 27]!,
  receiverConfiguration: bytes[at + 28]!,
  bufferNominalMs: half(bytes, at + 30),
  bufferMaximumMs: half(bytes, at + 32),
  bufferAbsoluteMaximumMs: half(bytes, at + 34),
});

/** Writes an XR packet of `ssrc`. Returns the offset after it. */
export function encodeExtendedReport(
  bytes: Uint8Array,
  offset: number,
  ssrc: number,
  blocks: readonly ExtendedBlock[],
): number {
  let at = writeWord(bytes, offset + 4, ssrc);
  for (const block of blocks) at = encodeBlock(bytes, at, block);
  bytes[offset] = 0x80;
  bytes[offset + 1] = EXTENDED_REPORT;
  writeHalf(bytes, offset + 2, (at - offset) / 4 - 1);
  return at;
}

function encodeBlock(bytes: Uint8Array, offset: number, block: ExtendedBlock): number {
  bytes[offset + 1] = 0;
  let at = offset + 4;
  if (block.kind === 'RECEIVER_REFERENCE_TIME') {
    bytes[offset] = RECEIVER_REFERENCE_TIME;
    at = writeWord(bytes, at, block.ntpSeconds);
    at = writeWord(bytes, at, block.ntpFraction);
  } else if (block.kind === 'DLRR') {
    bytes[offset] = DLRR;
    for (const one of block.blocks) for (const value of [one.ssrc, one.lrr, one.dlrr]) at = writeWord(bytes, at, value);
  } else {
    bytes[offset] = VOIP_METRICS;
    at = encodeVoipMetrics(bytes, at, block);
  }
  writeHalf(bytes, offset + 2, (at - offset) / 4 - 1);
  return at;
}

function encodeVoipMetrics(bytes: Uint8Array, offset: number, m: VoipMetrics): number {
  let at = writeWord(bytes, offset, m.ssrc);
  bytes.set([m.lossRate, m.discardRate, m.burstDensity, m.gapDensity], at);
  at = writeWord(bytes, at + 4, (m.burstMs << 16) | m.gapMs);
  at = writeWord(bytes, at, (m.roundTripMs << 16) | m.endSystemMs);
  bytes.set([m.signalLevel & 0xff, m.noiseLevel & 0xff, m.echoReturnLoss, m.gmin], at);
  bytes.set([m.rFactor, m.externalRFactor, m.mosLq10, m.mosCq10], at + 4);
  at = writeWord(bytes, at + 8, (m.receiverConfiguration << 24) | m.bufferNominalMs);
  return writeWord(bytes, at, (m.bufferMaximumMs << 16) | m.bufferAbsoluteMaximumMs);
}
