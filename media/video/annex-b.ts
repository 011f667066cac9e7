/** H.264 byte streams (ITU-T H.264, Annex B): NAL units after start codes, combined to frames. */
import { type AccessUnit, MAX_FRAMES, toClip, VIDEO_CLOCK_HZ, type VideoClip, VideoError } from './clip.ts';
import { DELIMITER, FILLER, IDR, isSlice, nalType, PPS, precedesSlices, SPS, startsPrimaryFrame } from './nal-unit.ts';
import { levelOf } from './profile-level.ts';
import { isBSlice, parseSps, type SequenceParameters } from './sequence-parameters.ts';

/** The frame time if the SPS gives none: byte streams have no times of their own. */
const DEFAULT_FRAME_UNITS = VIDEO_CLOCK_HZ / 30;
/** Zeros before the first start code: one byte too many is common, more is not. */
const MAX_LEAD = 8;
const MAX_UNITS = MAX_FRAMES * 16;

/** True if the bytes start with a start code. */
export function isAnnexB(file: Uint8Array): boolean {
  const one = file.indexOf(1);
  return one >= 2 && one <= MAX_LEAD && file.subarray(0, one).every((byte) => byte === 0);
}

/**
 * The frames have the constant rate of the SPS (VUI timing), or 30 per second.
 * @throws VideoError
 */
export function parseAnnexB(file: Uint8Array): VideoClip {
  if (!isAnnexB(file))
    throw new VideoError('is not an H.264 byte stream: it does not begin with a start code (00 00 01)');
  const reader = new FrameReader();
  for (const unit of nalUnits(file)) reader.take(unit);
  const { groups, parameters } = reader.finish();
  if (parameters === null) throw new VideoError('has no sequence parameter set');
  const frameUnits = parameters.frameUnits ?? DEFAULT_FRAME_UNITS;
  const frames = groups.map(
    ({ units, isKeyframe }, i): AccessUnit => ({ units, timestamp: Math.round(i * frameUnits), isKeyframe }),
  );
  return toClip('H264', parameters, frames, Math.round(frameUnits));
}

/**
 * The units between the start codes, without trailing zeros (B.1.1); empty units are left out.
 * @throws VideoError if there are too many
 */
export function nalUnits(file: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  let begin = -1;
  const take = (end: number): void => {
    let last = end;
    while (last > begin && file[last - 1] === 0) last -= 1;
    if (begin >= 0 && last > begin) units.push(file.subarray(begin, last));
    if (units.length > MAX_UNITS) throw new VideoError(`has more than ${MAX_UNITS} NAL units`);
  };
  for (let one = file.indexOf(1, 2); one >= 0; one = file.indexOf(1, one + 1)) {
    if (file[one - 1] !== 0 || file[one - 2] !== 0) continue;
    take(one - 2);
    begin = one + 1;
  }
  take(file.length);
  return units;
}

type Group = { units: Uint8Array[]; isKeyframe: boolean; hasSlices: boolean };

class FrameReader {
  readonly #groups: Group[] = [];
  #open: Group = emptyGroup();
  #parameters: SequenceParameters | null = null;
  #sps: Uint8Array | null = null;
  #pps: Uint8Array | null = null;

  take(unit: Uint8Array): void {
    const type = nalType(unit[0]!);
    const slice = isSlice(type);
    if (type >= 2 && type <= 4) throw new VideoError('has data partitions (extended profile); encode it as baseline');
    if (this.#open.hasSlices && (precedesSlices(type) || (slice && startsPrimaryFrame(unit)))) this.#close();
    // These units have no meaning for a receiver of packets.
    if (type === DELIMITER || type === FILLER || type === 10 || type === 11) return;
    if (type === SPS) this.#takeParameters(unit);
    if (type === PPS) this.#pps = unit;
    if (slice && isBSlice(unit)) throw new VideoError('has B frames, which no live video has; encode it without');
    this.#open.units.push(unit);
    this.#open.hasSlices ||= slice;
    this.#open.isKeyframe ||= type === IDR;
  }

  /** The size is that of the first set; the level is the highest of all sets. */
  #takeParameters(unit: Uint8Array): void {
    const parameters = parseSps(unit);
    this.#sps = unit;
    this.#parameters ??= parameters;
    const { profileLevelId } = parameters;
    if (levelOf(profileLevelId) > levelOf(this.#parameters.profileLevelId))
      this.#parameters = { ...this.#parameters, profileLevelId };
  }

  finish(): { groups: readonly Group[]; parameters: SequenceParameters | null } {
    if (this.#open.hasSlices) this.#close();
    return { groups: this.#groups, parameters: this.#parameters };
  }

  /** A receiver may start at any IDR frame, so each one includes its parameter sets. */
  #close(): void {
    const open = this.#open;
    const sps = this.#sps;
    const pps = this.#pps;
    if (open.isKeyframe) {
      if (sps === null || pps === null) throw new VideoError('has an IDR frame before its parameter sets');
      const types = new Set(open.units.map((unit) => nalType(unit[0]!)));
      const rest = open.units.filter((unit) => nalType(unit[0]!) !== SPS && nalType(unit[0]!) !== PPS);
      if (!types.has(SPS) || !types.has(PPS)) open.units = [sps, pps, ...rest];
    }
    if (this.#groups.length === MAX_FRAMES) throw new VideoError(`has more than ${MAX_FRAMES} frames`);
    this.#groups.push(open);
    this.#open = emptyGroup();
  }
}

const emptyGroup = (): Group => ({ units: [], isKeyframe: false, hasSlices: false });
