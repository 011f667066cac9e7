/** What streams give away, by name. */
import t from 'tap';
import { NO_DETAILS } from '../contract/stream-details.ts';
import { type CallEvidence, findingsOf } from '../domain/findings.ts';
import { isPrivateAddress } from '../domain/private-address.ts';

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

/** `>INVITE`, `<200 INVITE`, `>>ACK`: sent, received, sent again. */
const said = (text: string, peer: string) => {
  const [, way = '', status = '0', method = ''] = /^([<>]+)(\d{3})? ?(\w+)$/.exec(text) ?? [];
  return { method, status: Number(status), sent: way.startsWith('>'), retransmission: way.length > 1, peer };
};
const call = (messages: string, more: Partial<CallEvidence> = {}, peer = '203.0.113.9:5060'): CallEvidence => ({
  messages: messages.split(', ').map((one) => said(one, peer)),
  timeToFirstMediaMs: 40,
  streams: [],
  peerStreams: [],
  ...more,
});
const keys = (sent: string, received: string) => stream({ digits: { sent, received } });

t.test('each finding of a call by what gives it away', async (t) => {
  const well = '>INVITE, <100 INVITE, <180 INVITE, <200 INVITE, >ACK, >BYE, <200 BYE';
  const cases: [CallEvidence, string[]][] = [
    [call(well), []],
    [call('>INVITE, <401 INVITE, >INVITE, <200 INVITE, >ACK'), []],
    [call('>INVITE, <200 INVITE, >BYE, <200 BYE'), ['MISSING_ACK']],
    [call('<INVITE, >200 INVITE, <BYE, >200 BYE'), ['MISSING_ACK']],
    [call('<INVITE, >200 INVITE, >ACK'), ['MISSING_ACK']],
    [call('<INVITE, >200 INVITE, >>200 INVITE, <ACK, <INVITE, >200 INVITE, <ACK'), []],
    [call('>INVITE, <200 INVITE, >INVITE, <200 INVITE, >ACK'), ['MISSING_ACK']],
    [call('>INVITE, <486 INVITE'), []],
    [call('>INVITE, >>INVITE, >>INVITE, <200 INVITE, >ACK'), []],
    [call('>INVITE, >>INVITE, >>INVITE, <200 INVITE, <<200 INVITE, >ACK'), ['SIP_RETRANSMISSIONS']],
    [call(well, { timeToFirstMediaMs: 1001 }), ['FIRST_MEDIA_LATE']],
    [call(well, { timeToFirstMediaMs: null }), []],
    [call(well, { streams: [stream()], peerStreams: [stream()] }), []],
    [call(well, { streams: [stream()], peerStreams: [stream({ codec: 'OPUS' })] }), ['CODEC_ASYMMETRY']],
    [call(well, { streams: [stream()] }), []],
    [call(well, { streams: [stream({ remote: '192.168.1.4:4000' })] }), ['NAT_MISMATCH']],
    [call(well, { streams: [stream({ remote: '192.168.1.4:4000' })] }, '10.0.0.9:5060'), []],
    [call(well, { streams: [stream({ remote: '[fd00::4]:4000' })] }, '[2001:db8::1]:5060'), ['NAT_MISMATCH']],
    [call(well, { streams: [keys('12#', '')], peerStreams: [keys('', '12#')] }), []],
    [call(well, { streams: [keys('12#', '')], peerStreams: [keys('', '1#')] }), ['DIGITS_LOST']],
    [call(well, { streams: [keys('12#', '')], peerStreams: [stream()] }), []],
  ];
  for (const [evidence, names] of cases) {
    const found = findingsOf(evidence.streams, evidence);
    t.same(
      found.map((f) => f.finding),
      names,
      JSON.stringify(evidence).slice(0, 300),
    );
    for (const { message, stream } of found) {
      t.notMatch(message, /undefined|null/);
      t.equal(stream, null);
    }
  }
  t.same(findingsOf([], null), [], 'while it goes on nothing is missing yet');
});

t.test('which addresses are private', async (t) => {
  const addresses = ['10.1.2.3', '172.32.0.1', '192.168.0.1', '8.8.8.8', 'fd00::1', '2001:db8::1', 'pbx.example', ''];
  t.same(addresses.filter(isPrivateAddress), ['10.1.2.3', '192.168.0.1', 'fd00::1']);
});
