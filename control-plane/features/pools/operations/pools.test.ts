/** Agents join a pool by its token: how many, for how long, under which names, with which policies, and in whose eyes. */
import { randomUUID } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import type { Input } from '../../../contract/catalogue.ts';
import { HANDLERS } from '../../../handlers.ts';
import { depart } from '../../../operations/agents/depart.ts';
import { type Greeting, greet, replacePolicy } from '../../../operations/agents/greet.ts';
import { archiveLeaving, drainLeaving } from '../../../operations/agents/leave.ts';
import type { Context } from '../../../operations/request/perform.ts';
import { listCandidates } from '../../../store/agents/workers.ts';
import { acme, allDone, FakeAgent, openWorld, ownerContext, runningRun, TOKENS } from '../../../testing/world.ts';
import { sweepPools } from './sweep.ts';

const world = await openWorld(t);
const [organization] = acme().organizations;
const other = { slug: 'other', name: 'Other', users: [{ email: 'o@other.example', name: 'Owner', role: 'OWNER' }] };
const key = { name: 'key', user: 'o@other.example', key: `crl_${'9'.repeat(32)}` };
await world.provision({ organizations: [organization, { ...other, apiKeys: [key] }] });
const { db } = world.database;
const owner = await ownerContext(world);
const stranger = await ownerContext(world, 'other');

let pools = 0;
const newPool = (more: Partial<Input<'createPool'>> = {}, context: Context = owner) =>
  HANDLERS.createPool(context, {
    name: `pool-${++pools}`,
    region: 'pools',
    capacity: 10,
    namePattern: '{pool}-{n}',
    maxAgents: 3,
    policy: {},
    expiresAt: null,
    ...more,
  });
const agentsOf = async (poolId: string, context: Context = owner) =>
  (await HANDLERS.listPoolAgents(context, { poolId, page: 1, per_page: 100, sort: 'joinedAt' })).rows;
const poolsOf = async (context: Context = owner) =>
  (await HANDLERS.listPools(context, { page: 1, per_page: 100, sort: 'name' })).rows;
const knock = (token: string, more: Partial<Greeting> = {}, agent = new FakeAgent(world)) =>
  greet(world.ports, { ...agent.greeting(token), connectionId: randomUUID(), ...more });
const outcome = async (answer: ReturnType<typeof knock>) => {
  const result = await answer;
  return 'code' in result ? result.reason : result.name;
};

t.jobs = 1;

t.test('fifty at once, twenty places: twenty join, each as another worker', async (t) => {
  const pool = await newPool({ maxAgents: 20 });
  const found = await Promise.all(Array.from({ length: 50 }, () => outcome(knock(pool.joinToken))));
  t.equal(found.filter((one) => one === 'JOIN_TOKEN_FULL').length, 30);
  t.equal(new Set(found).size, 21);
  const agents = await agentsOf(pool.id);
  t.equal(agents.length, 20);
  t.match(
    (await poolsOf()).find(({ id }) => id === pool.id),
    { agents: 20, online: 20, joined: 20 },
  );
  t.match(await knock(pool.joinToken), { retryAfterMs: 30_000 }, 'one more waits for a place');
  const [first] = agents;
  await HANDLERS.revokeWorker(owner, { workerId: first?.id ?? '' });
  t.equal(await outcome(knock(pool.joinToken)), `${pool.name}-21`, 'and gets it, with a new number');
  t.match(
    (await poolsOf()).find(({ id }) => id === pool.id),
    { agents: 20, joined: 21 },
  );
});

t.test('the worker is one as any other: its key is its own, and it takes runs', async (t) => {
  const pool = await newPool({ region: 'eu', capacity: 7 });
  const agent = new FakeAgent(world);
  const welcome = await agent.greet(pool.joinToken);
  t.match(welcome, { name: `${pool.name}-1`, region: 'eu' });
  t.equal((await agent.greet()).workerId, welcome.workerId, 'without the token');
  const bootId = randomUUID();
  await knock('', { bootId }, agent);
  t.match(
    await knock(pool.joinToken, { bootId }, agent),
    { workerId: welcome.workerId },
    'with the token: no second worker',
  );
  const candidates = await listCandidates(db, owner.actor.organizationId);
  t.match(
    candidates.find(({ id }) => id === welcome.workerId),
    { region: 'eu', capacity: 7 },
  );
});

