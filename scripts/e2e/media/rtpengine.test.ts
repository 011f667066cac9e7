/**
 * Calls whose media go through rtpengine, in user space, controlled by Kamailio: WebRTC or SRTP on the callers' side, plain RTP
 * on the callees'.
 */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { startRtpengine } from '../../peers/sip/rtpengine.ts';

const CALLS = 2;
const SECONDS = 3;
const CALLERS: Readonly<Record<string, { readonly media: MediaInput; readonly secured: string | null }>> = {
  webrtc: { media: { ice: 'HOST', encryption: 'DTLS', rtcpMux: true }, secured: 'DTLS' },
  sdes: { media: { encryption: 'SDES' }, secured: 'SDES' },
  plain: { media: {}, secured: null },
};

const net = ownLoopback();
const proxy = await startRtpengine(net.address(64));
t.teardown(() => proxy.stop());
const pbx = await startKamailio(net.address(60), 'registrar', { sharedMiB: 32, mediaProxy: proxy.control });
t.teardown(() => pbx.stop());
const accounts = (from: number) =>
  Array.from({ length: CALLS }, (_, i) => String(from + i)).map((username) => ({
    username,
    password: passwordOf(username),
  }));
const lab = await openLab(t, {
  net,
  provision: () => ({
    registrars: [2000, 3000].map((from) => ({
      ...{ slug: `from-${from}`, name: `from ${from}`, uri: pbx.uri },
      sipAccounts: accounts(from),
    })),
    tests: Object.entries(CALLERS).map(([slug, { media }]) =>
      callsAmongAgents(
        slug,
        { endpoints: CALLS, durationSeconds: SECONDS, registrar: 'from-2000', media },
        { registrar: 'from-3000', media: {} },
      ),
    ),
  }),
});

for (const [slug, { secured }] of Object.entries(CALLERS))
  t.test(`${slug} to plain phones`, async (t) => {
    const run = await lab.runWhole(slug);
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
    const failed = (await lab.endpoints(run.id)).map(({ failure }) => failure).filter((one) => one !== null);
    t.same(failed, [], proxy.output().slice(-2000));
    const rows = await lab.query<{ received: number; lost: number; secured: string | null; ice: string | null }>(
      `select packets_received as received, lost, details #>> '{security,state}' as secured, details #>> '{ice,state}' as ice
         from streams where run_id = $1`,
      [run.id],
    );
    t.equal(rows.length, 2 * CALLS);
    for (const { received, lost } of rows)
      t.ok(received > SECONDS * 10 && lost <= received / 50, `${received} received, ${lost} lost`);
    const [encrypted, open] = [rows.filter((row) => row.secured !== null), rows.filter((row) => row.secured === null)];
    t.same(
      encrypted.map((row) => row.secured),
      secured === null ? [] : Array(CALLS).fill(secured),
      'the callers',
    );
    t.equal(open.length, 2 * CALLS - encrypted.length);
    if (slug === 'webrtc') for (const { ice } of encrypted) t.equal(ice, 'COMPLETED');
    const { projectId } = lab;
    const through = `c=IN IP4 ${proxy.address}`;
    const said = await lab.call('listTestRunMessages', { projectId, testRunId: run.id, text: through });
    t.ok(
      said.rows.some((one) => one.method === 'INVITE'),
      'callees are told the address of rtpengine',
    );
  });
