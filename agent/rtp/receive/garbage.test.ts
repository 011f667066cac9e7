/**
 * Any datagram at the ports of a live stream, plain and encrypted: nothing throws, and each is counted once.
 */
import t from 'tap';
import { bombarded, disturbed } from '../../testing/rtp/garbage.ts';

const DATAGRAMS = 500_000;

t.test(
  `${DATAGRAMS.toLocaleString('en')} datagrams of every kind at the ports of live streams, RTP, RTCP, STUN, SRTP and DTLS`,
  async (t) => {
    const { verdict, records, states } = bombarded(DATAGRAMS, 1);
    t.comment(JSON.stringify(verdict));
    const { datagrams, unaccounted, ...fates } = verdict;
    t.equal(unaccounted, 0, 'each in one counter');
    t.equal(
      Object.values(fates).reduce((sum, n) => sum + n, 0),
      datagrams,
    );
    for (const [fate, count] of Object.entries(fates)) t.ok(count > 300, `${fate}: ${count}`);
    t.same(
      states,
      ['NONE', 'SDES', 'SDES', 'DTLS', 'NONE', 'SDES', 'SDES', 'DTLS'],
      'the next call completes its handshake',
    );
    // Reports of the far end may be forged; then the forged values are reported.
    for (const record of records)
      for (const [name, value] of Object.entries(record))
        if (typeof value === 'number' && !name.startsWith('remote'))
          t.ok(!(value < 0) && value !== Number.POSITIVE_INFINITY, name);
  },
);

t.test('a call between 100,000 datagrams that are not its own says what it would have said without them', async (t) => {
  const { calm, poured, verdict } = disturbed(100_000, 2);
  t.equal(verdict.unaccounted, 0);
  // Only the counters beside the stream differ; the round trip uses the wall clock, which has advanced.
  const figures = (records: typeof calm) =>
    records.map(({ malformed, foreign, otherSources, unexpectedPayloadTypes, strays, ...of }) => {
      const { stun, srtpAuthFailed, srtpReplayed, srtpEarly, handshakeMs, ...rest } = of;
      const { rttMeanMs, rttMaxMs, mos, rFactor, fixed, adaptive, ...own } = rest;
      const rated = [fixed, adaptive].map((buffer) => ({ ...buffer, mos: buffer.mos.toFixed(3) }));
      return { ...own, rated, rttMs: rttMeanMs.toFixed(1), mos: mos.toFixed(3), rFactor: rFactor.toFixed(2) };
    });
  t.same(figures(poured), figures(calm));
});
