/** Datagrams that no peer should send, and a live call that has to live with them. Seeded, so that a bad one can be sent again. */
import { emptyRtpPacket, isRtcp, parseRtp } from '@carillon/media/rtp/header.ts';
import { call, end, HERE, type Network, type Node, run, seeded } from './rtp-simulation.ts';

/** Longer than any datagram below. */
export const LONGEST = 1500;

export const KINDS = ['random', 'RTP', 'RTCP', 'STUN', 'DTLS', 'SRTP', 'mutated'] as const;
export type Kind = (typeof KINDS)[number];

/** Writes datagrams into one buffer, which the next one overwrites. */
export class Garbage {
  readonly bytes = new Uint8Array(LONGEST);
  private readonly random: () => number;
  /** Datagrams that were once right; what is mutated is one of these. */
  private readonly right: readonly Uint8Array[];

  constructor(seed: number, right: readonly Uint8Array[]) {
    this.random = seeded(seed);
    this.right = right;
  }

  /** A datagram of the kind; its length, from 0 on. */
  write(kind: Kind): number {
    const { bytes } = this;
    if (kind === 'mutated') return this.mutate();
    let length = this.upTo(this.random() < 0.01 ? LONGEST : 240);
    for (let i = 0; i < length; i += 4) this.word(i, this.upTo(2 ** 32));
    if (kind === 'RTP' || kind === 'SRTP') {
      length = Math.max(length, 12);
      // CSRCs, extension and padding as they come; the authentication tag of SRTP is random to us.
      bytes[0] = 0x80 | (kind === 'RTP' ? this.upTo(64) : this.upTo(2) * 16);
      bytes[1] = this.random() < 0.5 ? 0 : this.upTo(256);
    } else if (kind === 'RTCP') {
      bytes[0] = 0x80 | this.upTo(64);
      bytes[1] = 192 + this.upTo(32);
      const words = this.random() < 0.7 ? Math.max(0, Math.floor(length / 4) - 1) : this.upTo(65_536);
      bytes[2] = words >>> 8;
      bytes[3] = words;
      length -= this.random() < 0.7 ? length % 4 : 0;
    } else if (kind === 'STUN') {
      this.word(0, this.random() < 0.5 ? 0x00010000 + length : 0x01010000);
      this.word(4, 0x2112a442);
      length = Math.max(length, 20);
    } else if (kind === 'DTLS') {
      bytes[0] = 20 + this.upTo(44);
      bytes[1] = 0xfe;
      bytes[2] = 0xfd;
    }
    return length;
  }

  private mutate(): number {
    const { bytes } = this;
    const right = this.right[this.upTo(this.right.length)]!;
    bytes.set(right);
    for (let flips = 1 + this.upTo(4); flips > 0; flips--)
      bytes[this.upTo(Math.min(right.length, this.random() < 0.8 ? 24 : right.length))] = this.upTo(256);
    const fate = this.random();
    if (fate < 0.2) return this.upTo(right.length + 1);
    if (fate < 0.3) return Math.min(LONGEST, right.length + this.upTo(64));
    return right.length;
  }

