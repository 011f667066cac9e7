/**
 * Streams with loss, reordering, jitter, gaps and early ends, sent by a peer that logs each packet: our figures equal a
 * separate computation from that log and from tshark's capture, to the packet.
 */
import t from 'tap';
import { openLab, type RunDetail, stallMs } from '../../peers/lab/lab.ts';
import { callsToEach } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startCapture } from '../../peers/referees/tshark.ts';
import { seeded } from '../../peers/seeded.ts';
import type { Behaviour, Plan } from '../../peers/sip/behaving/behaviour.ts';
import {
  delayed,
  heldUpUntil,
  lossy,
  lostBetween,
  overtaken,
  pausedBetween,
  steady,
} from '../../peers/sip/behaving/plans.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { type StreamTruth, truthOf } from './stream-truth.ts';

const SECONDS = 8;
const PACKET_MS = 20;
/** Between the kernel timestamps that we read and those in the capture. */
const CLOCKS_DIFFER_MS = 0.1;
/** On a busy machine the peer itself is late with the first packets after a gap. */
const PEER_LATE_MS = 30;
const TONE = steady('TONE', SECONDS * 1000 + 2000);
/** So that the end of the call does not coincide with a packet: from `fromMs` on, packets are sent between two of these instants. */
const ends = (plan: Plan, atMs: number, fromMs = 0): Plan =>
  plan.filter((packet) => packet.atMs < atMs).map((p) => (p.atMs < fromMs ? p : { ...p, atMs: p.atMs + 10 }));
/** Their numbers do not wrap: for tshark, reordered packets around the wrap are 65,536 lost ones. */
const unwrapped = (plan: Plan): Plan => plan.map((packet) => ({ ...packet, sequence: packet.sequence + 1000 }));

const PLANS = {
  clean: TONE,
  loss: lossy(TONE, 0.08, seeded(1)),
  'heavy-loss': lossy(TONE, 0.4, seeded(2)),
  reordering: unwrapped(overtaken(TONE, 0.1, 45, seeded(3))),
  jitter: delayed(TONE, 18, seeded(4)),
  'all-of-these': unwrapped(overtaken(delayed(lossy(TONE, 0.05, seeded(5)), 15, seeded(6)), 0.05, 30, seeded(9))),
  'short-gap': lostBetween(TONE, 3000, 3900),
  'lost-gap': lostBetween(TONE, 3000, 5000),
  'unnumbered-gap': pausedBetween(TONE, 3000, 5500),
  'two-gaps': pausedBetween(lostBetween(TONE, 1000, 2500), 4000, 5700),
  'lossy-gap': lossy(pausedBetween(TONE, 3000, 5000), 0.1, seeded(8)),
  'held-up': heldUpUntil(TONE, 3000, 4400),
  'held-up-and-lossy': heldUpUntil(lossy(TONE, 0.1, seeded(10)), 3000, 5000),
  'late-start': lostBetween(TONE, 0, 1500),
  'early-end': ends(TONE, 5000),
  'short-tail': ends(TONE, 7500),
  'head-gap-and-tail': ends(lostBetween(lostBetween(TONE, 0, 1200), 3000, 4400), 6000, 4800),
} as const satisfies Record<string, Plan>;
type Name = keyof typeof PLANS;
const NAMES = Object.keys(PLANS) as Name[];

const net = ownLoopback();
const behaviours = Object.fromEntries(NAMES.map((name) => [name, { sends: PLANS[name] } satisfies Behaviour]));
const peer = await startBehavingPeer(net.address(100), behaviours);
t.teardown(() => peer.close());
const targets = NAMES.map((name) => ({ name, uri: peer.uri(name) }));
const lab = await openLab(t, {
  net,
  provision: () => ({ tests: [callsToEach(targets, 'exact', { endpoints: 1, durationSeconds: SECONDS, buildup: 2 })] }),
});

/** A run and its capture; the last of a few, if the host delayed the agent. */
async function measured(attempts = 3) {
  const capture = await startCapture(net.network, () => [peer.port]);
  const run = await lab.runToEnd('exact');
  const recording = await capture.stop();
  if (run.validity?.verdict === 'VALID' || attempts === 1) return { run, recording };
  await recording.remove();
  return measured(attempts - 1);
}
const { run, recording } = await measured();
t.teardown(() => recording.remove());
const isQuiet = (run as RunDetail).validity?.verdict === 'VALID';

const wire = {
  sip: await recording.sip(),
  rtp: await recording.select('rtp', ['rtp.seq', 'rtp.timestamp', 'rtp.ssrc']),
  streams: await recording.rtpStreams(),
};
const endpoints = await lab.endpoints(run.id);

t.match(run, { status: 'COMPLETED', callTiming: { successCount: NAMES.length } });
t.comment(run.validity?.sentence ?? '');

