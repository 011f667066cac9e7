/** `m=` lines that share one transport (RFC 9143): how this is proposed, negotiated and written. */
import { type MediaDescription, type SessionDescription, sdpFault } from './session-description.ts';

/** The URI of RFC 9143, 15.2. */
export const MID_URI = 'urn:ietf:params:rtp-hdrext:sdes:mid';
/** The number of the header extension in our offers (RFC 8285). */
const MID_EXTENSION = 1;

type Bundled = Pick<SessionDescription, 'media' | 'bundle'>;

/** How the packets of a stream name its m= line if several lines share a transport. */
export type NegotiatedMid = {
  readonly id: string;
  /** The number of the header extension for MID; null: not negotiated, and payload types distinguish the lines. */
  readonly extension: number | null;
};

/** Our first offer: all lines in one group, each with its own transport in case the peer declines (7.2). */
export function proposeBundle(media: readonly MediaDescription[]): Bundled {
  const named = media.map((one, i) => ({ ...one, mid: String(i), midExtension: MID_EXTENSION }));
  return { media: named, bundle: named.map(({ mid }) => mid) };
}

/** Our later offer: the group continues with its active lines. */
export function proposeAgain(media: readonly MediaDescription[], before: SessionDescription): Bundled {
  const members = membersOf({ media, bundle: before.bundle });
  return { media: withSharedOnce(media, members), bundle: members.map((i) => midOf(media, i)) };
}

/**
 * Adds to the offer the attributes that a group's lines take from the tagged line (the first active one): the address
 * of a bundle-only line, and attributes that are written once for all (7.1.3). Without ICE and DTLS there the group is
 * ignored, and a bundle-only line stays off (7.3.3).
 */
export function completed({ media, bundle }: SessionDescription): readonly MediaDescription[] {
  const members = membersOf({ media, bundle });
  const tagged = media[members[0] ?? -1];
  if (tagged === undefined || !isShareable(tagged)) return media;
  return media.map((one, i) => {
    if (!members.includes(i) || one === tagged) return one;
    const isPlaced = one.port !== 0;
    return {
      ...one,
      port: isPlaced ? one.port : tagged.port,
      address: isPlaced ? one.address : tagged.address,
      rtcpMux: one.rtcpMux || !isPlaced,
      fingerprints: one.fingerprints.length > 0 ? one.fingerprints : tagged.fingerprints,
      setup: one.setup ?? tagged.setup,
      ice: one.ice ?? tagged.ice,
    };
  });
}

/**
 * Our answer: the accepted lines of the offered group share the transport of the first one (7.3), if it has ICE and
 * DTLS. Otherwise there is no group.
 */
export function answerBundle(
  offered: SessionDescription,
  answers: readonly MediaDescription[],
  accepts: boolean,
): Bundled {
  const members = membersOf(offered).filter((i) => answers[i]?.port !== 0 && answers[i]?.rtcpMux);
  const tagged = answers[members[0] ?? -1];
  if (!accepts || tagged === undefined || !isShareable(tagged)) return { media: answers, bundle: [] };
  const media = answers.map((one, i) => {
    const { mid, midExtension } = offered.media[i] as MediaDescription;
    if (!members.includes(i)) return { ...one, mid };
    const { port, rtcpPort } = tagged;
    return { ...one, port, rtcpPort, mid, midExtension };
  });
  return { media: withSharedOnce(media, members), bundle: members.map((i) => midOf(media, i)) };
}

/**
 * Both descriptions with the transport of the tagged line in all lines of the negotiated group. `members`: the lines,
 * the tagged one first.
 */
export function agreedBundle(offered: SessionDescription, answered: SessionDescription) {
  const members = membersOf(answered).filter((i) => {
    const mid = answered.media[i]?.mid ?? '';
    return offered.bundle.includes(mid) && offered.media[i]?.mid === mid;
  });
  return { offered: shared(offered.media, members), answered: shared(answered.media, members), members };
}

export function agreedMid(ours: MediaDescription, peers: MediaDescription): NegotiatedMid {
  const extension = ours.midExtension === peers.midExtension ? ours.midExtension : null;
  return { id: ours.mid ?? '', extension };
}

/** A payload type used by two lines of the group, which then cannot be distinguished (9.1.1); null: no type is. */
export function ambiguousPayloadType(media: readonly MediaDescription[], members: readonly number[]) {
  const seen = new Set<number>();
  for (const i of members)
    for (const { payloadType } of media[i]?.formats ?? []) {
      if (seen.has(payloadType))
        return sdpFault('MISMATCH', `payload type ${payloadType} is in two m= lines of one BUNDLE (RFC 9143, 9.1.1)`);
      seen.add(payloadType);
    }
  return null;
}

const isShareable = ({ ice, fingerprints }: MediaDescription): boolean => ice !== null && fingerprints.length > 0;

const midOf = (media: readonly MediaDescription[], i: number): string => media[i]?.mid ?? '';

/** The active lines of the group, in its order. */
function membersOf({ media, bundle }: Bundled): number[] {
  return bundle
    .map((mid) => media.findIndex((one) => one.mid === mid))
    .filter((i) => i >= 0 && (media[i]?.port !== 0 || media[i]?.bundleOnly));
}

/** Attributes common to all lines of a transport are written only in the first one (7.1.3). */
function withSharedOnce(media: readonly MediaDescription[], members: readonly number[]): readonly MediaDescription[] {
  const tagged = media[members[0] ?? -1];
  return media.map((one, i) => {
    if (one === tagged || !members.includes(i) || one.port !== tagged?.port) return one;
    return { ...one, fingerprints: [], setup: null, ice: null };
  });
}

function shared(media: readonly MediaDescription[], members: readonly number[]): readonly MediaDescription[] {
  const tagged = media[members[0] ?? -1];
  if (tagged === undefined) return media;
  const { port, address, rtcpPort, fingerprints, setup, ice } = tagged;
  // RTP and RTCP share the port of a bundle (9.3.1).
  const transport = { port, address, rtcpPort, rtcpMux: true, fingerprints, setup, ice };
  return media.map((one, i) => (members.includes(i) ? { ...one, ...transport } : one));
}
