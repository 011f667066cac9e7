/**
 * The message store: all messages come back unchanged, whenever they are taken, and never with a secret, whichever other
 * messages share the block.
 */

import { zstdDecompressSync } from 'node:zlib';
import { wire } from '@carillon/proto';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { encodedMessages } from '../run/report/encode-messages.ts';
import type { Traffic } from '../sip/engine.ts';
import { boundedText, MAX_IDENTIFIER } from './bounded-text.ts';
import { EndpointTraffic, SipCounts } from './endpoint-traffic.ts';
import { maskCredentials } from './mask.ts';
import { type KeptMessage, memoryOf, messagesOf } from './message-block.ts';
import { MessageStore } from './message-store.ts';

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
  // Also larger than the block that the store allocates at a time.
  text: fc.oneof({ weight: 20, arbitrary: latin1(2000) }, { arbitrary: fc.constant('x'.repeat(300_000)), weight: 1 }),
});
const ENDPOINTS = 5;
const KEEP = { keepMessages: true, keepBodies: true };
/** A message of an endpoint; null: stored messages are taken, all of them or the complete blocks. */
const step = fc.record({
  endpoint: fc.nat(ENDPOINTS - 1),
  message: fc.option(traffic, { freq: 3 }),
  all: fc.boolean(),
});
const share = () => {
  const store = new MessageStore('192.0.2.1');
  const counts = new SipCounts();
  return { store, endpoints: Array.from({ length: ENDPOINTS }, (_, i) => new EndpointTraffic(i, counts, store, KEEP)) };
};

t.test('messages come back as they were, in their order, at any pace of the readers', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { store, endpoints } = share();
      const kept: object[] = [];
      const back: object[] = [];
      const numbers = new Array<number>(ENDPOINTS).fill(0);
      const take = (all: boolean): void => {
        for (const block of store.take(all)) {
          if (block.localAddress !== '192.0.2.1') throw new Error('another address');
          // As it is passed to another thread.
          const there = structuredClone(block, { transfer: memoryOf(block) });
          back.push(...messagesOf(there).map(({ text, ...m }) => ({ ...m, text: text.toString('latin1') })));
        }
      };
      for (const { endpoint, message, all } of steps) {
        if (message === null) {
          take(all);
          if (all && (back.length !== kept.length || !Number.isNaN(store.sinceMs)))
            throw new Error('something is left');
          continue;
        }
        (endpoints[endpoint] as EndpointTraffic).onMessage(message);
        const { direction, method, peerAddress, peerPort, reason: _, ...same } = message;
        kept.push({
          ...same,
          endpoint,
          number: numbers[endpoint],
          caller: endpoint,
          callId: boundedText(message.callId, MAX_IDENTIFIER),
          sent: direction === 'SENT',
          method: method === 'YODEL' ? 'OTHER' : method,
          peer: peerAddress === '127.0.0.1' ? `127.0.0.1:${peerPort}` : `[2001:db8::1]:${peerPort}`,
        });
        numbers[endpoint] = (numbers[endpoint] as number) + 1;
        if (!Object.is(store.sinceMs, (kept[back.length] as { atMs: number }).atMs)) throw new Error('not the oldest');
      }
      take(true);
      t.same(back, kept, 'what was kept');
    }),
    { numRuns: 60 },
  );
});

t.test('the caller is known from the INVITE that names it, and from all later messages', async (t) => {
  const { store, endpoints } = share();
  const [, callee] = endpoints as [EndpointTraffic, EndpointTraffic];
  const message = fc.sample(traffic, { numRuns: 1, seed: 1 })[0] as Traffic;
  callee.onMessage({ ...message, method: 'REGISTER' });
  callee.onMessage({ ...message, method: 'INVITE' });
  callee.caller = 4;
  callee.onMessage({ ...message, method: 'ACK' });
  t.same(
    store
      .take(true)
      .flatMap(messagesOf)
      .map((m) => [m.method, m.endpoint, m.caller]),
    [
      ['REGISTER', 1, 1],
      ['INVITE', 1, 4],
      ['ACK', 1, 4],
    ],
  );
  callee.caller = null;
  callee.onMessage(message);
  t.equal(store.take(true).flatMap(messagesOf)[0]?.caller, 1, 'nobody of this run');
});

type Block = NonNullable<ReturnType<typeof encodedMessages>['messageBlocks']>[number];
/** Of a block in wire format (facts.proto): the test reads the bytes, where defaults are omitted. */
function read(sent: Block) {
  const b = wire.agent.v1.MessageBlock.decode(wire.agent.v1.MessageBlock.encode(sent).finish());
  const text = zstdDecompressSync(b.text).toString('latin1');
  let end = 0;
  return b.length.map((bytes, i) => {
    end += bytes;
    const of = (column: readonly number[]): number => column[i] as number;
    return {
      endpoint: of(b.endpoint),
      number: of(b.number),
      text: text.slice(end - bytes, end),
      atMs: of(b.atMs),
      sent: of(b.kind) % 2 === 1,
      retransmission: (of(b.kind) >> 1) % 2 === 1,
      status: of(b.kind) >> 2,
      method: b.words[of(b.method)],
      callId: b.words[of(b.callId)],
      peer: b.words[of(b.peer)],
      transport: ['UDP', 'TCP', 'TLS', 'WS', 'WSS'][of(b.transport)],
      localPort: of(b.localPort),
      localAddress: b.localAddress,
    };
  });
}
const storedOf = ({ caller: _, text, atMs, ...m }: KeptMessage) => ({
  ...m,
  text: text.toString('latin1'),
  atMs: Math.fround(atMs - 1000),
  localAddress: '192.0.2.1',
});