t.test('workers are grouped by their pools, as long as they are in them', async (t) => {
  const pool = await newPool();
  for (let n = 0; n < 3; n++) await knock(pool.joinToken);
  const filter = { pool: [pool.name] };
  const counted = async () => (await HANDLERS.getFleet(owner, filter)).groups.filter(({ by }) => by === 'pool');
  t.same(await counted(), [{ by: 'pool', value: pool.name, workers: 3, online: 3 }]);
  const found = async () =>
    (await HANDLERS.listWorkers(owner, { page: 1, per_page: 100, sort: 'name', ...filter })).rows;
  t.same(
    (await found()).map((worker) => worker.pool),
    [pool.name, pool.name, pool.name],
  );
  const [first] = await found();
  await HANDLERS.revokeWorker(owner, { workerId: first?.id ?? '' });
  t.equal((await found()).length, 2);
  const { id: workerId, pool: ofNone } = await HANDLERS.createWorker(owner, {
    name: 'alone',
    region: 'eu',
    capacity: 1,
  });
  t.equal(ofNone, null);
  const { rows } = await HANDLERS.listWorkers(owner, { page: 1, per_page: 100, sort: 'name', pool: ['none'] });
  t.ok(
    rows.some(({ id }) => id === workerId) && rows.every((worker) => worker.pool === null),
    'none: those in no pool',
  );
});

t.test('a token ends by its time, and by hand', async (t) => {
  t.rejects(newPool({ expiresAt: new Date(world.ports.now().getTime() - 1).toISOString() }), {
    code: 'VALIDATION_ERROR',
  });
  const ending = await newPool({ expiresAt: new Date(world.ports.now().getTime() + 60_000).toISOString() });
  const inTime = new FakeAgent(world);
  await inTime.greet(ending.joinToken);
  world.pass(61);
  t.equal(await outcome(knock(ending.joinToken)), 'JOIN_TOKEN_EXPIRED');
  t.ok(await inTime.greet(ending.joinToken), 'an agent that is in stays');
  const pool = await newPool();
  const member = new FakeAgent(world);
  await member.greet(pool.joinToken);
  const revoked = await HANDLERS.revokePool(owner, { poolId: pool.id });
  t.match(revoked, { revokedAt: /Z$/, agents: 1 });
  const answer = await knock(pool.joinToken);
  t.match(answer, { code: 'JOIN_TOKEN_REFUSED', reason: 'JOIN_TOKEN_REVOKED', message: /is revoked/ });
  t.notOk('retryAfterMs' in answer, 'it does not come again by itself');
  t.ok(await member.greet(), 'its agents stay');
  t.ok(
    (await poolsOf()).some(({ id }) => id === pool.id),
    'and it is listed',
  );
  await t.rejects(HANDLERS.revokePool(owner, { poolId: pool.id }), { code: 'CONFLICT' });
  await HANDLERS.revokeWorker(owner, { workerId: member.workerId });
  t.notOk(
    (await poolsOf()).some(({ id }) => id === pool.id),
    'until the last has gone',
  );
  t.ok(await newPool({ name: pool.name }), 'its name is free');
});

t.test('names by pattern, never twice', async (t) => {
  const named = await newPool({ namePattern: '{host} {n}', maxAgents: 9 });
  const host = (hostname: string) => ({ hello: { ...new FakeAgent(world).greeting().hello, hostname } });
  t.equal(await outcome(knock(named.joinToken, host('edge/7'))), 'edge-7 1');
  t.equal(await outcome(knock(named.joinToken, { wantedName: 'by-{host}', ...host('a') })), 'by-a');
  t.equal(await outcome(knock(named.joinToken, { wantedName: 'by-{host}', ...host('a') })), 'by-a-3');
  t.equal(await outcome(knock(named.joinToken, { wantedName: 'x'.repeat(63) })), 'x'.repeat(63));
  t.equal(await outcome(knock(named.joinToken, { wantedName: 'x'.repeat(63) })), `${'x'.repeat(61)}-5`);
  t.equal(await outcome(knock(named.joinToken, { wantedName: '\u{1F600}' })), '--');
  const [last] = (await agentsOf(named.id)).slice(-1);
  await HANDLERS.revokeWorker(owner, { workerId: last?.id ?? '' });
  t.equal(
    await outcome(knock(named.joinToken, { wantedName: '--' })),
    '---7',
    'the row of an archived worker is its own',
  );
});

