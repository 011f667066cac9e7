/** Workers by filter and by group: whatever they are, each group has the workers that its filter finds, and others are no part of it. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Input } from '../../contract/catalogue.ts';
import { CAPACITY_LIMITS } from '../../contract/worker-words.ts';
import { limitsOf } from '../../domain/run/plan/capacity.ts';
import { HANDLERS } from '../../handlers.ts';
import { acme, openWorld, ownerContext } from '../../testing/world.ts';

const world = await openWorld(t);
const [organization] = acme().organizations;
const other = { slug: 'other', name: 'Other', users: [{ email: 'o@other.example', name: 'Owner', role: 'OWNER' }] };
const key = { name: 'key', user: 'o@other.example', key: `crl_${'9'.repeat(32)}` };
await world.provision({ organizations: [organization, { ...other, apiKeys: [key] }] });
const { db } = world.database;
const owner = await ownerContext(world);
const stranger = await ownerContext(world, 'other');

const list = async (filter: Input<'getFleet'>, context = owner) =>
  (await HANDLERS.listWorkers(context, { page: 1, per_page: 100, sort: 'name', ...filter })).rows;

const having = (by: string, value: string) => ({ [by]: [value] }) as Input<'getFleet'>;

const COUNTS = [undefined, 0, 10, 20];
const oneOf = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;

/** Each with another combination of what bounds a worker, as agents of any version have reported it. */
const workers = Array.from({ length: 90 }, (_, n) => {
  const [own = 0, openFileStreams = 0, portStreams = 0] = [n, n >> 2, n >> 4].map((at) => oneOf(COUNTS, at));
  const hello =
    n % 9 === 0
      ? {}
      : {
          ...{ agentVersion: oneOf(['0.1.0', '0.2.0', '0.10.0'], n), hostname: `Rack${n % 4}.example`, capacity: 15 },
          ...(n % 5 > 0 && { limits: { own, openFileStreams, portStreams } }),
          ...(n % 7 > 0 && { policy: { maxEndpoints: oneOf([5, 12, 30], n), targetNetworks: [] } }),
        };
  return {
    ...{ id: randomUUID(), name: `edge-${n}`, region: oneOf(['eu', 'us'], n), capacity: oneOf([8, 14, 40], n >> 1) },
    ...{ status: oneOf(['ONLINE', 'OFFLINE', 'DRAINING'] as const, n), hello: JSON.stringify(hello) },
    public_key: n % 9 === 0 ? null : Buffer.from(randomUUID().replaceAll('-', ''), 'hex'),
    organization_id: owner.actor.organizationId,
  };
});
await db.deleteFrom('workers').execute();
await db.insertInto('workers').values(workers).execute();

t.test('each group has the workers that its filter finds', async (t) => {
  const { groups, workers: total, online } = await HANDLERS.getFleet(owner, {});
  t.equal(total, workers.length);
  t.equal(online, workers.filter(({ status }) => status === 'ONLINE').length);
  const by = Map.groupBy(groups, (group) => group.by);
  for (const name of ['state', 'region', 'version', 'limited_by']) t.ok((by.get(name) ?? []).length > 1, `by ${name}`);
  for (const [name, all] of by) {
    t.equal(
      all.reduce((sum, group) => sum + group.workers, 0),
      total,
      `each worker is in one group by ${name}`,
    );
    for (const { value, ...counts } of all) {
      const found = await list(having(name, value));
      t.match(counts, { workers: found.length, online: found.filter((w) => w.status === 'ONLINE').length });
      t.match(await HANDLERS.getFleet(owner, having(name, value)), { workers: found.length });
      for (const w of found) {
        const state = w.isEnrolled ? w.status : 'WAITING';
        const version = w.agent?.version ?? 'none';
        const limited_by = w.capacityLimits[0]?.limit;
        const known: Record<string, string | undefined> = { state, region: w.region, version, limited_by };
        // Nothing of features was said about these workers.
        t.equal(known[name] ?? 'none', value, `${w.name} by ${name}`);
      }
    }
  }
});

t.test('the strictest limit is that of the row', async (t) => {
  const found = new Set<string>();
  for (const limit of CAPACITY_LIMITS)
    for (const { name } of await list({ limited_by: [limit] })) {
      const row = workers.find((one) => one.name === name);
      const carrying = { capacity: row?.capacity ?? 0, hello: JSON.parse(row?.hello ?? '{}') };
      t.equal(limitsOf(carrying)[0]?.limit, limit, name);
      found.add(name);
    }
  t.equal(found.size, workers.length);
});

t.test('several values of one parameter, and several parameters', async (t) => {
  const both = await list({ region: ['eu', 'us'], state: ['ONLINE'] });
  const each = await Promise.all(['eu', 'us'].map((region) => list({ region: [region], state: ['ONLINE'] })));
  t.same(both.map(({ id }) => id).sort(), each.flatMap((rows) => rows.map(({ id }) => id)).sort());
});

t.test('a search is for a part of a name or of a host, in any case, and knows no wildcards', async (t) => {
  const names = async (search: string) => (await list({ search })).map(({ name }) => name);
  t.same(await names('EDGE-17'), ['edge-17']);
  const onRack = workers.filter(({ hello }) => hello.includes('Rack1.')).map(({ name }) => name);
  t.same((await names('rack1.')).sort(), onRack.sort());
  for (const text of ['edge_1', '%', 'e.ge', '17\nrack', '\\']) t.same(await names(text), [], JSON.stringify(text));
});

t.test('pages of a filter are its rows, each once', async (t) => {
  const page = (n: number) =>
    HANDLERS.listWorkers(owner, { page: n, per_page: 7, sort: '-capacity', region: ['eu'], state: ['ONLINE'] });
  const { total } = await page(1);
  const seen: string[] = [];
  for (let n = 1; n <= Math.ceil(total / 7); n++) seen.push(...(await page(n)).rows.map(({ id }) => id));
  t.equal(seen.length, total);
  t.equal(new Set(seen).size, total);
});

t.test('revoked workers and those of others are in no group', async (t) => {
  t.same(await HANDLERS.getFleet(stranger, {}), { workers: 0, online: 0, groups: [] });
  t.same(await list({ state: ['ONLINE'] }, stranger), []);
  const [first] = workers;
  await HANDLERS.revokeWorker(owner, { workerId: first?.id ?? '' });
  t.equal((await HANDLERS.getFleet(owner, {})).workers, workers.length - 1);
});
