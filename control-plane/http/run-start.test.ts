/** POST run: labels, overrides, and an Idempotency-Key as in every other POST. */
import t from 'tap';
import { type ApiReply, callsBody, EDITOR, openApi } from '../testing/api.ts';

const { ask, cloudId, projectId, world } = await openApi(t);
const lab = `/projects/${projectId}`;
const { db } = world.database;

const made = async (body: object): Promise<string> => {
  const reply = await ask('POST', `${lab}/tests`, body);
  if (reply.status !== 201) throw new Error(reply.text);
  return `${lab}/tests/${reply.data.id}`;
};
const outside = (more: object = {}, group: object = {}) => {
  const body = callsBody(cloudId, 10);
  const registrarId = pbx;
  const callers = {
    ...body.groups[0],
    registrarId,
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' },
    ...group,
  };
  return { ...body, name: 'Outside', buildup: 0, groups: [callers], ...more };
};
const pbx: string = (
  await ask('POST', `${lab}/registrars`, { name: 'PBX', uri: 'sip:127.0.0.1:5070', register: false })
).data.id;
const calls = await made(callsBody(cloudId, 4));
const lasting = await made(outside({ load: { shape: 'RATE', callsPerSecond: 10 } }));

const start = (test: string, body?: object, more: object = {}) => ask('POST', `${test}/run`, body, more);
const configOf = async ({ data }: ApiReply) =>
  (await ask('GET', `${lab}/test-runs/${data.id}/configuration`)).data as {
    endpoints: number;
    durationSeconds: number;
    buildup: number;
    config: {
      load: object;
      groups: { callee: object; subPopulations: { endpoints: number; calls: number | null }[] }[];
    };
  };

t.test('labels and overrides are stored with the run, and told in lists and in full', async (t) => {
  const labels = { commit: '4f2a9c1', branch: 'feature/ü', 'ci.job': '12' };
  const overrides = { durationSeconds: 3, buildup: 7, endpoints: 2 };
  const started = await start(calls, { labels, overrides });
  t.equal(started.status, 201);
  t.same(Object.keys(started.data).sort(), ['createdAt', 'id', 'status', 'testId', 'testRunId']);
  const detail = await ask('GET', `${lab}/test-runs/${started.data.id}`);
  const listed = (await ask('GET', `${lab}/test-runs`)).data[0];
  for (const run of [detail.data, listed])
    t.match(run, { id: started.data.id, labels, overrides, isProbeRun: false, probeId: null, endpoints: 4 });
  const { config, ...told } = await configOf(started);
  t.match(told, { endpoints: 4, durationSeconds: 3, buildup: 7 });
  t.same(
    config.groups.map((g) => g.subPopulations.map((s) => s.endpoints)),
    [[2], [2]],
    'callees are as many as their callers need',
  );
  const plain = await start(calls);
  t.match((await ask('GET', `${lab}/test-runs/${plain.data.id}`)).data, { overrides: null, endpoints: 8 });
  t.same((await ask('GET', `${lab}/test-runs/${plain.data.id}`)).data.labels, {});
  t.match(await configOf(plain), { endpoints: 8, durationSeconds: 5, buildup: 2 }, 'the test is as it was');
});

t.test('rate and length make callers place as many calls as the load asks for', async (t) => {
  const many = await start(lasting, { overrides: { callsPerSecond: 5, seconds: 60, calleeUri: 'sip:2@192.0.2.2' } });
  const { config, buildup } = await configOf(many);
  t.same(config.load, { shape: 'RATE', callsPerSecond: 5, seconds: 60 });
  t.equal(buildup, 60);
  t.same(config.groups[0]?.callee, { mode: 'EXTERNAL_URI', uri: 'sip:2@192.0.2.2' });
  t.equal(config.groups[0]?.subPopulations[0]?.calls, null);
  const hold = { shape: 'CONCURRENCY', callsPerSecond: 50, calls: 100 };
  t.same((await configOf(await start(lasting, { overrides: { load: hold, endpoints: 25 } }))).config.load, hold);
  const spread = await configOf(await start(calls, { overrides: { callsPerSecond: 2 } }));
  t.match(spread, { buildup: 2, config: { load: { shape: 'RATE', callsPerSecond: 2 } } }, 'a build-up becomes a rate');
  const both = await configOf(await start(calls, { overrides: { callsPerSecond: 1, calls: 12 } }));
  t.same(
    both.config.groups.map((g) => g.subPopulations[0]?.calls),
    [null, null],
    'callees take as many as come',
  );
});