t.test('the policy that it demands', async (t) => {
  const policy = { targetNetworks: ['10.0.0.0/8', 'fd00::/8'], maxCallsPerSecond: 20 };
  const pool = await newPool({ policy, maxAgents: 9 });
  const { hello } = new FakeAgent(world).greeting();
  const withPolicy = (more: object) => ({ hello: { ...hello, policy: { ...hello.policy, ...more } } });
  for (const [more, expected] of [
    [{ targetNetworks: ['10.1.0.0/16'], maxCallsPerSecond: 20 }, pool.name],
    [{ targetNetworks: ['10.0.0.0/8', 'fd12::/16'], maxCallsPerSecond: 1 }, pool.name],
    [{ targetNetworks: [], maxCallsPerSecond: 20 }, pool.name],
    [{ targetNetworks: ['10.0.0.0/7'], maxCallsPerSecond: 20 }, 'POLICY_TOO_WIDE'],
    [{ targetNetworks: ['::/0'], maxCallsPerSecond: 20 }, 'POLICY_TOO_WIDE'],
    [{ targetNetworks: ['192.168.0.0/24'], maxCallsPerSecond: 20 }, 'POLICY_TOO_WIDE'],
    [{ targetNetworks: ['10.1.0.0/16'], maxCallsPerSecond: 21 }, 'POLICY_TOO_WIDE'],
  ] as const)
    t.ok((await outcome(knock(pool.joinToken, withPolicy(more)))).startsWith(expected), JSON.stringify(more));
  const answer = await knock(pool.joinToken, withPolicy({ targetNetworks: ['10.0.0.0/8'], maxCallsPerSecond: 21 }));
  t.match(answer, { message: /maxCallsPerSecond is 21 in its policy.yaml, and the pool demands 20 at most/ });

  const member = new FakeAgent(world);
  const narrow = withPolicy({ targetNetworks: ['10.1.0.0/16'], maxCallsPerSecond: 20 });
  const connection = { workerId: '', connectionId: randomUUID() };
  const welcome = await knock(pool.joinToken, { ...narrow, connectionId: connection.connectionId }, member);
  const at = { ...connection, workerId: 'code' in welcome ? '' : welcome.workerId };
  t.equal(await replacePolicy(world.ports, at, narrow.hello.policy), null);
  const wide = { ...narrow.hello.policy, maxCallsPerSecond: 21 };
  t.match(await replacePolicy(world.ports, at, wide), { code: 'POLICY_TOO_WIDE', retryAfterMs: 30_000 });
  t.match(await knock('', withPolicy(wide), member), { code: 'POLICY_TOO_WIDE' }, 'and it stays out with it');
  t.notOk('code' in (await knock('', narrow, member)));
});

t.test('the token is stored nowhere, and other organizations know nothing', async (t) => {
  const pool = await newPool();
  const agent = new FakeAgent(world);
  await agent.greet(pool.joinToken);
  await HANDLERS.revokePool(owner, { poolId: pool.id });
  await knock(pool.joinToken, { address: '192.0.2.1' });
  const { rows } = await HANDLERS.listAuditEntries(owner, { page: 1, per_page: 100, sort: '-at' });
  t.ok(
    rows.some((r) => r.action === 'agentRefused' && JSON.stringify(r.target).includes(pool.name)),
    'the audit log says it',
  );
  t.ok(rows.some((r) => r.action === 'enrolAgent'));
  const hidden = JSON.stringify([rows, await poolsOf(), await agentsOf(pool.id)]);
  t.notMatch(hidden, pool.joinToken);
  t.notMatch(JSON.stringify(await db.selectFrom('pools').selectAll().execute()), pool.joinToken);
  t.match(String(new Secret(pool.joinToken)), /^(?!.*[\w-]{43})/);
  t.same(await poolsOf(stranger), []);
  await t.rejects(agentsOf(pool.id, stranger), { code: 'NOT_FOUND' });
  await t.rejects(HANDLERS.revokePool(stranger, { poolId: pool.id }), { code: 'NOT_FOUND' });
  t.equal(await outcome(knock('no token of anybody')), 'JOIN_TOKEN_UNKNOWN');
});

