/** The OpenAPI document in both versions: valid for an independent validator, complete, and shown by a page that requests nothing from other hosts. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import * as z from 'zod';
import { CATALOGUE } from '../../catalogue.ts';
import { type OperationName, type OperationRow, pathParameters } from '../../contract/catalogue.ts';
import { ErrorEnvelope, list, single } from '../../contract/envelope.ts';
import { ERRORS } from '../../contract/errors.ts';
import { ANSWERS, BODIES, errorExample } from '../../contract/examples.ts';
import { FEATURE_BODIES } from '../../feature-sums/rows.ts';
import { openWorld } from '../../testing/world.ts';
import { createHttpServer } from '../server.ts';

const world = await openWorld(t);
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

type Operation = {
  operationId: string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  'x-extension'?: boolean;
};
type DescribedResponse = { readonly headers?: object; readonly description?: string };
type Document = { openapi: string; paths: Record<string, Record<string, Operation>>; components: object };

const response = await app.inject({ url: '/api/v1/openapi.json' });
const document = response.json() as Document;
const document30 = (await app.inject({ url: '/api/v1/openapi-3.0.json' })).json() as Document;

t.test('valid', async (t) => {
  t.equal(response.statusCode, 200, 'without a key');
  t.match(document.openapi, /^3\.1\./);
  t.match(document30.openapi, /^3\.0\./);
  for (const one of [document, document30]) {
    const result = await new Validator().validate(structuredClone(one));
    t.ok(result.valid, JSON.stringify(result.errors));
  }
});

t.test('version 3.0 says the same', async (t) => {
  type Schema = { properties?: object; required?: string[]; enum?: unknown[]; discriminator?: object };
  const said = ({ paths, components }: Document) => ({
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [], responses }]) => ({
        ...{ path, method, operationId, parameters: parameters.map(({ name }) => name) },
        answers: Object.keys(responses),
      })),
    ),
    schemas: Object.entries((components as { schemas: Record<string, Schema> }).schemas).map(([name, schema]) => ({
      ...{ name, properties: Object.keys(schema.properties ?? {}), required: schema.required },
      ...{ values: schema.enum, discriminator: schema.discriminator },
    })),
  });
  t.same(said(document30), said(document));
  const text = JSON.stringify(document30);
  t.notMatch(
    text,
    /"type":"null"|"type":\[|"const":|"default":null|"exclusiveM\w+":-?\d/,
    'nothing that 3.0 does not have',
  );
  t.match(text, '"nullable":true');
});

t.test('variants have names, and unions say which property tells them apart', async (t) => {
  const { schemas } = document.components as { schemas: Record<string, unknown> };
  t.match(schemas, {
    Load: {
      oneOf: [{ $ref: '#/components/schemas/LoadBuildup' }],
      discriminator: { propertyName: 'shape', mapping: { RATE: '#/components/schemas/LoadRate' } },
    },
    LoadRate: { properties: { shape: { const: 'RATE' } }, required: ['shape'] },
    TriggerInput: { discriminator: { propertyName: 'on' } },
    ActionStepSendDtmf: { properties: { do: { const: 'SEND_DTMF' } } },
  });
});

t.test('another validator finds no error either', async (t) => {
  const config = await createConfig({
    extends: ['recommended'],
    // An example that does not match its schema is an error.
    rules: { 'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: false } },
  });
  const errors = async (source: object) =>
    (await lintFromString({ source: JSON.stringify(source), absoluteRef: 'openapi.json', config }))
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
  t.same(await errors(document), []);
  // Its examples are those of the other; the validator does not know 3.0's exclusiveMinimum.
  const found = (await errors(document30)).filter((text) => !/exclusiveMinimum value must be/.test(text));
  t.same(found, []);
  // One wrong place is enough, and the validator takes seconds for all paths.
  const only = (wanted: (path: string) => boolean): Document => ({
    ...document,
    paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => wanted(path))),
  });
  const [first] = Object.keys(document.paths);
  const broken = structuredClone(only((path) => path === first));
  for (const operation of Object.values(broken.paths).flatMap((methods) => Object.values(methods)))
    operation.parameters = [{ name: 'x', in: 'nowhere' }];
  t.ok((await errors(broken)).length > 0, 'it does look');
  const GOOD = '"greenValue":99.9';
  const tests = only((path) => JSON.stringify(document.paths[path]).includes(GOOD));
  const wrong = JSON.parse(JSON.stringify(tests).replace(GOOD, '"greenValue":"99.9"'));
  t.match(await errors(wrong), [/no-invalid-media-type-examples .*createTest|tests/], 'at examples, too');
});

t.test('every row is in it, and nothing else', async (t) => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const ofKeys = (Object.keys(CATALOGUE) as OperationName[]).filter((name) => !(CATALOGUE[name] as OperationRow).by);
  t.same(described.map((d) => d.operation.operationId).sort(), ofKeys.sort(), 'what only people may ask is not');
  for (const { path, method, operation } of described) {
    const row: OperationRow = CATALOGUE[operation.operationId as OperationName];
    t.equal(path, `/api/v1${row.path}`, operation.operationId);
    t.equal(method, row.method);
    t.equal(operation['x-extension'] === true, row.extension === true, `${operation.operationId}: extension`);
    const inPath = (operation.parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name);
    t.same(inPath.sort(), pathParameters(row.path).sort());
    const type = row.contentType ?? 'application/json';
    t.ok(operation.responses[String(row.status)]?.content?.[type]?.schema, 'its answer is described');
    t.ok(operation.responses['422'] && operation.responses['429'], 'and its errors');
  }
});

/** An error is described once for all. */
const resolved = (response: unknown): DescribedResponse => {
  const { $ref } = response as { $ref?: string };
  const { responses } = document.components as { responses: Record<string, DescribedResponse> };
  return $ref === undefined
    ? (response as DescribedResponse)
    : (responses[$ref.split('/').at(-1) as string] as DescribedResponse);
};

