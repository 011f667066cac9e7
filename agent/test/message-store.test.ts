/** What is kept of messages: all comes back as it was, whoever takes when; and never a secret. */

import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { EndpointTraffic, SipCounts } from '../capture/endpoint-traffic.ts';
import { maskCredentials } from '../capture/mask.ts';
import { MessageStore, NO_RECORD } from '../capture/message-store.ts';
import type { Traffic } from '../sip/engine.ts';

const latin1 = (maxLength: number) =>
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength });
const traffic = fc.record<Traffic>({
  direction: fc.constantFrom('SENT', 'RECEIVED'),
  atMs: fc.double({ noNaN: true }),
  method: fc.constantFrom('INVITE', 'ACK', 'BYE', 'REGISTER', 'YODEL'),
  status: fc.constantFrom(0, 100, 180, 200, 699),
  reason: fc.constant(''),
  retransmission: fc.boolean(),
  callId: fc.oneof(latin1(60), fc.constant('one@a')).filter((id) => id !== ''),
  transport: fc.constantFrom('UDP', 'TCP', 'TLS', 'WS', 'WSS'),
  localPort: fc.integer({ min: 0, max: 65_535 }),
  peerAddress: fc.constantFrom('127.0.0.1', '2001:db8::1'),
  peerPort: fc.integer({ min: 0, max: 65_535 }),
  // Larger than what the store sets aside at a time, too.
  text: fc.oneof({ weight: 20, arbitrary: latin1(2000) }, { arbitrary: fc.constant('x'.repeat(300_000)), weight: 1 }),
});
const ENDPOINTS = 5;
const step = fc.record({ endpoint: fc.nat(ENDPOINTS - 1), message: fc.option(traffic, { freq: 3 }) });

t.test('messages come back as they were, in their order, whoever takes when', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const store = new MessageStore();
      const kept: Traffic[][] = Array.from({ length: ENDPOINTS }, () => []);
      const first = new Array<number>(ENDPOINTS).fill(NO_RECORD);
      const last = new Array<number>(ENDPOINTS).fill(NO_RECORD);
      const take = (endpoint: number): void => {
        const messages = kept[endpoint]!;
        if (messages.length === 0) return;
        const run = store.take(first[endpoint]!);
        first[endpoint] = NO_RECORD;
        last[endpoint] = NO_RECORD;
        t.same(
          run,
          {
            text: messages.map((m) => m.text).join(''),
            atMs: messages.map((m) => m.atMs),
            sent: messages.map((m) => m.direction === 'SENT'),
            length: messages.map((m) => m.text.length),
            method: messages.map((m) => (m.method === 'YODEL' ? 'OTHER' : m.method)),
            status: messages.map((m) => m.status),
            retransmission: messages.map((m) => m.retransmission),
            peer: messages.map((m) =>
              m.peerAddress === '127.0.0.1' ? `127.0.0.1:${m.peerPort}` : `[2001:db8::1]:${m.peerPort}`,
            ),
            callId: messages.map((m) => m.callId),
            transport: messages.map((m) => m.transport),
            localPort: messages.map((m) => m.localPort),
          },
          'what was kept',
        );
        kept[endpoint] = [];
      };
      for (const { endpoint, message } of steps) {
        if (message === null) {
          take(endpoint);
          continue;
        }
        const before = kept[endpoint]!.at(-1);
        const callId = before?.callId === message.callId ? '' : message.callId;
        const peerAddress = before?.peerAddress === message.peerAddress ? '' : message.peerAddress;
        last[endpoint] = store.add(last[endpoint]!, message, message.text, callId, peerAddress);
        if (first[endpoint] === NO_RECORD) first[endpoint] = last[endpoint]!;
        kept[endpoint]!.push(message);
        if (store.atMs(first[endpoint]!) !== kept[endpoint]![0]!.atMs) throw new Error('not the oldest');
      }
      const held = kept.reduce((sum, messages) => sum + messages.length, 0);
      if (store.size !== held) throw new Error(`${store.size} records of ${held} messages`);
      for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) take(endpoint);
      if (store.size !== 0) throw new Error(`${store.size} records are left`);
    }),
    { numRuns: 60 },
  );
});

t.test('memory is used again, and given back', async (t) => {
  const store = new MessageStore();
  const message = fc.sample(traffic, 1)[0]!;
  for (let round = 0; round < 3; round++) {
    let last = store.add(NO_RECORD, message, 'x'.repeat(1000), 'c', '::1');
    const first = last;
    for (let i = 1; i < 20_000; i++) last = store.add(last, message, 'x'.repeat(1000), '', '');
    t.ok(store.bytes < 22 * 2 ** 20, `${store.bytes} bytes for 20 MB`);
    store.take(first);
    t.equal(store.size, 0);
    t.ok(store.bytes < 5 * 2 ** 20, `${store.bytes} bytes for nothing`);
  }
});

