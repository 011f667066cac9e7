/** Agents' facts, checked: long texts are cut, impossible values are refused. */
import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BUCKETS } from '@carillon/media/quality/histogram.ts';
import { decodeFacts, encodeFacts, FrameError, type wire } from '@carillon/proto';
import t from 'tap';
import { StreamDetails } from '../../contract/run/stream-details.ts';
import { partyOf } from '../../operations/run-view/figures.ts';
import { wireStream } from '../../testing/stream-details.ts';
import { checkTexts } from '../check-texts.ts';
import { decodeFactsIn } from './decode-facts.ts';
import { toBytes } from './identifiers.ts';

const NOW = Date.UTC(2026, 10, 20);
const DAY = 86_400_000;
const between = { fromMs: NOW - 30 * DAY, toMs: NOW + DAY };

const read = (facts: wire.agent.v1.Facts.$Properties) => decodeFactsIn(decodeFacts(encodeFacts(1, facts)), between);
const ofAllocation = (more: wire.agent.v1.AllocationFacts.$Properties) =>
  read({ allocations: [{ allocationId: toBytes(randomUUID()), baseUnixMs: NOW, ...more }] });

t.test('texts that strangers send are cut before they become keys', async (t) => {
  const { allocations } = ofAllocation({
    sipCounts: {
      sent: [false],
      method: ['M'.repeat(5000)],
      status: [200],
      reason: ['r'.repeat(5000)],
      count: [1],
      retransmissions: [0],
    },
  });
  t.equal(allocations[0]?.sipCounts?.method[0]?.length, 32);
  t.equal(allocations[0]?.sipCounts?.reason[0]?.length, 200);
});

t.test('histograms have the buckets of their layout', async (t) => {
  const histogram = (bucket: number) => ({ bucket: [bucket], count: [1] });
  const noise = (bucket: number) => ({ noise: [{ fromUnixMs: NOW, seconds: 1, loopDelayMs: histogram(bucket) }] });
  t.same(read(noise(BUCKETS - 1)).noise[0]?.loopDelay, [BUCKETS - 1, 1]);
  t.throws(() => read(noise(BUCKETS)), FrameError);
  t.throws(() => ofAllocation({ startNoise: { inviteLateMs: histogram(99_999) } }), FrameError);
  t.throws(() => read({ noise: [{ fromUnixMs: NOW, seconds: Number.NaN }] }), FrameError);
});

t.test('an agent does not choose which days there are', async (t) => {
  const zero = [0];
  const one = (at: number) => ({
    baseUnixMs: at,
    samples: {
      ...Object.fromEntries(
        'endpoint stream atMs intervalMs packetsSent packetsReceived expected lost discarded duplicates reordered plcEvents jitterMs jitterMaxMs rttMs mos rFactor remoteLossFraction remoteJitterMs octetsReceived'
          .split(' ')
          .map((name) => [name, zero]),
      ),
    },
  });
  t.same(ofAllocation(one(NOW)).allocations[0]?.samples?.unixMs, [NOW]);
  for (const at of [between.fromMs, between.toMs]) t.ok(ofAllocation(one(at)));
  for (const at of [0, between.fromMs - 1, between.toMs + 1, 8.64e15, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => ofAllocation(one(at)), FrameError, `samples at ${at}`);
    t.throws(() => read({ noise: [{ fromUnixMs: at, seconds: 1 }] }), FrameError, `noise at ${at}`);
  }
  const outcome = (plannedUnixMs: number) => ({ outcomes: [{ outcome: 'SUCCESS', plannedUnixMs }] });
  t.ok(ofAllocation(outcome(Number.NaN)), 'what was not planned has no instant');
  t.throws(() => ofAllocation(outcome(1e300)), FrameError);
});

