/** A file compared with the existing objects, without a server; with one: scripts/e2e/cli/project.test.ts. */
import t from 'tap';
import { EXIT } from '../exit-codes.ts';
import { painter } from '../io.ts';
import { changeLines, changesOf } from './changes.ts';
import { documentsOf } from './documents.ts';
import { parseProject } from './file.ts';
import { SAMPLE } from './sample.ts';

const paint = painter({ write: () => true }, {});

const documents = (text: string, env = {}) => {
  const { project, secrets } = parseProject(text, 'x.yaml', env);
  return documentsOf(project, secrets, (name) => `sha of ${name}`);
};
const BASE = `
slug: lab
registrars:
  - { slug: pbx, name: PBX, uri: "sip:10.0.0.1", sipAccounts: [{ username: "1", password: "env:P1" }, { username: "2", password: top-secret }] }
tests:
  - slug: a
    name: A
    durationSeconds: 5
    groups:
      - { name: g, registrar: pbx, callee: { mode: EXTERNAL_URI, uri: "sip:1@10.0.0.1" }, placement: { mode: REGION, region: local }, subPopulations: [{ name: all, role: CALLER, endpoints: 10 }] }
webhooks:
  - { url: "https://example.com/x", events: [incident.opened], secret: "env:HOOK" }
`;
const compare = (from: string, to: string, prune = false) => changesOf(documents(to), documents(from), prune);

t.test('the sample is right, and as it is there is nothing to do', async (t) => {
  t.same(compare(SAMPLE, SAMPLE), { pending: [], unnamed: [] });
  t.same(compare(BASE, BASE), { pending: [], unnamed: [] });
});

t.test('a plan needs no secret and shows none', async (t) => {
  const { pending } = changesOf(documents(BASE), new Map(), false);
  t.same(
    pending.map(({ action, kind }) => `${action} ${kind}`),
    ['CREATE project', 'CREATE registrar', 'CREATE test', 'CREATE webhook'],
  );
  const changed = compare(BASE, BASE.replace('password: top-secret', 'ha1: 0123456789abcdef0123456789abcdef'));
  const lines = changeLines(changed, paint).join('\n');
  t.match(lines, /sipAccounts\.2\.secret: "PASSWORD" -> "HA1"/);
  t.notMatch(lines, /top-secret|0123456789abcdef/);
  t.notMatch(JSON.stringify([...documents(BASE)]), /top-secret/);
});

t.test('differences by name', async (t) => {
  const { pending } = compare(
    BASE,
    BASE.replace('endpoints: 10', 'endpoints: 20').replace('slug: lab', 'slug: lab\nname: Lab'),
  );
  t.same(pending, [
    { action: 'UPDATE', kind: 'project', key: 'lab', differences: [{ path: 'name', from: 'lab', to: 'Lab' }] },
    {
      action: 'UPDATE',
      kind: 'test',
      key: 'a',
      differences: [{ path: 'groups.g.subPopulations.all.endpoints', from: 10, to: 20 }],
    },
  ]);
});

t.test('what the file does not name', async (t) => {
  const smaller = BASE.replace(/tests:[\s\S]*webhooks:[\s\S]*/, '').replace(
    ', { username: "2", password: top-secret }',
    '',
  );
  t.same(compare(BASE, smaller), {
    pending: [],
    unnamed: ['registrar pbx: 1 SIP account', 'webhook https://example.com/x', 'test a'],
  });
  const pruned = compare(BASE, smaller, true).pending;
  t.same(
    pruned.map(({ action, kind, key }) => `${action} ${kind} ${key}`),
    ['UPDATE registrar pbx', 'DELETE webhook https://example.com/x', 'DELETE test a'],
  );
});

t.test('what is wrong is named with its line', async (t) => {
  const wrong: [text: string, message: RegExp][] = [
    [BASE.replace('durationSeconds: 5', 'durationSeconds: 0'), /x\.yaml:8 tests\[0\]\.durationSeconds/],
    [BASE.replace('name: PBX', 'nom: PBX'), /unknown key nom/],
    [BASE.replace('"sip:10.0.0.1"', 'env:NOT_SET'), /environment variable NOT_SET is not set/],
    ['a: [', /x\.yaml:1/],
    ['slug: UPPER', /lower-case/],
    [
      BASE.replace('registrar: pbx', 'registrar: nowhere'),
      /x\.yaml:10 tests\[0\]\.groups\[0\]\.registrar: the file has no registrar nowhere/,
    ],
  ];
  for (const [text, message] of wrong) t.throws(() => parseProject(text, 'x.yaml', {}), { code: EXIT.USAGE, message });
});
