/** Encryption in offer and answer: SDES (RFC 4568) and DTLS-SRTP (RFC 5763). */
import { cryptoOf, keyOf } from './crypto-line.ts';
import type { LocalSession, LocalStream, Terms } from './local.ts';
import { isSdpFault, type MediaDescription, type SdpFault, type Setup, sdpFault } from './session-description.ts';
import type { Fingerprint, SrtpKey, StreamSecurity } from './stream-format.ts';

/** The lengths of the hashes that a fingerprint may have, in bytes (RFC 8122, 5; MD5 is forbidden there). */
const HASH_BYTES: ReadonlyMap<string, number> = new Map([
  ['sha-1', 20],
  ['sha-224', 28],
  ['sha-256', 32],
  ['sha-384', 48],
  ['sha-512', 64],
]);

type Mode = 'NONE' | 'SDES' | 'DTLS';

/** The encryption method of a media description; null: it is not RTP as we know it. RTP/SAVP may be keyed in either way. */
export function modeOf({ profile, cryptos, fingerprints }: MediaDescription): Mode | null {
  const match = /^(UDP\/TLS\/)?RTP\/(S?)AVPF?$/i.exec(profile);
  if (match === null) return null;
  if (match[1] !== undefined) return match[2] === '' ? null : 'DTLS';
  if (match[2] === '') return 'NONE';
  return cryptos.length === 0 && fingerprints.length > 0 ? 'DTLS' : 'SDES';
}

type Keys = Pick<Terms, 'cryptos' | 'fingerprints' | 'setup'>;
const PLAIN: Keys = { cryptos: [], fingerprints: [], setup: null };

/** The encryption of our answer to an offer, by `local`, or the reason why it cannot be encrypted. */
export function answeredKeys(offered: MediaDescription, local: LocalSession, stream: LocalStream): Keys | SdpFault {
  const { security } = local;
  const mode = modeOf(offered);
  if (mode !== security.mode) return otherMode(offered.profile, mode, security.mode);
  if (security.mode === 'NONE') return PLAIN;
  if (security.mode === 'DTLS') {
    const fingerprints = knownFingerprints(offered);
    if (isSdpFault(fingerprints)) return fingerprints;
    const setup = answeredSetup(offered.setup, stream.dtlsRole ?? null);
    if (setup === null) return sdpFault('SETUP', `the offer wants no DTLS handshake: a=setup:${offered.setup}`);
    return { cryptos: [], fingerprints: [security.fingerprint], setup };
  }
  const found = usableKeys(offered, (suite) => stream.keys.some((key) => key.suite === suite));
  if (isSdpFault(found)) return found;
  const [{ tag, key }] = found as [Tagged];
  const ours = stream.keys.find(({ suite }) => suite === key.suite) as SrtpKey;
  return { ...PLAIN, cryptos: [cryptoOf(tag, ours)] };
}

function otherMode(profile: string, theirs: Mode | null, ours: Mode): SdpFault {
  if (theirs === null) return sdpFault('NO_AUDIO', `${profile} is not a supported RTP profile`);
  if (theirs === 'NONE') return sdpFault('NOT_ENCRYPTED', `${profile} is plain, and ${ours} is demanded`);
  const wanted = ours === 'NONE' ? 'plain RTP is wanted' : `${ours} is wanted`;
  return sdpFault('ENCRYPTED', `${profile} is encrypted with ${theirs}, and ${wanted}`);
}

/** An offer with either role gets an active answer, unless the roles are already fixed (RFC 5763, 5; RFC 8842, 5.5). */
function answeredSetup(offered: Setup | null, role: 'CLIENT' | 'SERVER' | null): Setup | null {
  if (offered === 'holdconn') return null;
  if (offered === 'passive') return 'active';
  if (offered === 'actpass') return role === 'SERVER' ? 'passive' : 'active';
  return 'passive';
}