/** Two messages of two endpoints; `more`: differing fields. */
const block = (more: wire.agent.v1.MessageBlock.$Properties = {}, text = 'INVITEBYE') => ({
  text: zstdCompressSync(Buffer.from(text)),
  localAddress: '192.0.2.1',
  words: ['INVITE', 'BYE', 'a@b', '192.0.2.9:5060'],
  endpoint: [3, 1],
  number: [0, 5],
  length: [6, 3],
  atMs: [1, 2.5],
  kind: [1, 4 * 487 + 2],
  method: [0, 1],
  callId: [2, 2],
  peer: [3, 3],
  transport: [0, 4],
  localPort: [5062, 70_000],
  ...more,
});
const messagesOf = (...messageBlocks: wire.agent.v1.MessageBlock.$Properties[]) =>
  ofAllocation({ messageBlocks }).allocations[0]?.messages;

t.test('blocks of messages come as they are', async (t) => {
  const [fact] = messagesOf(block()) ?? [];
  t.equal(zstdDecompressSync(fact?.text ?? '').toString(), 'INVITEBYE');
  t.same(
    { ...fact, text: null },
    {
      text: null,
      localAddress: '192.0.2.1',
      endpoint: [3, 1],
      number: [0, 5],
      length: [6, 3],
      unixMs: [NOW + 1, NOW + 2.5],
      sent: [true, false],
      retransmission: [false, true],
      status: [0, 487],
      method: ['INVITE', 'BYE'],
      callId: ['a@b', 'a@b'],
      peer: ['192.0.2.9:5060', '192.0.2.9:5060'],
      transport: ['UDP', 'WSS'],
      localPort: [5062, 65_535],
    },
  );
  const [unsure] = messagesOf(block({ localAddress: 'here', transport: [5, 1] })) ?? [];
  t.same([unsure?.localAddress, unsure?.transport], [null, [null, 'TCP']], 'what a newer agent says otherwise');
  t.same(ofAllocation({ messages: [{ text: Buffer.from('x') }] }).allocations[0]?.messages, [], 'nothing to keep');
});

t.test('blocks of messages that cannot be are refused, whatever they would unpack to', async (t) => {
  const refused: readonly [string, wire.agent.v1.MessageBlock.$Properties, RegExp][] = [
    ['one column is short', block({ method: [0] }), /differ in length/],
    ['one is not there', block({ endpoint: [] }), /differ in length/],
    ['a word that is not there', block({ callId: [2, 4] }), /words that are not there/],
    ['a number that no column holds', block({ number: [0, 2 ** 31] }), /number .* out of range/],
    ['a status of four digits', block({ kind: [1, 4000] }), /status/],
    ['an instant of another age', block({ atMs: [0, 1e12] }), /no instant/],
  ];
  for (const [what, sent, message] of refused) {
    t.throws(() => messagesOf(sent), FrameError, what);
    t.throws(() => messagesOf(sent), { message }, what);
    t.throws(() => messagesOf(block(), sent), FrameError, `${what}, after a good one`);
  }
});

t.test('texts of blocks that are not what their messages say are refused', async (t) => {
  const refused: readonly [string, wire.agent.v1.MessageBlock.$Properties, RegExp][] = [
    ['no zstd', block({ text: Buffer.from('INVITEBYE') }), /not the 9 bytes/],
    ['nothing', block({ text: new Uint8Array() }), /not the 9 bytes/],
    ['shorter than its messages', block({ length: [6, 4] }), /not the 10 bytes/],
    ['longer than its messages', block({ length: [6, 2] }), /not the 8 bytes/],
    ['cut off', block({ text: zstdCompressSync(Buffer.from('INVITEBYE')).subarray(0, -3) }), /not the 9 bytes/],
    ['unpacks to 8 MiB', block({}, 'x'.repeat(2 ** 23)), /not the 9 bytes/],
    ['says so', block({ length: [6, 2 ** 23] }, 'x'.repeat(2 ** 23 + 6)), /1048576 are taken/],
    ['more than numbers can tell', block({ length: [2 ** 32 - 1, 2 ** 32 - 1] }), /1048576 are taken/],
  ];
  for (const [what, sent, message] of refused) {
    await t.rejects(checkTexts([{ messageBlocks: [sent] }]), { name: 'FrameError', message }, what);
    const behind = [{ messageBlocks: [block(), block()] }, { messageBlocks: [sent] }];
    await t.rejects(checkTexts(behind), { name: 'FrameError', message }, `${what}, after good ones`);
  }
  const most = block({ length: [6, 2 ** 20 - 6] }, 'x'.repeat(2 ** 20));
  const of = (...counts: number[]) => counts.map((n) => ({ messageBlocks: Array.from({ length: n }, () => most) }));
  await t.resolves(checkTexts(of(1, 2)), 'as much as is taken');
  await t.rejects(
    checkTexts(of(20, 13)),
    { message: /in all message_blocks: 33554432 are taken/ },
    'too much together',
  );
  const empty = Array.from({ length: 4097 }, () => block({ length: [0, 0] }, ''));
  await t.rejects(checkTexts([{ messageBlocks: empty }]), { message: /4097 message_blocks: 4096 are taken/ });
});

