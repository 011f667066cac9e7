/**
 * Clients that users generate from the OpenAPI document compile, and make the calls of a pipeline; the script of
 * docs/guide/api.md is one of them.
 */
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import t, { type Test } from 'tap';
import { callsBody, OWNER, openApi } from '../testing/api.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '..', '..');
const BIN = path.join(ROOT, 'scripts', 'clients', 'node_modules', '.bin');

/** With the other generator: a client of functions. */
const FUNCTIONS = `
import { client } from './functions/client.gen.js';
import * as api from './functions/sdk.gen.js';

client.setConfig({ baseUrl: process.env.CARILLON_URL ?? '', auth: process.env.CARILLON_API_KEY ?? '' });
const throwOnError = true;
const me = await api.getWhoami({ throwOnError });
const projects = await api.listProjects({ throwOnError, query: { per_page: 100 } });
const projectId = projects.data.data.find(({ slug }) => slug === process.env.CARILLON_PROJECT)?.id ?? '';
const tests = await api.listTests({ throwOnError, path: { projectId } });
const testId = tests.data.data.find((test) => test.name === process.env.CARILLON_TEST)?.id ?? '';
const plain = await api.runTest({ throwOnError, path: { projectId, testId } });
const started = await api.runTest({
  throwOnError,
  path: { projectId, testId },
  headers: { 'Idempotency-Key': 'functions' },
  body: { labels: { commit: 'def' }, overrides: { endpoints: 1 } },
});
const testRunId = started.data.data.testRunId;
for (let ended: string | null = null; ended === null; ) {
  ended = (await api.getTestRun({ throwOnError, path: { projectId, testRunId } })).data.data.endedAt;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const found = await api.listTestRuns({ throwOnError, path: { projectId }, query: { label: ['commit=def'] } });
const endpoints = await api.listTestRunEndpoints({ throwOnError, path: { projectId, testRunId } });
const refused = await api.listTests({ path: { projectId }, query: { page: 0 } });
console.log(JSON.stringify({
  role: me.data.data.role,
  plain: plain.data.data.status,
  found: found.data.data.map(({ id }) => id === testRunId),
  endpoints: endpoints.data.meta.pagination.total,
  refused: refused.error?.error.code,
}));
`;

const api = await openApi(t);
const origin = new URL(await api.listen()).origin;
await api.ask('POST', `/projects/${api.projectId}/tests`, callsBody(api.cloudId, 2));

async function generated(t: Test): Promise<string> {
  const folder = t.testdir({ 'functions.ts': FUNCTIONS });
  const page = await readFile(path.join(ROOT, 'docs', 'guide', 'api.md'), 'utf8');
  await writeFile(path.join(folder, 'gate.ts'), /^```ts client\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '');
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules')).catch(() => undefined);
  const document = `${origin}/api/v1/openapi.json`;
  await Promise.all([
    run(path.join(BIN, 'openapi-typescript'), [document, '-o', 'carillon.d.ts'], { cwd: folder }),
    run(path.join(BIN, 'openapi-ts'), ['-i', document, '-o', 'functions'], { cwd: folder }),
  ]);
  return folder;
}

t.test('two generators', async (t) => {
  const folder = await generated(t);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
  const types = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--types', 'node'];
  await run(path.join(BIN, 'tsc'), [...options, ...types, 'gate.ts', 'functions.ts'], { cwd: folder }).catch(
    (error: Error & { stdout?: string }) => t.fail(`they do not compile: ${error.stdout}`),
  );
  const said = async (name: string, more: object = {}) => {
    const bundle = await rolldown({ input: path.join(folder, `${name}.ts`), platform: 'node', cwd: folder });
    const file = path.join(folder, `${name}.mjs`);
    await bundle.write({ file, format: 'esm' });
    const working = setInterval(() => void api.world.work(), 200);
    const env = {
      ...process.env,
      CARILLON_URL: origin,
      CARILLON_API_KEY: OWNER.key,
      CARILLON_PROJECT: 'lab',
      CARILLON_TEST: 'Calls',
      ...more,
    };
    return run(process.execPath, [file], { env })
      .catch((error: Error & { stdout?: string; code?: number }) => error)
      .finally(() => clearInterval(working));
  };
  t.match(await said('gate', { COMMIT: 'abc' }), { code: 1, stdout: /^CANNOT_RUN_FOR_NOW .*worker/ });
  t.match(
    await said('gate', { COMMIT: 'def', CARILLON_TEST: 'none' }),
    { stderr: /unknown|There is no/ },
    'a refusal is told',
  );
  const { stdout = '', ...rest } = await said('functions');
  t.same(JSON.parse(stdout || JSON.stringify(rest)), {
    role: 'OWNER',
    plain: 'PENDING',
    found: [true],
    endpoints: 0,
    refused: 'VALIDATION_ERROR',
  });
  const labelled = await api.ask('GET', `/projects/${api.projectId}/test-runs?label=commit=abc`);
  t.match(labelled, { total: 1, data: [{ labels: { commit: 'abc' } }] }, labelled.text.slice(0, 500));
});
