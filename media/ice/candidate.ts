/** Candidates (RFC 8445, 5.1) and their form in a session description (RFC 8839, 5.1). */

export const CANDIDATE_TYPES = ['host', 'prflx', 'srflx', 'relay'] as const;
export type CandidateType = (typeof CANDIDATE_TYPES)[number];

export type Candidate = {
  readonly foundation: string;
  /** 1: RTP, and RTCP if they share a port. */
  readonly component: number;
  /** Lower case: `udp`. */
  readonly transport: string;
  readonly priority: number;
  readonly address: string;
  readonly port: number;
  readonly type: CandidateType;
  /** The related address of reflexive and relayed candidates. Null: not given. */
  readonly related: { readonly address: string; readonly port: number } | null;
};

/** The ICE attributes of one end in a media description; each description has its own credentials. */
export type IceDescription = {
  readonly ufrag: string;
  readonly pwd: string;
  /** The end answers checks, and sends none (RFC 8445, 2.5). */
  readonly lite: boolean;
  readonly candidates: readonly Candidate[];
};

const TYPE_PREFERENCES: Readonly<Record<CandidateType, number>> = { host: 126, prflx: 110, srflx: 100, relay: 0 };
/** There is only one address, so the preference does not matter. */
const LOCAL_PREFERENCE = 65_535;

/** RFC 8445, 5.1.2.1. */
export const priorityOf = (type: CandidateType, component = 1): number =>
  TYPE_PREFERENCES[type] * 2 ** 24 + LOCAL_PREFERENCE * 2 ** 8 + 256 - component;

/** RFC 8445, 6.1.2.3: `controlling` and `controlled` are the priorities of the two ends' candidates. */
export const pairPriority = (controlling: number, controlled: number): bigint =>
  (BigInt(Math.min(controlling, controlled)) << 32n) +
  2n * BigInt(Math.max(controlling, controlled)) +
  (controlling > controlled ? 1n : 0n);

type Address = { readonly address: string; readonly port: number };

/** A socket's own candidates: its address, and the address that a STUN server sees (null: not asked, or the same). */
export function localCandidates(base: Address, reflexive: Address | null): Candidate[] {
  const one = (type: CandidateType, foundation: string, { address, port }: Address, related: Address | null) => ({
    foundation,
    component: 1,
    transport: 'udp',
    priority: priorityOf(type),
    address,
    port,
    type,
    related,
  });
  const host = one('host', '1', base, null);
  if (reflexive === null || (reflexive.address === base.address && reflexive.port === base.port)) return [host];
  return [host, one('srflx', '2', reflexive, base)];
}

/** The value of a=candidate. */
export function writeCandidate({ related, ...one }: Candidate): string {
  const of = related === null ? '' : ` raddr ${related.address} rport ${related.port}`;
  const { foundation, component, transport, priority, address, port, type } = one;
  return `${foundation} ${component} ${transport} ${priority} ${address} ${port} typ ${type}${of}`;
}

/** Null: the value cannot be parsed, or has an unknown type. The address may be a name, which is not resolved here. */
export function readCandidate(value: string): Candidate | null {
  const [foundation, component, transport, priority, address, port, typ, type, ...rest] = value.trim().split(/\s+/);
  const known = CANDIDATE_TYPES.find((one) => one === type?.toLowerCase());
  const whole = [component, priority, port].map(Number);
  if (!foundation || !transport || !address || typ !== 'typ' || known === undefined) return null;
  if (!whole.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 32) || whole[2]! > 65_535) return null;
  const after = (name: string): string | undefined => rest[rest.indexOf(name) + 1 || rest.length];
  const [raddr, rport] = [after('raddr'), Number(after('rport'))];
  return {
    foundation,
    component: whole[0]!,
    transport: transport.toLowerCase(),
    priority: whole[1]!,
    address: address.toLowerCase(),
    port: whole[2]!,
    type: known,
    related: raddr === undefined || !Number.isInteger(rport) ? null : { address: raddr, port: rport },
  };
}
