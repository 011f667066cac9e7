/** Filters of every list: what can match nothing is refused by name, so that an empty list is an answer. */
import t from 'tap';
import * as z from 'zod';
import { CATALOGUE } from '../catalogue.ts';
import { type OperationName, type OperationRow, otherParameters } from '../contract/catalogue.ts';
import { isVisible } from '../contract/visible.ts';
import { acme, KEY, openWorld, startRun } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const world = await openWorld(t);
await world.provision(acme());
const { projectId, runId } = await startRun(world);
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

const get = async (row: OperationRow, query: string) => {
  const ids: Record<string, string> = { projectId, testRunId: runId };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? projectId);
  const answer = await app.inject({
    url: `/api/v1${path}?${query}`,
    headers: { authorization: `Bearer ${KEY}` },
  });
  return { status: answer.statusCode, body: answer.body };
};

const ROWS = (Object.entries(CATALOGUE) as [OperationName, OperationRow][]).filter(
  // A stream of events goes on from any event, also from one that is gone.
  ([, row]) => row.method === 'GET' && row.by !== 'SESSION' && row.answers !== 'events',
);
type Parameter = { readonly type?: string; readonly enum?: unknown[] };
const parametersOf = (row: OperationRow): [string, Parameter][] => {
  const { properties = {} } = z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' });
  return otherParameters(row).map((name) => [name, properties[name] as Parameter]);
};

/** A part of any text, or text of one's own. */
const FREE = new Set([
  'text',
  'search',
  'region',
  'version',
  'pool',
  'number',
  'call_id',
  'callee_uri',
  'label',
  'actor',
]);
const NOWHERE = ['nonsense', 'NaN', '-1', '../../x', '%00', 'TIMEOUTT', '00000000-0000-7000-8000-000000000000'];

t.test('no filter takes what names nothing', async (t) => {
  let asked = 0;
  for (const [name, row] of ROWS)
    for (const [parameter, schema] of parametersOf(row)) {
      if (schema.type === 'boolean') continue;
      for (const value of NOWHERE) {
        if (FREE.has(parameter) && value !== '%00') continue;
        // Methods that nobody knows are methods, too.
        if (parameter === 'method' && !/^[%.]/.test(value)) continue;
        const { status, body } = await get(row, `${parameter}=${value}`);
        asked++;
        t.ok(status === 404 || status === 422, `${name} ${parameter}=${value}: ${status} ${body.slice(0, 100)}`);
      }
    }
  t.ok(asked > 200, `${asked} filters`);
});

t.test('a method of SIP in other letters is refused with the way it is written', async (t) => {
  let asked = 0;
  for (const [name, row] of ROWS.filter(([, r]) => 'method' in r.input.shape)) {
    for (const value of ['invite', 'Invite', 'bYE', 'register', 'Publish']) {
      const { status, body } = await get(row, `method=${value}`);
      asked++;
      t.ok(
        status === 422 && body.includes(`write ${value.toUpperCase()}`),
        `${name} ${value}: ${status} ${body.slice(0, 200)}`,
      );
    }
    for (const value of ['INVITE', 'PRACK', 'FOO', 'foo'])
      t.equal((await get(row, `method=${value}`)).status, 200, `${name} ${value}`);
  }
  t.ok(asked > 0);
});

t.test('a span that ends before it starts is refused', async (t) => {
  for (const [name, row] of ROWS.filter(([, r]) => 'from' in r.input.shape && 'to' in r.input.shape)) {
    const { status, body } = await get(row, 'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z');
    t.ok(status === 404 || (status === 422 && /is before from/.test(body)), `${name}: ${status} ${body.slice(0, 100)}`);
  }
});

t.test('numbers are written in digits', async (t) => {
  const row = CATALOGUE.listProjects;
  for (const value of ['0x10', '%2B1', '%201', '1%20', '1e1', '1.0', '', '٣', '1_0'])
    t.equal((await get(row, `page=${value}`)).status, 422, `page=${value}`);
  for (const value of ['1', '01', '25']) t.equal((await get(row, `page=${value}`)).status, 200, `page=${value}`);
});

/** Every field of a body that people read as a name. */
const NAMES = /^(name|displayName|title|organizationName|authName)$/;

t.test('a name that cannot be seen is refused, and white space around one is none of it', async (t) => {
  const unseen = [
    '',
    '  ',
    '\u200b',
    '\ufeff',
    '\u202eabc',
    'a\tb',
    'a\u2028b',
    'a\nb',
    'a\u00adb',
    'a\u200db',
    'a\u200cb',
  ];
  const more = ['\u2066x\u2069', '\u061cx', '\u3164', '\u115f', '\u2800', 'a\u2060b', '\u{e0041}', 'x\ufffa', '\u034f'];
  const seen = [
    'Lab',
    'Prüfstand 1',
    '試験',
    'مختبر',
    'می\u200cخواهم',
    '👩\u200d🔧 desk',
    '❤\ufe0f',
    "L'été",
    'क्\u200dष',
    '١٢٣',
  ];
  for (const text of [...unseen, ...more]) t.ok(!isVisible(text) || text.trim() === '', `not seen: ${encodeURI(text)}`);
  for (const text of seen) t.ok(isVisible(text), encodeURI(text));
  let fields = 0;
  const visit = (schema: z.ZodType, path: string) => {
    const inner = (schema as { def?: { innerType?: z.ZodType } }).def?.innerType;
    if (inner) return visit(inner, path);
    if (schema instanceof z.ZodArray) return visit(schema.element as z.ZodType, `${path}[]`);
    if (!(schema instanceof z.ZodObject)) return;
    for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      // What calls show in From may be anything: it is what is tested.
      const isSent = name === 'displayName' && /groups|\.test/.test(path);
      if (!NAMES.test(name) || isSent) {
        visit(field, `${path}.${name}`);
        continue;
      }
      fields++;
      for (const text of unseen) t.notOk(field.safeParse(text).success, `${path}.${name} ${encodeURI(text)}`);
    }
  };
  // The name of what is there is typed, to delete it.
  for (const [name, row] of Object.entries(CATALOGUE) as [OperationName, OperationRow][])
    if (row.method !== 'GET' && name !== 'deleteOrganization') visit(row.input, name);
  t.ok(fields > 10, `${fields} fields`);
  t.equal(CATALOGUE.createProject.input.shape.name.parse('  Lab \n'), 'Lab');
});
