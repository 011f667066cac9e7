/** Datagrams that no peer should send, and a live call that must survive them. Seeded, so that a bad one can be sent again. */
import { randomBytes } from 'node:crypto';
import { emptyRtpPacket, isRtcp, parseRtp } from '@carillon/media/rtp/header.ts';
import { type SrtpSuite, SUITES } from '@carillon/media/srtp/suites.ts';
import { DtlsContext } from '../../net/ciphers/dtls.ts';
import type { StreamSocketEvents } from '../../net/streams/stream-sockets.ts';
import { SECURITY_STATES } from '../../rtp/figures/stream-memory.ts';
import type { StreamSecurity } from '../../rtp/media-engine.ts';
import { createNode, end, HERE, Network, type Node, open, PCMU, run, seeded, THERE } from './simulation.ts';

/** Longer than any datagram below. */
const MAX_BYTES = 1500;

const KINDS = ['random', 'RTP', 'RTCP', 'STUN', 'DTLS', 'SRTP', 'mutated'] as const;
export type GarbageKind = (typeof KINDS)[number];

/** Writes datagrams into one buffer, which the next one overwrites. */
class Garbage {
  readonly bytes = new Uint8Array(MAX_BYTES);
  readonly #random: () => number;
  /** Valid datagrams: mutations start from one of these. */
  readonly #right: readonly Uint8Array[];

  constructor(seed: number, right: readonly Uint8Array[]) {
    this.#random = seeded(seed);
    this.#right = right;
  }