t.test('the document is short, however many operations there are', async (t) => {
  const perOperation = response.body.length / Object.keys(CATALOGUE).length;
  t.ok(perOperation < 3450, `${perOperation} bytes an operation`);
});

t.test('what has an ETag says so, and what answers 304', async (t) => {
  for (const methods of Object.values(document.paths))
    for (const { operationId, responses, parameters = [] } of Object.values(methods)) {
      const row: OperationRow = CATALOGUE[operationId as OperationName];
      const isTagged = row.kept || (row.versioned && row.method !== 'DELETE' && row.answers === 'single');
      t.equal('ETag' in (resolved(responses[String(row.status)]).headers ?? {}), isTagged === true, operationId);
      t.equal('304' in responses, row.kept === true, operationId);
      const heeded = parameters.some((p) => p.in === 'header' && p.name.toLowerCase() === 'if-none-match');
      t.equal(heeded, row.kept === true, operationId);
    }
});

t.test('what programs are generated from it: bodies only where they are needed, open answers, headers', async (t) => {
  type Whole = Operation & { requestBody?: { required: boolean; content: object } };
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Whole[];
  const named = new Map(operations.map((o) => [o.operationId, o]));
  t.equal(named.get('runTest')?.requestBody?.required, false, 'no body is right');
  t.equal(named.get('cancelTestRun')?.requestBody, undefined);
  t.equal(named.get('createTest')?.requestBody?.required, true);
  t.equal(named.get('updateTest')?.requestBody?.required, false);
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const { headers = {}, description } = resolved(response);
      t.ok('X-Request-Id' in headers, `${operationId} ${status}`);
      t.notMatch(description, /^Default|^$/);
      t.equal('RateLimit-Remaining' in headers, !['401', '405', '503'].includes(status));
    }
    t.ok('Retry-After' in (resolved(responses['503']).headers ?? {}));
    t.ok('Allow' in (resolved(responses['405']).headers ?? {}));
    t.notMatch(JSON.stringify(responses), '"additionalProperties":false', `${operationId}: answers are open`);
  }
  const started = named.get('runTest')?.responses['201'] as { headers: object };
  t.same(Object.keys(started.headers), [
    'X-Request-Id',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Location',
    'Idempotency-Replayed',
  ]);
  const { schemas } = document.components as { schemas: object };
  const text = JSON.stringify(document);
  for (const name of Object.keys(schemas)) t.ok(text.includes(`"#/components/schemas/${name}"`), `${name} is used`);
  t.notMatch(Object.keys(schemas).join(), /\b(Me|Session|ApiKey|Member|Invitation)\b/, 'only what is public');
});

t.test('examples: what the operation itself takes, and what it answers', async (t) => {
  for (const [name, body] of Object.entries({ ...BODIES, ...FEATURE_BODIES })) {
    const row: OperationRow = CATALOGUE[name as OperationName];
    const ids = Object.fromEntries(pathParameters(row.path).map((id) => [id, 'id']));
    const parsed = z.strictObject(row.input.shape).safeParse({ ...ids, ...body });
    t.ok(parsed.success, `${name}: ${parsed.error?.message}`);
  }
  for (const [name, answer] of Object.entries(ANSWERS)) {
    const row: OperationRow = CATALOGUE[name as OperationName];
    const parsed = (row.answers === 'list' ? list(row.output) : single(row.output)).safeParse(answer);
    t.ok(parsed.success, `${name}: ${parsed.error?.message}`);
  }
  type Exampled = Operation & {
    requestBody?: { content: Record<string, { example?: object }> };
    responses: Record<string, { content?: Record<string, { example?: object }> }>;
  };
  for (const operation of Object.values(document.paths).flatMap((m) => Object.values(m)) as Exampled[]) {
    const name = operation.operationId as OperationName;
    const row: OperationRow = CATALOGUE[name];
    if (operation.requestBody) t.ok(operation.requestBody.content['application/json']?.example, `${name}: a body`);
    if (row.answers !== 'single' && row.answers !== 'list') continue;
    const example = operation.responses[String(row.status)]?.content?.['application/json']?.example;
    const parsed = (row.answers === 'list' ? list(row.output) : single(row.output)).safeParse(example);
    t.ok(parsed.success, `${name}: ${parsed.error?.message}`);
  }
  for (const { status } of Object.values(ERRORS))
    t.ok(ErrorEnvelope.safeParse(errorExample(status)).success, `${status}`);
  const text = JSON.stringify(document);
  t.ok(text.includes('"example":{"labels":{"commit":"4f2a9c1"'), 'they are in the document');
  t.ok(text.includes('"example":{"error":{"code":"RATE_LIMITED"'));
});

t.test('the page loads nothing from outside', async (t) => {
  const page = await app.inject({ url: '/api/reference/' });
  t.equal(page.statusCode, 200);
  const asked = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((m) => m[1] ?? '');
  t.ok(asked.length > 3);
  t.same(
    asked.filter((url) => !url.startsWith('./static/')),
    [],
  );
  for (const url of asked) {
    const { statusCode } = await app.inject({ url: `/api/reference/${url}` });
    t.equal(statusCode, 200, url);
  }
  const policy = String(page.headers['content-security-policy']);
  t.match(policy, /^default-src 'self';/, 'and the browser would not let it');
  t.notMatch(policy, /https?:|\*|upgrade/);
  const script = await app.inject({ url: '/api/reference/static/swagger-initializer.js' });
  t.match(script.body, /validatorUrl: null/);
});