t.test('other connections are served while a batch of many texts is checked', async (t) => {
  const most = block({ length: [6, 2 ** 20 - 6] }, 'x'.repeat(2 ** 20));
  let turns = 0;
  let isChecked = false;
  const others = (): void => {
    turns++;
    if (!isChecked) setImmediate(others);
  };
  setImmediate(others);
  await checkTexts([{ messageBlocks: Array.from({ length: 32 }, () => most) }], 0);
  isChecked = true;
  t.ok(turns >= 31, `${turns} turns`);
});

t.test('what older agents send by endpoint has the same meaning', async (t) => {
  const chunk = {
    endpoint: 3,
    first: 4,
    text: zstdCompressSync(Buffer.from('INVITEBYE')),
    atMs: [1, 2.5],
    sent: [true, false],
    length: [6, 3],
    method: ['INVITE', 'BYE'],
    status: [0, 487],
    retransmission: [false, true],
    peer: ['192.0.2.9:5060', '192.0.2.9:5060'],
    callId: ['a@b', 'a@b'],
    localAddress: '192.0.2.1',
    transport: ['UDP', 'WSS'],
    localPort: [5062, 70_000],
  };
  const { messages } = ofAllocation({ messages: [chunk], messageBlocks: [block({ endpoint: [3, 3], number: [4, 5] })] })
    .allocations[0] ?? { messages: [] };
  t.same(messages[1], messages[0]);
  const [oldest] = ofAllocation({
    messages: [{ ...chunk, localAddress: '', transport: [], localPort: [] }],
  }).allocations;
  t.match(oldest?.messages[0], { localAddress: null, transport: [null, null], localPort: [0, 0] });
  t.throws(() => ofAllocation({ messages: [{ ...chunk, length: [6] }] }), FrameError);
});

const streamOf = (stream: wire.agent.v1.StreamTotals.$Properties) =>
  ofAllocation({ streams: [stream] }).allocations[0]?.streams[0];

/** Numbers and texts by name, at any depth. */
const leaves = (value: unknown, name = ''): [string, unknown][] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, v]) => leaves(v, key))
    : [[name, value]];

t.test('what a stream measured comes through the wire whole', async (t) => {
  const sent = wireStream();
  const stream = streamOf(sent);
  t.equal(stream?.scale, 'wb');
  t.same(StreamDetails.parse(stream?.details), stream?.details, 'as REST answers it');
  const asSent = leaves(sent.details).filter(([name]) => !name.startsWith('digits'));
  const arrived = new Set(leaves(stream?.details).map(([, value]) => value));
  for (const [name, value] of asSent) t.ok(arrived.has(Number.isNaN(value) ? null : value), `${name}: ${value}`);
  t.match(stream?.details, {
    digits: { sent: '12#', received: '*9' },
    audio: { levelDbov: null },
    receive: { delayVariation: { p99Ms: null }, playout: { adaptive: { bufferMs: 20.5 } } },
    nat: { foreign: 8, followed: 9 },
  });
});

