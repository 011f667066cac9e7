/**
 * A run with more calls than are kept in full, against SIPp: figures count every call, detail is kept of the sample and of some
 * calls that failed in the same way, and the other calls are answered with their figures.
 */
import { type CallSample, isInSample } from '@carillon/proto/call-sample.ts';
import t from 'tap';
import { openLab, type RunCall } from '../../peers/lab/lab.ts';
import { callsToEach } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const [RATE, SECONDS] = [40, 30];
const CALLS = RATE * SECONDS;
/** A third of as many are busy. Enough that a free one remains on a busy machine, too. */
const GOOD = 180;
/** Of calls that failed in the same way, in addition to the sample. */
const OF_CLUSTER = 100;
const [good, busy] = await Promise.all([
  startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } }),
  startSipp({ address: net.address(101), scenario: { file: 'busy.xml' } }),
]);
const lab = await openLab(t, {
  net,
  // Each thread keeps this many that failed in the same way.
  agentEnv: { CARILLON_SIGNALLING_THREADS: '1' },
  provision: () => ({
    tests: [
      callsToEach(
        [
          { name: 'good', uri: good.uri },
          { name: 'busy', uri: busy.uri, endpoints: GOOD / 3 },
        ],
        'many',
        {
          ...{ endpoints: GOOD, calls: null, durationSeconds: 1, media: { mediaTracks: [] } },
          load: { shape: 'RATE', callsPerSecond: RATE, seconds: SECONDS },
        },
      ),
    ],
  }),
});
const run = await lab.runToEnd('many');
const [ofGood, ofBusy] = await Promise.all([good.end(), busy.end()]);
const calls = await lab.calls(run.id);
const [{ keeping } = { keeping: { oneIn: 0, seed: 0 } }] = await lab.query<{ keeping: CallSample }>(
  'select keeping from test_runs where id = $1',
  [run.id],
);
const isSampled = ({ number }: RunCall): boolean => isInSample(keeping, number);

t.test('every call is counted, whatever is kept of it', async (t) => {
  const { planned, started, noFreeEndpoint, dropped } = run.starts;
  t.same([run.status, planned, started + noFreeEndpoint + dropped], ['COMPLETED', CALLS, CALLS]);
  const [answered, rejected] = [ofGood.totals['IncomingCall'] ?? 0, ofBusy.totals['IncomingCall'] ?? 0];
  t.equal(answered + rejected, started, 'as SIPp counts');
  t.ok(answered > 2 * rejected && rejected > OF_CLUSTER, `${answered} answered, ${rejected} rejected`);
  t.match(run.callTiming, { totalCalls: started, successCount: answered, rejectedCount: rejected, inProgressCount: 0 });
  t.equal(run.callTiming.callSetup.count, answered);
  t.same(
    run.failureClusters.filter(({ cause }) => cause === 'BUSY').map(({ count, sipStatus }) => [count, sipStatus]),
    [[rejected, 486]],
  );
  t.equal(calls.filter(({ callTiming }) => callTiming !== null).length, started, 'each has its row');
  const endpoints = await lab.endpoints(run.id);
  t.equal(endpoints.length, GOOD + GOOD / 3);
  const sum = (of: 'total' | 'successful' | 'failed'): number =>
    endpoints.reduce((all, one) => all + (one.calls?.[of] ?? Number.NaN), 0);
  t.same([sum('total'), sum('successful'), sum('failed')], [started, answered, rejected]);
});

t.test('detail is kept of the sample, and of some that failed alike', async (t) => {
  const kept = calls.filter((call) => call.kept);
  t.same(run.kept, { detail: 'SOME', calls: kept.length, oneIn: 2, ofCluster: OF_CLUSTER });
  t.ok(calls.filter(isSampled).every((call) => call.kept));
  t.notOk(
    calls.some((call) => call.kept && !isSampled(call) && call.outcome === 'SUCCESS' && call.findings.length === 0),
  );
  const alike = calls.filter(
    (call) => !isSampled(call) && call.failure?.cause === 'BUSY' && call.findings.length === 0,
  );
  t.ok(alike.length > OF_CLUSTER, `${alike.length} busy beyond the sample`);
  t.equal(alike.filter((call) => call.kept).length, OF_CLUSTER);
});

t.test('what is kept of a call can be read; of the others their figures', async (t) => {
  const at = { projectId: lab.projectId, testRunId: run.id };
  for (const [outcome, messages] of [
    ['SUCCESS', 6],
    ['CALL_FAILED', 3],
  ] as const)
    for (const isKept of [true, false]) {
      const call = calls.find((one) => one.kept === isKept && one.outcome === outcome && one.callTiming !== null);
      const name = `${outcome}, ${isKept ? 'kept' : 'not kept'}`;
      if (call === undefined) {
        t.fail(name);
        continue;
      }
      const one = await lab.call('getTestRunEndpoint', { ...at, endpointId: call.id });
      t.match(one, {
        kept: isKept,
        outcome,
        callId: call.callId,
        callTiming: call.callTiming,
        phaseReached: one.phaseReached,
      });
      const said = await lab.call('listTestRunMessages', { ...at, endpoint_id: call.id });
      const told = await lab.call('listTestRunEvents', { ...at, endpoint_id: call.id });
      const totals = [said.pagination.total, told.pagination.total];
      t.same([one.counts.sipMessages, one.counts.events], totals, name);
      t.ok(
        isKept ? (totals[0] ?? 0) >= messages && (totals[1] ?? 0) > 0 : totals.every((n) => n === 0),
        `${name}: ${totals}`,
      );
      // In whole milliseconds: a peer on this host may ring within none.
      const { timeToRingingMs = null, finalStatusCode = null } = one.callTiming ?? {};
      t.type(outcome === 'SUCCESS' ? timeToRingingMs : finalStatusCode, 'number', `${name}: its figures`);
    }
});
