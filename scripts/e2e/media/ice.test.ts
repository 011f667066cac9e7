/**
 * Media with ICE between two agents: encrypted or not, one stream or two, over WebSockets, with a STUN server by address and by
 * name, with a far end without ICE, and with an unreachable one.
 */
import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { REQUEST, readStun, SUCCESS, writeStun } from '../../../media/ice/stun.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { NameServer } from '../../peers/network/name-server.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

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
/** Answers as the RFC specifies, and counts. */
const stun = createSocket('udp4');
let stunRequests = 0;
stun.on('message', (bytes, { address, port }) => {
  const request = readStun(bytes);
  if (request?.type !== REQUEST) return;
  stunRequests++;
  const { transaction } = request;
  const hmac = (password: string, covered: Uint8Array) => createHmac('sha1', password).update(covered).digest();
  stun.send(writeStun({ type: SUCCESS, transaction, mapped: { address, port } }, hmac, null), port, address);
});
stun.bind(0, net.address(50));
await once(stun, 'listening');
t.teardown(() => void stun.close());
const stunPort = (stun.address() as AddressInfo).port;

const names = await NameServer.start({ 'A stun.example': [net.address(50)] });
t.teardown(() => names.close());
const pbx = await startKamailio(net.address(60), 'registrar', { sharedMiB: 32, webSocketPath: '/ws' });
t.teardown(() => pbx.stop());
/** Its candidates are unreachable. */
const vain = await startSipp({ address: net.address(52), scenario: { file: 'answer-ice-in-vain.xml' } });
t.teardown(() => vain.end());

const FLOWS: Record<
  string,
  { readonly media: MediaInput; readonly callees?: MediaInput; readonly registrar?: string }
> = {
  plain: { media: { ice: 'HOST' } },
  dtls: { media: { ice: 'HOST', encryption: 'DTLS' } },
  'dtls-video': { media: { ice: 'HOST', encryption: 'DTLS', ...VIDEO } },
  'stun-server': { media: { ice: `stun:${net.address(50)}:${stunPort}`, encryption: 'SDES' } },
  'stun-server-by-name': { media: { ice: `stun:stun.example:${stunPort}` } },
  'over-web-socket': { media: { ice: 'HOST', encryption: 'DTLS' }, registrar: 'web' },
  'far-end-without': { media: { ice: 'HOST' }, callees: {} },
};
const shape = { endpoints: CALLS, durationSeconds: SECONDS, workers: ['agent-1', 'agent-2'] };
const silentStun = `stun:${net.address(51)}:3478`;

const lab = await openLab(t, {
  net,
  agents: 2,
  agentEnv: { CARILLON_DNS: names.place },
  provision: () => ({
    registrars: [
      {
        ...{ slug: 'web', name: 'web', uri: pbx.uri, protocol: 'WS', webSocketPath: '/ws' },
        sipAccounts: Array.from({ length: 2 * CALLS }, (_, i) => String(2000 + i)).map((username) => ({
          username,
          password: passwordOf(username),
        })),
      },
    ],
    tests: [
      callsTo(vain.uri, 'vain', { endpoints: 1, durationSeconds: 60, workers: ['agent-1'], media: { ice: 'HOST' } }),
      ...Object.entries(FLOWS).map(([slug, { media, callees, registrar }]) =>
        callsAmongAgents(slug, { ...shape, media, ...(registrar && { registrar }) }, callees && { media: callees }),
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

/** This takes time: every check is repeated until no answer is possible (RFC 8445, 14.3). */
const inVain = lab.runToEnd('vain');

for (const [slug, { media, callees }] of Object.entries(FLOWS))
  t.test(slug, async (t) => {
    const { id, callTiming: calls, error, starts } = await lab.runWhole(slug);
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
    if (slug === 'dtls-video') {
      await named(t, id);
      t.same(await transports(id), { streams: 4 * CALLS, places: 2 * CALLS }, 'one of each end');
    }
    if (slug.startsWith('stun-server')) t.ok(stunRequests >= 2 * CALLS, `asked ${stunRequests} times`);
    stunRequests = 0;
  });

/** Some servers identify the streams of a bundle only by the SSRC in the description (RFC 5576). */
async function named(t: Test, id: string): Promise<void> {
  const { projectId } = lab;
  const ssrcs = await lab.query<{ ssrc: number }>('select ssrc_sent as ssrc from streams where run_id = $1', [id]);
  for (const { ssrc } of ssrcs) {
    const said = await lab.call('listTestRunMessages', { projectId, testRunId: id, text: `a=ssrc:${ssrc} cname:` });
    t.ok(said.rows.length > 0, `${ssrc} stands in a description`);
  }
}

/** As the far ends see our streams: bundled ones at one address. */
async function transports(id: string) {
  const [row] = await lab.query<{ streams: number; places: number }>(
    `select count(*)::int as streams, count(distinct details #>> '{ice,local}')::int as places from streams where run_id = $1`,
    [id],
  );
  return row;
}

t.test('silent-stun-server', async (t) => {
  // It is refused: no host has to be busy for that.
  const run = await lab.ended(await lab.begin('silent-stun-server'));
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

t.test('a call in which no pair works fails by that name', async (t) => {
  const run = await inVain;
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
  const [endpoint] = await lab.endpoints(run.id);
  t.match(endpoint, { outcome: 'CALL_FAILED', failure: { cause: 'ICE_FAILED', party: 'network' } });
  t.comment(endpoint?.failure?.reason ?? '');
  const rows = await lab.query<{ ice: { state: string } }>(
    `select details -> 'ice' as ice from streams where run_id = $1`,
    [run.id],
  );
  t.match(rows, [{ ice: { state: 'FAILED' } }]);
});