t.test('what was not measured is null', async (t) => {
  const bare = streamOf({ codec: 'VP8', details: { clockDriftPpm: Number.NaN, dscp: 0 } });
  t.equal(bare?.scale, null);
  t.match(bare?.details, { clockDriftPpm: null, dscp: 0, audio: null, security: null, nat: null, video: null });
  t.match(bare?.details, { receive: { playout: null, bursts: null }, send: { remoteXr: null }, digits: null });
  t.match(streamOf({ codec: 'G722' }), { scale: 'wb', details: null }, 'an agent that knows no details');
});

t.test('bad figures of streams are refused', async (t) => {
  const bad: wire.agent.v1.StreamDetails.$Properties[] = [
    { oneWayAudio: 'BOTH_WAYS' },
    { delaySource: 'GUESS' },
    { dscp: 64 },
    { remoteLossFraction: 1.5 },
    { bursts: { burstDensity: -1 } },
    { sound: { silentShare: 7 } },
    { security: { state: 'a<b>' } },
  ];
  for (const details of bad) t.throws(() => streamOf(wireStream(details)), FrameError, JSON.stringify(details));
  t.throws(() => streamOf({ ...wireStream(), scale: 9 as never }), FrameError);
  const { details } =
    streamOf(wireStream({ digitsReceived: '1'.repeat(500), clockDriftPpm: Number.POSITIVE_INFINITY })) ?? {};
  t.match(details, { digits: { received: '1'.repeat(32) }, clockDriftPpm: null });
});

const outcomeOf = (outcome: wire.agent.v1.Outcome.$Properties) =>
  ofAllocation({ outcomes: [{ outcome: 'CALL_FAILED', plannedUnixMs: Number.NaN, ...outcome }] }).allocations[0]
    ?.outcomes[0];

t.test('what an agent did not measure, or never heard of, is no 0', async (t) => {
  t.match(outcomeOf({}), { timeToEarlyMediaMs: Number.NaN, dnsMs: Number.NaN });
  t.match(outcomeOf({ timeToEarlyMediaMs: 0, dnsMs: 0 }), { timeToEarlyMediaMs: 0, dnsMs: 0 });
  t.match(outcomeOf({ timeToEarlyMediaMs: 1.5, dnsMs: Number.NaN }), { timeToEarlyMediaMs: 1.5, dnsMs: Number.NaN });
});

t.test('a cause of a newer agent is kept', async (t) => {
  t.match(outcomeOf({ cause: 'MOON_ECLIPSED', causeText: 'dark' }), { cause: 'MOON_ECLIPSED', causeText: 'dark' });
  t.equal(partyOf('MOON_ECLIPSED'), 'unknown');
  for (const cause of ['dark', 'A'.repeat(41), 'A\0', 'A B']) t.throws(() => outcomeOf({ cause }), FrameError, cause);
});

t.test('headers of RTP packets are those of packets', async (t) => {
  const headersOf = (more: wire.agent.v1.RtpHeaders.$Properties, bytes = 12) =>
    ofAllocation({
      rtpHeaders: [
        {
          localAddress: '192.0.2.1',
          header: new Uint8Array(bytes),
          headerBytes: [bytes],
          packetBytes: [bytes],
          sent: [true],
          atMs: [0],
          ...more,
        },
      ],
    }).allocations[0]?.rtpHeaders[0];
  t.match(headersOf({ packetBytes: [65_507], stream: 32_767 }, 255), { packetBytes: [65_507], stream: 32_767 });
  for (const bad of [{ packetBytes: [65_508] }, { packetBytes: [11] }, { stream: 32_768 }, { localAddress: 'here' }])
    t.throws(() => headersOf(bad), FrameError, JSON.stringify(bad));
  t.throws(() => headersOf({}, 256), FrameError);
});

t.test('a pause of any length ends at a date', async (t) => {
  const until = (untilUnixMs: number) =>
    ofAllocation({ breaches: [{ atMs: 0, untilUnixMs, reason: '' }] }).allocations[0]?.breaches[0]?.untilUnixMs ?? -1;
  t.same([0, NOW, 1e300].map(until), [0, NOW, 8.64e15]);
  t.ok(new Date(until(1e300)).toISOString());
  for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY]) t.throws(() => until(bad), FrameError);
});
