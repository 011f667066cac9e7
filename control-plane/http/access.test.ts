/** Every row of the catalogue requested by every identity: permitted requests are answered, and what may not be seen does not exist. */
import t from 'tap';
import type * as z from 'zod';
import { CATALOGUE } from '../catalogue.ts';
import {
  type OperationName,
  type OperationRow,
  otherParameters,
  pathParameters,
  takesBody,
} from '../contract/catalogue.ts';
import { atLeast, ROLES, type Role } from '../contract/roles.ts';
import { acme, callProbe, callsTest, openWorld, startRun } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const world = await openWorld(t);
const keyOf = (n: number) => `crl_${String(n).padStart(32, '0')}`;
const [organization] = acme().organizations;
const hidden = { slug: 'hidden', name: 'Hidden', tests: [callsTest(1)], probes: [callProbe('p', 'Probe')] };

type Identity = {
  readonly name: string;
  readonly key: string;
  /** Role in the requested project; null: it does not exist for this identity. */
  readonly role: Role | null;
};

const members: Identity[] = ROLES.map((role, i) => ({ name: role, key: keyOf(i + 1), role }));
const restricted: Identity = { name: 'EDITOR elsewhere', key: keyOf(11), role: null };
const reaching: Identity = { name: 'TESTER of it', key: keyOf(12), role: 'TESTER' };
const foreign: Identity = { name: 'OWNER, other org', key: keyOf(13), role: null };
const identities = [...members, restricted, reaching, foreign];

const user = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@acme.example`;
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...members.map((m) => ({ email: user(m.name), name: m.name, role: m.name })),
        { email: user(restricted.name), name: 'Elsewhere', role: 'EDITOR', projects: ['hidden'] },
        { email: user(reaching.name), name: 'Reaching', role: 'TESTER', projects: ['lab'] },
      ],
      apiKeys: [
        ...(organization?.apiKeys ?? []),
        ...[...members, restricted, reaching].map((m) => ({ name: m.name, user: user(m.name), key: m.key })),
      ],
      projects: [...(organization?.projects ?? []), hidden],
    },
    {
      slug: 'other',
      name: 'Other',
      users: [{ email: 'owner@other.example', name: 'Owner', role: 'OWNER' }],
      apiKeys: [{ name: 'key', user: 'owner@other.example', key: foreign.key }],
      projects: [{ slug: 'lab', name: 'Other lab', tests: [callsTest(1)], probes: [callProbe('p', 'Probe')] }],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

/** With a version that no object has: a permitted request changes nothing. */
const ask = (method: OperationRow['method'], url: string, key: string) =>
  app.inject({ method, url: `/api/v1${url}`, headers: { authorization: `Bearer ${key}`, 'if-match': '"0"' } });
const { projectId, runId } = await startRun(world);
const owner = members.at(-1) as Identity;
const first = async (url: string) => (await ask('GET', url, owner.key)).json().data[0]?.id as string;
const ids: Record<string, string> = {
  projectId,
  testRunId: runId,
  testId: await first(`/projects/${projectId}/tests`),
  probeId: await first(`/projects/${projectId}/probes`),
};
for (const [name, list] of Object.entries({ registrarId: 'registrars' })) {
  ids[name] = await first(`/projects/${projectId}/${list}`);
}

/** A row for whose parameters this test has no example is requested with an unknown one: access is checked first. */
const fill = (row: OperationRow) =>
  row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    // The others need the run.
    const isKept = row.method === 'DELETE' && name === 'testRunId';
    return isKept ? 'unknown' : (ids[name] ?? 'unknown');
  });

/** Without its parameters it would be refused for that reason. */
const needsNoQuery = (row: OperationRow): boolean =>
  row.method !== 'GET' ||
  otherParameters(row).every((name) => (row.input.shape[name] as z.ZodType).safeParse(undefined).success);

/** The result of the access check, not of a row's own rules about an empty body or an unknown object. */
function expected(row: OperationRow, identity: Identity): 'open' | 403 | 404 {
  if (row.by === 'SESSION') return 403;
  if (!pathParameters(row.path).includes('projectId')) {
    // There were two organizations from the beginning, and no file has said whose the installation is.
    if (row.installation) return 403;
    const own = identity.role ?? (identity === restricted ? 'EDITOR' : 'OWNER');
    return atLeast(own, row.role) ? 'open' : 403;
  }
  if (identity.role === null) return 404;
  return atLeast(identity.role, row.role) ? 'open' : 403;
}

/** Log-ins have no key: accounts.test.ts. */
const names = (Object.keys(CATALOGUE) as OperationName[])
  .filter((name) => (CATALOGUE[name] as OperationRow).by !== 'ANYONE')
  .sort();

t.test('each role may call exactly its operations', async (t) => {
  t.comment(`${'operation'.padEnd(24)} ${identities.map((i) => i.name.padEnd(17)).join('')}`);
  for (const name of names) {
    const row: OperationRow = CATALOGUE[name];
    const cells: string[] = [];
    for (const identity of identities) {
      const { statusCode } = await ask(row.method, fill(row), identity.key);
      const wanted = expected(row, identity);
      cells.push(`${wanted}:${statusCode}`.padEnd(17));
      if (wanted === 'open') {
        const known = pathParameters(row.path).every((p) => p in ids) && needsNoQuery(row);
        t.ok(statusCode < 500 && statusCode !== 401 && statusCode !== 403, `${name}, ${identity.name}: ${statusCode}`);
        if (known && row.method === 'GET') t.equal(statusCode, 200, `${name}, ${identity.name}`);
      } else t.equal(statusCode, wanted, `${name}, ${identity.name}`);
    }
    t.comment(`${name.padEnd(24)} ${cells.join('')}`);
  }
});

t.test('lists show what is reached, and no more', async (t) => {
  const slugs = async (identity: Identity) =>
    (await ask('GET', '/projects', identity.key)).json().data.map((p: { name: string }) => p.name);
  t.same(await slugs(owner), ['Hidden', 'Lab']);
  t.same(await slugs(restricted), ['Hidden']);
  t.same(await slugs(reaching), ['Lab']);
  t.same(await slugs(foreign), ['Other lab']);
});

t.test("no row answers with one project's things under another", async (t) => {
  const elsewhere = (await ask('GET', '/projects', restricted.key)).json().data[0].id as string;
  for (const name of names) {
    const row: OperationRow = CATALOGUE[name];
    // Keys are refused.
    if (row.by === 'SESSION') continue;
    // Without its body it would be refused for that reason.
    if (pathParameters(row.path).length < 2 || (row.method === 'POST' && takesBody(row)) || !needsNoQuery(row))
      continue;
    const url = fill(row).replace(projectId, elsewhere);
    t.equal((await ask(row.method, url, owner.key)).statusCode, 404, name);
  }
});
