/** The media settings of a test are what flows between two agents; impossible settings are reported before or during the call, by name. */
import t from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startCapture } from '../../peers/referees/tshark.ts';

const CALLS = 3;
const SECONDS = 3;

/** By the slug of their test: settings of callers and callees, and the codec that must flow. */
const FLOWS: Record<string, { readonly media: MediaInput; readonly codec: string }> = {
  'g722-over-pcmu': { media: { audioCodecs: ['G722', 'PCMU'] }, codec: 'G722' },
  l16: { media: { audioCodecs: ['L16'] }, codec: 'L16' },
  opus: { media: { audioCodecs: ['OPUS', 'PCMU'] }, codec: 'OPUS' },
  sdes: { media: { encryption: 'SDES', audioCodecs: ['PCMA'] }, codec: 'PCMA' },
  dtls: { media: { encryption: 'DTLS' }, codec: 'PCMU' },
  'muxed-and-marked': {
    media: { rtcpMux: true, mediaTracks: [{ kind: 'AUDIO', source: 'SPEECH', dscp: 46 }] },
    codec: 'PCMU',
  },
};
/** The same between two agents with only IPv6. */
const IPV6: Record<string, MediaInput> = {
  'ipv6-plain': {
    mediaTracks: [
      { kind: 'AUDIO', source: 'TONE' },
      { kind: 'VIDEO', source: 'PATTERN' },
    ],
    videoCodecs: ['VP8'],
  },
  'ipv6-sdes': { encryption: 'SDES' },
  'ipv6-dtls': { encryption: 'DTLS' },
};
const IPV6_HOST = '::1';
const DISPLAY_NAME = 'Zoë "Q" Müller';
/** All different, so that a repeated one is noticed. */
const DIGITS = '19#5';
const KEYS = '0123456789*#ABCD';
const EVENT_TYPE = 101;
const shape = { endpoints: CALLS, durationSeconds: SECONDS, workers: ['agent-1', 'agent-2'] };
const ipv6Shape = { ...shape, durationSeconds: 2 * SECONDS, workers: ['agent-3'] };

const net = ownLoopback();
const lab = await openLab(t, {
  net,
  agents: 4,
  agentEnv: (agent) => (agent < 2 ? {} : { CARILLON_SIP_ADDRESS: IPV6_HOST }),
  provision: () => ({
    tests: [
      ...Object.entries(FLOWS).map(([slug, { media }]) => callsAmongAgents(slug, { ...shape, media })),
      ...Object.entries(IPV6).map(([slug, media]) =>
        callsAmongAgents(
          slug,
          { ...ipv6Shape, media: { ...media, displayName: DISPLAY_NAME } },
          { workers: ['agent-4'] },
        ),
      ),
      callsAmongAgents('digits', { ...shape, media: { dtmf: { digits: DIGITS, afterMs: 500 } } }, { media: {} }),
      callsAmongAgents('sdes-to-plain', { ...shape, media: { encryption: 'SDES' } }, { media: {} }),
      callsAmongAgents('plain-to-dtls', { ...shape, media: {} }, { media: { encryption: 'DTLS' } }),
      callsAmongAgents('no-common-codec', { ...shape, media: { audioCodecs: ['G722'] } }, { media: {} }),
    ],
  }),
});

const capture = await startCapture(net.network, () => lab.agents.map((agent) => agent.sipPort), true);
const [dialled, overIpv6] = await Promise.all([
  lab.runToEnd('digits'),
  Promise.all(Object.keys(IPV6).map(async (slug) => ({ slug, run: await lab.runToEnd(slug) }))),
]);
const wire = await capture.stop();
t.teardown(() => wire.remove());
const events = (await wire.rtp()).filter(({ payloadType }) => payloadType === EVENT_TYPE);
const INVITE = ['sip.r-uri', 'sip.Via', 'sip.Contact', 'sdp.owner', 'sdp.connection_info', 'sip.From'];
/** The agents' SIP addresses; ::1 belongs to the whole host, and other tests use it, too. */
const ipv6Ports = lab.agents.slice(2).map(({ sipPort }) => sipPort);
const ourSip = `ipv6 && sip && udp.port in {${ipv6Ports.join(', ')}}`;
const invites = await wire.select(`${ourSip} && sip.Method == "INVITE"`, INVITE);
const ipv6 = await wire.select('ipv6 && udp && !sip', []);
const malformed = await wire.select(`${ourSip} && _ws.malformed`, ['_ws.expert.message']);

t.test('callers press keys: each is on the wire once, and lost to nobody', async (t) => {
  t.match(dialled, { callTiming: { totalCalls: CALLS, successCount: CALLS } });
  const heard = [...Map.groupBy(events, ({ to }) => to).values()].map((packets) =>
    packets
      .map(({ payload }) => KEYS[payload[0]!])
      .filter((key, i, keys) => key !== keys[i - 1])
      .join(''),
  );
  const rows = await lab.query<{ lost: number; skipped: number }>(
    'select lost, sends_skipped as skipped from streams where run_id = $1',
    [dialled.id],
  );
  t.equal(heard.length, CALLS, 'only callers press');
  // An agent without processor time skips late packets, also of digits; the digits that it sends are in order and sent once.
  const pressed = rows.some(({ skipped }) => skipped > 0) ? /^1?9?#?5?$/ : /^19#5$/;
  for (const keys of heard) t.match(keys, pressed);
  t.same(
    rows.map(({ lost }) => lost),
    Array(2 * CALLS).fill(0),
  );
});