  /** A datagram of the kind; its length, from 0 on. */
  write(kind: GarbageKind): number {
    const { bytes } = this;
    if (kind === 'mutated') return this.#mutate();
    let length = this.#upTo(this.#random() < 0.01 ? MAX_BYTES : 240);
    for (let i = 0; i < length; i += 4) this.#word(i, this.#upTo(2 ** 32));
    if (kind === 'RTP' || kind === 'SRTP') {
      length = Math.max(length, 12);
      // Random CSRCs, extension and padding; the authentication tag of SRTP is random.
      bytes[0] = 0x80 | (kind === 'RTP' ? this.#upTo(64) : this.#upTo(2) * 16);
      bytes[1] = this.#random() < 0.5 ? 0 : this.#upTo(256);
    } else if (kind === 'RTCP') {
      bytes[0] = 0x80 | this.#upTo(64);
      bytes[1] = 192 + this.#upTo(32);
      const words = this.#random() < 0.7 ? Math.max(0, Math.floor(length / 4) - 1) : this.#upTo(65_536);
      bytes[2] = words >>> 8;
      bytes[3] = words;
      length -= this.#random() < 0.7 ? length % 4 : 0;
    } else if (kind === 'STUN') {
      this.#word(0, this.#random() < 0.5 ? 0x00010000 + length : 0x01010000);
      this.#word(4, 0x2112a442);
      length = Math.max(length, 20);
    } else if (kind === 'DTLS') {
      bytes[0] = 20 + this.#upTo(44);
      bytes[1] = 0xfe;
      bytes[2] = 0xfd;
    }
    return length;
  }

  #mutate(): number {
    const { bytes } = this;
    const right = this.#right[this.#upTo(this.#right.length)]!;
    bytes.set(right);
    for (let flips = 1 + this.#upTo(4); flips > 0; flips--)
      bytes[this.#upTo(Math.min(right.length, this.#random() < 0.8 ? 24 : right.length))] = this.#upTo(256);
    const fate = this.#random();
    if (fate < 0.2) return this.#upTo(right.length + 1);
    if (fate < 0.3) return Math.min(MAX_BYTES, right.length + this.#upTo(64));
    return right.length;
  }

  #upTo(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #word(at: number, value: number): void {
    this.bytes[at] = value >>> 24;
    this.bytes[at + 1] = value >>> 16;
    this.bytes[at + 2] = value >>> 8;
    this.bytes[at + 3] = value;
  }
}

/** The negotiated parameters of each kind of port under test. */
const SECURITIES = ['plain', 'AES_CM_128_HMAC_SHA1_80', 'AEAD_AES_128_GCM', 'DTLS'] as const;

/** For both ends, as an offer and its answer carry it; `client` starts the handshake. */
function agreedOn(
  security: (typeof SECURITIES)[number],
  contexts: readonly DtlsContext[],
  client: number,
): (StreamSecurity | null)[] {
  if (security === 'plain') return [null, null];
  if (security === 'DTLS')
    return contexts.map((_, i) => {
      const { fingerprint: value } = contexts[1 - i]!;
      return { mode: 'DTLS', role: i === client ? 'CLIENT' : 'SERVER', fingerprints: [{ hash: 'sha-256', value }] };
    });
  const suite: SrtpSuite = security;
  const keys = [0, 1].map(() => ({ suite, keySalt: randomBytes(16 + SUITES[suite].saltBytes).toString('base64') }));
  return [0, 1].map((i) => ({ mode: 'SDES', send: keys[i]!, receive: keys[1 - i]! }));
}

/** `each` streams of every security between two nodes. */
function mixedCall(each: number) {
  const network = new Network();
  const contexts = [new DtlsContext(), new DtlsContext()];
  const nodes = contexts.map((dtls, i) =>
    createNode(network, { rtcpMinimumMs: 500, random: seeded(11 * (i + 1)), dtls }),
  );
  const addresses = [HERE, THERE];
  const opened = nodes.map((node, i) => open(node, addresses[i]!, each * SECURITIES.length));
  const agreed = opened[0]!.map((_, i) =>
    agreedOn(SECURITIES[i % SECURITIES.length]!, contexts, Math.floor(i / SECURITIES.length) % 2),
  );
  const session = (end: number, i: number, association: number) => {
    const { rtpPort } = opened[1 - end]![i]!;
    const remote = { address: addresses[1 - end]!, rtpPort, rtcpPort: rtpPort + 1 };
    const security = agreed[i]![end]!;
    return { remote, format: PCMU, source: 'TONE', direction: 'BOTH', security, association } as const;
  };
  for (const [end, node] of nodes.entries())
    for (const [i, { row }] of opened[end]!.entries()) node.loop.start(row, session(end, i, 0));
  let associations = 0;
  return {
    network,
    here: nodes[0]!,
    both: nodes,
    ours: opened[0]!,
    /** Both ends repeat the handshake, as for another call. */
    associateAnew(): void {
      associations += 1;
      for (const [end, node] of nodes.entries())
        for (const [i, { row }] of opened[end]!.entries())
          if (agreed[i]![end]?.mode === 'DTLS') node.loop.change(row, session(end, i, associations));
    },
  };
}

export type Verdict = {
  datagrams: number;
  /** Datagrams that were counted in no counter, or in more than one. */
  unaccounted: number;
  malformed: number;
  foreign: number;
  reports: number;
  /** RTP of the stream, and other RTP. */
  counted: number;
  aside: number;
  /** At encrypted ports: STUN; possible handshake packets; packets before the keys, with wrong keys, and replays. */
  stun: number;
  handshake: number;
  early: number;
  unauthentic: number;
  replayed: number;
};

const nothing = (): Verdict => ({
  ...{ datagrams: 0, unaccounted: 0, malformed: 0, foreign: 0, reports: 0, counted: 0, aside: 0 },
  ...{ stun: 0, handshake: 0, early: 0, unauthentic: 0, replayed: 0 },
});

/** How often handshakes process their queue. */
const TURN = 16;

/** Sends `datagrams` of it into the loop, at the RTP and RTCP sockets of every row in turn, and compares each with the counters. */
function pour(
  node: Node,
  garbage: Garbage,
  kinds: readonly GarbageKind[],
  datagrams: number,
  rows: readonly number[],
): Verdict {
  const { streams: c, received: r, noise } = node.memory;
  const { incoming } = node.sockets;
  // Where datagrams from the kernel enter: decryption comes first.
  const door = node.loop.srtp as StreamSocketEvents;
  const packet = emptyRtpPacket();
  const verdict = nothing();
  for (let i = 0; i < datagrams; i++) {
    const row = rows[i % rows.length]!;
    const length = garbage.write(kinds[i % kinds.length]!);
    incoming.set(garbage.bytes.subarray(0, length));
    // With strides other than those of rows and kinds, so that each kind meets each row.
    const fromPeer = i % 11 !== 0;
    const muxed = i % 3 !== 0;
    const first = length > 0 ? incoming[0]! : -1;
    const all = noise.received[0]!;
    const [malformed, foreign, stun] = [c.malformed[row]!, c.foreign[row]!, c.stun[row]!];
    const [premature, unauthentic, replayed] = [c.srtpEarly[row]!, c.srtpAuthFailed[row]!, c.srtpReplayed[row]!];
    const [packets, strays, others, events] = [
      r.packets[row]!,
      r.strays[row]!,
      r.otherSources[row]!,
      r.unexpectedPayloadTypes[row]! + r.comfortNoisePackets[row]!,
    ];
    const [known, ssrc, early] = [r.known[row]!, r.ssrc[row]!, c.early[row]!];
    door.onDatagram(row * 2 + (muxed ? 0 : 1), length, node.loop.sockets.nowMs(), fromPeer);

    const isSecured = c.security[row] !== 0;
    const wrong = c.malformed[row]! - malformed;
    const strange = c.foreign[row]! - foreign;
    const binding = c.stun[row]! - stun;
    const soon = c.srtpEarly[row]! - premature;
    const unfitting = c.srtpAuthFailed[row]! - unauthentic;
    const again = c.srtpReplayed[row]! - replayed;
    const closed = binding + soon + unfitting + again;
    const handshake = isSecured && first >= 20 && first <= 63 && fromPeer && closed + wrong + strange === 0 ? 1 : 0;
    const counted = r.packets[row]! - packets + r.strays[row]! - strays + r.otherSources[row]! - others;
    const event = r.unexpectedPayloadTypes[row]! + r.comfortNoisePackets[row]! - events;
    // An event of the source itself uses a sequence number, too.
    const ofSource = event === 1 && known === 1 && parseRtp(incoming, 0, length, packet) && packet.ssrc === ssrc;
    const rtp = counted + (ofSource ? 0 : event) + c.early[row]! - early;
    const isReport = length >= 2 && isRtcp(incoming, 0);
    const report = isReport && wrong + strange + closed + handshake === 0 ? 1 : 0;
    verdict.datagrams += 1;
    verdict.malformed += wrong;
    verdict.foreign += strange;
    verdict.reports += report;
    verdict.counted += r.packets[row]! - packets;
    verdict.aside += rtp - (r.packets[row]! - packets);
    verdict.stun += binding;
    verdict.handshake += handshake;
    verdict.early += soon;
    verdict.unauthentic += unfitting;
    verdict.replayed += again;
    if (noise.received[0] !== all + 1 || wrong + strange + rtp + report + closed + handshake !== 1)
      verdict.unaccounted += 1;
    if (i % TURN === 0) node.loop.sockets.receive(0);
  }
  return verdict;
}

/** The packets of the first seconds of a call: handshakes, then RTP and reports of both ends, plain and encrypted. */
const rightOnes = (network: Network): Uint8Array[] => {
  const bytes = network.sent.map((datagram) => datagram.bytes);
  return [...bytes.filter(([first]) => first! >= 20 && first! <= 63), ...bytes.slice(-200)];
};

/**
 * The same call twice, once with garbage of the given kinds between its packets: the receiver's figures for both. Garbage with
 * the stream's own SSRC would count as its packets; with another SSRC, everything may come.
 */
export function disturbed(datagrams: number, seed: number) {
  const calls = [0, 1].map(() => mixedCall(2));
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

/**
 * All kinds, including mutated packets of the stream itself, at streams of a live call; handshakes begin in the middle of it,
 * repeatedly, and undisturbed at the end.
 */
export function bombarded(datagrams: number, seed: number, tell: (verdict: Verdict) => void = () => undefined) {
  const { network, here, both, ours, associateAnew } = mixedCall(2);
  run(network, both, 3000);
  const garbage = new Garbage(seed, rightOnes(network));
  const rows = ours.map(({ row }) => row);
  const sum = nothing();
  const STEP = 50_000;
  for (let done = 0; done < datagrams; done += STEP) {
    associateAnew();
    const verdict = pour(here, garbage, KINDS, Math.min(STEP, datagrams - done), rows);
    for (const key of Object.keys(sum) as (keyof Verdict)[]) sum[key] += verdict[key];
    network.sent.length = 0;
    network.delivered.length = 0;
    run(network, both, 40);
    tell(sum);
  }
  associateAnew();
  run(network, both, 500);
  // In the order of SECURITIES.
  const states = rows.map((row) => SECURITY_STATES[here.memory.streams.security[row]!]!);
  return { verdict: sum, records: end(network, here), states };
}
