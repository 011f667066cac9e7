/** Strangers and malicious agents on the agents' link: refused by name, counted, forgotten; other agents continue to work. */
import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { encodeAgentFrame } from '@carillon/proto';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { bytesOfNoFrame, greeting, openRawLink, type RawLink } from '../../peers/network/raw-link.ts';
import { residentBytes, until } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { seeded } from '../../peers/seeded.ts';

const SPARE = ['spare-token-number-one', 'spare-token-number-two'] as const;
/** What a batch of a few kB unfolds to: if it were unpacked, the process would grow by it. */
const BOMB_MIB = 256;
const lab = await openLab(t, {
  organizations: [
    {
      slug: 'spare',
      name: 'Spare',
      workers: SPARE.map((joinToken, i) => ({ name: `spare-${i}`, joinToken })),
    },
  ],
  provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 5, durationSeconds: 12 })] }),
});
const { url } = lab.controlPlane;
const open = async (): Promise<RawLink> => (await openRawLink(url)) as RawLink;
const refusedFrames = async (): Promise<number> =>
  (await scrape(url)).value('carillon_agent_frames_refused_total') ?? Number.NaN;
const before = await residentBytes(lab.controlPlane.pid);

/** Meanwhile a run is in progress, on a correct agent. */
const run = lab.runToEnd('calls');
const silent = await open();
const silentSince = Date.now();
const silentSeconds = silent.closed.then(() => (Date.now() - silentSince) / 1000);

/** The farewell's code, and that the connection ends. */
async function farewell(link: RawLink): Promise<string | undefined> {
  for (;;) {
    const frame = await link.next();
    if (frame === null) return undefined;
    if (!frame.farewell) continue;
    await link.closed;
    return frame.farewell.code ?? undefined;
  }
}

t.test('connections to another path or protocol are refused', async (t) => {
  t.match(await openRawLink(url, { path: '/agent/v2' }), { status: 404 });
  t.match(await openRawLink(url, { protocols: ['carillon.agent.v9'] }), { status: 426 });
  t.match(await openRawLink(url, { protocols: [] }), { status: 426 });
});

t.test('bytes that are no frame', async (t) => {
  const counted = await refusedFrames();
  const link = await open();
  const hello = await greeting(link, 'a-token-of-no-worker');
  link.ws.close();
  const bad: [string, string | Uint8Array][] = [
    ['random bytes', bytesOfNoFrame(seeded(12), 500)],
    ['a truncated greeting', hello.subarray(0, hello.length - 7)],
    ['nothing', new Uint8Array()],
    ['text', 'hello'],
    ['a greeting as text', Buffer.from(hello).toString('latin1')],
    ['a batch before the greeting', encodeAgentFrame({ batch: { number: 1, facts: new Uint8Array(4) } })],
    [
      'an identifier of three bytes',
      encodeAgentFrame({ hello: { publicKey: new Uint8Array(32), bootId: new Uint8Array(3) } }),
    ],
  ];
  for (const [what, bytes] of bad) {
    const link = await open();
    link.ws.send(bytes);
    t.equal(await farewell(link), 'FRAME_REFUSED', what);
  }
  // An answer of /metrics is kept for a second.
  await until('each is counted', async () => (await refusedFrames()) >= counted + bad.length);
  t.equal(await refusedFrames(), counted + bad.length, 'each is counted, once');
  const large = await open();
  large.ws.send(new Uint8Array(5 * 1024 * 1024));
  // The connection is cut after 64 KiB: the close frame may be lost with what was not read.
  const code = await large.closed;
  t.ok(code === 1009 || code === 1006, `a frame over the limit: ${code}`);
});

t.test('greetings of strangers', async (t) => {
  const greet = async (token: string, change: Parameters<typeof greeting>[2] = {}) => {
    const link = await open();
    link.ws.send(await greeting(link, token, change));
    return farewell(link);
  };
  t.equal(await greet(''), 'UNKNOWN_AGENT');
  t.equal(await greet('a-token-of-no-worker'), 'JOIN_TOKEN_REFUSED');
  t.equal(await greet(SPARE[0], { signature: randomBytes(64) }), 'KEY_NOT_PROVED', 'the token is not spent on a liar');
  t.equal(await greet(SPARE[0], { publicKey: randomBytes(31) }), 'FRAME_REFUSED');
  t.equal(await greet(SPARE[0], { sipListeners: [{ address: 'example.org', port: 70_000 }] }), 'FRAME_REFUSED');
});

t.test('lies of an enrolled agent', async (t) => {
  const enroll = async (token: string) => {
    const link = await open();
    const hello = await greeting(link, token);
    link.ws.send(hello);
    t.ok((await link.next())?.welcome, 'welcomed');
    return { link, hello };
  };
  const { link: bomber } = await enroll(SPARE[0]);
  const bomb = zstdCompressSync(Buffer.alloc(BOMB_MIB * 2 ** 20));
  bomber.ws.send(encodeAgentFrame({ batch: { number: 1, zstd: true, facts: bomb } }));
  t.equal(await farewell(bomber), 'FRAME_REFUSED', `${bomb.length} bytes that unfold to ${BOMB_MIB} MiB`);
  const { link: liar, hello } = await enroll(SPARE[1]);
  liar.ws.send(hello);
  t.equal(await farewell(liar), 'FRAME_REFUSED', 'a second greeting');
  const again = await open();
  again.ws.send(await greeting(again, SPARE[1]));
  t.equal(await farewell(again), 'JOIN_TOKEN_REFUSED', 'a token is good once');
});

t.test('at most a hundred connections of one network wait for their greeting', async (t) => {
  const links = await Promise.all(Array.from({ length: 250 }, () => openRawLink(url)));
  const turnedAway = links.filter((link) => 'status' in link && link.status === 503).length;
  t.ok(turnedAway < 200, `${turnedAway} of 250 were turned away`);
  const isOpen = (link: (typeof links)[number]): boolean => 'ws' in link && link.ws.readyState === link.ws.OPEN;
  // On a slow host, connections that have been silent for long are closed for new ones.
  await until('no more than a hundred of one network wait', async () => links.filter(isOpen).length <= 100);
  for (const link of links) if ('ws' in link) link.ws.terminate();
  t.equal((await fetch(`${url}/healthz`)).status, 200);
});

t.test('one who says nothing is sent away', async (t) => {
  const seconds = await silentSeconds;
  t.ok(seconds > 1, `after ${seconds} s; where there is no room for others, after two`);
});

t.test('the agent beside them has not noticed', async (t) => {
  t.match(await run, { status: 'COMPLETED', callTiming: { totalCalls: 5, successCount: 5 } });
  const grown = ((await residentBytes(lab.controlPlane.pid)) - before) / 2 ** 20;
  // The rest of it is for heaps before their next collection, and for the buffers of 250 connections.
  t.ok(grown < BOMB_MIB * 0.6, `the control plane has grown by ${grown.toFixed(0)} MiB`);
  t.equal((await fetch(`${url}/readyz`)).status, 200);
});