type Row = {
  codec: string;
  sent: number;
  received: number;
  lost: number;
  scale: string;
  secured: string | null;
  playout: string | null;
};
type Ipv6Row = {
  codec: string;
  port: number;
  remote: string;
  received: number;
  lost: number;
  rttMs: number | null;
  ssrc: number;
  secured: string | null;
};
const ipv6Places = ipv6Ports.map((port) => `${IPV6_HOST}:${port}`);
for (const { slug, run } of overIpv6)
  t.test(slug, async (t) => {
    const media = IPV6[slug]!;
    t.match(run, { callTiming: { totalCalls: CALLS, successCount: CALLS } });
    const rows = await lab.query<Ipv6Row>(
      `select codec, local_port as port, remote, packets_received as received, lost, rtt_mean_ms as "rttMs",
         ssrc_sent as ssrc, details #>> '{security,state}' as secured from streams where run_id = $1`,
      [run.id],
    );
    const tracks = media.mediaTracks?.length ?? 1;
    t.equal(rows.length, 2 * tracks * CALLS, 'a stream at each end of each track of each call');
    const trips = rows.flatMap(({ rttMs }) => rttMs ?? []);
    t.ok(trips.length > 0 && trips.every((ms) => ms >= 0), `round trips by RTCP: ${trips.join(', ')} ms`);
    const ports = new Set(rows.map(({ port }) => port));
    for (const row of rows) {
      t.match(row, { lost: 0, secured: media.encryption ?? null });
      t.ok(row.received > SECONDS * 10, `${row.codec}: ${row.received} received`);
      const port = Number(/^\[::1\]:(\d+)$/.exec(row.remote)?.[1]);
      t.ok(ports.has(port), `from ${row.remote}`);
      const seen = ipv6.filter(({ from, to }) => from === `${IPV6_HOST}:${port}` && to === `${IPV6_HOST}:${row.port}`);
      t.ok(
        seen.length >= row.received,
        `${seen.length} datagrams on the wire from ${row.remote}, ${row.received} received`,
      );
    }
  });

t.test('over IPv6: what SIP and SDP say', async (t) => {
  // On a busy host some are sent again.
  const branches = new Set(invites.map(({ values }) => values[1]));
  t.equal(branches.size, Object.keys(IPV6).length * CALLS);
  for (const { from, to, values } of invites) {
    t.ok(ipv6Places.includes(from) && ipv6Places.includes(to), `${from} to ${to}`);
    const [uri, via, contact, origin, connection, sender] = values as [string, string, string, string, string, string];
    t.match(uri, `@[::1]:${to.slice(IPV6_HOST.length + 1)}`);
    t.match(via, `[::1]:${from.slice(IPV6_HOST.length + 1)};`);
    t.match(contact, `@[::1]:${from.slice(IPV6_HOST.length + 1)}`);
    t.match(origin, /IN IP6 ::1$/);
    t.match(connection, /^IN IP6 ::1/);
    t.ok(sender.startsWith('"Zoë \\"Q\\" Müller" <sip:'), sender);
  }
  t.same(malformed, [], 'tshark finds nothing malformed');
});

const MISFITS: [slug: string, reason: RegExp][] = [
  ['sdes-to-plain', /RTP\/SAVP is encrypted with SDES, and plain RTP is wanted/],
  ['plain-to-dtls', /RTP\/AVP is plain, and DTLS is demanded/],
  ['no-common-codec', /offered are G722\/8000, ours are PCMU\/8000/],
];
const together = [...Object.keys(FLOWS), ...MISFITS.map(([slug]) => slug)];
const runs = new Map(together.map((slug) => [slug, lab.runWhole(slug)]));
const runOf = (slug: string) => runs.get(slug) as Promise<RunDetail>;

const SCALES: Readonly<Record<string, string>> = { PCMU: 'nb', PCMA: 'nb', G722: 'wb', OPUS: 'fb', L16: 'nb' };

for (const [slug, { codec, media }] of Object.entries(FLOWS)) {
  t.test(slug, async (t) => {
    const { id, callTiming: calls, summary } = await runOf(slug);
    t.same([calls.totalCalls, calls.successCount], [CALLS, CALLS]);
    t.match(summary, { mosScale: SCALES[codec], scales: [{ streams: 2 * CALLS }], measured: { mos: 2 * CALLS } });
    const rows = await lab.query<Row>(
      `select codec, packets_sent as sent, packets_received as received, lost, scale, details #>> '{security,state}' as secured,
         details #>> '{receive,playout,adaptive,mos}' as playout from streams where run_id = $1`,
      [id],
    );
    t.equal(rows.length, 2 * CALLS, 'a stream at each end of each call');
    for (const row of rows) {
      t.equal(row.codec, codec);
      t.equal(row.scale, SCALES[codec]);
      t.equal(row.secured, media.encryption ?? null);
      t.ok(Number(row.playout) >= 1, `MOS after an adaptive buffer: ${row.playout}`);
      t.ok(row.sent > SECONDS * 10, `${row.sent} packets sent`);
      // Packets sent before the far end is heard, or afterwards, are in no count.
      t.ok(row.received > SECONDS * 10 && row.lost === 0, `${row.received} received, ${row.lost} lost`);
    }
  });
}

for (const [slug, reason] of MISFITS) {
  t.test(slug, async (t) => {
    const { id, callTiming: calls } = await runOf(slug);
    t.same([calls.totalCalls, calls.rejectedCount], [CALLS, CALLS], 'the callees answer 488');
    const causes = await lab.query<{ cause: string; text: string }>(
      "select cause, cause_text as text from endpoints where run_id = $1 and endpoint_type = 'CALLEE'",
      [id],
    );
    t.equal(causes.length, CALLS);
    for (const { cause, text } of causes) {
      t.equal(cause, 'OFFER_UNUSABLE');
      t.match(text, reason);
    }
  });
}
