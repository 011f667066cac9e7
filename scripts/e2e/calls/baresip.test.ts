/** A soft phone answers: audio flows both ways, in each codec; its RTCP gives the round trip, its recording what it heard. */

import { tone } from '@carillon/media/audio/generators.ts';
import { recordingSamples } from '@carillon/media/audio/recording.ts';
import { parseWav } from '@carillon/media/files/wav.ts';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';
import { hear } from '../../peers/referees/tone.ts';
import { type PhoneCodec, startBaresip } from '../../peers/sip/baresip.ts';

const CALLS = 3;
/** baresip reports every 5 s; at the latest, its second report refers to ours. */
const SECONDS = 11;
/** Of the call in each codec. */
const CODEC_SECONDS = 6;
const CODECS: readonly PhoneCodec[] = ['PCMU', 'PCMA', 'G722', 'OPUS'];

/** 0: its header has not been written yet. */
function secondsOf(file: Buffer): number {
  try {
    const { sampleRateHz } = parseWav(file);
    return recordingSamples(file, sampleRateHz).length / sampleRateHz;
  } catch {
    return 0;
  }
}

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
  call_duration_ms: number;
};
const streams = (runId: string) =>
  lab.query<Row>(
    `select s.*, e.call_duration_ms from streams s
     join endpoints e on e.run_id = s.run_id and e.number = s.endpoint_number where s.run_id = $1`,
    [runId],
  );
const rows = await streams(run!.id);
const ours = hear(tone(8000), 8000);
const figures = await Promise.all(codecRuns.map(({ id }) => streams(id)));
const recordings = await Promise.all(
  // The file is complete when baresip has noticed the end of the call.
  phones.map(({ codec, phone }) =>
    until(`the recording in ${codec}`, async () => {
      const [file] = await phone.heard();
      return file && secondsOf(file) > CODEC_SECONDS / 2 && file;
    }),
  ),
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
  const slots = row.packets_sent + row.sends_skipped;
  const planned = row.call_duration_ms / 20;
  t.ok(
    slots > 0.8 * planned && slots < 1.02 * planned,
    `${slots} packets sent or skipped in ${row.call_duration_ms} ms`,
  );
  // baresip sends by its own timer.
  t.ok(row.packets_received > 0.5 * planned, `${row.packets_received} packets received`);
  t.equal(row.lost, 0);
  // It counts the delay since our report in whole milliseconds: a shorter round trip may become 0 (round-trip.ts).
  t.ok(
    row.rtt_count >= 1 && row.rtt_mean_ms >= 0 && row.rtt_mean_ms < row.call_duration_ms,
    `round trip ${row.rtt_mean_ms} ms`,
  );
}
// A phone without processor time sends late, and late packets are discarded.
const { avgMos, totalPacketsDiscarded } = run!.summary;
t.ok(avgMos > (totalPacketsDiscarded === 0 ? 4.2 : 1), `MOS ${avgMos}, ${totalPacketsDiscarded} discarded`);
t.comment(
  `MOS ${run!.summary.avgMos}, jitter ${run!.summary.avgJitter} ms, RTT ${run!.summary.avgRtt} ms, ${run!.validity?.verdict}`,
);

for (const [i, { codec }] of phones.entries())
  t.test(codec, async (t) => {
    t.match(codecRuns[i], { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
    const [row] = figures[i]!;
    t.match(row, { codec, lost: 0 });
    t.ok(row!.packets_received > CODEC_SECONDS * 25, `${row!.packets_received} packets received`);
    t.ok(row!.jitter_mean_ms > 0 && row!.jitter_mean_ms < CODEC_SECONDS * 1000, `jitter ${row!.jitter_mean_ms} ms`);
    const file = recordings[i]!;
    const { sampleRateHz } = parseWav(file);
    const samples = recordingSamples(file, sampleRateHz);
    const heard = hear(samples.subarray(sampleRateHz, samples.length - sampleRateHz), sampleRateHz);
    const said = `${samples.length / sampleRateHz} s, ${heard.hz.toFixed(2)} Hz, ${heard.level.toFixed(2)} dBov, purity ${heard.purity.toFixed(4)}`;
    t.comment(
      `${codec}: it heard ${said}; ours ${ours.level.toFixed(2)} dBov; jitter ${row!.jitter_mean_ms.toFixed(2)} ms, ${row!.packets_received} received`,
    );
    // Packets that we skip for lack of processor time are silence there; a phone that lacks it sends late, and records less.
    const { validity, summary } = codecRuns[i]!;
    const isPhoneTimely = summary.totalPacketsDiscarded === 0;
    const exact = row!.sends_skipped === 0 && validity?.verdict === 'VALID' && isPhoneTimely;
    const [hzOff, levelOff] = exact ? [1, 1] : [ours.hz / 2, 6];
    t.ok(Math.abs(heard.hz - ours.hz) < hzOff && Math.abs(heard.level - ours.level) < levelOff, said);
  });
