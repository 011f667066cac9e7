/** Endpoints with several calls: registered once, they call and are called repeatedly; our counts equal Kamailio's and SIPp's. */
import t from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, receives } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const [ENDPOINTS, RATE, SECONDS] = [6, 5, 4];
const CALLS = RATE * SECONDS;

const pbx = await startKamailio(net.address(60), 'registrar');
t.teardown(() => pbx.stop());
const sipp = await startSipp({
  address: net.address(100),
  scenario: { file: 'answer-behind-proxy.xml' },
  args: ['-key', 'direction', 'inactive'],
});
/** A number at SIPp, reached through the registrar. */
const SERVICE = '9000';
await pbx.add(SERVICE, sipp.uri);

const shape = { endpoints: ENDPOINTS, durationSeconds: 1, calls: null, media: { mediaTracks: [] } };
const load = { shape: 'RATE', callsPerSecond: RATE, seconds: SECONDS } as const;
const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    registrars: [
      {
        slug: 'pbx',
        name: 'pbx',
        uri: pbx.uri,
        sipAccounts: Array.from({ length: 2 * ENDPOINTS }, (_, i) => String(1000 + i)).map((username, i) => ({
          username,
          password: i === 0 ? 'not the password' : passwordOf(username),
        })),
      },
    ],
    tests: [
      callsTo(`sip:${SERVICE}@${pbx.address}:${pbx.port}`, 'calling', { ...shape, registrar: 'pbx', load }),
      callsAmongAgents(
        'among',
        { ...shape, endpoints: ENDPOINTS - 1, registrar: 'pbx', sipAccounts: names(1), load },
        { sipAccounts: names(ENDPOINTS) },
      ),
      callsAmongAgents('held', {
        ...shape,
        endpoints: 2,
        calls: 4,
        load: { shape: 'CONCURRENCY', callsPerSecond: 20 },
      }),
      // The test ends it when SIPp has placed its calls, however long that takes.
      receives('called', { ...shape, durationSeconds: 120 }),
    ],
  }),
});

function names(from: number): string[] {
  return Array.from({ length: ENDPOINTS - 1 }, (_, i) => String(1000 + from + i));
}

const answers = (run: RunDetail, method: string, status: number): number =>
  run.sipResponses.find(({ statusCode }) => statusCode === status)?.methods[method] ?? 0;
const requests = (run: RunDetail, method: string) => run.sipRequests.find((one) => one.method === method);

t.test('callers that register: one registration each, and its nonce for all their calls', async (t) => {
  const run = await lab.runToEnd('calling');
  const { id } = run;
  t.equal(await pbx.maxContacts(), ENDPOINTS - 1 + 1, 'all but the one with a wrong password, and SIPp');
  const { totals, messages } = await sipp.end();
  const { planned, started, noFreeEndpoint, dropped } = run.starts;
  t.same([planned, started + noFreeEndpoint + dropped], [CALLS, CALLS]);
  t.match(totals, { IncomingCall: started, FailedCall: 0 });
  t.equal(requests(run, 'BYE')?.sent, messages['3_BYE_Recv']);
  t.match(run.callTiming, { totalCalls: started, successCount: started, inProgressCount: 0 });
  t.equal(run.callTiming.registerRtt.count, ENDPOINTS - 1, 'counted once an endpoint, not once a call');
  t.match(run.registrationRefreshes, { made: 0, failed: 0, lapsed: 0, recovered: 0 });
  t.equal(answers(run, 'REGISTER', 200), 2 * (ENDPOINTS - 1), 'each binding is made, and removed');
  t.equal(answers(run, 'INVITE', 407), ENDPOINTS - 1, 'each endpoint is challenged in its first call');
  t.equal(requests(run, 'INVITE')?.sent, started + ENDPOINTS - 1);
  t.equal(await pbx.contacts(), 1, 'nothing is left');
  const rows = await lab.calls(id);
  t.equal(rows.length, started + 1, 'one was never placed');
  t.same(
    rows.filter(({ outcome }) => outcome !== 'SUCCESS').map(({ outcome, failure }) => [outcome, failure?.cause]),
    [['REGISTRATION_FAILED', 'REGISTRATION_DENIED']],
  );
  t.equal(run.progress.phases.CLOSED, rows.length);
});

t.test('both ends registered: every call has its row at either end, and they know each other', async (t) => {
  const run = await lab.runWhole('among');
  const { started, noFreeEndpoint } = run.starts;
  t.equal(started + noFreeEndpoint, CALLS);
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: started, successCount: started, inProgressCount: 0 } });
  t.equal(run.callTiming.registerRtt.count, 2 * (ENDPOINTS - 1));
  t.equal(answers(run, 'INVITE', 486), 0, 'nobody is called twice at once');
  const [pairs] = await lab.query<{ callees: number; callers: number; ends: number; apart: number }>(
    `select count(*)::int as callees, count(distinct peer_number)::int as callers,
       count(*) filter (where attempted and outcome = 'SUCCESS')::int as ends,
       count(distinct e.number % r.endpoints)::int as apart
     from endpoints e join test_runs r on r.id = e.run_id where e.run_id = $1 and e.endpoint_type = 'CALLEE' and not counts_as_call`,
    [run.id],
  );
  t.same(pairs, { callees: started, callers: started, ends: started, apart: ENDPOINTS - 1 });
  t.equal(await pbx.contacts(), 1, 'the location table is as before');
});

t.test('callees at an address: so many calls each, one after the other', async (t) => {
  const run = await lab.runWhole('held');
  t.match(run, {
    status: 'COMPLETED',
    starts: { planned: 8, started: 8, noFreeEndpoint: 0 },
    callTiming: { totalCalls: 8, successCount: 8 },
  });
  const numbers = (await lab.calls(run.id)).map(({ number }) => number).sort((a, b) => a - b);
  t.same(
    numbers,
    Array.from({ length: 16 }, (_, i) => i),
    'as many rows at either end',
  );
});

t.test('SIPp calls: a free endpoint takes it, and every call counts', async (t) => {
  const id = await lab.startRun('called');
  const [agent] = lab.agents;
  const caller = await startSipp({
    address: net.address(101),
    scenario: { builtIn: 'uac' },
    target: `${net.address(11)}:${agent?.sipPort}`,
    args: ['-m', String(CALLS), '-r', String(RATE), '-d', '200', '-l', '2'],
  });
  await caller.exited;
  const { totals } = await caller.end();
  await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId: id });
  const run = await lab.ended(id);
  t.match(totals, { SuccessfulCall: CALLS, FailedCall: 0 });
  t.match(run.callTiming, { totalCalls: CALLS, successCount: CALLS });
  t.match(requests(run, 'INVITE'), { received: CALLS });
  const rows = await lab.calls(id);
  t.equal(rows.filter(({ callTiming }) => callTiming?.callResult === 'SUCCESS').length, CALLS);
  t.equal(new Set(rows.map(({ number }) => number)).size, rows.length);
});
