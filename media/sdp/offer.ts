/** Our offer (RFC 3264, 5). */
import { proposeBundle } from './bundle.ts';
import { codecOf, eventFormats, formatsOf, sameFormat } from './codecs.ts';
import { cryptoOf } from './crypto-line.ts';
import { offeredH264 } from './h264-format.ts';
import { FEEDBACK, type LocalSession, type LocalStream, localMedia, originOf, VOIP_METRICS } from './local.ts';
import { type FeedbackLine, type MediaDescription, type PayloadFormat, receives } from './session-description.ts';
import { writeSdp } from './write.ts';

const PROFILES = { NONE: 'RTP/', SDES: 'RTP/S', DTLS: 'UDP/TLS/RTP/S' } as const;
const ALL_FEEDBACK: readonly FeedbackLine[] = FEEDBACK.map((value) => ({ payloadType: null, value }));

/**
 * The offer, as text. Video is offered with feedback (RFC 4585), audio without, as phones do; all lines have one
 * profile.
 */
export function offerSdp(local: LocalSession): string {
  const media = local.streams.map((stream) => offeredMedia(local, stream));
  return writeSdp({ origin: originOf(local), ...(local.bundle ? proposeBundle(media) : { media, bundle: [] }) });
}

/** The offer of a stream that has no position yet. */
export function offeredMedia(local: LocalSession, stream: LocalStream): MediaDescription {
  const { security, rtcpMux, feedbackProfile } = local;
  const video = stream.kind === 'VIDEO';
  return localMedia(local, stream, offeredFormats(stream), {
    profile: `${PROFILES[security.mode]}${feedbackProfile}`,
    direction: stream.direction,
    rtcpMux,
    // RFC 5506, 5.1: only AVPF allows it.
    reducedSize: video && feedbackProfile === 'AVPF',
    extendedReports: video ? [] : [VOIP_METRICS],
    feedback: video ? ALL_FEEDBACK : [],
    cryptos: security.mode === 'SDES' ? stream.keys.map((key, i) => cryptoOf(i + 1, key)) : [],
    fingerprints: security.mode === 'DTLS' ? [security.fingerprint] : [],
    // The answerer opens the handshake (RFC 5763, 5).
    setup: security.mode === 'DTLS' ? 'actpass' : null,
    // The candidates have one component: RTP and RTCP share it.
    ice: (rtcpMux && stream.ice) || null,
  });
}

/**
 * All formats that we have, after those in use: the peer asks for them within the session (RFC 3261, 14.2). Numbers in
 * use keep their meaning (RFC 3264, 8.3.2).
 */
export function offeredBeside(current: readonly PayloadFormat[], stream: LocalStream): PayloadFormat[] {
  const all = [...current];
  for (const one of offeredFormats(stream)) {
    if (current.some((now) => sameFormat(now, one))) continue;
    const isTaken = (payloadType: number): boolean => all.some((other) => other.payloadType === payloadType);
    let { payloadType } = one;
    if (isTaken(payloadType)) payloadType = FIRST_DYNAMIC;
    while (isTaken(payloadType)) payloadType++;
    if (payloadType <= LAST_DYNAMIC) all.push({ ...one, payloadType });
  }
  const isCodec = (one: PayloadFormat): boolean => codecOf(one) !== null;
  return [...all.filter(isCodec), ...all.filter((one) => !isCodec(one))];
}

/** The range of RFC 3551, 6. */
const [FIRST_DYNAMIC, LAST_DYNAMIC] = [96, 127];

function offeredFormats(stream: LocalStream): PayloadFormat[] {
  if (stream.kind === 'AUDIO') {
    const formats = stream.codecs.flatMap(formatsOf);
    return stream.telephoneEvent ? [...formats, ...eventFormats(stream.codecs)] : formats;
  }
  const { codecs, h264 = null, direction } = stream;
  return codecs.flatMap((codec) => (codec === 'H264' ? offeredH264(h264, receives(direction)) : formatsOf(codec)));
}
