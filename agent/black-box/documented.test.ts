/** The documentation for operators is complete: every variable, every file of the state folder, every command and its help. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

const AGENT = path.resolve(import.meta.dirname, '..');
const text = (...parts: string[]): string => readFileSync(path.join(AGENT, ...parts), 'utf8');
const guide = text('..', 'docs', 'guide', 'agents.md');
const reference = text('..', 'docs', 'reference', 'environment.md');

t.test('variables', async (t) => {
  const variables = [...text('config.ts').matchAll(/^ {2}(CARILLON_[A-Z_]+): /gm)].map(([, name]) => name as string);
  t.ok(variables.length > 20);
  const agents = reference.slice(reference.indexOf('| agent | default |'));
  t.same(
    variables.filter((name) => !agents.includes(`\`${name}\``)),
    [],
  );
});

t.test('files', async (t) => {
  const page = text('install', 'README.md');
  const sources = [
    'policy/minutes.ts',
    'calibrate/calibration.ts',
    'link/outbox.ts',
    'link/identity.ts',
    'state-folder.ts',
    'process/compiled.ts',
  ];
  const named = sources.flatMap((file) =>
    [...text(file).matchAll(/^const [A-Z]+ = '([\w.]+)';/gm)].map(([, name]) => name),
  );
  t.ok(named.length >= 8, named.join(' '));
  t.same(
    named.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

t.test('commands', async (t) => {
  const run = promisify(execFile);
  const help = async (...argv: string[]): Promise<string> =>
    (await run(process.execPath, [path.join(AGENT, 'main.ts'), ...argv, '--help'])).stdout;
  const commands = [...(await help()).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string);
  t.match(commands, ['run', 'enroll', 'status', 'stop', 'rotate', 'doctor', 'calibrate', 'selftest', 'policy', 'help']);
  const own = commands.filter((name) => name !== 'help');
  for (const name of own) t.match(guide, new RegExp(`\`${name}\\b`), `${name} is on the page of agents`);
  const texts = await Promise.all([...own.map((name) => help(name)), help('policy', 'check')]);
  for (const one of texts)
    t.match(one, /^Usage: carillon-agent [a-z ]+\S[\s\S]*\n\n\S/, 'how it is called, and what for');
});
