/** Our times compared with the wire: SIPp rings, answers and sends audio at set instants, tshark captures. */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { processorWaits } from '../../peers/process.ts';
import { type RtpOnWire, type SipOnWire, startCapture } from '../../peers/referees/tshark.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 100;
const CALLS_A_SECOND = 20;
const LIMIT_MS = 2;
/** Of the 99th percentile of the set-up time. */
const P99_LIMIT_MS = 1;
/** The highest number of calls in which the host may have run another process between our clock and the wire. */
const INTERRUPTED = CALLS / 20;
const ATTEMPTS = 3;
/** On average, for each time that a thread gets a processor: if it were more, more calls could be interrupted for longer. */
const UNDISTURBED_MS = (P99_LIMIT_MS * INTERRUPTED) / CALLS;
const MEDIAN_LIMIT_MS = 0.2;

const net = ownLoopback();
const sipp = await startSipp({
  address: net.address(100),
  scenario: { file: 'timed-media.xml' },
  files: { 'audio.ulaw': Buffer.alloc(8000, 0xff) },
  // The default is that its timers run every 10 ms.
  args: ['-timer_resol', '1'],
});
const lab = await openLab(t, {
  net,
  provision: () => ({
    tests: [callsTo(sipp.uri, 'timed', { endpoints: CALLS, buildup: CALLS / CALLS_A_SECOND, durationSeconds: 2 })],
  }),
});

type Row = {
  call_id: string;
  invite_late_ms: number;
  time_to_ringing_ms: number;
  pdd_ms: number;
  call_setup_ms: number;
  time_to_first_media_ms: number;
  local_port: number;
};
/** By nearest rank. */
const quantile = (values: readonly number[], fraction: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * fraction) - 1] ?? Number.NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The instants of one call on the wire. */
type OnWire = { readonly invite: number; readonly ringing: number; readonly answer: number; readonly media: number };

/** A run, and its calls on the wire. */
async function measure() {
  const capture = await startCapture(net.network, () => [sipp.port, lab.agents[0]?.sipPort ?? 0]);
  const agent = lab.agents[0]!;
  const before = await processorWaits(agent.pid);
  const run = await lab.runToEnd('timed');
  const after = await processorWaits(agent.pid);
  const waitMs = (after.waitedMs - before.waitedMs) / (after.times - before.times);
  const recording = await capture.stop();
  const [sip, rtp] = [await recording.sip(), await recording.rtp()];
  await recording.remove();
  const rows = await lab.query<Row>(
    `select e.*, s.local_port from endpoints e
     join streams s on s.run_id = e.run_id and s.endpoint_number = e.number where e.run_id = $1`,
    [run.id],
  );
  const onWire = (row: Row): OnWire => {
    const call = sip.filter((m) => m.callId === row.call_id && m.method === 'INVITE');
    const at = (status: number) => (call.find((m) => m.status === status) as SipOnWire).atMs;
    const media = rtp.find((p) => p.to.endsWith(`:${row.local_port}`)) as RtpOnWire;
    return { invite: at(0), ringing: at(180), answer: at(200), media: media.atMs };
  };
  return { run, waitMs, calls: rows.map((row) => ({ row, wire: onWire(row) })) };
}
type Calls = Awaited<ReturnType<typeof measure>>['calls'];

/** Ours less the wire's, by call. Ours count from the planned instant, which is not visible on the wire. */
const offWire = (calls: Calls) => ({
  ringing: calls.map(({ row, wire }) => row.time_to_ringing_ms - row.invite_late_ms - (wire.ringing - wire.invite)),
  answer: calls.map(({ row, wire }) => row.call_setup_ms - row.invite_late_ms - (wire.answer - wire.invite)),
  media: calls.map(({ row, wire }) => row.time_to_first_media_ms - (wire.media - wire.answer)),
});
/** Of these, how many are further than this from the others: the host ran another process in between. */
const interruptedIn = (values: readonly number[], limitMs: number): number =>
  values.filter((ms) => Math.abs(ms - median(values)) >= limitMs).length;