t.test('what a test has no use for, or cannot be, is refused by name, and nothing begins', async (t) => {
  const count = async () => (await db.selectFrom('test_runs').select('id').execute()).length;
  const before = await count();
  const timed = await made(outside({ maxExecutionSeconds: 30 }, { dtmf: { digits: '123456' } }));
  const refused: [string, unknown, string[]][] = [
    [calls, { override: {} }, ['override']],
    [calls, { overrides: { rate: 5, seconds: 1 } }, ['overrides.rate']],
    [calls, { overrides: { seconds: 5 } }, ['overrides.seconds']],
    [calls, { overrides: { calleeUri: 'sip:1@192.0.2.1' } }, ['overrides.calleeUri']],
    [calls, { overrides: { endpoints: 0 } }, ['overrides.endpoints']],
    [lasting, { overrides: { seconds: 5, calls: 5 } }, ['overrides.calls']],
    [lasting, { overrides: { load: { shape: 'BUILDUP' }, callsPerSecond: 5 } }, ['overrides.load']],
    [lasting, { overrides: { callsPerSecond: 0.01, calls: 100_000 } }, ['overrides.callsPerSecond']],
    [lasting, { overrides: { calleeUri: 'sip:x@192.0.2.1:99999' } }, ['overrides.calleeUri']],
    [lasting, { overrides: { calleeUri: 'http://192.0.2.1' } }, ['overrides.calleeUri']],
    [lasting, { overrides: { buildup: 5 } }, ['overrides.buildup']],
    [timed, { overrides: { durationSeconds: 1 } }, ['overrides.durationSeconds']],
    [timed, { overrides: { durationSeconds: 100 } }, ['overrides.maxExecutionSeconds']],
    [calls, { labels: { 'a=b': '1' } }, ['labels.a=b']],
    [calls, { labels: { a: 1 } }, ['labels.a']],
    [calls, { labels: { a: 'x\ny' } }, ['labels.a']],
    [calls, { labels: { a: 'x'.repeat(201) } }, ['labels.a']],
    [calls, { labels: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`l${i}`, 'v'])) }, ['labels']],
    [calls, { labels: ['a'] }, ['labels']],
    [calls, [], ['']],
  ];
  for (const [test, body, paths] of refused) {
    const reply = await start(test, body as object);
    t.match(reply, { status: 422, code: 'VALIDATION_ERROR' }, JSON.stringify(body));
    t.same(reply.paths, paths, `${JSON.stringify(body)}: ${reply.message}`);
  }
  t.equal(await count(), before);
});

t.test('an Idempotency-Key is of one key, one body and one day', async (t) => {
  world.hold();
  const under = (key: string, more: object = {}) => ({ headers: { 'idempotency-key': key }, ...more });
  const first = await start(calls, { labels: { n: '1' } }, under('pipeline'));
  t.notOk(first.headers['idempotency-replayed']);
  t.equal(first.headers['location'], `/api/v1${lab}/test-runs/${first.data.id}`);
  await db.updateTable('test_runs').set({ status: 'CANNOT_RUN_FOR_NOW' }).where('id', '=', first.data.id).execute();
  const again = await start(calls, { labels: { n: '1' } }, under('pipeline'));
  t.same([again.status, again.data], [201, first.data], 'the first answer, whatever became of the run');
  t.match(again.headers, { 'idempotency-replayed': 'true', location: first.headers['location'] });
  t.match(await start(calls, { labels: { n: '2' } }, under('pipeline')), { status: 422, paths: ['Idempotency-Key'] });
  t.match(await start(lasting, { labels: { n: '1' } }, under('pipeline')), { status: 422, paths: ['Idempotency-Key'] });
  const other = await start(calls, { labels: { n: '1' } }, under('pipeline', { key: EDITOR.key }));
  t.not(other.data.id, first.data.id, "somebody else's key has nothing to do with it");
  world.pass(86_401);
  const next = await start(calls, { labels: { n: '1' } }, under('pipeline'));
  t.equal(next.status, 201);
  t.not(next.data.id, first.data.id, 'a day later it is a new request');
  const entries = await db.selectFrom('audit_entries').where('action', '=', 'runTest').select('target').execute();
  const ids = entries.map(({ target }) => (target as { id: string }).id);
  t.equal(ids.filter((id) => id === first.data.id).length, 1, 'a repetition did nothing');
});

t.test('what is made is told where it is', async (t) => {
  const project = await ask('POST', '/projects', { name: 'Located' });
  t.equal(project.headers['location'], `/api/v1/projects/${project.data.id}`);
  const probe = await ask('POST', `${lab}/probes`, {
    name: 'Door',
    fixedIntervalSec: 300,
    test: {
      registrarId: pbx,
      callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' },
      placement: { mode: 'REGION', region: 'local' },
    },
  });
  t.equal(probe.headers['location'], `/api/v1${lab}/probes/${probe.data.id}`);
  const execution = await ask('POST', `${lab}/probes/${probe.data.id}/run`);
  t.equal(execution.headers['location'], `/api/v1${lab}/test-runs/${execution.data.testRunId}`);
  t.match((await ask('GET', `${lab}/test-runs/${execution.data.testRunId}`)).data, {
    isProbeRun: true,
    probeId: probe.data.id,
    labels: {},
  });
  t.notOk((await ask('PATCH', `${lab}`, { description: 'x' })).headers['location']);
});
