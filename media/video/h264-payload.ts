/** H.264 in RTP (RFC 6184): single NAL units, STAP-A and FU-A; packetization modes 0 and 1. */
import { IDR, isSlice, nalType, PARAMETER_SETS } from './nal-unit.ts';
import { IS_KEYFRAME, MALFORMED, STARTS_FRAME } from './payload-marks.ts';

export const STAP_A = 24;
export const FU_A = 28;
export const FU_START = 0x80;
export const FU_END = 0x40;

/** A NAL unit is longer than packets may be, and mode 0 cannot cut it (RFC 6184, 6.2). */
export class NalUnitTooLong extends RangeError {
  override readonly name = 'NalUnitTooLong';
}

/**
 * The NAL units of one frame as RTP payloads of at most `maxPayloadBytes`. Mode 1 aggregates small units (STAP-A) and
 * fragments long ones (FU-A).
 * @throws NalUnitTooLong in mode 0
 */
export function packetizeH264(units: readonly Uint8Array[], mode: 0 | 1, maxPayloadBytes: number): Uint8Array[] {
  if (mode === 0) {
    const longest = Math.max(0, ...units.map((unit) => unit.length));
    if (longest <= maxPayloadBytes) return [...units];
    throw new NalUnitTooLong(
      `has NAL units of ${longest} bytes; packetization-mode 0 needs ${maxPayloadBytes} at most: encode it in slices`,
    );
  }
  const payloads: Uint8Array[] = [];
  let together: Uint8Array[] = [];
  const flush = (): void => {
    if (together.length > 0) payloads.push(together.length === 1 ? together[0]! : aggregate(together));
    together = [];
  };
  for (const unit of units) {
    if (aggregateBytes([...together, unit]) > maxPayloadBytes) flush();
    if (unit.length > maxPayloadBytes) payloads.push(...fragments(unit, maxPayloadBytes));
    else if (aggregateBytes([unit]) > maxPayloadBytes) payloads.push(unit);
    else together.push(unit);
  }
  flush();
  return payloads;
}

const aggregateBytes = (units: readonly Uint8Array[]): number => units.reduce((sum, unit) => sum + 2 + unit.length, 1);

/** STAP-A (5.7.1): F and NRI are the greatest of its units. */
function aggregate(units: readonly Uint8Array[]): Uint8Array {
  const payload = new Uint8Array(aggregateBytes(units));
  const forbidden = units.reduce((bits, unit) => bits | (unit[0]! & 0x80), 0);
  payload[0] = forbidden | Math.max(...units.map((unit) => unit[0]! & 0x60)) | STAP_A;
  let at = 1;
  for (const unit of units) {
    payload[at] = unit.length >>> 8;
    payload[at + 1] = unit.length;
    payload.set(unit, at + 2);
    at += 2 + unit.length;
  }
  return payload;
}

/** FU-A (5.8) of nearly equal size: indicator and header replace the unit's first byte. */
function fragments(unit: Uint8Array, maxPayloadBytes: number): Uint8Array[] {
  const bytes = unit.length - 1;
  const count = Math.ceil(bytes / (maxPayloadBytes - 2));
  return Array.from({ length: count }, (_, i) => {
    const from = 1 + Math.floor((i * bytes) / count);
    const part = unit.subarray(from, 1 + Math.floor(((i + 1) * bytes) / count));
    const payload = new Uint8Array(2 + part.length);
    payload[0] = (unit[0]! & 0xe0) | FU_A;
    payload[1] = (i === 0 ? FU_START : 0) | (i === count - 1 ? FU_END : 0) | nalType(unit[0]!);
    payload.set(part, 2);
    return payload;
  });
}

/** The marks of a packet about its frame; never throws. */
export function h264Marks(bytes: Uint8Array, at: number, length: number): number {
  if (length < 1) return MALFORMED;
  const type = nalType(bytes[at]!);
  if (type === FU_A) {
    if (length < 3) return MALFORMED;
    const header = bytes[at + 1]!;
    return unitMarks(nalType(header), (header & FU_START) !== 0 && bytes[at + 2]! > 0x7f);
  }
  if (type === STAP_A) return aggregateMarks(bytes, at + 1, at + length);
  if (type === 0 || type > STAP_A) return MALFORMED;
  return unitMarks(type, length > 1 && bytes[at + 1]! > 0x7f);
}

function aggregateMarks(bytes: Uint8Array, from: number, end: number): number {
  let marks = from === end ? MALFORMED : 0;
  for (let at = from; at < end; ) {
    const length = (bytes[at]! << 8) | bytes[at + 1]!;
    if (at + 2 + length > end || length === 0) return MALFORMED;
    marks |= unitMarks(nalType(bytes[at + 2]!), length > 1 && bytes[at + 3]! > 0x7f);
    at += 2 + length;
  }
  return marks;
}

/**
 * `isFirst`: the unit has the frame's first macroblock (first_mb_in_slice is 0, which Exp-Golomb codes as 1). An IDR
 * frame starts with its parameter sets.
 */
const unitMarks = (type: number, isFirst: boolean): number =>
  (type === IDR ? IS_KEYFRAME : 0) |
  (PARAMETER_SETS.has(type) || (type !== IDR && isSlice(type) && isFirst) ? STARTS_FRAME : 0);
