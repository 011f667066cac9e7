/** Text of unknown senders: counted under our own names, short, and without anything that reveals a password. */
import t from 'tap';
import { createAgentMetrics } from '../metrics/metrics.ts';
import { encodeAllocation } from '../run/report/encode-facts.ts';
import type { OutcomeFact, ShareFacts } from '../run/report/facts.ts';
import { FactsBuffer, receivedMessages } from '../run/report/facts-buffer.ts';
import { Pending } from '../run/report/pending.ts';
import type { Traffic } from '../sip/engine.ts';
import { WatchedTraffic } from '../sip/engines/traffic.ts';
import { parseMessage } from '../sip/message/parse.ts';
import type { SipMessage } from '../sip/message/sip-message.ts';
import { collectedHeapBytes } from '../testing/collected.ts';
import { growth, LINEAR } from '../testing/growth.ts';
import { NO_FACTS } from '../testing/run/open-book.ts';
import { boundedText, methodLabel } from './bounded-text.ts';
import { EndpointTraffic, SipCounts } from './endpoint-traffic.ts';
import { maskCredentials } from './mask.ts';
import { MessageStore } from './message-store.ts';

const message = (more: Partial<Traffic>): Traffic => ({
  direction: 'RECEIVED',
  atMs: 1,
  method: 'INVITE',
  status: 0,
  reason: '',
  retransmission: false,
  callId: 'c',
  transport: 'UDP',
  peerAddress: '127.0.0.1',
  peerPort: 5060,
  localPort: 5062,
  text: '',
  ...more,
});
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

t.test('a reason phrase is shortened by whole code points, a method of no registry is OTHER', async (t) => {
  const counts = new SipCounts();
  counts.add(message({ status: 486, reason: 'Busy Here' }));
  counts.add(message({ status: 500, reason: 'x'.repeat(6000) }));
  counts.add(message({ status: 500, reason: 'x'.repeat(6001) }));
  counts.add(message({ status: 500, reason: wire(`${'x'.repeat(119)}😀`) }));
  counts.add(message({ status: 480, reason: wire('Später\0\u0001') }));
  counts.add(message({ method: 'X'.repeat(5000) }));
  counts.add(message({ method: 'YODEL', retransmission: true }));
  counts.add(message({ method: 'PUBLISH' }));
  t.same(
    counts.take().map((c) => [c.method, c.status, c.reason, c.count, c.retransmissions]),
    [
      ['INVITE', 486, 'Busy Here', 1, 0],
      ['INVITE', 500, 'x'.repeat(120), 2, 0],
      ['INVITE', 500, 'x'.repeat(119), 1, 0],
      ['INVITE', 480, 'Später  ', 1, 0],
      ['OTHER', 0, '', 1, 1],
      ['PUBLISH', 0, '', 1, 0],
    ],
  );
  t.same(counts.take(), []);
});

