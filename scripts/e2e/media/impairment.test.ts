/** Configured loss and jitter are reported: SIPp echoes, a relay loses 3 % of the returned packets and delays the rest. */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo } from '../../peers/lab/provision.ts';
import { lostBetween, meanJitterMs, openImpairmentRelay } from '../../peers/network/impairment-relay.ts';
import { freeUdpPort, ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 20;
const SECONDS = 8;
const LOSS = 0.03;
const MAX_DELAY_MS = 20;

const net = ownLoopback();
const echo = { address: net.address(100), port: await freeUdpPort(net.address(100)) };
const relay = await openImpairmentRelay(net.address(90), echo, { seed: 3, loss: LOSS, maxDelayMs: MAX_DELAY_MS });
t.teardown(() => relay.close());
const sipp = await startSipp({
  address: echo.address,
  scenario: { file: 'echo-behind-relay.xml' },
  args: [
    ...['-rtp_echo', '-mp', String(echo.port)],
    ...['-key', 'relay_ip', relay.address, '-key', 'relay_port', String(relay.port)],
  ],
});
const lab = await openLab(t, {
  net,
  provision: () => ({
    tests: [callsTo(sipp.uri, 'impaired', { endpoints: CALLS, buildup: 1, durationSeconds: SECONDS })],
  }),
});

const run = await lab.runToEnd('impaired');
await sipp.end();
type Row = {
  local_port: number;
  packets_received: number;
  expected: number;
  lost: number;
  absent: number;
  paused: number;
  reordered: number;
  jitter_mean_ms: number;
};
const rows = await lab.query<Row>(`select * from streams where run_id = $1`, [run.id]);
const sum = (pick: (row: Row) => number): number => rows.reduce((n, row) => n + pick(row), 0);

t.match(run, { status: 'COMPLETED', callTiming: { successCount: CALLS } });
t.equal(rows.length, CALLS);

t.test('loss', async (t) => {
  let tail = 0;
  for (const row of rows) {
    const passed = relay.streams.get(row.local_port)?.passed ?? [];
    // Packets in transit when the stream ended are in no figures: a receiver cannot know of them.
    const arrived = passed.slice(0, row.packets_received);
    tail += passed.length - arrived.length;
    t.equal(row.lost, lostBetween(arrived), `port ${row.local_port}: exactly what the relay dropped`);
  }
  // Loss is a share of what was sent: a busy host may make a peer pause.
  const expected = sum((row) => row.expected - row.absent - row.paused);
  const lost = sum((row) => row.lost);
  t.ok(tail < expected / 10, `${tail} packets came after the end of their streams`);
  // All but one in 15,000 samples of a binomial distribution lie within four standard deviations.
  const around = 4 * Math.sqrt((LOSS * (1 - LOSS)) / expected);
  t.comment(
    `${lost} of ${expected} lost: ${((100 * lost) / expected).toFixed(2)} %, 3 % ± ${(100 * around).toFixed(2)} %`,
  );
  t.ok(Math.abs(lost / expected - LOSS) <= around, 'the loss that was put in');
  t.match(run.summary, { totalPacketsLost: lost, measured: { loss: CALLS } });
  t.ok(Math.abs(run.summary.avgPacketLossFraction - lost / expected) < 1e-5, 'the summary says the same');
  t.ok(run.summary.avgMos > 1 && run.summary.avgMos < 4.3, `and it is heard: MOS ${run.summary.avgMos}`);
});

t.test('jitter', async (t) => {
  const truths = rows.map(({ local_port, packets_received }) =>
    meanJitterMs((relay.streams.get(local_port)?.passed ?? []).slice(0, packets_received), 8000),
  );
  const off = rows.map((row, i) => Math.abs(row.jitter_mean_ms - truths[i]!));
  const near = off.filter((ms, i) => ms <= Math.max(0.5, 0.05 * truths[i]!)).length;
  const said = rows.map((row, i) => `port ${row.local_port}: ${row.jitter_mean_ms}, ${truths[i]!.toFixed(3)} ms`);
  // The relay records the time before it sends: if the host stalls in between, its record is wrong, not ours.
  t.ok(near >= 0.9 * CALLS, said.join('\n'));
  const truth = truths.reduce((sum, ms) => sum + ms, 0) / CALLS;
  const { avgJitter } = run.summary;
  t.ok(
    Math.abs(avgJitter - truth) <= Math.max(0.5, 0.1 * truth),
    `mean jitter ${avgJitter} ms, ${truth.toFixed(3)} ms`,
  );
  // Two uniform delays differ by a third of their range on average; a stalled host adds to it.
  t.ok(truth > MAX_DELAY_MS / 3 - 1.5, `${truth.toFixed(3)} ms were put in`);
  t.comment(`mean jitter ${avgJitter} ms; no stream more than ${Math.max(...off).toFixed(3)} ms from the relay's`);
});