t.test('an agent leaves: drained, then archived with its figures, and its place is free', async (t) => {
  const pool = await newPool({ maxAgents: 1, region: 'leaving' });
  const agent = new FakeAgent(world);
  await agent.greet(pool.joinToken);
  const { workerId } = agent;
  await drainLeaving(world.ports, workerId);
  t.match(await agentsOf(pool.id), [{ status: 'DRAINING', leftAt: null }]);
  t.notOk(
    (await listCandidates(db, owner.actor.organizationId)).some(({ id }) => id === workerId),
    'no new runs',
  );
  t.equal(await outcome(knock(pool.joinToken)), 'JOIN_TOKEN_FULL', 'it still has its place');
  t.ok(await archiveLeaving(world.ports, workerId, { address: '' }));
  t.match(await agentsOf(pool.id), [{ status: 'OFFLINE', leftAt: /Z$/, runs: 0 }]);
  t.notOk(await archiveLeaving(world.ports, randomUUID(), { address: '' }), 'an unknown one');
  t.equal(await outcome(knock('', {}, agent)), 'KEY_RETIRED');
  t.equal(await outcome(knock(pool.joinToken)), `${pool.name}-2`);
});

t.test('with a share of a run it does not leave before that has ended', async (t) => {
  const tests = [new FakeAgent(world), new FakeAgent(world)] as const;
  await tests[0].greet(TOKENS[0]);
  await tests[1].greet(TOKENS[1]);
  const { orders } = await runningRun(world, tests);
  const { workerId } = tests[0];
  await drainLeaving(world.ports, workerId);
  t.notOk(await archiveLeaving(world.ports, workerId, { address: '' }));
  for (const [i, agent] of tests.entries()) await agent.send(allDone(orders[i] ?? []));
  await world.work();
  t.ok(await archiveLeaving(world.ports, workerId, { address: '' }));
});

t.test('a disposable agent that ends without a word is archived after a while, and may return', async (t) => {
  const pool = await newPool({ maxAgents: 2 });
  const [lasting, disposable] = [new FakeAgent(world), new FakeAgent(world)];
  const connections = [randomUUID(), randomUUID()] as const;
  await knock(pool.joinToken, { connectionId: connections[0] }, lasting);
  await knock(pool.joinToken, { connectionId: connections[1], isDisposable: true }, disposable);
  for (const one of connections) await depart(world.ports, one);
  await world.work();
  world.pass(890);
  await sweepPools(world.ports);
  t.match(await agentsOf(pool.id), [{ leftAt: null }, { leftAt: null }]);
  world.pass(11);
  await sweepPools(world.ports);
  t.match(await agentsOf(pool.id), [
    { isDisposable: false, leftAt: null },
    { isDisposable: true, leftAt: /Z$/ },
  ]);
  t.equal(await outcome(knock('', {}, disposable)), 'KEY_RETIRED', 'without the token it stays out');
  const former = (await agentsOf(pool.id))[1]?.id;
  const back = await knock(pool.joinToken, { isDisposable: true }, disposable);
  t.match(back, { workerId: former }, 'with it, it is the worker that it was: its late facts count');
  t.match(await agentsOf(pool.id), [{ leftAt: null }, { leftAt: null, status: 'ONLINE' }]);
  t.equal(await outcome(knock(pool.joinToken)), 'JOIN_TOKEN_FULL');
});

t.test('a copy of a state folder: refused while the other is there, and it joins anew', async (t) => {
  const pool = await newPool();
  const agent = new FakeAgent(world);
  const [one, copy] = [randomUUID(), randomUUID()];
  const connectionId = randomUUID();
  await knock(pool.joinToken, { bootId: one, connectionId }, agent);
  t.notOk('code' in (await knock(pool.joinToken, { bootId: one, connectionId }, agent)), 'the same process, again');
  t.match(await knock(pool.joinToken, { bootId: copy }, agent), { code: 'KEY_COPIED_IN_POOL', retryAfterMs: 30_000 });
  t.match(await agentsOf(pool.id), [{ status: 'ONLINE' }], 'the one that is there is not in doubt');
  await depart(world.ports, connectionId);
  t.notOk(
    'code' in (await knock(pool.joinToken, { bootId: copy }, agent)),
    'a restarted agent, when it is known to be gone',
  );
  t.match(await knock(pool.joinToken, { bootId: one }, agent), { code: 'KEY_COPIED_IN_POOL' }, 'both were there');
  t.match(await agentsOf(pool.id), [{ status: 'ERROR' }], 'so what they measured is in doubt');
  const anew = new FakeAgent(world);
  t.equal(await outcome(knock(pool.joinToken, {}, anew)), `${pool.name}-2`);
  await HANDLERS.revokePool(owner, { poolId: pool.id });
  t.notOk(
    'code' in (await knock(pool.joinToken, { bootId: randomUUID() }, anew)),
    'where none can join, as for any worker',
  );
});
