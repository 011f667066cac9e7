/** What streams give away, by name. */
import t from 'tap';
import { NO_DETAILS } from '../contract/stream-details.ts';
import { findingsOf } from '../domain/findings.ts';

type Stream = Parameters<typeof findingsOf>[0][number];
type More = Partial<Omit<Stream, 'receive'>> & { receive?: Partial<Stream['receive']> };

const RATED = { plcEvents: 0, plcMs: 0, mos: 4.4, rFactor: 92, burstRatio: 1 };
const COUNTED = { expected: 500, lost: 0, lossFraction: 0, discarded: 5, duplicates: 0, reordered: 0, ssrcChanges: 0 };
const CAME = { ssrc: 1, packets: 500, octets: 80_000, jitterMeanMs: 1, jitterMaxMs: 2 };
const SENT = { ssrc: 2, packets: 500, octets: 80_000, skipped: 0, remoteLost: 0, remoteJitterMs: 1 };

/** A stream of which all is well. */
const stream = ({ receive, ...more }: More = {}): Stream => ({
  ...NO_DETAILS,
  stream: 0,
  codec: 'PCMU',
  scale: 'nb',
  remote: '192.0.2.1:4000',
  localPort: 4002,
  feedback: true,
  nackCount: 0,
  pliCount: 0,
  firCount: 0,
  send: { ...NO_DETAILS.send, ...SENT, rttMeanMs: 1, rttMaxMs: 1, rttCount: 1 },
  ...more,
  receive: { ...NO_DETAILS.receive, ...CAME, ...COUNTED, ...RATED, ...receive },
});
const secured = (state: string, authFailed = 0) => ({
  security: { state, suite: null, handshakeMs: null, authFailed, replayed: 9, early: 9 },
});

t.test('each finding by what gives it away', async (t) => {
  const cases: [More, string[]][] = [
    [{}, []],
    [{ nat: { followed: 0, foreign: 4 }, ...secured('DTLS') }, []],
    [secured('SDES'), []],
    [{ oneWayAudio: 'NO_RTP' }, ['ONE_WAY_AUDIO']],
    [{ oneWayAudio: 'SILENT' }, ['SILENT_AUDIO']],
    [secured('FINGERPRINT_MISMATCH'), ['NOT_ENCRYPTED']],
    [secured('SDES', 3), ['SRTP_AUTHENTICATION_FAILED']],
    [{ receive: { discarded: 6 } }, ['LATE_MEDIA']],
    [{ receive: { expected: 0, discarded: 0 } }, []],
    [{ receive: { unexpectedPayloadTypes: 1 } }, ['UNEXPECTED_PAYLOAD_TYPE']],
    [{ nat: { followed: 1, foreign: 0 } }, ['NAT_FOLLOWED']],
    [{ receive: { receiveDrops: 1 } }, ['RECEIVE_DROPS']],
  ];
  for (const [more, names] of cases) {
    const found = findingsOf([stream(more)]);
    t.same(
      found.map((f) => f.finding),
      names,
      JSON.stringify(more),
    );
    for (const { message } of found) t.notMatch(message, /undefined|null/);
  }
});

t.test('each stream by itself, in order', async (t) => {
  const both = [
    stream({ oneWayAudio: 'NO_RTP', ...secured('HANDSHAKE') }),
    stream({ stream: 1, receive: { receiveDrops: 2 } }),
  ];
  t.same(
    findingsOf(both).map((f) => [f.stream, f.finding]),
    [
      [0, 'ONE_WAY_AUDIO'],
      [0, 'NOT_ENCRYPTED'],
      [1, 'RECEIVE_DROPS'],
    ],
  );
  t.same(findingsOf([]), []);
});
