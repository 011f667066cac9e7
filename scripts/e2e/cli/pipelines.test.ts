/**
 * Integrations for pipelines: the script of the documentation, the GitHub Action, the GitLab template and a client that
 * openapi-generator made, each run as its pipeline runs it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { rolldown } from 'rolldown';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { certificateIn } from '../../peers/network/certificate.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { blockOf } from '../../site/blocks.ts';
import { type CommandResult, MAIN, unlessVoid } from './carillon.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');

const net = ownLoopback();
const answering = await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } });
const busy = await startSipp({ address: net.address(101), scenario: { file: 'busy.xml' } });
t.teardown(() => Promise.all([answering.end(), busy.end()]));
const few = { endpoints: 3, durationSeconds: 1, media: SPEAKS_ONLY };
const lab = await openLab(t, {
  net,
  provision: () => ({ tests: [callsTo(answering.uri, 'smoke', few), callsTo(busy.uri, 'busy', few)] }),
});

/** `carillon`, and an `npx` that starts it for any package. */
const bin = path.join(lab.dir, 'bin');
await mkdir(bin);
await writeFile(path.join(bin, 'carillon'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
await writeFile(path.join(bin, 'npx'), '#!/bin/sh\n[ -f "$3" ] && shift 3 && exec "$@"\n');
const generator = path.join(ROOT, 'node_modules', '.bin', 'openapi-generator');
await writeFile(path.join(bin, 'openapi-generator'), `#!/bin/sh\nexec "${generator}" "$@"\n`);
for (const name of ['carillon', 'npx', 'openapi-generator']) await chmod(path.join(bin, name), 0o755);

async function shell(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = spawn(program, args, {
    cwd: lab.dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: lab.dir,
      CARILLON_URL: lab.controlPlane.url,
      CARILLON_API_KEY: lab.apiKey,
      ...env,
    },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

const PACKAGE = 'the package of the command line';
const SHA256 = createHash('sha256').update(PACKAGE).digest('hex');
const packageFile = path.join(lab.dir, 'carillon-1.0.0.tgz');
await writeFile(packageFile, PACKAGE);
const { files, first } = certificateIn(lab.dir);
const releases = createServer({ cert: first.certificate, key: first.key }, (_, answer) => answer.end(PACKAGE));
await once(releases.listen(0, '127.0.0.1'), 'listening');
t.teardown(() => releases.close());
const address = `https://127.0.0.1:${(releases.address() as AddressInfo).port}/carillon-1.0.0.tgz`;
const TRUST = { CURL_CA_BUNDLE: files.certificate, NODE_EXTRA_CA_CERTS: files.certificate };

/** What a pipeline says of a package -> whether it refuses it, and in which words. */
const GIVEN: readonly (readonly [what: string, given: string, sha256: string, refused: RegExp | null])[] = [
  ['a file', packageFile, '', null],
  ['a file and its checksum', packageFile, SHA256, null],
  ['an address and its checksum', address, SHA256, null],
  ['an address alone', address, '', /sha256 is needed/],
  ['another checksum', address, SHA256.replaceAll(/[0-7]/g, '8'), /does not have the checksum/],
  ['a file that was changed', packageFile, SHA256.replaceAll(/[0-7]/g, '8'), /does not have the checksum/],
  ['a name', 'carillon', '', /npm run package -- cli/],
];

/** Calls of pipelines beside those of the documentation's script. */
const OTHER_CALLS = `
import { Configuration, ListTestsSortEnum, ProjectsApi, TestRunsApi, TestsApi, WhoamiApi } from './carillon/index.js';
const configuration = new Configuration({
  basePath: process.env.CARILLON_URL ?? '',
  accessToken: process.env.CARILLON_API_KEY ?? '',
  fetchApi: fetch,
});
const [tests, runs] = [new TestsApi(configuration), new TestRunsApi(configuration)];
const me = (await new WhoamiApi(configuration).getWhoami()).data;
const [project] = (await new ProjectsApi(configuration).listProjects({ perPage: 100 })).data;
const projectId = project?.id ?? '';
const listed = (await tests.listTests({ projectId, sort: ListTestsSortEnum.name_desc })).data.map(({ name }) => name);
const found = (await runs.listTestRuns({ projectId, label: ['commit=generated'] })).data;
const testRunId = found[0]?.id ?? '';
const endpoints = (await runs.listTestRunEndpoints({ projectId, testRunId })).meta.pagination.total;
const testId = found[0]?.testId ?? '';
const { load } = (await tests.getTest({ projectId, testId })).data;
const body = { overrides: { endpoints: 1, durationSeconds: 60 }, labels: { commit: 'cancelled' } };
const started = (await tests.runTest({ projectId, testId, body })).data;
await runs.cancelTestRun({ projectId, testRunId: started.testRunId });
const refused = await tests.listTests({ projectId, page: 0 }).catch((answer: Response) => answer.json());
console.log(JSON.stringify({
  role: me.role,
  listed,
  found: found.map(({ status }) => status),
  endpoints,
  shape: load.shape,
  started: started.status,
  refused: refused.error?.code,
}));
`;

t.test('the script of the documentation', async (t) => {
  const { text: script } = blockOf('docs/guide/cli.md', '# pipeline.sh');
  await writeFile(path.join(lab.dir, 'pipeline.sh'), script);
  const pipeline = (test: string) => unlessVoid(75, () => shell('sh', ['pipeline.sh', test], { COMMIT: '4f2a9c1' }));
  const good = await pipeline('smoke');
  if (good.machineTooBusy) {
    t.match(good.err, /Nothing was measured/);
    return;
  }
  t.equal(good.code, 0, good.out + good.err);
  t.match(await readFile(path.join(lab.dir, 'carillon.xml'), 'utf8'), /label\.commit" value="4f2a9c1"/);
  const bad = await pipeline('busy');
  if (!bad.machineTooBusy) t.match(bad, { code: 1, err: /limit/ });
});

t.test('the examples of the recipes name inputs that there are, and every one that is needed', async (t) => {
  const recipe = (text: string) => parse(blockOf('docs/guide/recipes.md', text).text);
  const action = parse(await read('integrations/github-action/action.yml'));
  const [template] = parseAllDocuments(await read('integrations/gitlab/carillon.gitlab-ci.yml')).map((d) => d.toJS());
  const step = recipe('schedule:').jobs.calls.steps.at(-1);
  const [include] = recipe('include:').include;
  t.equal(path.join(step.uses, 'action.yml'), 'integrations/github-action/action.yml');
  t.ok(await read(include.local));
  for (const [given, inputs] of [
    [step.with, action.inputs],
    [include.inputs, template.spec.inputs],
  ] as [object, Record<string, { default?: string }>][]) {
    const needed = Object.keys(inputs).filter((name) => inputs[name]?.default === undefined);
    t.same(
      needed.filter((name) => !(name in given)),
      [],
    );
    t.same(
      Object.keys(given).filter((name) => !(name in inputs)),
      [],
    );
  }
});

t.test('the GitHub Action', async (t) => {
  const action = parse(await read('integrations/github-action/action.yml'));
  t.match(action, { name: String, description: String, runs: { using: 'composite' } });
  const [, step] = action.runs.steps;
  for (const name of Object.keys(action.inputs))
    t.ok(Object.values(step.env).includes(`\${{ inputs.${name} }}`), `the input ${name} is used`);
  t.notMatch(step.run, /\$\{\{/, 'no input is a part of a script');
  const env = {
    INPUT_TEST: 'busy',
    INPUT_THRESHOLDS: 'calls>=3\n\n  failures<=3\n',
    INPUT_PACKAGE: packageFile,
    INPUT_SHA256: '',
    GITHUB_ACTION_PATH: path.join(ROOT, 'integrations', 'github-action'),
    GITHUB_STEP_SUMMARY: path.join(lab.dir, 'summary.md'),
    GITHUB_OUTPUT: path.join(lab.dir, 'output'),
    GITHUB_SHA: 'abc',
  };
  const good = await unlessVoid(98, () => shell('bash', ['-c', step.run], env));
  if (good.machineTooBusy) {
    t.match(await readFile(env.GITHUB_OUTPUT, 'utf8'), /exit-code=98/);
    return;
  }
  t.equal(good.code, 0, good.out + good.err);
  t.match(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8'), /### ✅ busy/);
  t.match(await readFile(env.GITHUB_OUTPUT, 'utf8'), /exit-code=0/);
  const bad = await unlessVoid(98, () => shell('bash', ['-c', step.run], { ...env, INPUT_THRESHOLDS: 'asr>=99' }));
  if (!bad.machineTooBusy) t.equal(bad.code, 99);
  for (const [what, given, sum, refused] of GIVEN) {
    const asked = { ...env, ...TRUST, INPUT_TEST: 'nothing', INPUT_PACKAGE: given, INPUT_SHA256: sum };
    t.match(await shell('bash', ['-c', step.run], asked), { err: refused ?? /nothing/ }, what);
  }
});

t.test('the GitLab template', async (t) => {
  const [spec, jobs] = parseAllDocuments(await read('integrations/gitlab/carillon.gitlab-ci.yml')).map((d) => d.toJS());
  const said = JSON.stringify(jobs);
  for (const name of Object.keys(spec.spec.inputs))
    t.ok(said.includes(`$[[ inputs.${name} ]]`), `the input ${name} is used`);
  t.match(jobs.carillon.artifacts, { when: 'always', reports: { junit: 'carillon.xml' } });
  const thresholds = spec.spec.inputs.thresholds.default;
  const scriptOf = (values: Record<string, string>): string =>
    jobs.carillon.script[0].replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_: string, name: string) => values[name]);
  const script = scriptOf({ test: 'smoke', package: packageFile, sha256: '', thresholds });
  execFileSync('sh', ['-n', '-c', script]);
  const ci = { CI_COMMIT_SHORT_SHA: 'abc', CI_COMMIT_REF_NAME: 'main' };
  const run = await unlessVoid(98, () => shell('sh', ['-c', script], ci));
  if (!run.machineTooBusy) t.equal(run.code, 0, run.out + run.err);
  for (const [what, given, sha256, refused] of GIVEN) {
    const asked = scriptOf({ test: 'nothing', package: given, sha256, thresholds });
    t.match(await shell('sh', ['-c', asked], { ...ci, ...TRUST }), { err: refused ?? /nothing/ }, what);
  }
});

t.test('a client of openapi-generator', async (t) => {
  const clients = path.join(ROOT, 'scripts', 'clients', 'node_modules', '.bin');
  const folder = t.testdir({ 'other.ts': OTHER_CALLS });
  const gate = /^```ts openapi-generator\n([\s\S]*?)^```$/m.exec(await read('docs/guide/api.md'))?.[1] ?? '';
  await writeFile(path.join(folder, 'gate.ts'), gate);
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const { text: command } = blockOf('docs/guide/api.md', 'openapi-generator generate');
  const here = command.trim().replace('http://127.0.0.1:8080', lab.controlPlane.url);
  // The default since version 6.
  const made = await shell('sh', ['-c', `cd "${folder}" && ${here} --additional-properties=typescriptThreePlus=true`]);
  t.equal(made.code, 0, made.err);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
  const types = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--types', 'node'];
  const files = ['gate.ts', 'other.ts'].map((file) => path.join(folder, file));
  const roots = ['--typeRoots', path.join(ROOT, 'node_modules', '@types')];
  const compiled = await shell(path.join(clients, 'tsc'), [...options, ...types, ...roots, ...files]);
  t.equal(compiled.code, 0, compiled.out);
  const said = async (name: string, env: Readonly<Record<string, string>>) => {
    const bundle = await rolldown({ input: path.join(folder, `${name}.ts`), platform: 'node', cwd: folder });
    await bundle.write({ file: path.join(folder, `${name}.mjs`), format: 'esm' });
    return shell(process.execPath, [path.join(folder, `${name}.mjs`)], env);
  };
  const slug = { CARILLON_PROJECT: 'lab', CARILLON_TEST: 'smoke', COMMIT: 'generated' };
  const run = await said('gate', slug);
  t.match(run, { code: 0, out: /^COMPLETED 3 calls$/m }, run.out + run.err);
  const { out, err } = await said('other', {});
  t.same(JSON.parse(out || JSON.stringify(err)), {
    role: 'OWNER',
    listed: ['smoke', 'busy'],
    found: ['COMPLETED'],
    endpoints: 3,
    shape: 'BUILDUP',
    started: 'PENDING',
    refused: 'VALIDATION_ERROR',
  });
});
