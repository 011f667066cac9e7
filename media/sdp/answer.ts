/** The answer to an offer (RFC 3264, 6), both the initial one and those that change the session (8). */
import { audioCodecOf } from '../codec/audio-codecs.ts';
import type { IceDescription } from '../ice/candidate.ts';
import { answerBundle, completed, proposeAgain } from './bundle.ts';
import { answeredFormat, codecOf, eventBeside, formatsOf, isComfortNoise } from './codecs.ts';
import { unplayableIn } from './h264-format.ts';
import { usableIce } from './ice.ts';
import {
  FEEDBACK,
  type LocalSession,
  type LocalStream,
  localMedia,
  originOf,
  type Terms,
  VOIP_METRICS,
} from './local.ts';
import { offeredBeside, offeredMedia } from './offer.ts';
import { parseSdp } from './parse.ts';
import { answeredKeys } from './security.ts';
import {
  directionOf,
  isSdpFault,
  type MediaDescription,
  type PayloadFormat,
  receives,
  type SdpFault,
  type SessionDescription,
  sdpFault,
  sends,
} from './session-description.ts';
import { writeSdp } from './write.ts';

/**
 * The answer as text: each of our streams is matched with the first usable offered stream of its kind, with one codec,
 * in the offerer's order and with its payload type. All others are rejected in place; directions are mirrored and
 * limited to ours. A fault if no stream can be used.
 */
export function answerSdp(offer: string, local: LocalSession): string | SdpFault {
  const offered = parseSdp(offer);
  if (isSdpFault(offered)) return offered;
  const free = new Set(local.streams);
  return answerWith(offered, local, (media) => acceptFirst(media, local, free));
}

/**
 * The answer to a later offer of the same session. `current` is our last description, `local` the current abilities and
 * settings. Streams keep their positions; one without a position is matched with a new or a freed one (RFC 3264, 8.1).
 * If nothing changes the text is identical, otherwise it has the next version in o=.
 */
export function answerAgain(current: string, offer: string, local: LocalSession): string | SdpFault {
  const offered = parseSdp(offer);
  if (isSdpFault(offered)) return offered;
  return describeAgain(current, local, (now, { media: ours }) => {
    const standing = offered.media.map((media, index) => {
      const stream = streamOf(now, ours[index]);
      return stream !== null && isFor(stream, media) ? stream : null;
    });
    const free = new Set(now.streams.filter((stream) => !standing.includes(stream)));
    return answerWith(offered, now, (media, index) => {
      const stream = standing[index] ?? null;
      return stream === null ? acceptFirst(media, now, free) : accept(media, now, stream);
    });
  });
}

/** Our own offer if the peer asks for one: the same streams with all formats that we have, as for a new call (RFC 3261, 14.2). */
export const offerAnew = (current: string, local: LocalSession): string | SdpFault =>
  offerWith(current, local, null, offeredBeside);

/**
 * Our own later offer: the same streams, codecs, keys and fingerprints, in the current
 * directions (RFC 3264, 8). The offer leaves DTLS roles open, and the peer keeps them (RFC 8842, 5.5). A stream of the
 * kind `back` without a position is offered again: in a freed position of its kind, otherwise after the others (8.1).
 */
export function offerAgain(
  current: string,
  local: LocalSession,
  back: LocalStream['kind'] | null = null,
): string | SdpFault {
  return offerWith(current, local, back, (formats) => formats);
}