/** The run in which the host disturbed the agent least, by the kernel's account; the first if that was little enough. */
let measured = await measure();
let runs = 1;
for (; runs < ATTEMPTS && measured.waitMs > UNDISTURBED_MS; runs++) {
  const another = await measure();
  if (another.waitMs < measured.waitMs) measured = another;
}
const { run, calls } = measured;
t.comment(`run ${runs}: the agent's threads waited ${measured.waitMs.toFixed(3)} ms for a processor each time`);
const { messages } = await sipp.end();

t.test('the run is what it should be', async (t) => {
  t.match(run, { status: 'COMPLETED', callTiming: { successCount: CALLS, timeToFirstMedia: { count: CALLS } } });
  t.equal(messages['0_INVITE_Recv'], runs * CALLS);
  t.equal(calls.length, CALLS);
});

t.test('medians', async (t) => {
  const { pdd, timeToRinging, callSetup, ringDuration, timeToFirstMedia } = run.callTiming;
  // Ours count from the planned instant, including the lateness of the INVITE.
  const wire = calls.map(({ row, wire }) => ({ ...wire, late: row.invite_late_ms }));
  const truth = {
    ringing: median(wire.map((w) => w.late + w.ringing - w.invite)),
    answer: median(wire.map((w) => w.late + w.answer - w.invite)),
    rang: median(wire.map((w) => w.answer - w.ringing)),
    media: median(wire.map((w) => w.media - w.answer)),
  };
  t.comment(
    `p50: ringing ${timeToRinging.p50}, on the wire ${truth.ringing.toFixed(3)}; answer ${callSetup.p50}, on the wire ` +
      `${truth.answer.toFixed(3)}; media ${timeToFirstMedia.p50}, on the wire ${truth.media.toFixed(3)} ms`,
  );
  const near = (what: string, ours: number, theirs: number) =>
    t.ok(Math.abs(ours - theirs) <= LIMIT_MS, `${what}: ${ours.toFixed(3)} ms, ${theirs.toFixed(3)} ms`);
  near('post-dial delay', pdd.p50, truth.ringing);
  near('ringing', timeToRinging.p50, truth.ringing);
  near('answer', callSetup.p50, truth.answer);
  near('ringing to answer', ringDuration.p50, truth.rang);
  near('first media', timeToFirstMedia.p50, truth.media);
  // SIPp ends each pause some 4 ms late, more on a busy host, never early: the wire shows it.
  t.ok(
    truth.ringing >= 299 && truth.ringing < 600 && truth.answer >= 699 && truth.answer < 1400,
    'SIPp is near it, too',
  );
});

t.test('the 99th percentile of the set-up time', async (t) => {
  const ours = calls.map(({ row }) => row.call_setup_ms - row.invite_late_ms);
  const wire = calls.map(({ wire }) => wire.answer - wire.invite);
  const [p99, truth] = [quantile(ours, 0.99), quantile(wire, 0.99)];
  const interrupted = ours.filter((ms, i) => Math.abs(ms - wire[i]!) > P99_LIMIT_MS).length;
  const said = `${p99.toFixed(3)} ms, on the wire ${truth.toFixed(3)} ms`;
  t.comment(`p99: ${said}; ${interrupted} calls were interrupted`);
  t.ok(interrupted <= INTERRUPTED, `${interrupted} calls are further than ${P99_LIMIT_MS} ms from the wire`);
  t.ok(interrupted > 0 || Math.abs(p99 - truth) <= P99_LIMIT_MS, said);
});

t.test('every call by itself', async (t) => {
  // The lateness of the INVITE is reported beside them.
  for (const [what, values] of Object.entries(offWire(calls))) {
    const middle = median(values);
    const worst = Math.max(...values.map((value) => Math.abs(value - middle)));
    t.comment(`${what}: ${middle.toFixed(3)} ms off the wire, no call further than ${worst.toFixed(3)} ms from that`);
    t.ok(Math.abs(middle) < MEDIAN_LIMIT_MS, `${what}: ${middle.toFixed(3)} ms off the wire`);
    if (what === 'media') t.ok(interruptedIn(values, MEDIAN_LIMIT_MS) <= INTERRUPTED, 'calls are alike');
  }
});
