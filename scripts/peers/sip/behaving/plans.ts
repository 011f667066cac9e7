/** Plans of RTP packets, and changes that a network or a sender may make to them. Pure: the same call has the same plan. */
import type { Random } from '../../seeded.ts';
import type { Plan, PlannedPacket } from './behaviour.ts';

const PACKET_MS = 20;
const RATE_HZ = 8000;
const SAMPLES = 160;
/** No call of a test lasts longer. */
const SECONDS = 60;

const PCMU = 0;
const COMFORT_NOISE = 13;
const G729 = 18;
const EVENT = 101;
const OPUS = 111;

/** G.711, 2.: sign, three bits of segment, four of place, all inverted. */
function muLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const level = Math.min(Math.abs(sample), 32_635) + 132;
  const segment = Math.floor(Math.log2(level)) - 7;
  return ~(sign | (segment << 4) | ((level >> (segment + 3)) & 0x0f)) & 0xff;
}

/** A second of 400 Hz at about -15 dBov; each packet continues the previous one. */
const TONE = Uint8Array.from({ length: RATE_HZ }, (_, i) =>
  muLaw(Math.round(8000 * Math.sin((2 * Math.PI * 400 * i) / RATE_HZ))),
);
const toneAt = (i: number): Uint8Array => TONE.subarray((i * SAMPLES) % RATE_HZ, ((i * SAMPLES) % RATE_HZ) + SAMPLES);

type Kind = { readonly payloadType: number; readonly units: number; readonly payload: (i: number) => Uint8Array };
const same = (payloadType: number, units: number, payload: Uint8Array): Kind => ({
  payloadType,
  units,
  payload: () => payload,
});
const KINDS = {
  TONE: { payloadType: PCMU, units: SAMPLES, payload: toneAt },
  /** Digital silence: plus zero. */
  SILENCE: same(PCMU, SAMPLES, new Uint8Array(SAMPLES).fill(0xff)),
  /** A frame of 20 ms, stereo, of nothing (RFC 6716, 3.1). */
  OPUS_SILENCE: same(OPUS, 960, Uint8Array.of(0xf8, 0xff, 0xfe)),
  /** Two frames of 10 bytes (RFC 3551, 4.5.6); their contents are not decoded. */
  G729: same(G729, SAMPLES, new Uint8Array(20).fill(0x55)),
  /** The key 1, held permanently (RFC 4733, 2.3). */
  EVENT: same(EVENT, 0, Uint8Array.of(1, 10, 0xff, 0xff)),
  /** Looks like SRTP with a tag of 80 bits, under unknown keys. */
  UNDER_OTHER_KEYS: {
    payloadType: PCMU,
    units: SAMPLES,
    payload: (i) => Uint8Array.from({ length: SAMPLES + 10 }, (_, at) => (i * 31 + at * 197) & 0xff),
  },
} as const satisfies Record<string, Kind>;

/** A packet each 20 ms, numbered as they are sent. */
export function steady(kind: keyof typeof KINDS, untilMs = SECONDS * 1000): Plan {
  const { payloadType, units, payload }: Kind = KINDS[kind];
  return Array.from({ length: Math.ceil(untilMs / PACKET_MS) }, (_, i) => ({
    atMs: i * PACKET_MS,
    sequence: i,
    timestamp: i * units,
    payloadType,
    payload: payload(i),
    marker: i === 0,
  }));
}

/** Packets sent in that time are lost: their numbers are missing. */
export const lostBetween = (plan: Plan, fromMs: number, untilMs: number): Plan =>
  plan.filter(({ atMs }) => atMs < fromMs || atMs >= untilMs);

/** Nothing is sent in that time, and numbers continue without a gap. The clock of the timestamps continues. */
export const pausedBetween = (plan: Plan, fromMs: number, untilMs: number): Plan =>
  lostBetween(plan, fromMs, untilMs).map((packet, sequence) => ({ ...packet, sequence }));

/** Each packet is lost independently with that probability. */
export const lossy = (plan: Plan, share: number, random: Random): Plan => plan.filter(() => random() >= share);

/** Each is delayed by up to this; those of which one overtakes another change places. */
export const delayed = (plan: Plan, maxMs: number, random: Random): Plan =>
  inOrder(plan.map((packet) => ({ ...packet, atMs: packet.atMs + random() * maxMs })));

/** Some arrive this much later, after packets that were sent after them. */
export const overtaken = (plan: Plan, share: number, laterMs: number, random: Random): Plan =>
  inOrder(plan.map((packet) => (random() < share ? { ...packet, atMs: packet.atMs + laterMs } : packet)));

/** Packets due in that time arrive at its end, all at once. */
export const heldUpUntil = (plan: Plan, fromMs: number, untilMs: number): Plan =>
  plan.map((packet) => (packet.atMs < fromMs || packet.atMs >= untilMs ? packet : { ...packet, atMs: untilMs - 1 }));

export const inOrder = (plan: Plan): Plan => [...plan].sort((a, b) => a.atMs - b.atMs);

/** In that time the sender signals silence with one packet (RFC 3389, 4), repeated each second; numbers continue. */
export function silentBetween(plan: Plan, fromMs: number, untilMs: number): Plan {
  const during = plan.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  const noise = during
    .filter((_, i) => i % 50 === 0)
    .map((packet) => ({ ...packet, payloadType: COMFORT_NOISE, payload: Uint8Array.of(70) }));
  const rest = lostBetween(plan, fromMs, untilMs);
  const speech = rest.find(({ atMs }) => atMs >= untilMs);
  const talks = rest.map((packet): PlannedPacket => (packet === speech ? { ...packet, marker: true } : packet));
  return inOrder([...talks, ...noise]).map((packet, sequence) => ({ ...packet, sequence }));
}
