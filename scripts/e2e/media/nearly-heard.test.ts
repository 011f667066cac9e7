/**
 * Near the limits of the rules: what a peer may do without a finding (another SSRC, a restart, a pause, hold, another port),
 * and what looks like media but is not.
 */
import t from 'tap';
import type { FindingKind } from '../../../proto/words/findings.ts';
import { openLab, stallMs } from '../../peers/lab/lab.ts';
import { callsToEach, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { seeded } from '../../peers/seeded.ts';
import type { Behaviour, Plan, PlannedPacket } from '../../peers/sip/behaving/behaviour.ts';
import { NETWORK_OUT_OF_ORDER } from '../../peers/sip/behaving/behaviours.ts';
import { type CallByLog, callByLog, msIn } from '../../peers/sip/behaving/by-log.ts';
import {
  heldUpUntil,
  inOrder,
  lossy,
  lostBetween,
  pausedBetween,
  silentBetween,
  steady,
} from '../../peers/sip/behaving/plans.ts';
import { type PeerCallLog, startBehavingPeer } from '../../peers/sip/behaving-peer.ts';

const SECONDS = 8;
const TONE = steady('TONE');
const G729 = steady('G729');
const until = (plan: Plan, ms: number): Plan => plan.filter(({ atMs }) => atMs < ms);
const from = (plan: Plan, ms: number): Plan => plan.filter(({ atMs }) => atMs >= ms);
const changed = (ms: number, change: (packet: PlannedPacket) => Partial<PlannedPacket>): Plan =>
  TONE.map((packet) => (packet.atMs < ms ? packet : { ...packet, ...change(packet) }));
const marked = (plan: Plan, ms: number): Plan => [
  ...until(plan, ms),
  ...from(plan, ms).map((packet, i) => (i === 0 ? { ...packet, marker: true } : packet)),
];
/** A packet of 20 ms each 80 ms, numbered without a gap; the clock of the timestamps goes on. */
const quarterOf = (plan: Plan): Plan =>
  plan.filter((_, i) => i % 4 === 0).map((packet, sequence) => ({ ...packet, sequence }));
const PAUSED = 'SENDER_PAUSED';
const hold = (direction: 'sendonly' | 'inactive', untilMs: number): Behaviour => ({
  sends: TONE,
  holds: { fromMs: 2000, untilMs, direction },
});

type Case = Behaviour & {
  /** Told beside, and no fault. */
  readonly note?: FindingKind;
  readonly fault: FindingKind | null;
  readonly says?: RegExp;
  /** The length in the sentence, by the peer's log. */
  readonly ms?: (call: CallByLog) => number;
  /** Whether the peer, by its log, was on the right side of the rule's limit. */
  readonly isNear?: (call: CallByLog) => boolean;
  readonly media?: MediaInput;
};
/** Our figures and the peer's log are closer, unless the agent stalled. */
const EXACT_MS = 100;
/** The limits of the rules: of a gap and of the end, and of what a far end may take off a call. */
const GAP_MS = 1000;
const missingMs = ({ talkMs }: CallByLog): number => 1000 * SECONDS - talkMs;
const OFFERED: MediaInput = { signalling: { delayedOffer: true } };
const CASES: Readonly<Record<string, Case>> = {
  'another-ssrc': { fault: null, sends: changed(4000, ({ sequence }) => ({ source: 1, sequence: sequence + 30_000 })) },
  'restarted-numbers': { fault: null, sends: changed(4000, ({ sequence }) => ({ sequence: sequence + 20_000 })) },
  'another-time-base': {
    fault: null,
    sends: changed(4000, ({ timestamp }) => ({ timestamp: timestamp + 28_800_000 })),
  },
  'another-port': { fault: null, sends: changed(0, () => ({ fromElsewhere: true })) },
  'two-sources': {
    fault: null,
    sends: inOrder([...TONE, ...TONE.map((p) => ({ ...p, source: 1, atMs: p.atMs + 5 }))]),
  },
  'early-media': { fault: null, sends: TONE, earlyMedia: true, answersAfterMs: 1500 },
  'heavy-loss': { fault: null, sends: lossy(TONE, 0.3, seeded(1)) },
  'gap-under-a-second': {
    fault: null,
    sends: lostBetween(TONE, 3000, 3900),
    isNear: ({ gapMs }) => gapMs < GAP_MS - 20,
  },
  'marked-pause': { fault: null, note: PAUSED, sends: marked(pausedBetween(TONE, 3000, 5000), 5000) },
  'unmarked-pause': { fault: null, note: PAUSED, sends: pausedBetween(TONE, 3000, 5400) },
  'another-port-later': { fault: null, note: 'NAT_FOLLOWED', sends: changed(4000, () => ({ fromElsewhere: true })) },
  'silent-at-first': {
    fault: null,
    sends: silentBetween(TONE, 0, 5000),
    answer: { comfortNoise: true },
    media: OFFERED,
  },
  held: { ...hold('sendonly', 5000), fault: null },
  'held-both-ways': { ...hold('inactive', 5000), fault: null },
  'held-to-the-end': { ...hold('inactive', 60_000), fault: null },
  'answers-sendonly': { fault: null, sends: TONE, answer: { direction: 'sendonly' } },
  'answers-recvonly': { fault: null, sends: [], answer: { direction: 'recvonly' } },
  'ends-just-before': { fault: null, sends: until(TONE, 7200), isNear: ({ tailMs }) => tailMs < GAP_MS - 20 },
  'hangs-up-just-before': {
    fault: null,
    sends: TONE,
    hangsUp: { afterMs: 7500 },
    isNear: (call) => missingMs(call) < 100 * SECONDS - 20,
  },

  'one-packet': { fault: 'MEDIA_STOPPED', sends: until(TONE, 1), ms: ({ tailMs }) => tailMs },
  'early-media-only': { fault: 'MEDIA_STOPPED', sends: until(TONE, 2000), earlyMedia: true, answersAfterMs: 2500 },
  'rtcp-only': { fault: 'NO_MEDIA', sends: [], reports: 'HEARS_NOTHING' },
  'comfort-noise-only': {
    fault: 'NO_MEDIA',
    sends: silentBetween(TONE, 0, 60_000),
    answer: { comfortNoise: true },
    media: OFFERED,
    says: /Only comfort noise came \(\d+ packets\)\.$/,
  },
  'held-up': { fault: 'MEDIA_GAP', sends: heldUpUntil(TONE, 3000, 5400), ms: ({ gapMs }) => gapMs },
  'gap-and-another-ssrc': {
    fault: 'MEDIA_GAP',
    sends: [
      ...until(TONE, 4000),
      ...from(
        changed(0, () => ({ source: 1 })),
        5700,
      ),
    ],
    ms: ({ gapMs }) => gapMs,
  },
  'four-fifths-lost': {
    fault: 'MOSTLY_LOST',
    sends: lossy(TONE, 0.8, seeded(2)),
    says: /^3\d\d of \d+ packets were lost\.$/,
  },
  'cut-just-before': {
    fault: 'ENDED_EARLY',
    sends: TONE,
    hangsUp: { afterMs: 7400, reason: NETWORK_OUT_OF_ORDER },
    isNear: (call) => missingMs(call) > 250 + 20,
    says: /Network out of order \(Q\.850 cause 38\)\.$/,
  },
  'another-law': { fault: 'WRONG_PAYLOAD', sends: changed(0, () => ({ payloadType: 8 })) },
  'another-codec-later': { fault: 'WRONG_PAYLOAD', sends: [...until(TONE, 4000), ...from(G729, 4000)] },
  'deaf-from-the-middle': { fault: 'ONE_WAY_AUDIO', sends: TONE, reports: { hearsUntilMs: 3500 } },
  'pauses-and-stops': {
    fault: 'MEDIA_STOPPED',
    sends: until(marked(pausedBetween(TONE, 1000, 3000), 3000), 5000),
    ms: ({ tailMs }) => tailMs,
  },
  'names-nobody-in-reports': { fault: null, note: 'UNNAMED_IN_REPORTS', sends: TONE, reports: 'HEARS_NOTHING' },
  'a-quarter': { fault: 'MEDIA_SPARSE', sends: quarterOf(TONE) },
  'stops-and-hangs-up': { fault: 'ENDED_EARLY', sends: until(TONE, 2000), hangsUp: { afterMs: 4000 } },
};
const NAMES = Object.keys(CASES);

const net = ownLoopback();
const peer = await startBehavingPeer(net.address(100), CASES);
t.teardown(() => peer.close());
const targets = NAMES.map((name) => {
  const { media } = CASES[name] as Case;
  return { name, uri: peer.uri(name), ...(media && { media }) };
});
const lab = await openLab(t, {
  net,
  provision: () => ({ tests: [callsToEach(targets, 'edges', { endpoints: 1, durationSeconds: SECONDS, buildup: 3 })] }),
});
const callOf = (name: string): CallByLog => callByLog(peer.callsOf(name).at(-1) as PeerCallLog);
const isNear = (name: string): boolean => CASES[name]?.isNear?.(callOf(name)) ?? true;
const run = await lab.runUndisturbed('edges', () => NAMES.every(isNear));
const wrongMs = EXACT_MS + stallMs(run);
const endpoints = await lab.endpoints(run.id);

t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: NAMES.length, successCount: NAMES.length, asr: 100 } });
t.comment(run.validity?.sentence ?? '');
for (const name of NAMES) {
  const { fault, note, says = /./, ms } = CASES[name] as Case;
  if (!isNear(name)) {
    t.pass(name, { skip: 'the peer was held up, and past the limit, in each of three runs' });
    continue;
  }
  const { outcome, failure, findings } = endpoints.find(({ calleeUri }) => calleeUri === peer.uri(name))!;
  if (note)
    t.ok(
      findings.some(({ finding }) => finding === note),
      `${name}: ${note}`,
    );
  const faults = findings.filter(({ severity }) => severity === 'FAULT').map(({ finding }) => finding);
  if (fault === null) t.same([outcome, failure, faults], ['SUCCESS', null, []], `${name} is nobody's fault`);
  else {
    t.same([outcome, failure?.cause, faults[0]], ['CALL_FAILED', fault, fault], name);
    t.match(failure?.sentence, says);
    const off = ms === undefined ? 0 : msIn(failure?.sentence ?? '') - ms(callOf(name));
    t.ok(Math.abs(off) < wrongMs, `${name}: ${off.toFixed(0)} ms off (of ${wrongMs.toFixed(0)})`);
  }
}
