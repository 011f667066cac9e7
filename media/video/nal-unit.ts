/** The meaning of the first bytes of H.264 NAL units (ITU-T H.264, 7.3.1 and 7.4.1). */

const SLICE = 1;
export const IDR = 5;
const SEI = 6;
export const SPS = 7;
export const PPS = 8;
export const DELIMITER = 9;
export const FILLER = 12;

/** NAL units that precede the slices of a frame at which decoding can start. */
export const PARAMETER_SETS: ReadonlySet<number> = new Set([SPS, DELIMITER]);

export const nalType = (firstByte: number): number => firstByte & 0x1f;

export const isSlice = (type: number): boolean => type === SLICE || type === IDR;

/** True for units that can only come before the slices of the next frame (7.4.1.2.3). */
export const precedesSlices = (type: number): boolean =>
  (type >= SEI && type <= DELIMITER) || (type >= 14 && type <= 18);

/**
 * True for the first slice of a frame: its first macroblock is number 0. Streams with arbitrary slice order (which no
 * current encoder uses) are not supported.
 */
export const startsPrimaryFrame = (unit: Uint8Array): boolean =>
  isSlice(nalType(unit[0]!)) && unit.length > 1 && unit[1]! > 0x7f;
