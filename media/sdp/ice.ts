/** ICE in offer and answer (RFC 8839). */
import type { Candidate, IceDescription } from '../ice/candidate.ts';
import { isUnspecified } from './parse.ts';
import type { MediaDescription } from './session-description.ts';

/** ICE as negotiated, with the credentials of both ends. */
export type NegotiatedIce = {
  readonly local: { readonly ufrag: string; readonly pwd: string };
  /** Contains only the peer's candidates that can be checked. */
  readonly remote: IceDescription;
  /** Whether we control: the end that sent the offer does, unless it is lite (RFC 8445, 6.1.1). */
  readonly controlling: boolean;
};

const isNumeric = (address: string): boolean => /^[\d.]+$|:/.test(address);

/** UDP, the only component, and a numeric address: names are not resolved here (RFC 8839, 5.1). */
const isUsable = ({ component, transport, address, port }: Candidate): boolean =>
  component === 1 && transport === 'udp' && isNumeric(address) && port > 0;

/**
 * The usable ICE attributes of the peer; null: none. If the default destination is not a candidate, an intermediary
 * changed the description, and ICE cannot be trusted (RFC 8839, 4.2.5); port 9 means none (RFC 8840, 4.1.1). With DTLS
 * the attributes are used anyway: such peers accept no handshake before ICE has finished, and a PBX with its public
 * address in c= lists its private addresses as candidates.
 */
export function usableIce({ ice, address, port, fingerprints }: MediaDescription): IceDescription | null {
  if (ice === null) return null;
  const isTold = (one: Candidate): boolean => one.component === 1 && one.port === port && one.address === address;
  const isOpen = port === 9 || address === null || isUnspecified(address);
  const hasDtls = fingerprints.length > 0;
  if (!isOpen && !hasDtls && !ice.candidates.some(isTold)) return null;
  return { ...ice, candidates: ice.candidates.filter(isUsable) };
}

/** ICE of a stream by both descriptions; null: the stream has no ICE. */
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