t.test('what leaves the thread goes to the wire: in blocks, and by endpoint to older control planes', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 100 }), (steps) => {
      const { store, endpoints } = share();
      for (const { endpoint, message } of steps)
        if (message) (endpoints[endpoint] as EndpointTraffic).onMessage(message);
      // As a message between threads.
      const blocks = structuredClone(store.take(true));
      const kept = blocks.flatMap(messagesOf);
      const { messageBlocks = [], messages: none } = encodedMessages(blocks, 1000, true);
      t.notOk(none);
      t.same(messageBlocks.flatMap(read), kept.map(storedOf));
      t.equal(messageBlocks.length, blocks.length);
      const { messages: chunks = [], messageBlocks: neither } = encodedMessages(blocks, 1000, false);
      t.notOk(neither);
      for (const chunk of chunks) {
        const own = kept.filter((m) => m.endpoint === chunk.endpoint);
        const column = <K extends keyof KeptMessage>(name: K) => own.map((m) => m[name]);
        t.same(
          { ...chunk, text: zstdDecompressSync(chunk.text as Uint8Array).toString('latin1') },
          {
            endpoint: own[0]?.endpoint,
            first: 0,
            text: own.map((m) => m.text.toString('latin1')).join(''),
            atMs: own.map((m) => m.atMs - 1000),
            sent: column('sent'),
            length: own.map((m) => m.text.length),
            method: column('method'),
            status: column('status'),
            retransmission: column('retransmission'),
            peer: column('peer'),
            callId: column('callId'),
            localAddress: '192.0.2.1',
            transport: column('transport'),
            localPort: column('localPort'),
          },
        );
      }
      t.equal(chunks.length, new Set(kept.map((m) => m.endpoint)).size);
    }),
    { numRuns: 30 },
  );
});

t.test('bodies that may not be kept are not', async (t) => {
  const store = new MessageStore();
  const endpoint = new EndpointTraffic(0, new SipCounts(), store, { keepMessages: true, keepBodies: false });
  const message = fc.sample(traffic, { numRuns: 1, seed: 1 })[0] as Traffic;
  for (const text of ['A\r\nB: c\r\n\r\nbody', 'A\r\n\r\n', 'no end']) endpoint.onMessage({ ...message, text });
  const kept = store
    .take(true)
    .flatMap(messagesOf)
    .map((m) => m.text.toString('latin1'));
  t.same(kept, ['A\r\nB: c\r\n\r\n', 'A\r\n\r\n', 'no end']);
});

t.test('memory is used again, and given back', async (t) => {
  const { store, endpoints } = share();
  const message = { ...(fc.sample(traffic, 1)[0] as Traffic), text: 'x'.repeat(1000) };
  for (let round = 0; round < 3; round++) {
    // An endpoint keeps 500.
    for (let i = 0; i < 600; i++) for (const endpoint of endpoints) endpoint.onMessage(message);
    t.ok(store.bytes < 2.7 * 2 ** 20, `${store.bytes} bytes for 2.5 MB`);
    const taken = store.take(true);
    t.equal(
      taken.reduce((sum, { atMs }) => sum + atMs.length, 0),
      round === 0 ? 500 * ENDPOINTS : 0,
    );
    t.ok(store.bytes <= 64 * 1024, `${store.bytes} bytes for nothing`);
  }
  new EndpointTraffic(9, new SipCounts(), store, KEEP).onMessage({ ...message, text: 'x'.repeat(300_000) });
  store.take(true);
  t.ok(store.bytes <= 64 * 1024, 'what a large message took is given back');
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
const selections = fc
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
  const lines = fc.array(fc.oneof(credentials, others, infos, keys, managed, passwords, selections, harmless), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(lines, fc.constantFrom('\r\n', '\n'), (list, end) => {
      const text = `REGISTER sip:a SIP/2.0${end}${list.join(end)}${end}${end}`;
      const masked = maskCredentials(text);
      if (masked.includes(SECRET)) throw new Error(`a secret is left: ${JSON.stringify(masked)}`);
      if (masked.length !== text.length) throw new Error('another length');
      const before = 'OPTIONS sip:a:b@c';
      const { store, endpoints } = share();
      for (const one of [before, text, before])
        (endpoints[0] as EndpointTraffic).onMessage({
          ...(fc.sample(traffic, { numRuns: 1, seed: 1 })[0] as Traffic),
          text: one,
        });
      const kept = store
        .take(true)
        .flatMap(messagesOf)
        .map((m) => m.text.toString('latin1'));
      if (kept[1] !== masked) throw new Error('kept as something else');
      if (kept[0] !== 'OPTIONS sip:a:*@c' || kept[2] !== kept[0]) throw new Error('its neighbours are something else');
    }),
    { numRuns: 2000 },
  );
  t.pass('2,000 messages');
});
