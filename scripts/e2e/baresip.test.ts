/** A soft phone answers: both sides' audio flows, and its RTCP tells the round trip. */
import t from 'tap';
import { startBaresip } from '../peers/baresip.ts';
import { openLab } from '../peers/lab.ts';
import { callsTo } from '../peers/provision.ts';

const CALLS = 3;
/** baresip reports every 5 s; the report that knows of ours is the second at the latest. */
const SECONDS = 11;

const phone = await startBaresip();
t.teardown(() => phone.stop());
const lab = await openLab(t, {
  provision: () => ({
    tests: [callsTo(phone.uri, 'phone', { endpoints: CALLS, buildup: 1, durationSeconds: SECONDS })],
  }),
});

const run = await lab.runToEnd('phone');
type Row = { packets_sent: number; packets_received: number; lost: number; rtt_count: number; rtt_mean_ms: number };
const rows = await lab.query<Row & { sends_skipped: number }>(`select * from streams where run_id = $1`, [run.id]);

t.match(run, {
  status: 'COMPLETED',
  callTiming: { totalCalls: CALLS, successCount: CALLS, asr: 100, timeToFirstMedia: { count: CALLS } },
  summary: { totalStreams: CALLS, streamsWithFeedback: CALLS, measured: { mos: CALLS, rtt: CALLS } },
});
const answer = run.sipResponses.find((r) => r.statusCode === 200);
t.match(answer, { reasonPhrase: 'Answering', methods: { INVITE: CALLS, BYE: CALLS } }, 'in the words of baresip');
t.equal([...phone.output().matchAll(/Call established/g)].length, CALLS);
t.equal([...phone.output().matchAll(/incoming rtp for 'audio' established/g)].length, CALLS, 'baresip hears us');
for (const row of rows) {
  const sent = row.packets_sent + row.sends_skipped;
  t.ok(Math.abs(sent / (SECONDS * 50) - 1) < 0.02, `${sent} packets sent or skipped`);
  // baresip sends by a timer of its own.
  t.ok(row.packets_received / (SECONDS * 50) > 0.9, `${row.packets_received} packets received`);
  t.equal(row.lost, 0);
  t.ok(row.rtt_count >= 1 && row.rtt_mean_ms > 0 && row.rtt_mean_ms < 100, `round trip ${row.rtt_mean_ms} ms`);
}
t.ok(run.summary.avgMos > 4.2, `MOS ${run.summary.avgMos}`);
t.comment(
  `MOS ${run.summary.avgMos}, jitter ${run.summary.avgJitter} ms, RTT ${run.summary.avgRtt} ms, ${run.validity?.verdict}`,
);