t.test('an endpoint keeps little of a message that has been taken, however long it was', async (t) => {
  const ENDPOINTS = 500;
  const LONG = 60_000;
  const store = new MessageStore('192.0.2.1');
  const counts = new SipCounts();
  const endpoints = Array.from({ length: ENDPOINTS }, (_, i) => {
    return new EndpointTraffic(i, counts, store, { keepMessages: true, keepBodies: true });
  });
  const watched = endpoints.map((endpoint) => new WatchedTraffic(endpoint));
  const heard = (callId: string, more: string): SipMessage => {
    const lines = `Via: SIP/2.0/WS a;branch=k\r\nFrom: <sip:b@a>;tag=1\r\nTo: <sip:a@a>\r\nCall-ID: ${callId}\r\nCSeq: 1 INVITE\r\n${more}`;
    // In one piece, as received from a socket.
    return parseMessage(Buffer.from(`INVITE sip:a@a SIP/2.0\r\n${lines}\r\n`).toString('latin1')) as SipMessage;
  };
  const from = { transport: 'WS', address: '192.0.2.2', port: 80 } as const;
  const keptBytes = (hear: (i: number) => void): number => {
    const before = collectedHeapBytes();
    for (let i = 0; i < ENDPOINTS; i++) {
      hear(i);
      store.take(true);
    }
    return (collectedHeapBytes() - before) / ENDPOINTS;
  };
  const long = keptBytes((i) => {
    (endpoints[i] as EndpointTraffic).onMessage(message({ callId: `${i}${'x'.repeat(LONG)}`, text: 'x' }));
  });
  t.ok(long < 4096, `of a long Call-ID ${Math.round(long)} bytes`);
  const piece = keptBytes((i) => {
    const one = watched[i] as WatchedTraffic;
    one.note('RECEIVED', heard(`a-call-of-${i}@host`, `Subject: ${'x'.repeat(LONG)}\r\n`), 1, from);
    one.note('RECEIVED', heard(`a-call-of-${i}@host`, ''), 1, from);
  });
  t.ok(piece < 4096, `of a long message ${Math.round(piece)} bytes`);
});

t.test('a peer with ever new reason phrases fills no memory', async (t) => {
  const counts = new SipCounts();
  for (let i = 0; i < 10_000; i++) counts.add(message({ status: 500, reason: `reason ${i}` }));
  counts.add(message({ status: 404, reason: 'Not Found' }));
  const rows = counts.take();
  t.ok(rows.length < 300, `${rows.length} rows`);
  t.equal(
    rows.reduce((n, r) => n + r.count, 0),
    10_001,
    'all of them are counted',
  );
  t.ok(rows.some((r) => r.status === 404 && r.reason === ''));
});

t.test('texts for the wire', async (t) => {
  t.equal(boundedText('plain', 10), 'plain');
  t.equal(boundedText('a\r\nb\u0085\0', 10), 'a  b  ');
  t.equal(boundedText('a😀b', 2), 'a', 'a code point is not cut in two');
  t.equal(boundedText('\ud800x', 10), ' x');
  t.equal(boundedText('Gr\u00fc\u00dfe', 10), 'Gr\u00fc\u00dfe', 'what is no UTF-8 is taken for latin1');
  t.equal(methodLabel('INVITE'), 'INVITE');
  t.equal(methodLabel('invite'), 'OTHER');
});

const share = (more: Partial<ShareFacts>): ShareFacts =>
  ({ owner: 1, startNoise: null, state: null, reasonCode: '', reason: '', ...NO_FACTS, ...more }) as ShareFacts;
function pending(facts: ShareFacts[], reason = ''): Pending {
  const gathered = new Pending('a', null);
  for (const one of facts) gathered.add(one);
  gathered.state = 'DONE';
  gathered.reason = reason;
  return gathered;
}

t.test('what an endpoint and its messages quote of strangers is bounded, too', async (t) => {
  const long = '\0'.repeat(60_000);
  const explanation = { q850: 34, reason: long, warning: long, retryAfterSeconds: 0 };
  const outcome = {
    ...{ endpoint: 0, causeText: long, finalReason: long, calleeUri: long, callerUri: long, callId: long, explanation },
    findings: [
      { kind: 'NO_MEDIA', stream: null, atMs: 0, lastedMs: 0, count: 0, of: 0, detail: long, tolerated: false },
    ],
  } as unknown as OutcomeFact;
  const store = new MessageStore();
  const traffic = new EndpointTraffic(0, new SipCounts(), store, { keepMessages: true, keepBodies: true });
  traffic.onMessage(message({ method: long, callId: long }));
  const gathered = pending([share({ messages: store.take(true) })], long);
  gathered.close({ owner: 1, outcome, closedAtMs: 0 });
  const encoded = (takesBlocks: boolean) => encodeAllocation(gathered, 0, 0, takesBlocks);
  const facts = encoded(false);
  const [o] = facts.outcomes ?? [];
  t.equal(o?.causeText?.length, 120);
  t.equal(o?.finalReason?.length, 120);
  t.match([o?.reasonText?.length, o?.warning?.length, o?.findings?.[0]?.detail?.length], [120, 120, 120]);
  t.ok((o?.calleeUri?.length ?? 0) < 300 && (o?.callerUri?.length ?? 0) < 300 && (o?.callId?.length ?? 0) < 300);
  t.equal(facts.messages?.[0]?.callId?.[0], o?.callId, 'one call keeps one Call-ID');
  t.same(facts.messages?.[0]?.method, ['OTHER']);
  const inBlocks = encoded(true);
  const [block] = inBlocks.messageBlocks ?? [];
  t.same([block?.words?.[block?.method?.[0] ?? -1], block?.words?.[block?.callId?.[0] ?? -1]], ['OTHER', o?.callId]);
  for (const one of [facts, inBlocks]) t.notMatch(JSON.stringify(one), /\\u0000/, 'PostgreSQL knows no such character');
});

