/** Content-Length at real ports, by UDP, TCP and TLS: missing, negative, oversized, contradictory (RFC 3261, 18.3; RFC 4475, 3.1.2.2 and 3.1.2.3). */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import t from 'tap';
import { agentOf, closeSides, side, turnUntil } from '../testing/sip/sides.ts';

t.teardown(closeSides);

const victim = await side();
agentOf(victim, 'bob');
const { port } = victim.engine.local;
const tls = await victim.engine.listenTls();

type Hop = 'UDP' | 'TCP' | 'TLS';
let requests = 0;

/** An OPTIONS with this Content-Length line, and this body. */
const options = (hop: Hop, line: string, body = ''): string =>
  [
    'OPTIONS sip:bob@carillon.test SIP/2.0',
    `Via: SIP/2.0/${hop} 127.0.0.1:9;rport;branch=z9hG4bK${requests}`,
    'Max-Forwards: 70',
    'From: <sip:a@carillon.test>;tag=1',
    'To: <sip:bob@carillon.test>',
    `Call-ID: length-${requests++}`,
    'CSeq: 1 OPTIONS',
    ...(line === '' ? [] : [line]),
    '',
    body,
  ].join('\r\n');

/** The bytes that arrive on a separate connection until the engine closes it or has answered `answers` times. */
async function overStream(hop: 'TCP' | 'TLS', text: string, answers: number) {
  const socket =
    hop === 'TCP'
      ? connect(port, '127.0.0.1')
      : connectTls({ port: tls.port, host: '127.0.0.1', rejectUnauthorized: false });
  let heard = '';
  let isClosed = false;
  socket.on('data', (data) => {
    heard += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('end', () => {
    isClosed = true;
  });
  socket.write(text);
  const statuses = (): string[] => heard.match(/^SIP\/2\.0 .*(?=\r)/gm) ?? [];
  await turnUntil(() => isClosed || (answers > 0 && statuses().length >= answers), [victim]);
  socket.destroy();
  return { statuses: statuses(), isClosed };
}

const FAULTS: [line: string, body: string, says: RegExp | null][] = [
  ['', '', /^SIP\/2\.0 400 .*no Content-Length/],
  ['Content-Length: -5', '', /^SIP\/2\.0 400 .*not a number/],
  ['Content-Length: 0x10', '', /^SIP\/2\.0 400 .*not a number/],
  ['Content-Length: 18446744073709551621', '', /^SIP\/2\.0 400 .*body of more/],
  ['Content-Length: 4294967301', 'hello', /^SIP\/2\.0 400 .*body of more/],
  ['Content-Length: 5\r\nContent-Length: 4', 'hello', /^SIP\/2\.0 400 /],
];

for (const hop of ['TCP', 'TLS'] as const) {
  t.test(`${hop}: a length that says nothing is answered, and the connection closed`, async (t) => {
    for (const [line, body, says] of FAULTS) {
      const { statuses, isClosed } = await overStream(hop, options(hop, line, body) + options(hop, 'l: 0'), 0);
      t.ok(isClosed, `closed: ${line}`);
      t.equal(statuses.length, 1, 'what follows it is not read: its beginning is unknown');
      t.match(statuses[0], says);
    }
    const behind = options(hop, 'Content-Length: 5', 'hello') + options(hop, 'l: 0');
    const good = await overStream(hop, behind, 2);
    t.same([good.isClosed, ...good.statuses.map((line) => line.slice(0, 11))], [false, 'SIP/2.0 200', 'SIP/2.0 200']);
    t.same(victim.errors, []);
  });
}

t.test('UDP: without a length the datagram ends the body; one that promises more than there is gets 400', async (t) => {
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  let heard = '';
  socket.on('message', (data) => {
    heard = data.toString('latin1');
  });
  const cases: [line: string, body: string, says: RegExp][] = [
    ['', '', /^SIP\/2\.0 200 /],
    ['Content-Length: 2', 'hello', /^SIP\/2\.0 200 /],
    ['Content-Length: 6', 'hello', /^SIP\/2\.0 400 .*shorter than Content-Length/],
    ['Content-Length: -5', 'hello', /^SIP\/2\.0 400 .*not a number/],
    ['Content-Length: 4294967301', 'hello', /^SIP\/2\.0 400 .*shorter than Content-Length/],
    ['Content-Length: 5\r\nContent-Length: 4', 'hello', /^SIP\/2\.0 400 .*occurs twice/],
  ];
  for (const [line, body, says] of cases) {
    heard = '';
    socket.send(options('UDP', line, body), port, '127.0.0.1');
    await turnUntil(() => heard !== '', [victim]);
    t.match(heard, says, line);
  }
  t.same(victim.errors, []);
});
