/** Profiles and levels of H.264 (Annex A) in profile-level-id: profile_idc, constraint flags, level_idc (RFC 6184, 8.1). */

const PROFILES: Readonly<Record<number, string>> = {
  66: 'BASELINE',
  77: 'MAIN',
  88: 'EXTENDED',
  100: 'HIGH',
  110: 'HIGH_10',
  122: 'HIGH_422',
  244: 'HIGH_444',
};
/** Each of these decodes the profiles before it (A.2). */
const LADDER = ['CONSTRAINED_BASELINE', 'MAIN', 'HIGH', 'HIGH_10', 'HIGH_422', 'HIGH_444'];
/** Level 1b, between 1 and 1.1. */
const LEVEL_1B = 10.5;

const byteAt = (profileLevelId: string, i: number): number =>
  Number.parseInt(profileLevelId.slice(2 * i, 2 * i + 2), 16);

/** The profile by profile_idc and profile-iop (RFC 6184, 8.1, table 5). Null: unknown, or no profile-level-id. */
export function profileOf(profileLevelId: string): string | null {
  if (!/^[0-9a-f]{6}$/i.test(profileLevelId)) return null;
  const profile = PROFILES[byteAt(profileLevelId, 0)];
  const flags = byteAt(profileLevelId, 1);
  const constrained =
    (profile === 'BASELINE' && (flags & 0x40) !== 0) ||
    (profile === 'MAIN' && (flags & 0x80) !== 0) ||
    (profile === 'EXTENDED' && (flags & 0xc0) === 0xc0);
  return constrained ? 'CONSTRAINED_BASELINE' : (profile ?? null);
}

/** The level times ten, in the order of the levels' demands. */
export function levelOf(profileLevelId: string): number {
  const [profile, flags, level] = [0, 1, 2].map((i) => byteAt(profileLevelId, i)) as [number, number, number];
  const isLow = profile === 66 || profile === 77 || profile === 88;
  return level === 9 || (isLow && level === 11 && (flags & 0x10) !== 0) ? LEVEL_1B : level;
}

/** The level as users write it: 3.1. */
export const levelName = (profileLevelId: string): string => {
  const level = levelOf(profileLevelId);
  return level === LEVEL_1B ? '1b' : String(level / 10);
};

/** Returns the one with the lower level. */
export const lower = (a: string, b: string): string => (levelOf(a) <= levelOf(b) ? a : b);

/**
 * Whether a decoder of one profile can show streams of another (A.2). Baseline and constrained baseline count as one:
 * peers answer one if the other was offered, and the features of only the former are unused.
 */
export function decodes(decoder: string, stream: string): boolean {
  const [by, of] = [decoder, stream].map((id) => profileOf(id)?.replace(/^BASELINE$/, 'CONSTRAINED_BASELINE'));
  if (by === undefined || of === undefined) return false;
  if (by === of || (by === 'EXTENDED' && of === 'CONSTRAINED_BASELINE')) return true;
  return LADDER.includes(of) && LADDER.indexOf(by) >= LADDER.indexOf(of);
}
