/** Message framing in streams: the same messages however the stream is cut, and what must end a stream. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { Framer, MAX_BODY_BYTES, MAX_HEADER_BYTES } from './framer.ts';

type Heard = { messages: string[]; pings: number; faults: string[]; heads: string[]; pending: number };

function read(chunks: readonly string[]): Heard {
  const heard: Heard = { messages: [], pings: 0, faults: [], heads: [], pending: 0 };
  const framer = new Framer({
    onMessage: (text) => heard.messages.push(text),
    onPing: () => heard.pings++,
    onFault: (reason, head) => {
      heard.faults.push(reason);
      heard.heads.push(head);
    },
  });
  for (const chunk of chunks) framer.push(chunk);
  heard.pending = framer.pendingBytes;
  return heard;
}

function cut(text: string, at: readonly number[]): string[] {
  const places = [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const line = fc.constantFrom(
  'Via: SIP/2.0/TCP a',
  'Call-ID: 1',
  'c: application/sdp',
  'Contact: <sip:a@b>',
  'X: y\r\n\tz',
  'Cseq: 1 INVITE',
);
const name = fc.constantFrom('Content-Length', 'l', 'L', 'content-length ', 'CONTENT-LENGTH');
const message = fc
  .record({
    lines: fc.array(line, { maxLength: 6 }),
    name,
    body: fc.string({ unit: byte, maxLength: 60 }),
    at: fc.nat(6),
  })
  .map(({ lines, name, body, at }) => {
    const length = `${name}: ${body.length}`;
    return `${['INVITE sip:a@b SIP/2.0', ...lines.slice(0, at), length, ...lines.slice(at)].join('\r\n')}\r\n\r\n${body}`;
  });
const cuts = fc.array(fc.nat(4000), { maxLength: 40 });

t.test('any cutting of any stream of messages gives the same messages', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('', '\r\n', '\r\n\r\n'), message), { maxLength: 5 }),
      cuts,
      (parts, at) => {
        const stream = parts.flat().join('');
        const heard = read(cut(stream, at));
        const whole = parts.map(([, text]) => text);
        return (
          heard.messages.join('|') === whole.join('|') &&
          heard.messages.length === whole.length &&
          heard.faults.length === 0 &&
          heard.pending === 0
        );
      },
    ),
    { numRuns: 2000 },
  );
  t.end();
});

t.test('any cutting of anything at all gives the same: messages, pings, faults', (t) => {
  const piece = fc.oneof(
    message,
    fc.string({ unit: byte, maxLength: 30 }),
    fc.constantFrom('\r\n', '\n', '\r', 'l: -1\r\n', 'l: 3\r\n', 'l: 4\r\n\r\nabcd'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), cuts, (pieces, at) => {
      const stream = pieces.join('');
      const [whole, parts] = [read([stream]), read(cut(stream, at))];
      return JSON.stringify(whole) === JSON.stringify(parts);
    }),
    { numRuns: 3000 },
  );
  t.end();
});

const head = (...lines: string[]): string => `OPTIONS sip:a@b SIP/2.0\r\n${lines.map((l) => `${l}\r\n`).join('')}\r\n`;

t.test('what ends a stream', (t) => {
  const cases: [text: string, reason: RegExp][] = [
    [head('Call-ID: 1'), /no Content-Length/],
    [head('Content-Length: -1'), /not a number/],
    [head('Content-Length: 1e3'), /not a number/],
    [head('Content-Length:'), /not a number/],
    [head('l: 99999999999999999999999999'), /body of more/],
    [head(`l: ${MAX_BODY_BYTES + 1}`), /body of more/],
    [head('l: 3', 'Content-Length: 4'), /two different/],
    [head('l: 1\r\n 0'), /several lines/],
    [`OPTIONS ${'x'.repeat(MAX_HEADER_BYTES)}`, /bytes of headers/],
    [`OPTIONS sip:a@b SIP/2.0\r\n${'X: y\r\n'.repeat(MAX_HEADER_BYTES / 6)}X`, /bytes of headers/],
  ];
  for (const [text, reason] of cases) {
    const heard = read([text, head('l: 0')]);
    t.match(heard.faults, [reason], text.slice(0, 60));
    t.same(heard.messages, [], 'nothing after it is read');
    t.equal(heard.pending, 0, 'nothing is kept');
  }
  t.match(read([head('Call-ID: 1')]).heads, [/Call-ID: 1/], 'what can be answered is handed on');
  t.end();
});

t.test('what does not', (t) => {
  t.equal(read([head('l: 0', 'Content-Length: 0')]).messages.length, 1, 'the parser answers the repetition with 400');
  t.equal(read([head(`l: ${MAX_BODY_BYTES}`) + 'x'.repeat(MAX_BODY_BYTES)]).messages.length, 1);
  t.equal(read(['OPTIONS sip:a@b SIP/2.0\nl: 2\n\nab']).messages.length, 1, 'line feeds only');
  t.end();
});

t.test('pings are two line ends between messages', (t) => {
  t.equal(read(['\r\n\r\n']).pings, 1);
  t.equal(read([...'\r\n\r\n\r\n\r\n']).pings, 2);
  t.equal(read(['\r\n']).pings, 0, 'a pong');
  t.equal(read([`\r\n\r\n${head('l: 0')}\r\n\r\n`]).pings, 2);
  t.end();
});

t.test('a message byte by byte takes time in proportion', (t) => {
  const text =
    head(...Array.from({ length: 400 }, (_, i) => `X-${i}: ${'v'.repeat(100)}`), 'l: 20000') + 'b'.repeat(20_000);
  t.equal(read([...text]).messages.length, 1);
  t.end();
});
