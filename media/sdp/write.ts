/** Writes a session description as text (RFC 8866, 5): CRLF, in the order that the RFC demands. */
import { type IceDescription, writeCandidate } from '../ice/candidate.ts';
import { MID_URI } from './bundle.ts';
import { writeCrypto } from './crypto-line.ts';
import type { MediaDescription, SessionDescription } from './session-description.ts';

const family = (address: string): 'IP4' | 'IP6' => (address.includes(':') ? 'IP6' : 'IP4');

/** Names are case-insensitive (RFC 8866, 6.6), but some peers accept only one spelling. */
const SPELLINGS: Readonly<Record<string, string>> = { OPUS: 'opus', 'TELEPHONE-EVENT': 'telephone-event' };

/** Writes a description as text; `parseSdp` reads it back. */
export function writeSdp(session: SessionDescription): string {
  const { username, sessionId, version, address } = session.origin;
  // Each stream has an address, or the session has one (RFC 8866, 5.7); rejected streams have none.
  const isBare = session.media.some((media) => media.address === null);
  return [
    'v=0',
    `o=${username} ${sessionId} ${version} IN ${family(address)} ${address}`,
    's=-',
    ...(isBare ? [`c=IN ${family(address)} ${address}`] : []),
    't=0 0',
    ...(session.bundle.length > 0 ? [`a=group:BUNDLE ${session.bundle.join(' ')}`] : []),
    ...session.media.flatMap(mediaLines),
    '',
  ].join('\r\n');
}

/** A rejected stream keeps only its formats and its name (RFC 3264, 6). */
function mediaLines(media: MediaDescription): string[] {
  const lines = [`m=${media.kind} ${media.port} ${media.profile} ${media.formatTokens.join(' ')}`];
  if (media.address !== null) lines.push(`c=IN ${family(media.address)} ${media.address}`);
  if (media.mid !== null) lines.push(`a=mid:${media.mid}`);
  if (media.bundleOnly) lines.push('a=bundle-only');
  else if (media.port === 0) return lines;
  if (media.midExtension !== null) lines.push(`a=extmap:${media.midExtension} ${MID_URI}`);
  for (const { payloadType, encoding, clockRate, channels, parameters } of media.formats) {
    lines.push(
      `a=rtpmap:${payloadType} ${SPELLINGS[encoding] ?? encoding}/${clockRate}${channels === 1 ? '' : `/${channels}`}`,
    );
    if (parameters !== '') lines.push(`a=fmtp:${payloadType} ${parameters}`);
  }
  if (media.sender) lines.push(`a=ssrc:${media.sender.ssrc} cname:${media.sender.cname}`);
  if (media.packetMs !== null) lines.push(`a=ptime:${media.packetMs}`);
  if (media.maxPacketMs !== null) lines.push(`a=maxptime:${media.maxPacketMs}`);
  lines.push(`a=${media.direction}`);
  if (media.rtcpPort !== null) lines.push(`a=rtcp:${media.rtcpPort}`);
  if (media.rtcpMux) lines.push('a=rtcp-mux');
  if (media.reducedSize) lines.push('a=rtcp-rsize');
  if (media.extendedReports.length > 0) lines.push(`a=rtcp-xr:${media.extendedReports.join(' ')}`);
  for (const { payloadType, value } of media.feedback) lines.push(`a=rtcp-fb:${payloadType ?? '*'} ${value}`);
  for (const line of media.cryptos) lines.push(`a=crypto:${writeCrypto(line)}`);
  for (const { hash, value } of media.fingerprints) lines.push(`a=fingerprint:${hash} ${value}`);
  if (media.setup !== null) lines.push(`a=setup:${media.setup}`);
  return media.ice === null ? lines : [...lines, ...iceLines(media.ice)];
}

const iceLines = ({ ufrag, pwd, candidates }: IceDescription): string[] => [
  `a=ice-ufrag:${ufrag}`,
  `a=ice-pwd:${pwd}`,
  ...candidates.map((candidate) => `a=candidate:${writeCandidate(candidate)}`),
  'a=end-of-candidates',
];
