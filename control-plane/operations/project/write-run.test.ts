/** The effects of written configuration on a run. */
import t from 'tap';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { callsBody, wavBase64 } from '../../testing/api.ts';
import { allDone, allocationFacts, FakeAgent, isAllocate, TOKENS } from '../../testing/world.ts';
import { openWrites } from '../../testing/writes.ts';
import { readRecording } from '../agents/recordings.ts';
import { retain } from '../retain.ts';
import { validateRun } from '../run/validate.ts';

const { api, db, make } = await openWrites(t);
const { ask, world } = api;

t.test('a test that was made over the API runs', async (t) => {
  const home = await make('/projects', { name: 'Runs' });
  const [registrarRow] = (await ask('GET', `${home}/registrars`)).data;
  t.match(registrarRow, { slug: 'cloud', isCloud: true }, 'a new project has the built-in registrar');
  const testUrl = await make(`${home}/tests`, callsBody(registrarRow.id, 3));
  const agents = [new FakeAgent(world), new FakeAgent(world)];
  for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
  const started = await ask('POST', `${testUrl}/run`);
  t.equal(started.status, 201, started.message);
  await world.work();
  const orders = (await Promise.all(agents.map((a) => a.orders()))).map((all) =>
    all.filter(isAllocate).filter((o) => o.runId === started.data.id),
  );
  t.equal(
    orders.flat().reduce((sum, o) => sum + o.endpoints.number.length, 0),
    6,
    'every endpoint is planned',
  );
  const runUrl = `${home}/test-runs/${started.data.id}`;
  t.equal((await ask('GET', runUrl)).data.status, 'QUEUED');

  t.match(await ask('DELETE', home), { status: 409, code: 'CONFLICT', message: /1 of its test runs is open/ });
  t.equal((await ask('DELETE', testUrl)).status, 200, 'the run has its own copy of the test');
  for (const [i, agent] of agents.entries()) {
    await agent.send({
      allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'READY' })),
    });
  }
  for (const [i, agent] of agents.entries()) await agent.send(allDone(orders[i] ?? []));
  await world.work();
  t.match((await ask('GET', runUrl)).data, { status: 'COMPLETED', testName: 'Calls', callTiming: { totalCalls: 3 } });

  const recordings = async (when: 'checked' | 'handed out') => {
    const mediaFileId = (await make(`${home}/media-files`, { name: 'x', content: wavBase64() })).split('/').at(-1);
    const body = callsBody(registrarRow.id, 1);
    const groups = body.groups.map((g) => ({ ...g, mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId }] }));
    const made = await ask('POST', `${home}/tests`, { ...body, groups });
    t.same(made.data.media, [{ kind: 'AUDIO', source: 'FILE' }]);
    const run = await ask('POST', `${home}/tests/${made.data.id}/run`);
    if (when === 'handed out') await validateRun(world.ports, run.data.id);
    t.equal((await ask('DELETE', `${home}/tests/${made.data.id}`)).status, 200);
    t.equal((await ask('DELETE', `${home}/media-files/${mediaFileId}`)).status, 200);
    await world.work();
    const ended = (await ask('GET', `${home}/test-runs/${run.data.id}`)).data;
    t.match(ended, {
      status: 'CANNOT_RUN_FOR_NOW',
      error: { code: 'MEDIA_MISSING', message: /media file .* no longer exists/ },
    });
  };
  await t.test('one whose recording is gone by the time it is checked says so', () => recordings('checked'));
  await t.test('and one whose recording goes before it is handed out', () => recordings('handed out'));

  await t.test('an agent is sent what its runs play, and nothing else of their project', async (t) => {
    const store = async (name: string, ms: number) => {
      const content = wavBase64(ms);
      const id = (await make(`${home}/media-files`, { name, content })).split('/').at(-1) as string;
      const [sha256] = (await mediaChecksums(world.database.db, home.split('/').at(-1) as string, [id])).values();
      return { id, sha256: Buffer.from(sha256 as string, 'hex') };
    };
    const played = await store('played', 100);
    const other = await store('other', 200);
    const body = callsBody(registrarRow.id, 1);
    const groups = body.groups.map((g) => ({
      ...g,
      mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId: played.id }],
    }));
    const made = await ask('POST', `${home}/tests`, { ...body, groups });
    const run = await ask('POST', `${home}/tests/${made.data.id}/run`);
    await world.work();
    const bearers = await Promise.all(
      agents.map(async (agent) => ({ agent, orders: (await agent.orders()).filter(isAllocate) })),
    );
    for (const { agent, orders } of bearers) {
      const mine = orders.some((order) => order.runId === run.data.id);
      t.equal((await readRecording(world.ports, agent.workerId, played.sha256, 0)) !== null, mine);
      t.equal(await readRecording(world.ports, agent.workerId, other.sha256, 0), null);
    }
    t.ok(bearers.some(({ orders }) => orders.length > 0));
    for (const { agent, orders } of bearers)
      await agent.send({
        allocations: orders.map((o) => allocationFacts(o.allocationId, { state: 'REFUSED', reason: 'enough' })),
      });
    t.equal((await ask('DELETE', `${home}/tests/${made.data.id}`)).status, 200);
    for (const { id } of [played, other]) t.equal((await ask('DELETE', `${home}/media-files/${id}`)).status, 200);
  });

  await t.test('a project goes with all that is in it', async (t) => {
    const id = home.split('/').at(-1) as string;
    const testLeft = await make(`${home}/tests`, callsBody(registrarRow.id, 1));
    const [gone, late] = await Promise.all([ask('DELETE', home), ask('POST', `${testLeft}/run`)]);
    if (gone.status === 409) {
      t.equal(late.status, 201, 'the run was first');
      await ask('POST', `${home}/test-runs/${late.data.id}/cancel`);
      await world.work();
      t.equal((await ask('DELETE', home)).status, 200);
    } else {
      t.equal(gone.status, 200);
      t.equal(late.status, 404);
    }
    for (const url of [home, runUrl, `${home}/tests`]) t.equal((await ask('GET', url)).status, 404, url);
    t.notOk((await ask('GET', '/projects?per_page=100')).data.some((p: { id: string }) => p.id === id));
    t.equal((await ask('POST', '/projects', { name: 'Runs' })).data.slug, 'runs', 'its slug is free');
    for (const table of ['tests', 'probes', 'registrars', 'media_files', 'webhooks'] as const) {
      t.same(await db.selectFrom(table).where('project_id', '=', id).select('id').execute(), [], table);
    }
    t.ok((await db.selectFrom('test_runs').where('project_id', '=', id).select('id').execute()).length > 0);
    await retain(world.ports);
    for (const { run_id } of await db.selectFrom('streams').select('run_id').execute()) t.not(run_id, started.data.id);
    t.same(await db.selectFrom('test_runs').where('project_id', '=', id).select('id').execute(), []);
    t.same(await db.selectFrom('run_events').where('run_id', '=', started.data.id).select('run_id').execute(), []);
    t.same(await db.selectFrom('projects').where('id', '=', id).select('id').execute(), [], 'retention takes the rest');
  });
});
