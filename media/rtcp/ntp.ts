/** NTP timestamps in RTCP: 64 bits of seconds since 1900, and their middle 32 bits (RFC 3550, 4). */

/** The seconds from 1900-01-01 to 1970-01-01. */
const NTP_EPOCH_OFFSET_SECONDS = 2_208_988_800;

const TWO_32 = 0x1_0000_0000;

/** Seconds since 1900 modulo 2^32 of a Unix time in milliseconds. */
export const ntpSeconds = (unixMs: number): number => (Math.floor(unixMs / 1000) + NTP_EPOCH_OFFSET_SECONDS) % TWO_32;

/** Fraction of the second in units of 2^-32 s. */
export const ntpFraction = (unixMs: number): number =>
  Math.floor(((unixMs - Math.floor(unixMs / 1000) * 1000) / 1000) * TWO_32);

/** The middle 32 bits, as in LSR: 16 of seconds, 16 of fraction. */
export const ntpMiddle = (unixMs: number): number => middleOf(ntpSeconds(unixMs), ntpFraction(unixMs));

/** The middle 32 bits of a received timestamp. */
export const middleOf = (seconds: number, fraction: number): number => ((seconds << 16) | (fraction >>> 16)) >>> 0;
