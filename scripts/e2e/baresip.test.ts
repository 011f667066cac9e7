/** A soft phone answers: both sides' audio flows, in each codec; its RTCP tells the round trip, its recording what it heard. */

import { tone } from '@carillon/media/audio/generators.ts';
import { recordingSamples } from '@carillon/media/audio/recording.ts';
import { parseWav } from '@carillon/media/files/wav.ts';
import t from 'tap';
import { type PhoneCodec, startBaresip } from '../peers/baresip.ts';
import { openLab } from '../peers/lab.ts';
import { until } from '../peers/process.ts';
import { callsTo } from '../peers/provision.ts';
import { hear } from '../peers/tone.ts';

const CALLS = 3;
/** baresip reports every 5 s; the report that knows of ours is the second at the latest. */
const SECONDS = 11;
/** Of the call in each codec. */
const CODEC_SECONDS = 6;
const CODECS: readonly PhoneCodec[] = ['PCMU', 'PCMA', 'G722', 'OPUS'];

const phone = await startBaresip();
t.teardown(() => phone.stop());
const phones = await Promise.all(
  CODECS.map(async (codec) => ({
    codec,
    slug: codec.toLowerCase(),
    phone: await startBaresip({ codec, records: true }),
  })),
);
t.teardown(() => Promise.all(phones.map(({ phone }) => phone.stop())));
const lab = await openLab(t, {
  provision: () => ({
    tests: [
      callsTo(phone.uri, 'phone', { endpoints: CALLS, buildup: 1, durationSeconds: SECONDS }),
      ...phones.map(({ codec, slug, phone }) =>
        callsTo(phone.uri, slug, { endpoints: 1, durationSeconds: CODEC_SECONDS, media: { audioCodecs: [codec] } }),
      ),
    ],
  }),
});

const [run, ...codecRuns] = await Promise.all(
  ['phone', ...phones.map(({ slug }) => slug)].map((slug) => lab.runToEnd(slug)),
);
type Row = {
  codec: string;
  packets_sent: number;
  packets_received: number;
  lost: number;
  jitter_mean_ms: number;
  rtt_count: number;
  rtt_mean_ms: number;
  sends_skipped: number;
};
const streams = (runId: string) => lab.query<Row>('select * from streams where run_id = $1', [runId]);
const rows = await streams(run!.id);
const ours = hear(tone(8000), 8000);
const figures = await Promise.all(codecRuns.map(({ id }) => streams(id)));
const recordings = await Promise.all(
  phones.map(({ codec, phone }) => until(`the recording in ${codec}`, async () => (await phone.heard())[0])),
);

t.match(run!, {
  status: 'COMPLETED',
  callTiming: { totalCalls: CALLS, successCount: CALLS, asr: 100, timeToFirstMedia: { count: CALLS } },
  summary: { totalStreams: CALLS, streamsWithFeedback: CALLS, measured: { mos: CALLS, rtt: CALLS } },
});
const answer = run!.sipResponses.find((r) => r.statusCode === 200);
t.match(answer, { reasonPhrase: 'Answering', methods: { INVITE: CALLS, BYE: CALLS } }, 'in the words of baresip');
t.equal([...phone.output().matchAll(/Call established/g)].length, CALLS);
t.equal([...phone.output().matchAll(/incoming rtp for 'audio' established/g)].length, CALLS, 'baresip hears us');
for (const row of rows) {
  const sent = row.packets_sent + row.sends_skipped;
  t.ok(Math.abs(sent / (SECONDS * 50) - 1) < 0.02, `${sent} packets sent or skipped`);
  // baresip sends by a timer of its own.
  t.ok(row.packets_received / (SECONDS * 50) > 0.9, `${row.packets_received} packets received`);
  t.equal(row.lost, 0);
  // It counts the delay since our report in whole milliseconds: a shorter round trip may come out at 0 (round-trip.ts).
  t.ok(row.rtt_count >= 1 && row.rtt_mean_ms >= 0 && row.rtt_mean_ms < 100, `round trip ${row.rtt_mean_ms} ms`);
}
t.ok(run!.summary.avgMos > 4.2, `MOS ${run!.summary.avgMos}`);
t.comment(
  `MOS ${run!.summary.avgMos}, jitter ${run!.summary.avgJitter} ms, RTT ${run!.summary.avgRtt} ms, ${run!.validity?.verdict}`,
);

for (const [i, { codec }] of phones.entries())
  t.test(codec, async (t) => {
    t.match(codecRuns[i], { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
    const [row] = figures[i]!;
    t.match(row, { codec, lost: 0 });
    t.ok(row!.packets_received / (CODEC_SECONDS * 50) > 0.9, `${row!.packets_received} packets received`);
    t.ok(row!.jitter_mean_ms > 0 && row!.jitter_mean_ms < 100, `jitter ${row!.jitter_mean_ms} ms`);
    const file = recordings[i]!;
    const { sampleRateHz } = parseWav(file);
    const samples = recordingSamples(file, sampleRateHz);
    const heard = hear(samples.subarray(sampleRateHz, samples.length - sampleRateHz), sampleRateHz);
    const said = `${samples.length / sampleRateHz} s, ${heard.hz.toFixed(2)} Hz, ${heard.level.toFixed(2)} dBov, purity ${heard.purity.toFixed(4)}`;
    t.comment(
      `${codec}: it heard ${said}; ours ${ours.level.toFixed(2)} dBov; jitter ${row!.jitter_mean_ms.toFixed(2)} ms, ${row!.packets_received} received`,
    );
    t.ok(Math.abs(heard.hz - ours.hz) < 1 && Math.abs(heard.level - ours.level) < 1, said);
    t.ok(samples.length / sampleRateHz > CODEC_SECONDS - 2);
  });
