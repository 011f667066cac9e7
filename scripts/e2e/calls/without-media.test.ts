/** Signalling only, against SIPp as callee and as caller: the same counts, no port for media, and no media figure without a measurement. */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, type MediaInput, receives } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 60;
const net = ownLoopback();
const OFFER: MediaInput = { mediaTracks: [], sdp: 'OFFER' };
const NONE: MediaInput = { mediaTracks: [], sdp: 'NONE' };

const uas = { OFFER: await startSipp(answering(100)), NONE: await startSipp(answering(101)) };

function answering(host: number) {
  return { address: net.address(host), scenario: { builtIn: 'uas' } };
}

const shape = { endpoints: CALLS, buildup: 2, durationSeconds: 1 };
const lab = await openLab(t, {
  net,
  provision: () => ({
    tests: [
      callsTo(uas.OFFER.uri, 'offer', { ...shape, media: OFFER }),
      callsTo(uas.NONE.uri, 'none', { ...shape, media: NONE }),
      receives('receive', { ...shape, durationSeconds: 60, media: OFFER }),
      receives('receive-none', { ...shape, durationSeconds: 60, media: NONE }),
      callsAmongAgents('both-none', { ...shape, media: NONE }),
      callsAmongAgents('media-answers-none', { ...shape, endpoints: 5, media: NONE }, { media: {} }),
      callsAmongAgents('none-answers-media', { ...shape, endpoints: 5, media: {} }, { media: NONE }),
    ],
  }),
});

/** UDP ports of the agent's address. */
function ports(): Set<number> {
  const address = net
    .address(11)
    .split('.')
    .reverse()
    .map((part) => Number(part).toString(16).padStart(2, '0').toUpperCase())
    .join('');
  const rows = readFileSync('/proc/net/udp', 'latin1').matchAll(/^\s*\d+: ([0-9A-F]{8}):([0-9A-F]{4})/gm);
  return new Set([...rows].flatMap(([, at, port]) => (at === address ? [Number.parseInt(port as string, 16)] : [])));
}

/** The run, and the ports that were opened during it. */
async function watched(slug: string, beside: () => Promise<void> = async () => undefined) {
  const before = ports();
  const opened = new Set<number>();
  const watch = setInterval(() => {
    for (const port of ports()) if (!before.has(port)) opened.add(port);
  }, 20);
  const id = await lab.startRun(slug);
  await beside();
  const run = await lab.ended(id);
  clearInterval(watch);
  return { run, opened: [...opened] };
}

const sentOf = (run: RunDetail, method: string) => run.sipRequests.find((r) => r.method === method)?.sent ?? 0;
const receivedOf = (run: RunDetail, method: string) => run.sipRequests.find((r) => r.method === method)?.received ?? 0;

async function file(run: RunDetail, name: string): Promise<string> {
  const path = `/api/v1/projects/${lab.projectId}/test-runs/${run.id}/${name}`;
  const headers = { authorization: `Bearer ${lab.apiKey}` };
  return (await fetch(`${lab.controlPlane.url}${path}`, { headers })).text();
}

/** A process that is held up for some seconds gets messages again: a note that is not about media. */
const ofMedia = ({ findings }: RunDetail) => findings.filter(({ finding }) => finding !== 'SIP_RETRANSMISSIONS');

/** No media were measured, and nothing reports bad media. */
async function isSilent(t: Test, run: RunDetail): Promise<void> {
  t.match(run.summary, { totalStreams: 0, avgMos: 0, measured: { mos: 0, jitter: 0, loss: 0, rtt: 0, rFactor: 0 } });
  t.match(run.callTiming.timeToFirstMedia, { count: 0 });
  t.same(ofMedia(run), [], 'no finding');
  for (const { check, value } of run.validity?.checks ?? [])
    if (check === 'pacingError' || check === 'skippedSlots') t.equal(value, null, `${check} was not measured`);
  const media = await lab.query('select 1 from streams where run_id = $1', [run.id]);
  t.equal(media.length, 0, 'no row of media');
  t.match(await file(run, 'report.html'), /no audio was expected/);
  const [head = '', ...rows] = (await file(run, 'endpoints.csv')).trim().split(/\r?\n/);
  for (const column of ['mos', 'lossFraction', 'packetsSent', 'packetsReceived', 'longestGapMs'])
    for (const row of rows) t.equal(row.split(',')[head.split(',').indexOf(column)], '', `${column} is empty`);
  for (const endpoint of await lab.endpoints(run.id)) t.match(endpoint, { outcome: 'SUCCESS', media: null });
}

/** Methods of the messages that contain a text; those that were sent again are not counted twice. */
const saying = async (run: RunDetail, text: string): Promise<string[]> => {
  const asked = { projectId: lab.projectId, testRunId: run.id, text, per_page: 100 };
  const { rows } = await lab.call('listTestRunMessages', asked);
  return rows.filter(({ retransmission }) => !retransmission).map(({ method }) => method);
};

for (const [slug, sdp] of [
  ['offer', 'OFFER'],
  ['none', 'NONE'],
] as const)
  t.test(`sdp ${sdp}: SIPp answers`, async (t) => {
    const { run, opened } = await watched(slug);
    const { totals, messages } = await uas[sdp].end();
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
    t.match(totals, { FailedCall: 0, IncomingCall: CALLS });
    t.same(
      [sentOf(run, 'INVITE'), sentOf(run, 'ACK'), sentOf(run, 'BYE')],
      [messages['0_INVITE_Recv'], messages['3_ACK_Recv'], messages['4_BYE_Recv']],
      'our counts are those of SIPp',
    );
    t.same(opened, [], 'no port was opened');
    await isSilent(t, run);
    // SIPp describes a session whether one was offered or not: if none was, the ACK answers.
    const ours = await saying(run, 'm=audio 9 ');
    t.same([ours.length, ...new Set(ours)], [CALLS, sdp === 'OFFER' ? 'INVITE' : 'ACK']);
    t.equal((await saying(run, 'a=inactive')).length, CALLS);
  });

for (const slug of ['receive', 'receive-none'])
  t.test(`${slug}: SIPp calls`, async (t) => {
    let placed = 0;
    const { run, opened } = await watched(slug, async () => {
      const sipp = await startSipp({
        address: net.address(103),
        scenario: { builtIn: 'uac' },
        target: `${net.address(11)}:${lab.agents[0]?.sipPort}`,
        args: ['-m', String(CALLS), '-r', '30', '-d', '200'],
      });
      await sipp.exited;
      placed = (await sipp.end()).totals['SuccessfulCall'] ?? 0;
    });
    t.equal(placed, CALLS);
    t.equal(run.callTiming.successCount, CALLS);
    t.equal(receivedOf(run, 'INVITE'), CALLS);
    t.same(opened, [], 'no port was opened');
    await isSilent(t, run);
  });

t.test('neither end says anything of media', async (t) => {
  const { run, opened } = await watched('both-none');
  t.match(run.callTiming, { totalCalls: CALLS, successCount: CALLS });
  t.same(opened, []);
  await isSilent(t, run);
  t.same(await saying(run, 'm=audio'), [], 'no SDP at all');
});

for (const slug of ['media-answers-none', 'none-answers-media'])
  t.test(slug, async (t) => {
    const { run } = await watched(slug);
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 5, successCount: 5 } });
    t.same(ofMedia(run), [], 'nobody owes anybody anything');
  });
