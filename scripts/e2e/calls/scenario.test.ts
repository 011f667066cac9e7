/** Scenarios between agents' own endpoints, read back as events; load shapes as they were applied; the circuit breaker against SIPp. */
import t, { type Test } from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const desk = await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } });
const forbidden = await startSipp({ address: net.address(101), scenario: { file: 'forbidden.xml' } });
const overloaded = await startSipp({ address: net.address(102), scenario: { file: 'overloaded-a-while.xml' } });
const failing = await startSipp({ address: net.address(103), scenario: { file: 'overloaded.xml' } });
const doomed = await startSipp({ address: net.address(104), scenario: { file: 'overloaded.xml' } });

type Actions = NonNullable<MediaInput['actions']>;
const at = (afterSeconds: number) => ({ on: 'ANSWERED', afterSeconds }) as const;

const CALLS = 3;
const callers: Actions = [
  { trigger: at(0.2), action: { do: 'HOLD' } },
  { trigger: at(0.6), action: { do: 'RESUME' } },
  { trigger: at(1.0), action: { do: 'SEND_DTMF', digits: '7', by: 'INFO' } },
  { trigger: at(1.2), action: { do: 'SEND_DTMF', digits: '2222' } },
  { trigger: at(2.0), action: { do: 'ACTIVATE_TRACK', track: 1 } },
];
/** Each waits for an action of the callers. */
const callees: Actions = [
  { trigger: { on: 'HOLD' }, action: { do: 'SEND_DTMF', digits: '1#', by: 'INFO' } },
  { trigger: { on: 'RESUME' }, action: { do: 'UPDATE' } },
  { trigger: { on: 'INFO', afterSeconds: 0.05 }, action: { do: 'REINVITE' } },
  // One of four is enough: an agent without processor time skips late packets.
  { trigger: { on: 'DTMF', digits: '2' }, action: { do: 'SEND_DTMF', digits: '9' } },
];
const audio = { kind: 'AUDIO' } as const;
const video = { kind: 'VIDEO' } as const;
const withVideo = { videoCodecs: ['VP8' as const] };

/** More than come due in a second in which the host stalls. */
const BLOCKED = 100;
const PAUSED = 40;
/** Calls that fail before the breaker opens. */
const ENOUGH = 20;
const FAILING = 60;
const OVERLOAD = 30;
const one = { workers: ['agent-1'] };
const lab = await openLab(t, {
  net,
  agents: 2,
  // Six runs at once; the agent does not know when they start.
  policy: { maxCallsPerSecond: 1000 },
  provision: () => ({
    tests: [
      callsAmongAgents(
        'scenario',
        {
          ...one,
          endpoints: CALLS,
          durationSeconds: 3,
          load: { shape: 'POISSON', callsPerSecond: 10, seed: 3 },
          media: { ...withVideo, mediaTracks: [audio, { ...video, deferred: true }], actions: callers },
        },
        { media: { ...withVideo, mediaTracks: [audio, video], actions: callees, signalling: { ringSeconds: 0.2 } } },
      ),
      callsAmongAgents(
        'moved',
        {
          ...one,
          endpoints: 1,
          durationSeconds: 2,
          media: { actions: [{ trigger: at(0.3), action: { do: 'REFER', target: desk.uri } }] },
        },
        // The address to which it is moved sends nothing.
        { media: { expectations: { toleratedFindings: ['NO_MEDIA', 'MEDIA_STOPPED', 'MEDIA_GAP'] } } },
      ),
      callsTo(forbidden.uri, 'blocked', {
        ...one,
        endpoints: BLOCKED,
        durationSeconds: 1,
        load: { shape: 'RATE', callsPerSecond: 20 },
        breaker: { minCalls: 5 },
      }),
      callsTo(overloaded.uri, 'overloaded', {
        ...one,
        endpoints: PAUSED,
        durationSeconds: 1,
        load: {
          shape: 'STEPS',
          steps: [
            { callsPerSecond: 5, seconds: 4 },
            { callsPerSecond: 20, seconds: 1 },
          ],
        },
      }),
      callsTo(failing.uri, 'failing', {
        endpoints: FAILING,
        durationSeconds: 1,
        load: { shape: 'RATE', callsPerSecond: 12 },
        breaker: { minCalls: ENOUGH },
      }),
      callsTo(doomed.uri, 'overload', {
        endpoints: OVERLOAD,
        durationSeconds: 1,
        load: { shape: 'RATE', callsPerSecond: 20 },
        breaker: null,
      }),
    ],
  }),
});