/** The encryption negotiated by offer and answer; null: plain RTP. */
export function agreedSecurity(
  ours: MediaDescription,
  peers: MediaDescription,
  side: 'OFFERER' | 'ANSWERER',
): StreamSecurity | null | SdpFault {
  const mode = modeOf(ours);
  const theirs = modeOf(peers);
  if (mode === null || theirs !== mode) return otherMode(peers.profile, theirs, mode ?? 'NONE');
  if (mode === 'NONE') return null;
  return mode === 'DTLS' ? agreedHandshake(ours, peers, side) : agreedKeys(ours, peers, side);
}

function agreedHandshake(
  ours: MediaDescription,
  peers: MediaDescription,
  side: 'OFFERER' | 'ANSWERER',
): StreamSecurity | SdpFault {
  const fingerprints = knownFingerprints(peers);
  if (isSdpFault(fingerprints)) return fingerprints;
  const [offer, answer] = side === 'OFFERER' ? [ours, peers] : [peers, ours];
  // Without a=setup the offerer is active, the answerer passive (RFC 4145, 4).
  const offered = offer.setup ?? 'active';
  const answered = answer.setup ?? 'passive';
  const fit = offered === 'actpass' || (offered === 'active' ? answered === 'passive' : answered === 'active');
  if (!fit || (answered !== 'active' && answered !== 'passive') || offered === 'holdconn')
    return sdpFault('SETUP', `a=setup:${answered} does not answer a=setup:${offered}`);
  const client = (answered === 'active') === (side === 'ANSWERER');
  return { mode: 'DTLS', role: client ? 'CLIENT' : 'SERVER', fingerprints };
}

function agreedKeys(
  ours: MediaDescription,
  peers: MediaDescription,
  side: 'OFFERER' | 'ANSWERER',
): StreamSecurity | SdpFault {
  const [offer, answer] = side === 'OFFERER' ? [ours, peers] : [peers, ours];
  const [chosen] = answer.cryptos;
  if (chosen === undefined) return sdpFault('NO_KEY', 'the answer has no a=crypto line that can be read');
  const offered = offer.cryptos.find(({ tag, suite }) => tag === chosen.tag && suite === chosen.suite);
  if (offered === undefined)
    return sdpFault('NO_COMMON_SUITE', `the answer takes ${chosen.suite} as tag ${chosen.tag}, which was not offered`);
  const send = keyOf(side === 'OFFERER' ? offered : chosen);
  const receive = keyOf(side === 'OFFERER' ? chosen : offered);
  if (typeof send === 'string') return sdpFault('NO_KEY', send);
  if (typeof receive === 'string') return sdpFault('NO_KEY', receive);
  return { mode: 'SDES', send, receive };
}

type Tagged = { readonly tag: number; readonly key: SrtpKey };

/** The offered keys that can be used, in the offerer's order: at least one. */
function usableKeys({ cryptos }: MediaDescription, isOurs: (suite: string) => boolean): Tagged[] | SdpFault {
  const found: Tagged[] = [];
  const reasons: string[] = [];
  for (const line of cryptos) {
    const key = keyOf(line);
    if (typeof key === 'string') reasons.push(key);
    else if (isOurs(key.suite)) found.push({ tag: line.tag, key });
    else reasons.push(`${key.suite} is not wanted here`);
  }
  if (found.length > 0) return found;
  return sdpFault('NO_COMMON_SUITE', reasons.join('; ') || 'the offer has no a=crypto line that can be read');
}

/** Fingerprints with a known hash and the right length: at least one. */
function knownFingerprints({ fingerprints }: MediaDescription): readonly Fingerprint[] | SdpFault {
  const known = fingerprints.filter(({ hash, value }) => {
    const bytes = HASH_BYTES.get(hash);
    return bytes !== undefined && value.length === bytes * 3 - 1 && /^[0-9A-F]{2}(?::[0-9A-F]{2})*$/.test(value);
  });
  if (known.length > 0) return known;
  const named = fingerprints.map(({ hash }) => hash).join(', ');
  return sdpFault(
    'NO_FINGERPRINT',
    named === '' ? 'there is no a=fingerprint' : `no fingerprint can be used: ${named}`,
  );
}
