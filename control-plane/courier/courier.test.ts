/** Requests that leave the control plane: bounded, only to public addresses, to the address that was checked. Real servers on loopback. */
import type { lookup as systemLookup } from 'node:dns';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { type PostOptions, post, refusal } from './post.ts';
import { isPublic } from './public-address.ts';

const OPEN: PostOptions = { allowPrivate: true, allowHttp: true };
const request = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' });

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers these addresses in turn, then always the last one; counts the requests. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const lookup = ((name: string, _options: object, callback: (e: null, found: object[]) => void) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] as string[];
    asked.push(name);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as typeof systemLookup;
  return { asked, lookup };
}

const read = async (incoming: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return text;
};

let hits = 0;
const heard: { headers: IncomingMessage['headers']; body: string; method: string | undefined }[] = [];
const polite = await receiver(async (incoming, response) => {
  heard.push({ headers: incoming.headers, body: await read(incoming), method: incoming.method });
  response.writeHead(202, { 'retry-after': '7' }).end('thank you');
});
const inner = await receiver((_, response) => {
  hits++;
  response.end('the inside');
});
const redirecting = await receiver((_, response) => response.writeHead(307, { location: inner }).end());
const hanging = await receiver(() => undefined);
const endless = await receiver((_, response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'x');
  const pump = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pump);
  pump();
});
const dripping = await receiver((_, response) => {
  response.writeHead(503).write('wait');
});
const cut = createTcpServer((socket: Socket) => socket.once('data', () => socket.destroy()));
await new Promise<void>((done) => cut.listen(0, '127.0.0.1', done));
t.teardown(() => cut.close());
const cutUrl = `http://127.0.0.1:${(cut.address() as AddressInfo).port}`;
const port = (url: string) => new URL(url).port;

t.test('which addresses are the public’s', async (t) => {
  const refused = [
    '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255',
    '192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255',
    ':: ::1 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::a00:1 64:ff9b:1::1 100::1 fc00::1 fd00:ec2::254',
    'fe80::1 fe80::1%lo fec0::1 ff02::1 2001:db8::1 2001::1 2001:10::1 2002:7f00:1:: 2002:a00:1:: 3fff::1 4000::1',
  ];
  for (const address of refused.join(' ').split(' ')) t.notOk(isPublic(address), address);
  const open = '1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1 223.255.255.255';
  for (const address of `${open} 2606:4700:4700::1111 2001:4860:4860::8888 ::ffff:8.8.8.8`.split(' ')) {
    t.ok(isPublic(address), address);
  }
  const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join('.'));
  fc.assert(fc.property(v4, (address) => isPublic(address) === isPublic(`::ffff:${address}`)));
});

t.test('a post arrives, its answer is kept', async (t) => {
  const posted = await post(request(polite), OPEN);
  t.match(posted, { status: 202, error: null, answer: 'thank you', retryAfterSeconds: 7 });
  t.ok(posted.durationMs > 0);
  t.match(heard, [{ method: 'POST', body: '{"a":"ü"}', headers: { 'content-type': 'application/json' } }]);
});

t.test('private addresses are refused before anything is sent, however they are written', async (t) => {
  const strict = { ...OPEN, allowPrivate: false };
  const p = port(inner);
  const before = hits;
  const literals = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ];
  for (const host of [...literals, '169.254.169.254', '[fd00:ec2::254]']) {
    const url = `http://${host}:${p}/`;
    t.match(refusal(url, strict), /is not a public address/, host);
    t.match(await post(request(url), strict), { status: null, error: /is not a public address/ }, host);
  }
  t.match(await post(request(`http://localhost:${p}/`), strict), { status: null, error: /no public address/ });
  const { lookup } = resolver(['127.0.0.1', '::ffff:10.0.0.1', 'fe80::1']);
  const told = await post(request(`http://hooks.example:${p}/secret-path`), { ...strict, lookup });
  t.match(told, {
    status: null,
    error: /hooks\.example has no public address/,
  });
  t.notMatch(told.error, /secret-path|127\.0|10\.0|fe80/);
  t.equal(hits, before, 'nobody was asked');
});

t.test('a name that is public when asked and private when connected is connected as it was asked', async (t) => {
  const before = hits;
  const { asked, lookup } = resolver(['192.0.2.1', '8.8.8.8'], ['127.0.0.1']);
  const posted = await post(request(`http://rebinding.example:${port(inner)}/`), {
    allowHttp: true,
    allowPrivate: false,
    lookup,
    timeoutMs: 300,
  });
  t.equal(asked.length, 1, 'one question, whose answer was judged and used');
  t.equal(posted.status, null);
  t.notMatch(posted.error, /127\.0\.0\.1/);
  t.equal(hits, before, 'the inside was never asked');
  const both = resolver(['127.0.0.1']);
  t.match(await post(request(`http://inside.example:${port(inner)}/`), { ...OPEN, lookup: both.lookup }), {
    status: 200,
  });
  t.equal(hits, before + 1, 'it would have answered, where the installation allows it');
});

t.test('redirects are not followed', async (t) => {
  const before = hits;
  t.match(await post(request(redirecting), OPEN), { status: 307, error: null });
  t.equal(hits, before);
});

t.test('time and size are bounded', async (t) => {
  t.match(await post(request(hanging), { ...OPEN, timeoutMs: 200 }), {
    status: null,
    error: /No answer within 0\.2 s/,
  });
  const long = await post(request(endless), OPEN);
  t.match(long, { status: 200 });
  t.equal(long.answer?.length, 1024);
  // On a stalled machine the status may come later than that.
  let late = await post(request(dripping), { ...OPEN, timeoutMs: 250 });
  for (let timeoutMs = 500; late.status === null && timeoutMs <= 32_000; timeoutMs *= 2)
    late = await post(request(dripping), { ...OPEN, timeoutMs });
  t.match(late, { status: 503 }, 'the status came, the end did not');
});

t.test('what fails is said, without the path', async (t) => {
  t.match(await post(request(cutUrl), OPEN), { status: null, error: /./ });
  const closed = await post(request('http://127.0.0.1:1/T000/secret'), OPEN);
  t.match(closed, { status: null, error: /ECONNREFUSED/ });
  t.notMatch(closed.error, /secret|127\.0/);
  t.match(await post(request('http://127.0.0.1/'), { allowPrivate: true, allowHttp: false }), { error: /https/ });
  t.match(await post(request(polite.replace('http:', 'https:')), OPEN), { status: null, error: /./ }, 'no TLS there');
});