type Kind = 'ACTION' | 'ACTION_FAILED' | 'BREAKER';
const eventsOf = async (testRunId: string, kind: Kind) =>
  (await lab.call('listTestRunEvents', { projectId: lab.projectId, testRunId, kind, per_page: 100 })).rows;

// The run of two agents is placed while both are free: after the others, one agent would get it.
const failingId = await lab.startRun('failing');
const slugs = ['blocked', 'overloaded', 'overload'];
const runs = new Map(slugs.map((slug) => [slug, lab.runToEnd(slug)]));
runs.set('failing', lab.ended(failingId));
runs.set('scenario', lab.runUndisturbed('scenario'));
// An agent without processor time is too late for REFER, and then nobody calls the desk.
runs.set(
  'moved',
  lab.runUntil('moved', async ({ id }) => (await eventsOf(id, 'ACTION')).length > 0),
);
const runOf = (slug: string) => runs.get(slug) as Promise<RunDetail>;

/** An agent without processor time is too late for calls, and the verdict says so. */
function missedNone(t: Test, run: RunDetail): void {
  if (run.validity?.verdict !== 'VOID') t.equal(run.starts.dropped, 0, 'the agents missed no call');
}

t.test('what callers and callees do in a call is an event each', async (t) => {
  const run = await runOf('scenario');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
  // An agent without processor time is too late for timed actions, and says for which: its verdict is VOID.
  const isExact = run.validity?.verdict !== 'VOID';
  const failed = await eventsOf(run.id, 'ACTION_FAILED');
  if (isExact)
    t.same(
      failed.map(({ detail }) => detail),
      [],
    );
  const done = await eventsOf(run.id, 'ACTION');
  const count = new Map<string, number>();
  for (const { detail } of done) count.set(detail, (count.get(detail) ?? 0) + 1);
  const expected = [
    'HOLD, 0.2 s after ANSWERED',
    'RESUME, 0.6 s after ANSWERED',
    'SEND_DTMF 7 by INFO, 1 s after ANSWERED',
    'SEND_DTMF 2222 by RFC4733, 1.2 s after ANSWERED',
    'ACTIVATE_TRACK VIDEO, 2 s after ANSWERED',
    'SEND_DTMF 1# by INFO, on HOLD',
    'UPDATE, on RESUME',
    'REINVITE, 0.05 s after INFO',
    'SEND_DTMF 9 by RFC4733, on DTMF 2',
  ];
  if (isExact) t.same(Object.fromEntries(count), Object.fromEntries(expected.map((detail) => [detail, CALLS])));
  else for (const [detail, n] of count) t.ok(expected.includes(detail) && n <= CALLS, `${n} x ${detail}`);
  const { projectId } = lab;
  for (const { id: endpointId, endpointType } of await lab.endpoints(run.id)) {
    const one = await lab.call('getTestRunEndpoint', { projectId, testRunId: run.id, endpointId });
    const planned = endpointType === 'CALLER' ? callers.length : callees.length;
    if (isExact) t.match(one.counts, { actionsDone: planned, actionsFailed: 0 });
    else t.ok(one.counts.actionsDone + one.counts.actionsFailed <= planned);
    const seen = one.streams.find(({ stream }) => stream === 1);
    if (isExact)
      t.ok((seen?.send.packets ?? 0) > 0 && (seen?.receive.packets ?? 0) > 0, 'video flowed once it was activated');
  }
  t.match(run.starts, { planned: CALLS, started: CALLS, dropped: 0, heldBack: 0, lateness: { count: CALLS } });
});

