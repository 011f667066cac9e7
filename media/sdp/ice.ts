/** ICE in offer and answer (RFC 8839). */
import type { Candidate, IceDescription } from '../ice/candidate.ts';
import { isUnspecified } from './parse.ts';
import type { MediaDescription } from './session-description.ts';

/** What two ends agreed on; credentials of both. */
export type NegotiatedIce = {
  readonly local: { readonly ufrag: string; readonly pwd: string };
  /** With those of the peer's candidates that can be checked. */
  readonly remote: IceDescription;
  /** Of the two, the one that has offered, unless it is lite (RFC 8445, 6.1.1). */
  readonly controlling: boolean;
};

const isNumeric = (address: string): boolean => /^[\d.]+$|:/.test(address);

/** UDP, of the one component that there is, and by address: names are nobody's to look up here (RFC 8839, 5.1). */
const isUsable = ({ component, transport, address, port }: Candidate): boolean =>
  component === 1 && transport === 'udp' && isNumeric(address) && port > 0;

/**
 * The peer's ICE as far as it can be used; null: none. Where the default destination is no candidate, somebody on the way has
 * changed the description, and ICE cannot be believed (RFC 8839, 4.2.5); port 9 stands for none (RFC 8840, 4.1.1). Peers with DTLS are
 * believed all the same: they take no handshake before ICE has ended, and a PBX that tells its public address in c= tells its
 * own ones as candidates.
 */
export function usableIce({ ice, address, port, fingerprints }: MediaDescription): IceDescription | null {
  if (ice === null) return null;
  const isTold = (one: Candidate): boolean => one.component === 1 && one.port === port && one.address === address;
  const isOpen = port === 9 || address === null || isUnspecified(address);
  const hasDtls = fingerprints.length > 0;
  if (!isOpen && !hasDtls && !ice.candidates.some(isTold)) return null;
  return { ...ice, candidates: ice.candidates.filter(isUsable) };
}

/** What both descriptions agree on; null: the stream goes without. */
export function agreedIce(
  ours: MediaDescription,
  peers: MediaDescription,
  side: 'OFFERER' | 'ANSWERER',
): NegotiatedIce | null {
  const remote = usableIce(peers);
  if (ours.ice === null || remote === null || !ours.rtcpMux || !peers.rtcpMux) return null;
  const { ufrag, pwd } = ours.ice;
  return { local: { ufrag, pwd }, remote, controlling: side === 'OFFERER' };
}
