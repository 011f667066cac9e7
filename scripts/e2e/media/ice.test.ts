/** Media that find their way by ICE between two agents: encrypted or not, one stream or two, with a STUN server, and with a far end without. */
import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { REQUEST, readStun, SUCCESS, writeStun } from '../../../media/ice/stun.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';

const CALLS = 2;
const SECONDS = 4;
const VIDEO: MediaInput = {
  mediaTracks: [
    { kind: 'AUDIO', source: 'TONE' },
    { kind: 'VIDEO', source: 'PATTERN' },
  ],
  videoCodecs: ['VP8'],
};

const net = ownLoopback();
/** Answers as the RFC has it, and counts. */
const stun = createSocket('udp4');
let asked = 0;
stun.on('message', (bytes, { address, port }) => {
  const request = readStun(bytes);
  if (request?.type !== REQUEST) return;
  asked++;
  const { transaction } = request;
  const hmac = (password: string, covered: Uint8Array) => createHmac('sha1', password).update(covered).digest();
  stun.send(writeStun({ type: SUCCESS, transaction, mapped: { address, port } }, hmac, null), port, address);
});
stun.bind(0, net.address(50));
await once(stun, 'listening');
t.teardown(() => void stun.close());
const stunPort = (stun.address() as AddressInfo).port;

const FLOWS: Record<string, { readonly media: MediaInput; readonly callees?: MediaInput }> = {
  plain: { media: { ice: 'HOST' } },
  dtls: { media: { ice: 'HOST', encryption: 'DTLS' } },
  'dtls-video': { media: { ice: 'HOST', encryption: 'DTLS', ...VIDEO } },
  'stun-server': { media: { ice: `stun:${net.address(50)}:${stunPort}`, encryption: 'SDES' } },
  'far-end-without': { media: { ice: 'HOST' }, callees: {} },
};
const shape = { endpoints: CALLS, durationSeconds: SECONDS, workers: ['agent-1', 'agent-2'] };
const silentStun = `stun:${net.address(51)}:3478`;

const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    tests: [
      ...Object.entries(FLOWS).map(([slug, { media, callees }]) =>
        callsAmongAgents(slug, { ...shape, media }, callees && { media: callees }),
      ),
      callsAmongAgents('silent-stun-server', { ...shape, media: { ice: silentStun } }),
    ],
  }),
});

type Row = {
  received: number;
  lost: number;
  secured: string | null;
  handshakeMs: number | null;
  ice: { state: string; localType: string; remoteType: string; local: string; connectMs: number } | null;
};

for (const [slug, { media, callees }] of Object.entries(FLOWS))
  t.test(slug, async (t) => {
    const { id, callTiming: calls, error, starts } = await lab.runToEnd(slug);
    t.same([calls.totalCalls, calls.successCount], [CALLS, CALLS], JSON.stringify({ error, starts }));
    const rows = await lab.query<Row>(
      `select packets_received as received, lost, details -> 'ice' as ice, details #>> '{security,state}' as secured,
         details #> '{security,handshakeMs}' as "handshakeMs" from streams where run_id = $1`,
      [id],
    );
    t.equal(rows.length, 2 * CALLS * (media.mediaTracks?.length ?? 1));
    for (const { ice, received, lost, secured, handshakeMs } of rows) {
      t.equal(secured, media.encryption ?? null);
      t.ok(received > SECONDS * 10 && lost === 0, `${received} received, ${lost} lost`);
      if (callees) t.equal(ice, null);
      else {
        t.match(ice, { state: 'COMPLETED', localType: 'host', remoteType: 'host', local: /^127\.\d+\.\d+\.\d+:\d+$/ });
        t.ok((ice?.connectMs ?? 0) > 0);
        t.comment(`${slug}: a pair after ${ice?.connectMs} ms, keys after ${handshakeMs} ms more`);
      }
    }
    if (slug === 'dtls-video')
      t.same(await transports(id), { streams: 4 * CALLS, places: 2 * CALLS }, 'one of each end');
    if (slug === 'stun-server') t.ok(asked >= 2 * CALLS, `asked ${asked} times`);
  });

/** As the far ends see our streams: bundled ones in one place. */
async function transports(id: string) {
  const [row] = await lab.query<{ streams: number; places: number }>(
    `select count(*)::int as streams, count(distinct details #>> '{ice,local}')::int as places from streams where run_id = $1`,
    [id],
  );
  return row;
}

t.test('silent-stun-server', async (t) => {
  const run = await lab.runToEnd('silent-stun-server');
  t.match(JSON.stringify(run.error), /STUN server of the group cannot be used: \S+:3478 did not answer/);
});

t.test('the preflight says whether the STUN server answers, once it was asked', async (t) => {
  const { projectId } = lab;
  for (const [slug, verdict, message] of [
    ['stun-server', 'PASS', /Answers\./],
    ['silent-stun-server', 'FAIL', /:3478 did not answer\. A run is refused/],
  ] as const) {
    const testId = lab.testId(slug);
    const { testRunId } = await lab.call('checkTest', { projectId, testId });
    await lab.ended(testRunId);
    const { checks } = await lab.call('preflightTest', { projectId, testId });
    t.match(checks.at(-1), { check: 'STUN_SERVERS', verdict, message, testRunId });
  }
});
