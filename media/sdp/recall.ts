/** Reads our end from our own last description: enough to describe the session again. */
import { codecOf, isEvent } from './codecs.ts';
import { keyOf } from './crypto-line.ts';
import type { LocalSecurity, LocalSession, LocalStream } from './local.ts';
import { parseSdp } from './parse.ts';
import { modeOf } from './security.ts';
import { type Direction, isSdpFault, type MediaDescription, type SdpFault, sdpFault } from './session-description.ts';
import type { AudioCodec, VideoCodec } from './stream-format.ts';

/** Our end of `current`, every stream in its current direction, with unchanged abilities. */
export function recall(current: string, direction: Direction): LocalSession | SdpFault {
  const session = parseSdp(current);
  if (isSdpFault(session)) return session;
  const on = session.media.filter(({ kind, port, address }) => port !== 0 && address !== null && STREAMS.has(kind));
  const [first] = on;
  if (first === undefined) return sdpFault('NO_AUDIO', 'our own description has no stream');
  return {
    address: first.address as string,
    sessionId: session.origin.sessionId,
    version: session.origin.version,
    rtcpMux: on.some(({ rtcpMux }) => rtcpMux),
    security: securityOf(first),
    feedbackProfile: /F$/i.test(first.profile) ? 'AVPF' : 'AVP',
    streams: on.map((media) => streamOf(media, direction)),
  };
}

const STREAMS: ReadonlySet<string> = new Set(['audio', 'video']);

function securityOf(media: MediaDescription): LocalSecurity {
  const mode = modeOf(media) ?? 'NONE';
  const [fingerprint] = media.fingerprints;
  if (mode !== 'DTLS' || fingerprint === undefined) return { mode: mode === 'SDES' ? mode : 'NONE' };
  return { mode, fingerprint };
}

const ROLES = { active: 'CLIENT', passive: 'SERVER' } as const;

function streamOf(media: MediaDescription, direction: Direction): LocalStream {
  const codecs = [...new Set(media.formats.map(codecOf).filter((codec) => codec !== null))];
  const end = {
    rtpPort: media.port,
    rtcpPort: media.rtcpPort ?? media.port + 1,
    direction,
    keys: media.cryptos.map(keyOf).filter((key) => typeof key !== 'string'),
    dtlsRole: media.setup === 'active' || media.setup === 'passive' ? ROLES[media.setup] : null,
  };
  if (media.kind === 'video') return { kind: 'VIDEO', ...end, codecs: codecs as VideoCodec[] };
  return {
    kind: 'AUDIO',
    ...end,
    codecs: codecs as AudioCodec[],
    packetMs: media.packetMs ?? 20,
    telephoneEvent: media.formats.some(isEvent),
  };
}