const SECRET = 'S3cr3tS3cr3tS3cr3t';
const letterCase = (word: string) =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => [...word].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter.toLowerCase())).join(''));
const space = fc.constantFrom('', ' ', '  ', '\t', '\r\n ', '\r\n\t', '\n ');
const blank = fc.constantFrom(' ', '  ', '\t', '\r\n ', '\n\t');
const credentials = fc
  .record({
    name: fc.constantFrom('Authorization', 'Proxy-Authorization').chain(letterCase),
    colon: fc.constantFrom(':', ' :', '\t:'),
    at: space,
    scheme: letterCase('digest'),
    between: blank,
    before: fc.constantFrom('', 'username="u", ', 'realm="a\\"b",', 'nc=00000001,\r\n '),
    response: letterCase('response'),
    equals: fc.tuple(space, space).map(([a, b]) => `${a}=${b}`),
    quoted: fc.boolean(),
    behind: fc.constantFrom('', ', nonce="n"', ',\r\n opaque="o"'),
  })
  .map((c) => {
    const secret = c.quoted ? `"${SECRET}"` : SECRET;
    return `${c.name}${c.colon}${c.at}${c.scheme}${c.between}${c.before}${c.response}${c.equals}${secret}${c.behind}`;
  });
const others = fc
  .tuple(
    fc.constantFrom('Authorization', 'Proxy-Authorization').chain(letterCase),
    fc.constantFrom('Basic', 'Bearer', 'AWS4'),
    blank,
  )
  .map(([name, scheme, between]) => `${name}: ${scheme}${between}${SECRET}`);
const infos = fc
  .tuple(fc.constantFrom('Authentication-Info', 'Proxy-Authentication-Info').chain(letterCase), letterCase('rspauth'))
  .map(([name, parameter]) => `${name}: qop=auth, ${parameter}="${SECRET}"`);
const keys = fc
  .tuple(letterCase('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:'), fc.constantFrom('', '|2^20', '|2^20|1:4'))
  .map(([head, tail]) => `${head}${SECRET}${tail}`);
const managed = fc.constantFrom('a=key-mgmt:mikey ', 'k=clear:', 'k=base64:').map((head) => head + SECRET);
const passwords = fc
  .tuple(
    fc.constantFrom('To: ', 'Contact: <', 'X:a,', 'Authorization: Digest uri="'),
    letterCase('sip').chain((scheme) => fc.constantFrom(`${scheme}:`, `${scheme}s:`)),
    fc.constantFrom('alice', '', 'a%40b', '+1;x=2'),
    fc.constantFrom('', 'a:', '%3A', '?', ';'),
    fc.constantFrom('h', '[::1]:5060', 'h;lr?a=b'),
  )
  .map(([head, scheme, user, before, host]) => `${head}${scheme}${user}:${before}${SECRET}@${host}>`);
const asked = fc
  .tuple(letterCase('Authorization'), fc.constantFrom('?', '?Subject=a&'), fc.constantFrom('', 'Proxy-'))
  .map(([name, before, proxy]) => `Refer-To: <sip:a@b${before}${proxy}${name}=Digest%20response%3D${SECRET}>`);
const harmless = fc.constantFrom(
  'To: <sip:a@b>',
  'Allow: INVITE',
  'Subject: authorization',
  'P-Asserted-Identity: <sip:a@b>',
  'Via: a',
  '',
);

t.test('no secret stands in what is read out, however it was written', async (t) => {
  const lines = fc.array(fc.oneof(credentials, others, infos, keys, managed, passwords, asked, harmless), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(lines, fc.constantFrom('\r\n', '\n'), (list, end) => {
      const text = `REGISTER sip:a SIP/2.0${end}${list.join(end)}${end}${end}`;
      const masked = maskCredentials(text);
      if (masked.includes(SECRET)) throw new Error(`a secret is left: ${JSON.stringify(masked)}`);
      if (masked.length !== text.length) throw new Error('another length');
      const endpoint = new EndpointTraffic(0, new SipCounts(), { keepMessages: true, keepBodies: true });
      endpoint.onMessage({ ...fc.sample(traffic, { numRuns: 1, seed: 1 })[0]!, text });
      const run = endpoint.take();
      if (run?.text !== masked) throw new Error('kept as something else');
    }),
    { numRuns: 2000 },
  );
  t.pass('2,000 messages');
});
