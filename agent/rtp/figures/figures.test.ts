/** The figures of a stream's record other than its counts, in a simulated network. */
import t from 'tap';
import { call, end, HERE, isRtp, PCMU, run, seeded } from '../../testing/rtp/simulation.ts';
import type { StreamSession } from '../media-engine.ts';

t.test('delay variation and both buffers', async (t) => {
  const { network, there, both } = call(4);
  const random = seeded(9);
  network.path = ({ from, bytes }) => [from.startsWith(HERE) && isRtp(bytes) ? 10 + 150 * random() ** 4 : 10];
  run(network, both, 30_000);
  for (const record of end(network, there)) {
    const { p50Ms, p95Ms, p99Ms, maxMs } = record.delayVariation;
    // 150 x^4 at 0.5, 0.95 and 0.99.
    t.ok(
      Math.abs(p50Ms - 9.4) < 2 && Math.abs(p95Ms - 122) < 10 && Math.abs(p99Ms - 144) < 10,
      `${p50Ms} ${p95Ms} ${p99Ms}`,
    );
    t.ok(maxMs > 100 && maxMs < 151);
    t.equal(record.fixed.discarded, record.lateDiscarded);
    t.equal(record.fixed.plcEvents, record.plcEvents);
    t.equal(record.fixed.mos, record.mos);
    t.ok(
      record.adaptive.discarded < record.fixed.discarded / 2,
      `${record.adaptive.discarded} of ${record.fixed.discarded}`,
    );
    t.ok(record.adaptive.bufferMs > 90 && record.adaptive.bufferMs <= 200, `${record.adaptive.bufferMs}`);
    t.ok(record.adaptive.mos > record.fixed.mos);
    t.ok(record.fixed.plcMaxMs >= 20 && record.fixed.plcMs >= record.fixed.plcMaxMs);
  }
});

t.test('bursts and gaps', async (t) => {
  const { network, there, both } = call(1);
  let n = 0;
  network.path = ({ from, bytes }) => {
    if (!from.startsWith(HERE) || !isRtp(bytes)) return [5];
    n += 1;
    return n >= 100 && n % 100 < 4 ? [] : [5];
  };
  run(network, both, 20_500);
  const [record] = end(network, there);
  t.match(record!.bursts, { burstDensity: 1, burstMs: 80, gapDensity: 0 });
  t.equal(record!.bursts.bursts, record!.plcEvents);
  t.ok(record!.burstRatio === 1 || record!.plcEvents >= 10);
});

t.test('what is heard: level, silence, nothing', async (t) => {
  const record = (session: Partial<StreamSession>, deaf = false) => {
    const { network, here, there, both } = call(1, { session });
    if (deaf) network.path = ({ from, bytes }) => (from.startsWith(HERE) && isRtp(bytes) ? [] : [1]);
    for (let second = 0; second < 10; second++) {
      run(network, both, 1000);
      for (const node of [here, there]) node.sampler.sample(network.nowMs);
    }
    return end(network, there)[0]!;
  };
  const tone = record({ source: 'TONE' });
  // -10 dBm0: mu-law's loudest sine is 3.17 dBm0 with a peak of 32124, and a sine lies 3.01 dB below a square wave.
  t.ok(Math.abs(tone.audio!.levelDbov! + 16.35) < 0.1, `${tone.audio!.levelDbov} dBov`);
  t.match(tone.audio, { silentShare: 0, clippedShare: 0 });
  t.ok(tone.audio!.frames >= 16, `${tone.audio!.frames} frames`);
  t.equal(tone.oneWayAudio, null);

  const wide = record({
    source: 'TONE',
    format: { ...PCMU, codec: 'G722', sendPayloadType: 9, receivePayloadType: 9 },
  });
  t.ok(Math.abs(wide.audio!.levelDbov! - tone.audio!.levelDbov!) < 1.5, `G.722: ${wide.audio!.levelDbov} dBov`);
  t.equal(wide.scale, 'WB');

  const silent = record({ source: 'SILENCE' });
  t.match(silent.audio, { levelDbov: null, silentShare: 1 });
  t.equal(silent.oneWayAudio, 'SILENT');

  const speech = record({ source: 'SPEECH' });
  t.ok(speech.audio!.silentShare > 0 && speech.audio!.silentShare < 0.8, `${speech.audio!.silentShare}`);
  t.equal(speech.oneWayAudio, null);

  const deaf = record({ source: 'TONE' }, true);
  t.match([deaf.audio, deaf.oneWayAudio], [null, 'NO_RTP']);
});

t.test('a peer whose clock runs away', async (t) => {
  const { network, here, there, both } = call(1);
  const startMs = network.nowMs;
  const random = seeded(4);
  // The peer's packets arrive later and later: its clock is 80 ppm slow.
  network.path = ({ from, bytes, sentMs }) =>
    from.startsWith(HERE) && isRtp(bytes) ? [5 + random() * 3 + (sentMs - startMs) * 80e-6] : [5];
  for (let second = 0; second < 120; second++) {
    run(network, both, 1000);
    for (const node of [here, there]) node.sampler.sample(network.nowMs);
  }
  const [record] = end(network, there);
  t.ok(Math.abs(record!.clockDriftPpm + 80) < 8, `${record!.clockDriftPpm} ppm`);
  t.ok(Math.abs(end(network, here)[0]!.clockDriftPpm) < 1);
});