t.test('REFER moves the call to somebody else', async (t) => {
  const run = await runOf('moved');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
  t.match(await eventsOf(run.id, 'ACTION'), [{ detail: `REFER to ${desk.uri}, 0.3 s after ANSWERED` }]);
  const outcomes = (await lab.endpoints(run.id)).map(({ outcome }) => outcome);
  t.same(outcomes, ['SUCCESS', 'SUCCESS']);
  const { totals, messages } = await desk.end();
  t.match(totals, { IncomingCall: 1, FailedCall: 0 });
  t.match(messages, { '3_ACK_Recv': 1, '4_BYE_Recv': 1 });
});

t.test('a target that blocks all calls gets no more calls', async (t) => {
  const run = await runOf('blocked');
  const { planned, started, dropped, heldBack, late, lateness } = run.starts;
  t.ok(started >= 5 && started < BLOCKED, `${started} calls were started`);
  t.same([planned, started + heldBack + dropped, lateness.count], [BLOCKED, BLOCKED, started]);
  missedNone(t, run);
  t.ok(late <= started);
  const told = await eventsOf(run.id, 'BREAKER');
  t.match(told, [
    { endpointId: null, detail: /^the far end blocked all of \d+ calls \(403 Forbidden\): no more calls$/ },
  ]);
  t.match(
    run.failureClusters.find(({ cause }) => cause === 'BREAKER_OPEN'),
    { count: heldBack, party: 'network' },
  );
  t.equal((await forbidden.end()).totals['IncomingCall'], started);
  if (dropped === 0)
    t.notOk(
      run.validity?.reasons.some(({ check }) => check === 'notStarted'),
      'no noise of the agent',
    );
});

t.test('Retry-After is honoured, then calls continue as planned', async (t) => {
  const run = await runOf('overloaded');
  const told = await eventsOf(run.id, 'BREAKER');
  t.ok(told.length >= 2, `${told.length} pauses`);
  for (const { detail } of told) t.match(detail, /asked for 1 s without calls \(503, Retry-After\): no calls until 2/);
  const { started, heldBack, planned, dropped } = run.starts;
  // 5 s of calls, and a second of silence after each answer.
  t.ok(started >= 2 && started < PAUSED, `${started} calls were started`);
  t.same([planned, started + heldBack + dropped], [PAUSED, PAUSED]);
  missedNone(t, run);
  t.equal((await overloaded.end()).totals['IncomingCall'], started);
});

t.test('the breaker of two agents: opened once, by one or by what both have seen, and both stop', async (t) => {
  const run = await runOf('failing');
  const told = await eventsOf(run.id, 'BREAKER');
  t.match(told, [
    { endpointId: null, detail: /^\d+ of \d+ calls of (?:all workers|the last 10 s) .*: no more calls$/ },
  ]);
  const workers = new Map<string, Set<string>>();
  for (const { worker, failure } of await lab.endpoints(run.id)) {
    workers.set(worker.name, (workers.get(worker.name) ?? new Set()).add(failure?.cause ?? 'none'));
  }
  t.same([...workers.keys()].sort(), ['agent-1', 'agent-2']);
  // An agent with few free places may have had no turn before it opened.
  for (const [name, causes] of workers) t.ok(causes.has('BREAKER_OPEN'), `${name}: ${[...causes]}`);
  t.ok(
    [...workers.values()].some((causes) => causes.size > 1),
    'calls that failed opened it',
  );
  const { planned, started, heldBack, dropped } = run.starts;
  t.ok(started >= ENOUGH && started < FAILING, `${started} calls were started`);
  t.same([planned, started + heldBack + dropped], [FAILING, FAILING]);
  missedNone(t, run);
  t.equal((await failing.end()).totals['IncomingCall'], started, 'SIPp counted the same');
});

t.test('a run that says overload calls on, whatever comes', async (t) => {
  const run = await runOf('overload');
  t.same(await eventsOf(run.id, 'BREAKER'), []);
  const { started, dropped } = run.starts;
  t.match(run.starts, { planned: OVERLOAD, heldBack: 0 });
  t.equal(started + dropped, OVERLOAD);
  missedNone(t, run);
  t.equal((await doomed.end()).totals['IncomingCall'], started);
});
