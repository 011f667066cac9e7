/**
 * Integrations for pipelines: the script of the documentation, the GitHub Action and the GitLab template, each run as its
 * pipeline runs it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { blockOf } from '../../site/blocks.ts';
import { MAIN, type Said, unlessVoid } from './carillon.ts';

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

/** `carillon`, and an `npx` that starts it for any package name. */
const bin = path.join(lab.dir, 'bin');
await mkdir(bin);
await writeFile(path.join(bin, 'carillon'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
await writeFile(path.join(bin, 'npx'), '#!/bin/sh\nshift 2\nexec carillon "$@"\n');
for (const name of ['carillon', 'npx']) await chmod(path.join(bin, name), 0o755);

async function shell(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
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
    INPUT_PACKAGE: 'carillon',
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
});

t.test('the GitLab template', async (t) => {
  const [spec, jobs] = parseAllDocuments(await read('integrations/gitlab/carillon.gitlab-ci.yml')).map((d) => d.toJS());
  const said = JSON.stringify(jobs);
  for (const name of Object.keys(spec.spec.inputs))
    t.ok(said.includes(`$[[ inputs.${name} ]]`), `the input ${name} is used`);
  t.match(jobs.carillon.artifacts, { when: 'always', reports: { junit: 'carillon.xml' } });
  const values: Record<string, string> = {
    test: 'smoke',
    package: 'carillon',
    thresholds: spec.spec.inputs.thresholds.default,
  };
  const script = jobs.carillon.script[0].replace(
    /\$\[\[ inputs\.(\w+) \]\]/g,
    (_: string, name: string) => values[name],
  );
  execFileSync('sh', ['-n', '-c', script]);
  const ci = { CI_COMMIT_SHORT_SHA: 'abc', CI_COMMIT_REF_NAME: 'main' };
  const run = await unlessVoid(98, () => shell('sh', ['-c', script], ci));
  if (!run.machineTooBusy) t.equal(run.code, 0, run.out + run.err);
});