t.test('what was received is counted, kept or not', async (t) => {
  for (const keepMessages of [true, false]) {
    const facts = new FactsBuffer(1);
    const traffic = new EndpointTraffic(0, facts.counts, facts.storeOf(0), { keepMessages, keepBodies: true });
    traffic.onMessage(message({}));
    traffic.onMessage(message({ retransmission: true }));
    traffic.onMessage(message({ direction: 'SENT' }));
    facts.gather(0, true);
    const taken = facts.take(0) as ShareFacts;
    t.equal(receivedMessages(taken), 2);
    t.equal(taken.messages.length, keepMessages ? 1 : 0);
  }
});

t.test('labels of metrics are names of ours', async (t) => {
  const zero = () => 0;
  const metrics = createAgentMetrics({ sip: 'ffi', rtp: 'ffi', srtp: 'openssl', priority: 'nice 0' });
  metrics.watch({
    endpoints: zero,
    linkState: () => 'ONLINE',
    outboxDepth: zero,
    linkOfflineMs: zero,
    clockErrorMs: zero,
    outboxBytes: zero,
    outboxDropped: () => ({ full: 0, refused: 0 }),
    strays: () => ({ malformed: 3, refusedByPolicy: 2, unclaimed: 4, withheld: 1 }),
    hep: () => ({ sent: 0, dropped: 0 }),
    policy: () => ({ fault: null, taken: 0, refused: 0, minutesToday: 0 }),
  });
  const counts = new SipCounts();
  for (let i = 0; i < 100; i++) {
    counts.add(message({ method: `YODEL${i}` }));
    counts.add(message({ method: `YODEL${i}`, status: 200, reason: 'OK', retransmission: true }));
  }
  metrics.onSip(share({ sipCounts: counts.take() }));
  const text = await metrics.text();
  t.match(text, /sip_messages_total\{direction="received",method="OTHER",status="request"\} 100/);
  t.notMatch(text, /YODEL/);
});

