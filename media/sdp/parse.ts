/**
 * Parses a session description leniently (RFC 8866): LF or CRLF, unknown lines skipped, several media descriptions,
 * attributes at session or media level. Never throws.
 */
import { type Candidate, type IceDescription, readCandidate } from '../ice/candidate.ts';
import { MID_URI } from './bundle.ts';
import { readCrypto } from './crypto-line.ts';
import { staticFormat } from './payload-format.ts';
import {
  type CryptoLine,
  type Direction,
  directionOf,
  type FeedbackLine,
  type MediaDescription,
  type Origin,
  type PayloadFormat,
  type SdpFault,
  type SessionDescription,
  type Setup,
  sdpFault,
  sends,
} from './session-description.ts';
import type { Fingerprint } from './stream-format.ts';

/** The lines below one m= line or, for `SESSION`, above the first. */
type Section = {
  readonly media: readonly string[] | null;
  address: string | null;
  direction: Direction | null;
  rtcpPort: number | null;
  rtcpMux: boolean;
  packetMs: number | null;
  maxPacketMs: number | null;
  readonly maps: Map<number, string>;
  readonly parameters: Map<number, string>;
  reducedSize: boolean;
  extendedReports: readonly string[] | null;
  readonly feedback: FeedbackLine[];
  readonly cryptos: CryptoLine[];
  readonly fingerprints: Fingerprint[];
  setup: Setup | null;
  ufrag: string | null;
  pwd: string | null;
  lite: boolean;
  readonly candidates: Candidate[];
  bundle: readonly string[] | null;
  mid: string | null;
  bundleOnly: boolean;
  midExtension: number | null;
};

const newSection = (media: readonly string[] | null): Section => ({
  media,
  address: null,
  direction: null,
  rtcpPort: null,
  rtcpMux: false,
  packetMs: null,
  maxPacketMs: null,
  maps: new Map(),
  parameters: new Map(),
  reducedSize: false,
  extendedReports: null,
  feedback: [],
  cryptos: [],
  fingerprints: [],
  setup: null,
  ufrag: null,
  pwd: null,
  lite: false,
  candidates: [],
  bundle: null,
  mid: null,
  bundleOnly: false,
  midExtension: null,
});

const NO_ORIGIN: Origin = { username: '-', sessionId: '0', version: '0', address: '' };
const DIRECTIONS: ReadonlySet<string> = new Set(['sendrecv', 'sendonly', 'recvonly', 'inactive']);
const SETUPS: ReadonlySet<string> = new Set(['active', 'passive', 'actpass', 'holdconn']);
const isSetup = (name: string): name is Setup => SETUPS.has(name);
const isDirection = (name: string): name is Direction => DIRECTIONS.has(name);

export function parseSdp(text: string): SessionDescription | SdpFault {
  const session = newSection(null);
  const sections: Section[] = [];
  let origin = NO_ORIGIN;
  let versionSeen = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.charCodeAt(1) !== 61) continue;
    const value = line.slice(2).trim();
    const section = sections.at(-1) ?? session;
    switch (line.charAt(0)) {
      case 'v':
        versionSeen = true;
        break;
      case 'o':
        origin = readOrigin(value);
        break;
      case 'c':
        section.address = value.split(/\s+/)[2]?.split('/')[0] ?? null;
        break;
      case 'm':
        sections.push(newSection(value.split(/\s+/)));
        break;
      case 'a':
        readAttribute(section, value);
        break;
    }
  }
  if (!versionSeen && text.trim() === '') return sdpFault('SYNTAX', 'there is no session description');
  if (!versionSeen) return sdpFault('SYNTAX', 'the body is not a session description: it has no v= line');
  const media: MediaDescription[] = [];
  for (const section of sections) {
    const description = readMedia(section, session);
    if (description === null) return sdpFault('SYNTAX', `an m= line cannot be read: ${section.media?.join(' ')}`);
    media.push(description);
  }
  return { origin, media, bundle: session.bundle ?? [] };
}

