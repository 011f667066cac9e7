/** The sequence parameter set of H.264 (7.3.2.1.1 and E.1.1): size and rate of the frames. */
import { VIDEO_CLOCK_HZ, VideoError } from './clip.ts';

export type SequenceParameters = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `profile_idc`, constraint flags, `level_idc`: what SDP calls profile-level-id, 6 hexadecimal digits. */
  readonly profileLevelId: string;
  /** The duration of a frame in units of 1/90,000 s; null: not given. */
  readonly frameUnits: number | null;
};

/** Profiles with chroma format and scaling matrices (7.3.2.1.1). */
const HIGH_PROFILES: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
const EXTENDED_ASPECT = 255;

/** @throws VideoError if it is truncated, interlaced, or has more than 16,384 pixels a side */
export function parseSps(unit: Uint8Array): SequenceParameters {
  const bits = new BitReader(rawBytes(unit.subarray(1)));
  const profile = bits.take(8);
  const constraints = bits.take(8);
  const level = bits.take(8);
  bits.golomb();
  const chroma = HIGH_PROFILES.has(profile) ? skipHighProfile(bits) : 1;
  bits.golomb();
  skipOrderCount(bits);
  bits.golomb();
  bits.take(1);
  const widthMbs = bits.golomb() + 1;
  const heightMbs = bits.golomb() + 1;
  if (bits.take(1) === 0) throw new VideoError('is interlaced; encode it progressive');
  bits.take(1);
  const crop = bits.take(1) === 1 ? [0, 1, 2, 3].map(() => bits.golomb()) : [0, 0, 0, 0];
  const [unitX, unitY] = chroma === 1 ? [2, 2] : chroma === 2 ? [2, 1] : [1, 1];
  const widthPx = widthMbs * 16 - (crop[0]! + crop[1]!) * unitX;
  const heightPx = heightMbs * 16 - (crop[2]! + crop[3]!) * unitY;
  if (!(widthPx > 0 && heightPx > 0 && widthPx <= 16_384 && heightPx <= 16_384))
    throw new VideoError(`has frames of ${widthPx} by ${heightPx}`);
  const profileLevelId = [profile, constraints, level].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { widthPx, heightPx, profileLevelId, frameUnits: bits.take(1) === 1 ? frameUnits(bits) : null };
}

/** Returns chroma_format_idc. */
function skipHighProfile(bits: BitReader): number {
  const chroma = bits.golomb();
  if (chroma === 3) bits.take(1);
  bits.golomb();
  bits.golomb();
  bits.take(1);
  if (bits.take(1) === 0) return chroma;
  for (let list = 0; list < (chroma === 3 ? 12 : 8); list++)
    if (bits.take(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64);
  return chroma;
}

function skipScalingList(bits: BitReader, size: number): void {
  let last = 8;
  for (let i = 0; i < size; i++) {
    const next = (last + bits.signedGolomb() + 256) % 256;
    if (next === 0) return;
    last = next;
  }
}

function skipOrderCount(bits: BitReader): void {
  const type = bits.golomb();
  if (type === 0) bits.golomb();
  if (type !== 1) return;
  bits.take(1);
  bits.golomb();
  bits.golomb();
  for (let left = Math.min(bits.golomb(), 255); left > 0; left--) bits.golomb();
}

/** Reads the VUI up to its timing; a tick is half a frame (E.2.1). */
function frameUnits(bits: BitReader): number | null {
  if (bits.take(1) === 1 && bits.take(8) === EXTENDED_ASPECT) bits.take(32);
  if (bits.take(1) === 1) bits.take(1);
  if (bits.take(1) === 1) {
    bits.take(4);
    if (bits.take(1) === 1) bits.take(24);
  }
  if (bits.take(1) === 1) {
    bits.golomb();
    bits.golomb();
  }
  if (bits.take(1) === 0) return null;
  const unitsInTick = bits.take(32);
  const timeScale = bits.take(32);
  const units = (2 * unitsInTick * VIDEO_CLOCK_HZ) / timeScale;
  return units >= 1 && Number.isFinite(units) ? units : null;
}

/** True for slices of B frames (slice_type 1 and 6; 7.4.3). */
export function isBSlice(unit: Uint8Array): boolean {
  const bits = new BitReader(rawBytes(unit.subarray(1, 16)));
  bits.golomb();
  return bits.golomb() % 5 === 1;
}

/** Removes the bytes that prevent start codes (7.3.1). */
function rawBytes(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 3 && i >= 2 && bytes[i - 1] === 0 && bytes[i - 2] === 0));
}

class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      if (this.#at >= this.#bytes.length * 8) throw new VideoError('has a parameter set or slice that is cut off');
      value = value * 2 + ((this.#bytes[this.#at >>> 3]! >>> (7 - (this.#at & 7))) & 1);
      this.#at += 1;
    }
    return value;
  }

  /** `ue(v)` of 9.1. */
  golomb(): number {
    let zeros = 0;
    while (this.take(1) === 0) zeros += 1;
    if (zeros > 32) throw new VideoError('has a parameter set that makes no sense');
    return 2 ** zeros - 1 + this.take(zeros);
  }

  /** `se(v)` of 9.1.1. */
  signedGolomb(): number {
    const code = this.golomb();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  }
}