t.test('whatever carries a password’s digest is masked, and lengths stay', async (t) => {
  const rows: [string, string][] = [
    ['Authorization: Digest response="abc", nc=1\r\n', 'Authorization: Digest response="***", nc=1\r\n'],
    ['aUTHORIZATION : digest RESPONSE = "abc"\r\n', 'aUTHORIZATION : digest RESPONSE = "***"\r\n'],
    ['Proxy-Authorization: Digest a=b,response=abc,c=d\r\n', 'Proxy-Authorization: Digest a=b,response=***,c=d\r\n'],
    [
      'Authorization: Digest a="b",\r\n response="ab"\r\nTo: x',
      'Authorization: Digest a="b",\r\n response="**"\r\nTo: x',
    ],
    ['Authorization:\r\n\tDigest response=\r\n "ab"\r\n', 'Authorization:\r\n\tDigest response=\r\n "**"\r\n'],
    ['Authorization: Digest response="a\\"b"\r\n', 'Authorization: Digest response="****"\r\n'],
    ['Authorization: Digest response="ab\r\n', 'Authorization: Digest response="**\r\n'],
    ['Authorization: Basic dTpw\r\nTo: x', 'Authorization: Basic ****\r\nTo: x'],
    ['Authorization: Bearer a.b\r\n c\r\nTo: x', 'Authorization: Bearer ***\r\n *\r\nTo: x'],
    ['Authorization: secret\r\n', 'Authorization: ******\r\n'],
    ['Authentication-Info: qop=auth, rspauth="ab"\r\n', 'Authentication-Info: qop=auth, rspauth="**"\r\n'],
    ['Proxy-Authentication-Info: rspauth=ab\r\n', 'Proxy-Authentication-Info: rspauth=**\r\n'],
    ['Authorization: Digest response="ab"\n', 'Authorization: Digest response="**"\n'],
    [
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:ab+/=|2^20|1:4;inline:cd KDR=1\r\n',
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:*****|2^20|1:4;inline:** KDR=1\r\n',
    ],
    ['A=CRYPTO:1 F8 INLINE:ab\r\na=x:1', 'A=CRYPTO:1 F8 INLINE:**\r\na=x:1'],
    ['a=key-mgmt:mikey AQAF+g=\r\na=x:1', 'a=key-mgmt:mikey *******\r\na=x:1'],
    ['k=clear:ab cd\r\na=x:1', 'k=clear:** **\r\na=x:1'],
    ['To: <sip:alice:secret@h:5060>;tag=1', 'To: <sip:alice:******@h:5060>;tag=1'],
    ['Contact: sips:a:s:t;u?v@[::1]:5061;lr', 'Contact: sips:a:*******@[::1]:5061;lr'],
    ['Call-Info: <https://u:pw@h:80/sip:1@>', 'Call-Info: <https://u:**@h:80/sip:1@>'],
    ['Refer-To: <sip:b@h?Contact=%3Csip%3Aa%3apw%40h%3E>', 'Refer-To: <sip:b@h?Contact=%3Csip%3Aa%3a**%40h%3E>'],
    [
      'Refer-To: <sip:b@h?Authorization=Digest%20a&Subject=x&proxy-authorization=ab>',
      'Refer-To: <sip:b@h?Authorization=**********&Subject=x&proxy-authorization=**>',
    ],
    ['Contact: <sip:h:5060>, <sip:a%3Ab@h:5060>', 'Contact: <sip:h:5060>, <sip:a%3Ab@h:5060>'],
    ['Call-ID: 1:2:3@h\r\nX: sip:[::1]:5060', 'Call-ID: 1:2:3@h\r\nX: sip:[::1]:5060'],
    ['X: response="ab"\r\nSubject: rspauth="x"', 'X: response="ab"\r\nSubject: rspauth="x"'],
    ['WWW-Authenticate: Digest nonce="n"\r\n', 'WWW-Authenticate: Digest nonce="n"\r\n'],
  ];
  for (const [line, expected] of rows) {
    const text = `REGISTER sip:a SIP/2.0\r\n${line}`;
    t.equal(maskCredentials(text), `REGISTER sip:a SIP/2.0\r\n${expected}`, JSON.stringify(line));
    t.equal(maskCredentials(text).length, text.length);
  }
  const hostile = ['response="\\', 'sip:a:', '://a:', 'sip%3a', '?Authorization=', '\nk=', ':a'];
  for (const piece of hostile) {
    const filled = (share: number): string => `Authorization: Digest ${piece.repeat(6000 * share)}`;
    t.equal(maskCredentials(filled(1)).length, filled(1).length);
    const times = growth((share) => maskCredentials(filled(share)));
    t.ok(times <= LINEAR, `four times as many of ${piece} take ${times.toFixed(1)} times the CPU`);
  }
});
