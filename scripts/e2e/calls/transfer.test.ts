/**
 * Attended transfer: agents' own endpoints at all three ends, through Kamailio; a soft phone and SIPp; a far end of the test
 * that refuses it.
 */
import t from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsTo, callsToEach, type MediaInput, type TestInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startBaresip } from '../../peers/sip/baresip.ts';
import type { Behaviour } from '../../peers/sip/behaving/behaviour.ts';
import { steady } from '../../peers/sip/behaving/plans.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLS = 3;
const SECONDS = 4;
/** Consulted by those whose far end exists, and called by one. */
const CALLS_OF_DESK = 5;
/** In each run: of these and the four far ends that are to be transferred elsewhere. */
const CALLS_OF_PEER = CALLS_OF_DESK + 4;
/** A far end that was this late has caused gaps in its audio itself. */
const PEER_LATE_MS = 500;

const TONE = steady('TONE');
const taking = (...told: string[]): Behaviour => ({
  sends: TONE,
  referred: { status: 202, reason: 'Accepted', told },
});
const FAR_ENDS = {
  declines: { sends: TONE, referred: { status: 603, reason: 'Decline', told: [] } },
  'is-refused': taking('100 Trying', '486 Busy Here'),
  'says-nothing': taking('100 Trying'),
  desk: { sends: TONE },
} as const satisfies Record<string, Behaviour>;

const net = ownLoopback();
const pbx = await startKamailio(net.address(60), 'registrar');
t.teardown(() => pbx.stop());
const peer = await startBehavingPeer(net.address(150), FAR_ENDS);
t.teardown(() => peer.close());
const desk = await startSipp({ address: '127.0.0.1', scenario: { builtIn: 'uas' } });
t.teardown(() => desk.end());
const phone = await startBaresip();
t.teardown(() => phone.stop());

const transferTo = (target: string): MediaInput => ({
  actions: [{ trigger: { on: 'ANSWERED', afterSeconds: 0.5 }, action: { do: 'ATTENDED_TRANSFER', target } }],
});
/** Each transfers its callee to a different target: a column of its account. */
const accounts = (from: number, values: (i: number) => Record<string, string> = () => ({})) =>
  Array.from({ length: CALLS }, (_, i) => {
    const username = String(from + i);
    return { username, password: passwordOf(username), values: values(i) };
  });
type GroupInput = NonNullable<TestInput['groups']>[number];
const ofPbx = (name: string, role: 'CALLER' | 'CALLEE', callee: GroupInput['callee'], from: number): GroupInput => ({
  name,
  registrar: 'pbx',
  callee,
  placement: { mode: 'REGION', region: 'local' },
  subPopulations: [
    { name: 'all', role, endpoints: CALLS, sipAccounts: accounts(from).map(({ username }) => username) },
  ],
});

const lab = await openLab(t, {
  net,
  provision: () => ({
    registrars: [
      {
        slug: 'pbx',
        name: 'pbx',
        uri: pbx.uri,
        sipAccounts: [...accounts(1000, (i) => ({ desk: String(3000 + i) })), ...accounts(2000), ...accounts(3000)],
      },
    ],
    tests: [
      {
        slug: 'among-agents',
        name: 'among-agents',
        buildup: 1,
        durationSeconds: SECONDS,
        groups: [
          {
            ...ofPbx('transferors', 'CALLER', { mode: 'GROUP', group: 'transferees' }, 1000),
            ...transferTo(`sip:{{desk}}@${pbx.address}:${pbx.port}`),
          },
          ofPbx('transferees', 'CALLEE', { mode: 'RECEIVE' }, 2000),
          ofPbx('targets', 'CALLEE', { mode: 'RECEIVE' }, 3000),
        ],
      },
      callsTo(phone.uri, 'phone', { endpoints: 1, durationSeconds: SECONDS, media: transferTo(desk.uri) }),
      callsToEach(
        [
          ...(['declines', 'is-refused', 'says-nothing'] as const).map((user) => ({
            name: user,
            uri: peer.uri(user),
            media: transferTo(peer.uri('desk')),
          })),
          { name: 'nobody-there', uri: peer.uri('desk'), media: transferTo(peer.uri('nobody')) },
          {
            name: 'tolerant',
            uri: peer.uri('declines'),
            media: {
              ...transferTo(peer.uri('desk')),
              expectations: { toleratedFindings: ['TRANSFER_REFUSED'] },
            },
          },
        ],
        'refused',
        { endpoints: 1, durationSeconds: SECONDS },
      ),
    ],
  }),
});