for (const name of NAMES)
  t.test(name, async (t) => {
    const endpoint = endpoints.find(({ calleeUri }) => calleeUri === peer.uri(name))!;
    const { streams } = await lab.call('getTestRunEndpoint', {
      projectId: lab.projectId,
      testRunId: run.id,
      endpointId: endpoint.id,
    });
    const [{ receive, absence, localPort }] = streams as [(typeof streams)[number]];
    const log = peer.callsOf(name).at(-1)!;
    const to = `${net.address(11)}:${localPort}`;
    const message = (method: string, status: number) =>
      wire.sip.find((m) => m.callId === endpoint.callId && m.method === method && m.status === status)?.atMs ??
      Number.NaN;
    const [upMs, byeMs] = [message('INVITE', 200), message('BYE', 0)];
    const seen = wire.rtp
      .filter((packet) => packet.to === to)
      .map(({ atMs, values }) => ({ atMs, sequence: Number(values[0]), timestamp: Number(values[1]) }));
    const logged = log.sent;
    t.same(
      seen.map(({ sequence }) => sequence),
      logged.slice(0, seen.length).map(({ sequence }) => sequence),
      'tshark saw what the peer sent, in that order',
    );
    // A few may have been in transit when the call ended; a stalled agent ends its stream before it can write the BYE.
    const maxBehind = 3 + Math.ceil(stallMs(run) / PACKET_MS);
    const behind = seen.length - receive.packets;
    t.ok(behind >= 0 && behind <= maxBehind && logged.length >= seen.length, `${behind} packets came after the end`);
    const arrived = seen.slice(0, receive.packets);
    // Our agent waits from when it has read the 200 until it writes the BYE: by its own report, and close to the wire.
    const fromMs = absence?.headMs ? arrived[0]!.atMs - absence.headMs : upMs;
    const untilMs = absence?.tailMs ? arrived.at(-1)!.atMs + PACKET_MS + absence.tailMs : byeMs;
    // The number of packets in a gap is its duration in packets, rounded: two clocks may round each gap differently.
    const differMs = isQuiet ? CLOCKS_DIFFER_MS : PEER_LATE_MS;
    const [truth, fewest, most] = [0, -differMs, differMs].map((ms) => truthOf(arrived, fromMs, untilMs, ms)) as [
      StreamTruth,
      StreamTruth,
      StreamTruth,
    ];
    const byLog = truthOf(logged.slice(0, receive.packets), upMs, byeMs);
    t.same([byLog.packets, byLog.lost, byLog.reordered], [truth.packets, truth.lost, truth.reordered]);
    t.same([receive.packets, receive.reordered], [truth.packets, truth.reordered], 'packets, reordered');
    const numbered = truth.expected - truth.absent - truth.paused;
    const { absent = 0, paused = 0 } = receive;
    t.same([receive.expected, receive.lost], [numbered + absent + paused, truth.lost], 'expected, lost');
    const within = (value: number, of: 'absent' | 'paused') =>
      t.ok(value >= fewest[of] && value <= most[of], `${of}: ${value} of ${fewest[of]} to ${most[of]}`);
    within(absent, 'absent');
    within(paused, 'paused');
    t.ok(Math.abs((receive.lossFraction ?? 0) - truth.lost / numbered) < 1e-6);
    // Lost and late packets were not played.
    t.equal(receive.plcMs, (truth.lost + (receive.discarded ?? 0)) * 20, `concealed; ${receive.discarded} discarded`);
    if (receive.discarded === 0) t.equal(receive.plcEvents, truth.lossRuns, 'runs that were concealed');
    const near = (what: string, ours: number | null | undefined, theirs: number, maxMs: number) =>
      t.ok(Math.abs((ours ?? 0) - theirs) <= maxMs, `${what}: ${ours}, ${theirs.toFixed(3)}`);
    // Kernel and capture stamp a packet within this time of each other; on a busy host up to a packet later.
    const stampedMs = isQuiet ? 1 : PACKET_MS;
    near('longest gap', receive.longestGapMs, truth.longestGapMs, stampedMs);
    near('mean jitter', receive.jitterMeanMs, truth.jitterMeanMs, 0.05);
    near('greatest jitter', receive.jitterMaxMs, truth.jitterMaxMs, 0.2);
    near('mean jitter by the log', receive.jitterMeanMs, byLog.jitterMeanMs, isQuiet ? 2 : 20);
    t.equal(absence?.gaps, truth.gaps, 'gaps');
    // They are sums: of the head, the tail, and what is between them, each with stamps of its own.
    const summedMs = stampedMs * (2 + Math.max(1, truth.gaps));
    near('absent', absence?.absentMs, truth.absentMs, summedMs);
    near('paused', absence?.pausedMs, truth.pausedMs, summedMs);
    const lateMs = isQuiet ? 250 : 1000;
    near('the head begins', fromMs, upMs, lateMs);
    near('the tail ends', untilMs, byeMs, lateMs);
    near('awaited', absence?.awaitedMs, byeMs - upMs, lateMs);

    const theirs = wire.streams.find((stream) => stream.to === to)!;
    t.ok(theirs.packets - truth.packets <= 2, `tshark counts ${theirs.packets - truth.packets} more`);
    // Packets that arrive after the end may show a loss before it.
    if (theirs.packets === truth.packets) {
      t.equal(theirs.lost, truth.lost, 'the same are lost, by their numbers');
      near("tshark's mean jitter", receive.jitterMeanMs, theirs.meanJitterMs, 0.05);
    }
    t.comment(
      `${receive.packets} of ${receive.expected}, ${receive.lost} lost, ${absence?.absentMs} ms absent; jitter ` +
        `${receive.jitterMeanMs}, ours ${truth.jitterMeanMs.toFixed(4)}, tshark ${theirs.meanJitterMs} ms`,
    );
  });
