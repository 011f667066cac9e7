/** Calls and failed calls over several runs, calls of one run by number and Call-ID, baselines and replays, with real operations on a real database. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { CATALOGUE } from '../../catalogue.ts';
import { HANDLERS } from '../../handlers.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  TOKENS,
} from '../../testing/world.ts';
import { inviteAt } from './endpoint-views.ts';

const CALLS = 6;
/** Each call has two ends here. */
const ENDPOINTS = 2 * CALLS;
const world = await openWorld(t);
await world.provision(acme(CALLS, 100));
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
await agents[0].greet(TOKENS[0]);
await agents[1].greet(TOKENS[1]);

/** Every call with a number below `refused` is refused. */
async function ran(refused: number, status: number) {
  const run = await runningRun(world, agents);
  const startMs = (await runRow(world, run.runId)).started_at?.getTime() ?? 0;
  world.pass(CALLS);
  for (const [i, agent] of agents.entries()) {
    const allocations = (run.orders[i] ?? []).map((order) =>
      allocationFacts(order.allocationId, {
        outcomes: order.endpoints.number.map((number) =>
          outcomeFact(number, {
            plannedUnixMs: startMs + number * 1000,
            calleeUri: `sip:49${number}_0@pbx.example`,
            callId: `id-${status}-${number}`,
            ...(number < refused && {
              outcome: 'CALL_FAILED',
              cause: 'BUSY',
              callResult: 'REJECTED',
              finalStatus: status,
            }),
          }),
        ),
        state: 'DONE',
      }),
    );
    await agent.send({ allocations });
  }
  await world.work();
  return run;
}

const first = await ran(3, 486);
const good = await ran(0, 200);
const last = await ran(2, 603);
const { projectId, context } = first;
const found = async (filter: object = {}) =>
  HANDLERS.listFailedCalls(context, CATALOGUE.listFailedCalls.input.parse({ projectId, ...filter }));
const ids = async (filter: object) => (await found(filter)).rows.map((row) => row.callId);

t.test('failed calls of all runs, last first, by code, number, Call-ID, worker, test and time', async (t) => {
  const all = await found();
  t.equal(all.total, 5);
  t.same(
    all.search,
    { scanned: 2, limit: 10_000, complete: true, until: null },
    'a run without failures is not looked at',
  );
  t.equal(all.rows[0]?.run.id, last.runId);
  t.match(all.rows.at(-1), {
    run: { id: first.runId },
    endpointNumber: 0,
    call: null,
    outcome: 'CALL_FAILED',
    failure: { cause: 'BUSY' },
    finalStatus: 486,
  });
  t.same(await ids({ sip_status: 603 }), ['id-603-1', 'id-603-0']);
  t.same(await ids({ number: '492_' }), ['id-486-2'], 'the sign stands for itself');
  t.same(await ids({ number: '%' }), []);
  t.same((await ids({ number: '490' })).length, 2);
  t.same(await ids({ call_id: 'id-486-1' }), ['id-486-1']);
  t.same(await ids({ call_id: 'id-486' }), []);
  t.equal((await found({ cause: 'BUSY' })).total, 5);
  t.equal((await found({ cause: 'NO_ANSWER' })).total, 0);
  const worker = all.rows[0]?.worker.id;
  const ofWorker = await found({ worker_id: worker });
  t.ok(ofWorker.total > 0 && ofWorker.rows.every((row) => row.worker.id === worker));
  await t.rejects(found({ worker_id: 'none' }), /no worker "none"/);
  t.equal((await found({ test_id: all.rows[0]?.run.testId })).total, 5);
  await t.rejects(found({ test_id: 'none' }), /no test "none"/);
  const at = all.rows[0]?.plannedAt ?? '';
  t.equal((await found({ to: all.rows[0]?.run.submittedAt })).rows.length, 3);
  t.equal((await found({ from: at })).total, 1);
  const page = await found({ page: 3, per_page: 2 });
  t.same([page.total, page.rows.map((row) => row.callId)], [5, ['id-486-0']]);
  for (const sort of ['-plannedAt', 'plannedAt']) {
    const whole = await ids({ sort });
    const seen: unknown[] = [];
    for (let cursor: string | null | undefined, n = 0; n === 0 || cursor; n++) {
      const { rows, nextCursor } = await found({ sort, per_page: 2, ...(cursor && { cursor }) });
      seen.push(...rows.map((row) => row.callId));
      cursor = nextCursor;
    }
    t.same([seen, new Set(seen).size], [whole, 5], `${sort}: by cursor`);
    const planned = (await found({ sort })).rows.map((row) => row.plannedAt ?? '');
    t.same(sort === 'plannedAt' ? planned.toSorted() : planned.toSorted().reverse(), planned, sort);
  }
});