const isPeerTimely = (): boolean => peer.calls.slice(-CALLS_OF_PEER).every(({ latestMs }) => latestMs < PEER_LATE_MS);
const runs = new Map([
  ['among-agents', lab.runWhole('among-agents')],
  ['phone', lab.runToEnd('phone')],
]);
runs.set('refused', lab.runUndisturbed('refused', isPeerTimely));
const runOf = (slug: string) => runs.get(slug) as Promise<RunDetail>;
const eventsOf = async (testRunId: string, kind: 'ACTION' | 'ACTION_FAILED') =>
  (await lab.call('listTestRunEvents', { projectId: lab.projectId, testRunId, kind, per_page: 100 })).rows.map(
    ({ detail }) => detail,
  );
t.test('agents transfer, are transferred, and are transferred to, through a registrar', async (t) => {
  const run = await runOf('among-agents');
  t.match(run, { status: 'COMPLETED', error: null, progress: { failures: 0 } });
  t.same(await eventsOf(run.id, 'ACTION_FAILED'), []);
  t.same(
    (await eventsOf(run.id, 'ACTION')).sort(),
    Array.from(
      { length: CALLS },
      (_, i) => `ATTENDED_TRANSFER to sip:${3000 + i}@${pbx.address}:${pbx.port}, 0.5 s after ANSWERED`,
    ),
  );
  const endpoints = await lab.endpoints(run.id);
  t.same(
    endpoints.map(({ outcome }) => outcome),
    Array(3 * CALLS).fill('SUCCESS'),
  );
  t.equal(await pbx.contacts(), 0, 'the location table is empty');
});

t.test('a soft phone is transferred: its own call to the target, and the last NOTIFY', async (t) => {
  const run = await runOf('phone');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
  t.same(await eventsOf(run.id, 'ACTION'), [`ATTENDED_TRANSFER to ${desk.uri}, 0.5 s after ANSWERED`]);
  t.match(phone.output(), /^REFER sip:.*^NOTIFY sip:.*^SIP\/2.0 200 OK/ms, 'in its own words');
});

t.test('what does not succeed is found by name, and the call lasts as long as planned', async (t) => {
  const run = await runOf('refused');
  const ends = await lab.endpoints(run.id);
  t.same(
    ends.map(({ failure, findings, outcome }) => [
      outcome,
      failure?.cause ?? findings[0]?.finding,
      findings[0]?.message,
    ]),
    [
      ['CALL_FAILED', 'TRANSFER_REFUSED', 'The far end refused REFER: 603 Decline.'],
      [
        'CALL_FAILED',
        'TRANSFER_FAILED',
        'The far end accepted REFER, but its call to the target failed: 486 Busy Here.',
      ],
      [
        'CALL_FAILED',
        'TRANSFER_UNTOLD',
        'The far end accepted REFER, but did not report the result of its call to the target: the call ended before, and no report came after it.',
      ],
      [
        'CALL_FAILED',
        'CONSULTATION_FAILED',
        'The call was not transferred, because the consultation call before it was not answered: 404 Not Found.',
      ],
      ['SUCCESS', 'TRANSFER_REFUSED', 'The far end refused REFER: 603 Decline.'],
    ],
  );
  for (const { callTiming } of ends)
    t.ok((callTiming?.callDurationMs ?? 0) >= SECONDS * 1000 - 1, `${callTiming?.callDurationMs} ms`);
  const calls = peer.callsOf('desk');
  t.equal(calls.length % CALLS_OF_DESK, 0, 'each consults or calls it once in each run');
  const consulted = calls.slice(-CALLS_OF_DESK);
  t.equal(consulted.length, CALLS_OF_DESK);
  t.ok(
    consulted.every(({ endedBy }) => endedBy === 'CALLER'),
    'every consultation call was ended',
  );
  for (const user of ['declines', 'is-refused', 'says-nothing'])
    for (const { referTo } of peer.callsOf(user))
      t.match(referTo, [/^sip:desk@[\d.]+:\d+\?Replaces=[^;=@]+%40[^;=@]+%3Bto-tag%3D[^;=@]+%3Bfrom-tag%3D[^;=@]+$/]);
});