function offerWith(
  current: string,
  local: LocalSession,
  back: LocalStream['kind'] | null,
  formatsFor: (current: readonly PayloadFormat[], stream: LocalStream) => readonly PayloadFormat[],
): string | SdpFault {
  return describeAgain(current, local, (now, before) => {
    const media = before.media.map((one) => {
      const stream = streamOf(now, one);
      if (stream === null) return one;
      const ice = one.ice === null ? null : (stream.ice ?? null);
      const { direction, rtpPort: port } = stream;
      const formats = formatsFor(one.formats, stream);
      const formatTokens = formats.map(({ payloadType }) => String(payloadType));
      const setup = one.setup === null ? null : ('actpass' as const);
      return { ...one, port, formats, formatTokens, direction, setup, ice };
    });
    const isOn = (one: LocalStream): boolean => before.media.some((media) => streamOf(now, media) === one);
    const returning = now.streams.find((one) => one.kind === back && !isOn(one));
    if (returning !== undefined) media[placeFor(returning, media)] = offeredMedia(now, returning);
    return writeSdp({ origin: originOf(now), ...proposeAgain(media, before) });
  });
}

function placeFor({ kind }: LocalStream, media: readonly MediaDescription[]): number {
  const givenUp = media.findIndex((one) => one.kind === kind.toLowerCase() && one.port === 0);
  return givenUp < 0 ? media.length : givenUp;
}

function describeAgain(
  current: string,
  local: LocalSession,
  describe: (local: LocalSession, session: SessionDescription) => string | SdpFault,
): string | SdpFault {
  const session = parseSdp(current);
  if (isSdpFault(session)) return session;
  const { sessionId, version } = session.origin;
  const same = describe({ ...local, sessionId, version }, session);
  if (typeof same !== 'string' || same === current) return same;
  return describe({ ...local, sessionId, version: nextVersion(version) }, session);
}

const nextVersion = (version: string): string => (/^\d+$/.test(version) ? String(BigInt(version) + 1n) : '1');

/** Our stream for one of our media descriptions: found by its port, or by its kind if it shares the port of another. */
function streamOf({ streams, bundle }: LocalSession, ours: MediaDescription | undefined): LocalStream | null {
  const fitting = streams.filter((stream) => ours !== undefined && isFor(stream, ours));
  return fitting.find(({ rtpPort }) => rtpPort === ours?.port) ?? (bundle ? fitting[0] : null) ?? null;
}

const isFor = (stream: LocalStream, media: MediaDescription): boolean =>
  media.kind === stream.kind.toLowerCase() && media.port !== 0;

/**
 * The first of `free` that can be used for the offered stream, removed from `free`; otherwise the reason why none can.
 * Null: none has its kind.
 */
function acceptFirst(
  offered: MediaDescription,
  local: LocalSession,
  free: Set<LocalStream>,
): MediaDescription | SdpFault | null {
  let problem: SdpFault | null = null;
  for (const stream of free) {
    if (!isFor(stream, offered)) continue;
    const result = accept(offered, local, stream);
    if (!isSdpFault(result)) {
      free.delete(stream);
      return result;
    }
    problem ??= result;
  }
  return problem;
}

/** Result of `choose`: null rejects the stream without a fault of its own. */
function answerWith(
  offered: SessionDescription,
  local: LocalSession,
  choose: (media: MediaDescription, index: number) => MediaDescription | SdpFault | null,
): string | SdpFault {
  const faults: SdpFault[] = [];
  let accepted = 0;
  const media = (local.bundle ? completed(offered) : offered.media).map((one, index) => {
    const result = choose(one, index);
    if (result !== null && !isSdpFault(result)) {
      accepted += 1;
      return result;
    }
    if (result !== null) faults.push(result);
    return rejected(one);
  });
  if (accepted > 0)
    return writeSdp({ origin: originOf(local), ...answerBundle(offered, media, local.bundle ?? false) });
  // The fault of a known stream is more useful than the mere fact that other streams exist.
  return (
    faults.find(({ fault }) => fault !== 'NO_AUDIO') ??
    faults[0] ??
    sdpFault('NO_AUDIO', `the offer has no ${local.streams.map(({ kind }) => kind.toLowerCase()).join(' or ')} stream`)
  );
}