t.test('calls of all runs are those that failed, and the others', async (t) => {
  const all = async (filter: object = {}) =>
    HANDLERS.listCalls(context, CATALOGUE.listCalls.input.parse({ projectId, per_page: 100, ...filter }));
  const callIds = async (filter: object) => (await all(filter)).rows.map((row) => row.callId).toSorted();
  const whole = await all();
  t.equal(whole.total, 3 * ENDPOINTS);
  t.same(whole.search, { scanned: 3, limit: 10_000, complete: true, until: null }, 'a run without failures, too');
  t.same(await callIds({ outcome: 'CALL_FAILED' }), (await ids({})).toSorted());
  t.same((await all({ outcome: 'CALL_FAILED' })).search?.scanned, 2, 'only runs with failures are looked at');
  t.equal((await all({ outcome: ['CALL_FAILED', 'SUCCESS'] })).total, 3 * ENDPOINTS);
  t.equal((await all({ outcome: 'SUCCESS' })).total, 3 * ENDPOINTS - 5);
  t.match((await all({ call_id: 'id-200-4' })).rows, [
    { run: { id: good.runId }, endpointNumber: 4, outcome: 'SUCCESS', failure: null, finalStatus: 200, mos: null },
  ]);
  t.same(await callIds({ number: '495_', sip_status: 200 }), ['id-200-5', 'id-486-5', 'id-603-5']);
  const planned = whole.rows.map((row) => row.plannedAt ?? '');
  t.same(planned, planned.toSorted().reverse(), 'last planned first');
});

t.test('pages are the parts of the whole, wherever they are read from', async (t) => {
  const listed = (filter: object) =>
    HANDLERS.listCalls(context, CATALOGUE.listCalls.input.parse({ projectId, per_page: 100, ...filter }));
  // At most as many calls as the runs have; fewer; none.
  for (const filter of [{}, { outcome: 'CALL_FAILED' }, { number: '490' }, { number: 'nobody' }])
    for (const sort of ['-plannedAt', 'plannedAt'])
      for (const per_page of [1, 5, 36, 50]) {
        const whole = (await listed({ ...filter, sort })).rows.map(({ id }) => id);
        const pages = Math.ceil(whole.length / per_page);
        for (let page = 1; page <= pages + 1; page++) {
          const { rows, total } = await listed({ ...filter, sort, per_page, page });
          const part = whole.slice((page - 1) * per_page, page * per_page);
          t.same(
            [total, rows.map(({ id }) => id)],
            [whole.length, part],
            JSON.stringify({ filter, sort, per_page, page }),
          );
        }
      }
});

t.test('calls of all projects are found by number and Call-ID, as far as the key reaches', async (t) => {
  const of = (filter: object, by = context) => HANDLERS.findCalls(by, CATALOGUE.findCalls.input.parse(filter));
  t.match(await of({ call_id: 'id-200-4' }), {
    calls: [{ run: { id: good.runId }, callId: 'id-200-4', finalStatus: 200, projectId, projectName: 'Lab' }],
    complete: true,
  });
  t.same((await of({ call_id: 'id-200' })).calls, [], 'a whole Call-ID');
  t.same(
    (await of({ number: '495_' })).calls.map(({ callId }) => callId),
    ['id-603-5', 'id-200-5', 'id-486-5'],
    'last planned first',
  );
  t.equal((await of({})).calls.length, 6, 'no more of them');
  const narrow = { ...context, actor: { ...context.actor, userId: randomUUID(), allProjects: false } };
  const other = { ...context, actor: { ...context.actor, organizationId: randomUUID() } };
  const key = { ...context, actor: { ...context.actor, onlyProjects: [randomUUID()] } };
  for (const by of [narrow, other, key]) t.same(await of({ number: '495_' }, by), { calls: [], complete: true });
  // Six projects have a run each, of which the last one is as large as one search.
  const { db } = world.database;
  const copies = [1, 2, 3, 4, 5, 6].map(() => randomUUID());
  const names = copies.map((_, n) => `Project ${n}`);
  await sql`insert into projects (id, organization_id, slug, name)
    select c.id::uuid, p.organization_id, 'copy-' || c.n, c.name from projects p,
      unnest(${copies}::text[], ${names}::text[]) with ordinality as c (id, name, n) where p.id = ${projectId}`.execute(
    db,
  );
  const runs = [first, good, last];
  for (const [n, copy] of copies.entries()) {
    const run = runs[n % runs.length]?.runId as string;
    await sql`update test_runs set project_id = ${copy} where id = ${run}`.execute(db);
    t.match(await of({ call_id: `id-${[486, 200, 603][n % 3]}-4` }), {
      calls: [{ projectId: copy, projectName: names[n] }],
    });
  }
  await sql`update test_runs set endpoints = 400000 where id = ${last.runId}`.execute(db);
  const beside = await of({ number: '495_' });
  t.same([beside.calls.map(({ callId }) => callId), beside.complete], [['id-200-5', 'id-486-5'], false]);
  await sql`update test_runs set endpoints = ${ENDPOINTS}, project_id = ${projectId}`.execute(db);
});

