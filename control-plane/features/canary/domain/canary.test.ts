/** What a canary found, in figures and in words; what it does next. */
import t from 'tap';
import {
  type CanaryExecution,
  canaryAction,
  canaryResult,
  canarySetUp,
  canaryView,
  loadSeconds,
  type StoredCanary,
} from './canary.ts';

const MS = Date.parse('2026-01-31T12:00:00Z');
const at = (seconds: number): string => new Date(MS + seconds * 1000).toISOString();
/** The load is on from 60 to 120, and its last calls end at 125. */
const LOAD = { startedAt: new Date(MS + 60_000), endedAt: new Date(MS + 125_000), loadSeconds: 60 };

let n = 0;
const execution = (seconds: number, more: Partial<CanaryExecution> = {}): CanaryExecution => ({
  testRunId: `run-${n++}`,
  submittedAt: at(seconds - 1),
  startedAt: at(seconds),
  result: 'GOOD',
  setUpMs: 76,
  mos: 4.36,
  heard: true,
  message: null,
  ...more,
});
const canary = (executions: readonly CanaryExecution[], more: Partial<StoredCanary> = {}): StoredCanary => ({
  ...{ probeId: 'p', probeName: 'Front door', mode: 'CALL', calls: 3, everySeconds: 5, idleSeconds: 90 },
  executions,
  ...more,
});
const idle = [10, 20, 30].map((s) => execution(s));
const loaded = (more: Partial<CanaryExecution>, many = 4) =>
  Array.from({ length: many }, (_, i) => execution(61 + i * 5, more));

t.test('before the load against while it was on', async (t) => {
  const view = canaryView(canary([...idle, ...loaded({ setUpMs: 312 }), execution(121, { setUpMs: 9000 })]), LOAD);
  t.match(view, {
    idle: { executions: 3, good: 3, failed: 0, setUpMs: { count: 3, min: 76, median: 76, max: 76 } },
    loaded: { executions: 4, good: 4, setUpMs: { count: 4, median: 312 } },
    setUpRatio: 4.11,
  });
  t.same(view.sentences, [
    'While the load was on, a caller waited 312 ms for ringing (median of 4), 4.1 times as long as before it (76 ms, of 3).',
    'None of 4 failed while it was on; before it, none of 3.',
    'MOS was 4.36 while it was on, 4.36 before it (medians).',
  ]);
  t.same(
    view.executions.map(({ phase }) => phase),
    [...idle.map(() => 'IDLE'), ...Array(4).fill('LOADED'), 'AFTER'],
    'what began after the load is in no figure',
  );
  t.notOk('idleSeconds' in view || 'submittedAt' in (view.executions[0] ?? {}));
});