/** Payload types that cannot be distinguished from RTCP on the same port (RFC 5761, 4). */
export const isTakenByRtcp = ({ payloadType }: PayloadFormat): boolean => payloadType >= 64 && payloadType <= 95;

function accept(offered: MediaDescription, local: LocalSession, stream: LocalStream): MediaDescription | SdpFault {
  const keys = answeredKeys(offered, local, stream);
  if (isSdpFault(keys)) return keys;
  const isMuxed = local.rtcpMux && offered.rtcpMux;
  const peersIce = isMuxed && stream.ice ? usableIce(offered) : null;
  const unusable = local.judge ? unusableOf(offered, peersIce, local.judge) : null;
  if (unusable !== null) return unusable;
  const codecs: readonly string[] = stream.codecs;
  const send = sends(stream.direction) && receives(offered.direction);
  const known = offered.formats.filter((one) => codecs.includes(codecOf(one) ?? ''));
  const format = known.find((one) => !send || unplayable(one, stream) === null);
  if (format === undefined) {
    const names = offered.formats.map(nameOf).join(', ') || 'unknown codecs';
    const ours = stream.codecs.flatMap(formatsOf).map(nameOf);
    const reason = known[0] && unplayable(known[0], stream);
    return sdpFault('NO_COMMON_CODEC', reason ?? `offered are ${names}, ours are ${[...new Set(ours)].join(', ')}`);
  }
  const formats = [format, ...besides(offered, format)].map(answeredFormat);
  const receive = receives(stream.direction) && sends(offered.direction);
  const terms: Terms = {
    profile: offered.profile,
    direction: directionOf(send, receive),
    rtcpMux: isMuxed && !formats.some(isTakenByRtcp),
    reducedSize: offered.reducedSize,
    extendedReports: offered.extendedReports.includes(VOIP_METRICS) ? [VOIP_METRICS] : [],
    feedback: stream.kind === 'VIDEO' ? offered.feedback.filter((line) => isAnswered(line, format)) : [],
    ...keys,
    ice: null,
  };
  const ice = (terms.rtcpMux && peersIce !== null && stream.ice) || null;
  return localMedia(local, stream, formats, { ...terms, ice });
}

/** Why media cannot be sent to the peer (its address or, with ICE, any of its candidates); null: they can. */
function unusableOf(
  { address }: MediaDescription,
  ice: IceDescription | null,
  judge: NonNullable<LocalSession['judge']>,
): SdpFault | null {
  const places = ice?.candidates.length ? ice.candidates.map((one) => one.address) : [address];
  const faults = places.map(judge);
  return faults.includes(null) ? null : (faults[0] ?? null);
}

/** The name in a=rtpmap: codecs that differ in their clock have the same name. */
const nameOf = ({ encoding, clockRate }: PayloadFormat): string => `${encoding}/${clockRate}`;

/** Why our media cannot be sent in a format; null: they can. */
const unplayable = (one: PayloadFormat, stream: LocalStream): string | null =>
  stream.kind === 'VIDEO' && stream.h264 && one.encoding === 'H264' ? unplayableIn(one, stream.h264) : null;

const isAnswered = ({ payloadType, value }: { payloadType: number | null; value: string }, format: PayloadFormat) =>
  (payloadType === null || payloadType === format.payloadType) && FEEDBACK.some((one) => one === value);

/** Digits, and comfort noise at the clock of the chosen codec. */
function besides({ formats }: MediaDescription, { clockRate, encoding }: PayloadFormat): PayloadFormat[] {
  const events = eventBeside(formats, clockRate);
  const isNarrow = clockRate === 8000 && audioCodecOf(encoding)?.samplingRateHz === 8000;
  const noise = isNarrow ? formats.find(isComfortNoise) : undefined;
  return [events, noise].filter((one) => one !== undefined);
}

const rejected = (media: MediaDescription): MediaDescription => ({
  ...media,
  port: 0,
  address: null,
  mid: null,
  bundleOnly: false,
});
