/** The answer to an offer (RFC 3264, 6), at first and when the session is changed (8). */
import { type CodecName, formatOfCodec, type LocalAudio, localMedia, originOf } from './offer.ts';
import { parseSdp } from './parse.ts';
import { sameCodec } from './payload-format.ts';
import {
  type Direction,
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

/** Plain RTP; what is encrypted is turned down until it can be had. */
const PROFILES: ReadonlySet<string> = new Set(['RTP/AVP', 'RTP/AVPF']);
const CODECS: readonly CodecName[] = ['PCMU', 'PCMA'];

/**
 * The answer as text: the first audio stream with a common codec accepted, in the offerer's order and under his payload
 * type; all other streams rejected in their places; direction mirrored and cut down to what we want.
 */
export function answerSdp(offer: string, local: LocalAudio): string | SdpFault {
  const offered = parseSdp(offer);
  if (isSdpFault(offered)) return offered;
  const audio = offered.media.filter(isUsable);
  if (audio.length === 0) return sdpFault('NO_AUDIO', 'the offer has no audio stream over plain RTP');
  const accepted = audio.find((media) => commonFormat(media, local) !== null);
  const format = accepted === undefined ? null : commonFormat(accepted, local);
  if (accepted === undefined || format === null) {
    const names = audio.flatMap((media) => media.formats.map((one) => one.encoding));
    return sdpFault(
      'NO_COMMON_CODEC',
      `offered are ${names.join(', ') || 'unknown codecs'}, ours are ${local.codecs.join(', ')}`,
    );
  }
  const send = sends(local.direction) && receives(accepted.direction);
  const receive = receives(local.direction) && sends(accepted.direction);
  const ours = localMedia(
    local,
    accepted.profile,
    [format],
    directionOf(send, receive),
    local.rtcpMux && accepted.rtcpMux,
  );
  const media = offered.media.map((one) => (one === accepted ? ours : rejected(one)));
  return writeSdp({ origin: originOf(local), media });
}

/**
 * The answer to a later offer of the same session. `current` is our own last description: what it could do, we still
 * can; `wanted` is the direction that we want whenever the peer does. Word for word the same if nothing changes, else
 * with the next version in o=.
 */
export function answerAgain(current: string, offer: string, wanted: Direction): string | SdpFault {
  return describeAgain(current, wanted, (local) => answerSdp(offer, local));
}

/** Our own later offer, where the peer asks for one: the same streams, ours in the direction that we want (RFC 3264, 8). */
export function offerAgain(current: string, wanted: Direction): string | SdpFault {
  return describeAgain(current, wanted, (local, { media }, ours) =>
    writeSdp({
      origin: originOf(local),
      media: media.map((one) =>
        one === ours ? localMedia(local, one.profile, one.formats, wanted, local.rtcpMux) : one,
      ),
    }),
  );
}

function describeAgain(
  current: string,
  wanted: Direction,
  describe: (local: LocalAudio, session: SessionDescription, ours: MediaDescription) => string | SdpFault,
): string | SdpFault {
  const session = parseSdp(current);
  if (isSdpFault(session)) return session;
  const ours = session.media.find((media) => media.kind === 'audio' && media.port !== 0);
  if (ours?.address == null) return sdpFault('NO_AUDIO', 'our own description has no audio stream');
  const local: LocalAudio = {
    address: ours.address,
    rtpPort: ours.port,
    rtcpPort: ours.rtcpPort ?? ours.port + 1,
    rtcpMux: ours.rtcpMux,
    codecs: CODECS.filter((codec) => ours.formats.some((format) => sameCodec(format, formatOfCodec(codec)))),
    packetMs: ours.packetMs ?? 20,
    direction: wanted,
    sessionId: session.origin.sessionId,
    version: session.origin.version,
  };
  const same = describe(local, session, ours);
  if (typeof same !== 'string' || same === current) return same;
  return describe({ ...local, version: nextVersion(local.version) }, session, ours);
}

const nextVersion = (version: string): string => (/^\d+$/.test(version) ? String(BigInt(version) + 1n) : '1');

const isUsable = (media: MediaDescription): boolean =>
  media.kind === 'audio' && media.port !== 0 && PROFILES.has(media.profile.toUpperCase());

function commonFormat(media: MediaDescription, local: LocalAudio): PayloadFormat | null {
  const ours = local.codecs.map(formatOfCodec);
  return media.formats.find((format) => ours.some((one) => sameCodec(one, format))) ?? null;
}

const rejected = (media: MediaDescription): MediaDescription => ({ ...media, port: 0, address: null });