function readOrigin(value: string): Origin {
  const [username, sessionId, version, , , address] = value.split(/\s+/);
  if (username === undefined || sessionId === undefined || version === undefined) return NO_ORIGIN;
  return { username, sessionId, version, address: address ?? '' };
}

function readAttribute(section: Section, attribute: string): void {
  const colon = attribute.indexOf(':');
  const name = (colon < 0 ? attribute : attribute.slice(0, colon)).toLowerCase();
  const value = colon < 0 ? '' : attribute.slice(colon + 1).trim();
  if (isDirection(name)) section.direction = name;
  switch (name) {
    case 'rtcp':
      section.rtcpPort = portOf(value.split(/\s+/)[0]);
      break;
    case 'rtcp-mux':
      section.rtcpMux = true;
      break;
    case 'ptime':
      section.packetMs = millisecondsOf(value);
      break;
    case 'maxptime':
      section.maxPacketMs = millisecondsOf(value);
      break;
    case 'rtpmap':
      readNumbered(section.maps, value);
      break;
    case 'fmtp':
      readNumbered(section.parameters, value);
      break;
    case 'rtcp-rsize':
      section.reducedSize = true;
      break;
    case 'rtcp-xr':
      section.extendedReports = wordsOf(value.toLowerCase());
      break;
    case 'rtcp-fb':
      readFeedback(section.feedback, value);
      break;
    case 'crypto':
      readInto(section.cryptos, readCrypto(value));
      break;
    case 'fingerprint':
      readFingerprint(section.fingerprints, value);
      break;
    case 'ice-ufrag':
      section.ufrag = value;
      break;
    case 'ice-pwd':
      section.pwd = value;
      break;
    case 'ice-lite':
      section.lite = true;
      break;
    case 'candidate':
      readInto(section.candidates, readCandidate(value));
      break;
    case 'group':
      readGroup(section, wordsOf(value));
      break;
    case 'mid':
      section.mid = value;
      break;
    case 'bundle-only':
      section.bundleOnly = true;
      break;
    case 'extmap':
      readExtension(section, wordsOf(value));
      break;
    case 'setup':
      if (isSetup(value.toLowerCase())) section.setup = value.toLowerCase() as Setup;
      break;
  }
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function readInto<T>(list: T[], item: T | null): void {
  if (item !== null) list.push(item);
}

function readGroup(section: Section, [semantics, ...mids]: string[]): void {
  if (semantics?.toUpperCase() === 'BUNDLE') section.bundle ??= mids;
}

/** Parses `4 urn:…` or `4/sendonly urn:…`; only one-byte headers are written here (RFC 8285, 4.2). */
function readExtension(section: Section, [number, uri]: string[]): void {
  const id = wholeNumber(number?.split('/')[0], 14);
  if (uri === MID_URI && id !== null && id > 0) section.midExtension = id;
}

function readFeedback(into: FeedbackLine[], text: string): void {
  const [target, ...words] = wordsOf(text.toLowerCase());
  if (target === undefined || words.length === 0) return;
  const payloadType = target === '*' ? null : payloadTypeOf(target);
  if (payloadType !== null || target === '*') into.push({ payloadType, value: words.join(' ') });
}

function readFingerprint(into: Fingerprint[], text: string): void {
  const [hash, value] = wordsOf(text);
  if (hash !== undefined && value !== undefined) into.push({ hash: hash.toLowerCase(), value: value.toUpperCase() });
}

function readNumbered(into: Map<number, string>, value: string): void {
  const space = value.search(/\s/);
  const payloadType = payloadTypeOf(space < 0 ? value : value.slice(0, space));
  if (space > 0 && payloadType !== null) into.set(payloadType, value.slice(space).trim());
}

/** Parses `audio 49170 RTP/AVP 0 8 97`, in which the port may be `49170/2`. */
function readMedia(section: Section, session: Section): MediaDescription | null {
  const [kind, portText, profile, ...formatTokens] = section.media ?? [];
  const port = portOf(portText?.split('/')[0]);
  if (kind === undefined || profile === undefined || port === null || formatTokens.length === 0) return null;
  // A rejected stream gets no media, regardless of the session's attributes.
  const address = section.address ?? (port === 0 ? null : session.address);
  const ice = readIce(section, session);
  return {
    kind: kind.toLowerCase(),
    port,
    profile,
    formatTokens,
    formats: /^(?:UDP\/TLS\/)?RTP\//i.test(profile) ? readFormats(formatTokens, section) : [],
    address,
    rtcpPort: section.rtcpPort,
    rtcpMux: section.rtcpMux,
    packetMs: section.packetMs ?? session.packetMs,
    maxPacketMs: section.maxPacketMs ?? session.maxPacketMs,
    direction: withLegacyHold(section.direction ?? session.direction ?? 'sendrecv', ice === null ? address : null),
    reducedSize: section.reducedSize,
    extendedReports: section.extendedReports ?? session.extendedReports ?? [],
    feedback: section.feedback,
    cryptos: section.cryptos,
    fingerprints: section.fingerprints.length > 0 ? section.fingerprints : session.fingerprints,
    setup: section.setup ?? session.setup,
    ice,
    mid: section.mid,
    bundleOnly: section.bundleOnly,
    midExtension: section.midExtension ?? session.midExtension,
  };
}

/** Credentials are at media level, otherwise at session level (RFC 8839, 5.4); without them there is no ICE. */
function readIce(section: Section, session: Section): IceDescription | null {
  const [ufrag, pwd] = [section.ufrag ?? session.ufrag, section.pwd ?? session.pwd];
  if (ufrag === null || pwd === null || ufrag.length < 4 || pwd.length < 22) return null;
  return { ufrag, pwd, lite: session.lite, candidates: section.candidates };
}

/** The address 0.0.0.0 means "send no media" (RFC 3264, 8.4); RFC 2543 phones still use it to put a call on hold. */
function withLegacyHold(direction: Direction, address: string | null): Direction {
  return address !== null && isUnspecified(address) ? directionOf(sends(direction), false) : direction;
}

/** The unspecified address. */
export const isUnspecified = (address: string): boolean => address === '0.0.0.0' || address === '::';

function readFormats(tokens: readonly string[], section: Section): PayloadFormat[] {
  const formats: PayloadFormat[] = [];
  for (const token of tokens) {
    const payloadType = payloadTypeOf(token);
    if (payloadType === null) continue;
    const format = formatOf(payloadType, section.maps.get(payloadType));
    if (format !== null) formats.push({ ...format, parameters: section.parameters.get(payloadType) ?? '' });
  }
  return formats;
}

/** `a=rtpmap` precedes the static meaning, because a number may be given another one. */
function formatOf(payloadType: number, map: string | undefined): PayloadFormat | null {
  if (map === undefined) return staticFormat(payloadType);
  const [encoding, rate, channels] = map.split('/');
  const clockRate = Number(rate);
  if (!encoding || !Number.isInteger(clockRate) || clockRate <= 0) return null;
  const count = Number(channels ?? 1);
  return {
    payloadType,
    encoding: encoding.trim().toUpperCase(),
    clockRate,
    channels: Number.isInteger(count) && count > 0 ? count : 1,
    parameters: '',
  };
}

function wholeNumber(text: string | undefined, most: number): number | null {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return null;
  const value = Number(text);
  return value <= most ? value : null;
}

const portOf = (text: string | undefined): number | null => wholeNumber(text, 65_535);
const payloadTypeOf = (text: string): number | null => wholeNumber(text, 127);

/** Some peers write `a=ptime:20.0`; values above one second are not plausible. */
function millisecondsOf(text: string): number | null {
  const value = Number.parseFloat(text);
  return value >= 1 && value <= 1000 ? Math.round(value) : null;
}
