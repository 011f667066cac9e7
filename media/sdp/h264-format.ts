/**
 * H.264 as a payload format (RFC 6184, 8): what is offered for our media, which formats of a peer can carry them, and
 * the reasons if they cannot.
 */
import { decodes, levelName, levelOf, lower, profileOf } from '../video/profile-level.ts';
import { formatParameter } from './payload-format.ts';
import type { PayloadFormat } from './session-description.ts';

/** The format of the sent media, from the file. */
export type H264Stream = {
  readonly profileLevelId: string;
  /** The packetization modes into which it can be cut. */
  readonly modes: readonly (0 | 1)[];
};

/** Constrained baseline, level 3.1: every decoder plays it, and we accept it. */
const USUAL = '42e01f';
/** The default (8.1): baseline, level 1. */
const UNNAMED = '42000a';
/** Either end may send more than it accepts, as far as the other one accepts it. */
const ASYMMETRY = 'level-asymmetry-allowed';
const NUMBERS = { 1: 97, 0: 98 } as const;

/** The H264 parameters that describe both directions (8.2.2). The others say what their sender receives, or has sent. */
const SYMMETRIC = ['profile-level-id', 'packetization-mode', ASYMMETRY];

/**
 * The formats of an offer. Their level is that of our media, but at least 3.1 if we also receive; a lower level would
 * restrict the peer's media below what we accept.
 */
export function offeredH264(stream: H264Stream | null, receives: boolean): PayloadFormat[] {
  const { profileLevelId, modes } = stream ?? { profileLevelId: USUAL, modes: [1, 0] as const };
  const raised =
    receives && levelOf(profileLevelId) < levelOf(USUAL) ? profileLevelId.slice(0, 4) + USUAL.slice(4) : null;
  return modes.map((mode) => ({
    payloadType: NUMBERS[mode],
    encoding: 'H264',
    clockRate: 90_000,
    channels: 1,
    parameters: `profile-level-id=${raised ?? profileLevelId};packetization-mode=${mode};${ASYMMETRY}=1`,
  }));
}

/** The answer to a format: parameters that describe both directions are copied. */
export const answeredH264 = (one: PayloadFormat): PayloadFormat => {
  const kept = SYMMETRIC.flatMap((name) => {
    const value = formatParameter(one, name);
    return value === null ? [] : [`${name}=${value}`];
  });
  return { ...one, parameters: kept.join(';') };
};

/** Absent: 0 (8.1). Null: interleaved, or nonsense. */
export function packetizationMode(one: PayloadFormat): 0 | 1 | null {
  const mode = formatParameter(one, 'packetization-mode') ?? '0';
  if (mode === '0') return 0;
  return mode === '1' ? 1 : null;
}

const profileLevelId = (one: PayloadFormat): string => formatParameter(one, 'profile-level-id') ?? UNNAMED;

/** Peers answer one profile if the other was offered; our media are simple enough for both. */
const matched = (one: PayloadFormat): string | null =>
  profileOf(profileLevelId(one))?.replace('CONSTRAINED_', '') ?? null;

/** Packetization mode and profile identify a format; the level does not (8.2.2). */
export const sameH264 = (a: PayloadFormat, b: PayloadFormat): boolean =>
  packetizationMode(a) === packetizationMode(b) && matched(a) === matched(b);

/** A format that we could send: every known profile can play constrained baseline. */
export const isKnownH264 = (one: PayloadFormat): boolean =>
  packetizationMode(one) !== null && profileOf(profileLevelId(one)) !== null;

const isAsymmetric = (one: PayloadFormat): boolean => formatParameter(one, ASYMMETRY) === '1';

/**
 * The highest profile-level-id that may be sent to the peer: the peer's, if both allow asymmetry, otherwise the lower
 * of both (8.2.2).
 */
export function takenH264(ours: PayloadFormat, peers: PayloadFormat): string {
  const [own, his] = [profileLevelId(ours), profileLevelId(peers)];
  return isAsymmetric(ours) && isAsymmetric(peers) ? his : lower(his, own);
}

/** Why a peer that accepts `taken` in a packetization mode cannot be sent the stream; null: it can. */
export function unplayableH264({ profileLevelId: sent, modes }: H264Stream, taken: string, mode: 0 | 1): string | null {
  const what = `the video is H.264 of level ${levelName(sent)} (profile-level-id ${sent})`;
  if (!decodes(taken, sent)) return `${what}, and the peer takes another profile (${taken}): encode it for that one`;
  if (levelOf(taken) < levelOf(sent))
    return `${what}, and the peer takes no more than level ${levelName(taken)} (${taken}; RFC 6184, 8.2.2): encode it at that level`;
  if (modes.includes(mode)) return null;
  return `${what}, and its slices are too large for packetization-mode ${mode}, which the peer asks for: encode it in smaller ones`;
}

/** Why a format that a peer has offered cannot carry the stream; null: it can. */
export const unplayableIn = (one: PayloadFormat, stream: H264Stream): string | null =>
  unplayableH264(stream, profileLevelId(one), packetizationMode(one) ?? 0);