t.test('a search that could not look at all runs goes on where it stopped, and misses none', async (t) => {
  const { db } = world.database;
  const calls = (filter: object) =>
    HANDLERS.listCalls(context, CATALOGUE.listCalls.input.parse({ projectId, per_page: 100, ...filter }));
  // Two of the runs are more than one request looks at.
  await db.updateTable('test_runs').set({ endpoints: 200_000 }).execute();
  t.teardown(() => db.updateTable('test_runs').set({ endpoints: ENDPOINTS }).execute());
  const seen: (string | null)[] = [];
  let until: string | null | undefined;
  for (let n = 0; n < 3; n++) {
    const { rows, search } = await calls(until ? { submitted_to: until } : {});
    t.equal(search?.scanned, 1, `request ${n}`);
    seen.push(...rows.map((row) => row.callId));
    until = search?.until;
  }
  t.equal(until, null);
  t.equal(new Set(seen).size, 3 * ENDPOINTS);
});

t.test('calls of a run are found by a part of the number, and by the whole Call-ID', async (t) => {
  const ofRun = { projectId, testRunId: first.runId };
  for (const [filter, numbers] of [
    [{ number: '492_' }, [2]],
    [{ number: 'PBX' }, Array.from({ length: ENDPOINTS }, (_, n) => n)],
    [{ number: '%' }, []],
    [{ call_id: 'id-486-1' }, [1]],
    [{ call_id: 'id-486' }, []],
    [{ call_id: 'id-603-1' }, []],
    [{ number: '491', sip_status: 486 }, [1]],
  ] as const)
    for (const name of ['listTestRunCalls', 'listTestRunEndpoints'] as const) {
      const { rows, total } = await HANDLERS[name](context, CATALOGUE[name].input.parse({ ...ofRun, ...filter }));
      const which = JSON.stringify(filter);
      t.same([rows.map((row) => row.number), total], [numbers, numbers.length], `${name} ${which}`);
    }
});

t.test('when an INVITE was sent', async (t) => {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
  const none = { called_at: null, attempted: false, planned_at: null, invite_late_ms: null };
  t.equal(inviteAt(none), null);
  t.equal(inviteAt({ ...none, planned_at: at(0) }), null, 'planned, and not sent');
  t.equal(inviteAt({ ...none, attempted: true, planned_at: at(0), invite_late_ms: 7 }), at(7).toISOString());
  t.equal(inviteAt({ ...none, called_at: at(9) }), at(9).toISOString(), 'received');
});

t.test('a test has one baseline at most, which is neither VOID nor open', async (t) => {
  const set = (testRunId: string, isBaseline: boolean) =>
    HANDLERS.updateTestRunBaseline(context, { projectId, testRunId, isBaseline });
  const starred = async () =>
    (await HANDLERS.listTestRuns(context, CATALOGUE.listTestRuns.input.parse({ projectId }))).rows
      .filter(({ isBaseline }) => isBaseline)
      .map(({ id }) => id);
  t.match(await set(first.runId, true), { id: first.runId, isBaseline: true });
  t.same(await starred(), [first.runId]);
  await set(good.runId, true);
  t.same(await starred(), [good.runId], 'in place of the earlier one');
  t.match(await HANDLERS.getTestRun(context, { projectId, testRunId: good.runId }), { isBaseline: true });
  await set(good.runId, false);
  t.same(await starred(), []);
  await set(good.runId, false);
  const { validity } = await runRow(world, last.runId);
  await world.database.db
    .updateTable('test_runs')
    .set({ validity: JSON.stringify({ ...(validity as object), verdict: 'VOID' }) })
    .where('id', '=', last.runId)
    .execute();
  await t.rejects(set(last.runId, true), { code: 'CONFLICT' });
  await t.rejects(set('none', true), { code: 'NOT_FOUND' });
});

t.test('a replay has the settings that the run had, whatever became of its test', async (t) => {
  const { test_id: testId } = await runRow(world, good.runId);
  await world.database.db.updateTable('tests').set({ duration_seconds: 1 }).where('id', '=', testId).execute();
  const replay = await HANDLERS.replayTestRun(context, { projectId, testRunId: good.runId, labels: { why: 'again' } });
  const settings = async (testRunId: string) => {
    const { testRunId: _, ...rest } = await HANDLERS.getTestRunConfiguration(context, { projectId, testRunId });
    return rest;
  };
  t.same(await settings(replay.testRunId), await settings(good.runId));
  const run = await HANDLERS.getTestRun(context, { projectId, testRunId: replay.testRunId });
  t.same(run.labels, { 'replay-of': good.runId, why: 'again' });
  t.equal(run.isBaseline, false);
  await t.rejects(HANDLERS.replayTestRun(context, { projectId, testRunId: 'none' }), { code: 'NOT_FOUND' });
  const media = [{ mediaFileId: good.runId, name: 'greeting.wav', sha256: 'ab'.repeat(32) }];
  await world.database.db
    .updateTable('test_runs')
    .set({ media: JSON.stringify(media) })
    .where('id', '=', good.runId)
    .execute();
  t.match(await settings(good.runId), { media, seeds: [] });
  await t.rejects(HANDLERS.replayTestRun(context, { projectId, testRunId: good.runId }), {
    code: 'CONFLICT',
    message: /greeting\.wav \(SHA-256 abab/,
  });
});