t.test('a difference is told where there is one', async (t) => {
  const first = (setUpMs: number, before = 76) =>
    canaryView(canary([...[10, 20, 30].map((s) => execution(s, { setUpMs: before })), ...loaded({ setUpMs })]), LOAD)
      .sentences[0];
  t.match(first(80), /80 ms for ringing \(median of 4\), about as long as before it/);
  t.match(first(6, 2), /6 ms .*about as long/, 'a multiple of next to nothing');
  t.match(first(30), /30 ms .*less than before it/);
  t.match(first(100), /1\.3 times as long/);
  t.match(first(25, 0), /longer than before it \(0 ms/, 'no multiple of nothing');
});

t.test('too few values are not compared, and nothing is made up', async (t) => {
  const few = canaryView(canary([...idle, ...loaded({ setUpMs: 312 }, 2)]), LOAD);
  t.match(few, { setUpRatio: null, loaded: { setUpMs: { count: 2, median: 312 } } });
  t.same(few.sentences, [
    'Too few values to compare set-up times: 3 before the load and 2 while it was on; 3 of each are needed.',
    'None of 2 failed while it was on; before it, none of 3.',
  ]);
  const none = canaryView(canary([]), LOAD);
  t.same(none.loaded.setUpMs, { count: 0, min: null, median: null, max: null });
  t.match(none.sentences, [/^Too few values/]);
  const ended = { ...LOAD, startedAt: null };
  t.match(canaryView(canary(idle), ended).sentences, [/^The load did not start/]);
  t.same(canaryView(canary(idle), { ...LOAD, startedAt: null, endedAt: null }).sentences, [], 'not yet');
});

t.test('failures count, trouble of the agent does not', async (t) => {
  const failed = { result: 'FAILED', setUpMs: null, mos: null } as const;
  const view = canaryView(
    canary([
      ...idle,
      ...loaded({ setUpMs: 80 }, 3),
      execution(90, { ...failed, setUpMs: 90, heard: false }),
      execution(95, failed),
      execution(100, { result: 'NOT_JUDGED', setUpMs: 5000 }),
      execution(105, { result: null, setUpMs: null }),
      execution(60.5, { result: null, setUpMs: null, startedAt: null }),
    ]),
    LOAD,
  );
  t.match(view.loaded, {
    executions: 6,
    notJudged: 1,
    good: 3,
    failed: 2,
    notHeard: 1,
    setUpMs: { count: 4, min: 80, max: 90 },
  });
  t.ok(
    view.sentences.includes('2 of 5 failed while it was on, 1 of them answered and not heard; before it, none of 3.'),
  );
  t.match(view.sentences.at(-1), /^Not counted: 1 execution that could not be judged/);
});

t.test('a result is about the target', async (t) => {
  const of = (more: Partial<Parameters<typeof canaryResult>[0]>) =>
    canaryResult({ status: 'HEALTHY', outcome: 'SUCCESS', validity: null, ...more });
  const noise = (level: 'SUSPECT' | 'VOID', check: string, stallMs = 0) => ({
    reasons: [{ level, check, value: 1, limit: 1, unit: '', worker: null, message: '', touches: '' }],
    checks: [
      {
        check: 'stall',
        kind: 'EFFECT' as const,
        value: stallMs,
        suspectAbove: 150,
        voidAbove: 10_000,
        unit: 'ms',
        count: 1,
      },
    ],
  });
  t.equal(of({}), 'GOOD');
  t.equal(of({ status: 'DEGRADED' }), 'GOOD', 'slow, and a call');
  t.equal(of({ status: 'UNHEALTHY', outcome: 'CALL_FAILED' }), 'FAILED');
  t.equal(of({ outcome: 'CALL_FAILED' }), 'GOOD', 'a refusal that was expected');
  t.equal(of({ status: 'UNKNOWN', outcome: 'CALL_FAILED' }), 'NOT_JUDGED');
  t.equal(of({ status: 'UNHEALTHY', outcome: null }), 'NOT_JUDGED');
  t.equal(of({ validity: noise('VOID', 'inviteLateness') }), 'NOT_JUDGED', 'the caller itself was late');
  t.equal(of({ validity: noise('SUSPECT', 'inviteLateness') }), 'GOOD');
  const sending = { status: 'UNKNOWN' as const, validity: noise('VOID', 'skippedSlots') };
  t.equal(of(sending), 'GOOD', 'audio that was sent late touches neither set-up time nor what was received');
  t.equal(of({ ...sending, outcome: 'CALL_FAILED' }), 'NOT_JUDGED');
  t.equal(of({ validity: noise('SUSPECT', 'stall', 1500) }), 'NOT_JUDGED', 'it may have stalled while it rang');
});

t.test('how long a load is on', async (t) => {
  t.equal(loadSeconds(600, 10, false), 600, 'calls start for ten minutes');
  t.equal(loadSeconds(0, 60, false), 60, 'all at once, for a minute');
  t.equal(loadSeconds(600, 10, true), null);
});

t.test('what a caller waited is of calls that came to something', async (t) => {
  t.equal(canarySetUp('GOOD', false, 5), 5, 'a refusal that was expected');
  t.equal(canarySetUp('FAILED', true, 5), 5, 'answered and not heard');
  t.equal(canarySetUp('FAILED', false, 5), null, 'refused at once');
});

t.test('one execution after another, then the load, then at intervals', async (t) => {
  const submittedAt = new Date(MS);
  const next = (executions: readonly CanaryExecution[], more: object = {}) =>
    canaryAction(canary(executions), {
      ...LOAD,
      ...{
        endedAt: null,
        status: 'PENDING',
        submittedAt,
        isEnding: false,
        longestSeconds: 300,
        at: new Date(MS + 40_000),
      },
      ...more,
    });
  const open = execution(35, { result: null });
  t.same(next([]), { does: 'EXECUTE' });
  t.same(next([open]), { does: 'NOTHING' }, 'its end asks again');
  t.same(next(idle.slice(0, 2)), { does: 'EXECUTE' });
  t.same(next(idle), { does: 'LOAD' });
  t.same(next([open], { at: new Date(MS + 90_000) }), { does: 'LOAD' }, 'one that does not end holds up nobody');
  const running = { status: 'RUNNING', at: new Date(MS + 62_000) };
  t.same(next(idle, running), { does: 'EXECUTE' }, 'at once');
  const later = [...idle, execution(61)];
  t.same(next(later, running), { does: 'WAIT', until: new Date(MS + 65_000) }, '5 s from start to start');
  t.same(next(later, { ...running, at: new Date(MS + 65_000) }), { does: 'EXECUTE' });
  t.same(
    next(later, { ...running, longestSeconds: 7200 }),
    { does: 'WAIT', until: new Date(MS + 96_000) },
    'of a long load no more than can be kept with its run',
  );
  t.same(next([...idle, open], running), { does: 'NOTHING' }, 'never two at once');
  const late = { ...running, at: new Date(MS + 119_500) };
  t.same(next(later, late), { does: 'NOTHING' }, 'it would begin after the load');
  t.same(next(later, { ...late, loadSeconds: null }), { does: 'EXECUTE' }, 'nobody knows when a changed load ends');
  for (const more of [{ status: 'QUEUED' }, { ...running, isEnding: true }, { status: 'COMPLETED' }])
    t.same(next(later, more), { does: 'NOTHING' });
});