  private upTo(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private word(at: number, value: number): void {
    this.bytes[at] = value >>> 24;
    this.bytes[at + 1] = value >>> 16;
    this.bytes[at + 2] = value >>> 8;
    this.bytes[at + 3] = value;
  }
}

export type Verdict = {
  datagrams: number;
  /** Datagrams that were told in no counter, or in more than one. */
  unaccounted: number;
  malformed: number;
  foreign: number;
  reports: number;
  /** RTP of the stream, and RTP that is not of it. */
  counted: number;
  aside: number;
};

/** Pours `datagrams` of it into the loop, at the RTP and RTCP sockets of every row in turn, and holds each against the counters. */
export function pour(
  node: Node,
  garbage: Garbage,
  kinds: readonly Kind[],
  datagrams: number,
  rows: readonly number[],
): Verdict {
  const { streams: c, received: r, noise } = node.memory;
  const { incoming } = node.sockets;
  const packet = emptyRtpPacket();
  const verdict: Verdict = { datagrams: 0, unaccounted: 0, malformed: 0, foreign: 0, reports: 0, counted: 0, aside: 0 };
  for (let i = 0; i < datagrams; i++) {
    const row = rows[i % rows.length]!;
    const length = garbage.write(kinds[i % kinds.length]!);
    incoming.set(garbage.bytes.subarray(0, length));
    const fromPeer = i % 8 !== 0;
    const muxed = i % 3 !== 0;
    const [all, malformed, foreign] = [noise.received[0]!, c.malformed[row]!, c.foreign[row]!];
    const [packets, strays, others, events] = [
      r.packets[row]!,
      r.strays[row]!,
      r.otherSources[row]!,
      r.unexpectedPayloadTypes[row]!,
    ];
    const [known, ssrc, early] = [r.known[row]!, r.ssrc[row]!, c.early[row]!];
    node.loop.receiver.onDatagram(row * 2 + (muxed ? 0 : 1), length, node.loop.sockets.nowMs(), fromPeer);

    const isReport = length >= 2 && isRtcp(incoming, 0);
    const wrong = c.malformed[row]! - malformed;
    const strange = c.foreign[row]! - foreign;
    const counted = r.packets[row]! - packets + r.strays[row]! - strays + r.otherSources[row]! - others;
    const event = r.unexpectedPayloadTypes[row]! - events;
    // An event of the source itself takes a place in its sequence, too.
    const ofSource = event === 1 && known === 1 && parseRtp(incoming, 0, length, packet) && packet.ssrc === ssrc;
    const rtp = counted + (ofSource ? 0 : event) + c.early[row]! - early;
    const report = isReport && wrong + strange === 0 ? 1 : 0;
    verdict.datagrams += 1;
    verdict.malformed += wrong;
    verdict.foreign += strange;
    verdict.reports += report;
    verdict.counted += r.packets[row]! - packets;
    verdict.aside += rtp - (r.packets[row]! - packets);
    if (noise.received[0] !== all + 1 || wrong + strange + rtp + report !== 1) verdict.unaccounted += 1;
  }
  return verdict;
}

/** What the first seconds of a call have put on the wire: RTP and reports of both ends. */
export const rightOnes = (network: Network): Uint8Array[] => network.sent.slice(-200).map(({ bytes }) => bytes);

/**
 * The same call twice, once with garbage of the given kinds between its packets: what the receiver says of each. Kinds that carry
 * the stream's own SSRC would be its packets; of a stranger's, everything may come.
 */
export function disturbed(datagrams: number, seed: number) {
  const calls = [0, 1].map(() => call(4, { rtcpMinimumMs: 500 }));
  const kinds = KINDS.filter((kind) => kind !== 'mutated');
  const garbage = new Garbage(seed, []);
  let verdict: Verdict | undefined;
  for (const [i, { network, here, both, ours }] of calls.entries()) {
    run(network, both, 1000);
    for (let round = 0; round < 20; round++) {
      if (i === 1)
        verdict = pour(
          here,
          garbage,
          kinds,
          datagrams / 20,
          ours.map(({ row }) => row),
        );
      run(network, both, 250);
    }
  }
  const [calm, poured] = calls.map(({ network, here }) => end(network, here));
  return { calm: calm!, poured: poured!, verdict: verdict! };
}

/** All kinds, the stream's own packets bent included, at streams of a live call. */
export function bombarded(datagrams: number, seed: number, tell: (verdict: Verdict) => void = () => undefined) {
  const { network, here, both, ours } = call(8, { rtcpMinimumMs: 500 });
  run(network, both, 3000);
  const garbage = new Garbage(seed, rightOnes(network));
  const rows = ours.map(({ row }) => row);
  const sum: Verdict = { datagrams: 0, unaccounted: 0, malformed: 0, foreign: 0, reports: 0, counted: 0, aside: 0 };
  const STEP = 50_000;
  for (let done = 0; done < datagrams; done += STEP) {
    const verdict = pour(here, garbage, KINDS, Math.min(STEP, datagrams - done), rows);
    for (const key of Object.keys(sum) as (keyof Verdict)[]) sum[key] += verdict[key];
    network.sent.length = 0;
    network.delivered.length = 0;
    run(network, both, 40);
    tell(sum);
  }
  return { verdict: sum, records: end(network, here), from: HERE };
}
