/**
 * Every code block of the documentation is valid (YAML passes the provisioning parser or the policy's, JSON its schema, shell its syntax,
 * SIPp's options its help), and is executed by a test or has a reason why not (`proofs.ts`).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import * as z from 'zod';
import { readPolicy } from '../../agent/policy/policy.ts';
import { Authority } from '../../agent/testing/sip/certificates.ts';
import { CATALOGUE } from '../../control-plane/catalogue.ts';
import { readConfig } from '../../control-plane/config.ts';
import type { OperationRow } from '../../control-plane/contract/catalogue.ts';
import { parsePlansFile } from '../../control-plane/contract/people/plans.ts';
import { parseProvisionFile } from '../../control-plane/contract/provision-file.ts';
import { printYaml } from '../../control-plane/contract/yaml-file.ts';
import { provisionFaults } from '../../control-plane/domain/project/provision.ts';
import { SECTIONS } from '../measure/sections.ts';
import { allBlocks, type PageBlock } from './blocks.ts';
import { drawn } from './diagram.ts';
import { PROOFS, proofOf } from './proofs.ts';

type Fields = Readonly<Record<string, unknown>>;

const scratch = mkdtempSync(path.join(tmpdir(), 'carillon-blocks-'));
t.teardown(() => rmSync(scratch, { recursive: true, force: true }));

const authority = new Authority('carillon test authority');
const pair = authority.issue('sbc.example.com', 'DNS:sbc.example.com');
t.teardown(() => authority.remove());
/** Values of `env:NAME` on the pages, by the end of the name. */
const VALUES: readonly (readonly [end: RegExp, value: string])[] = [
  [/PRIVATE_KEY$/, pair.key],
  [/KEY$/, `crl_${'0'.repeat(32)}`],
  [/CA$/, authority.certificate],
  [/CERTIFICATE$/, pair.certificate],
];
const ENVIRONMENT = new Proxy<Record<string, string>>(
  {},
  { get: (_, name) => VALUES.find(([end]) => end.test(String(name)))?.[1] ?? 'a'.repeat(20) },
);

const ACCOUNTS = [
  { username: '1001', password: 'x', number: '1', displayName: 'A', values: { desk: '1', field2: '2' } },
];
const REGISTRARS = [
  { slug: 'pbx', name: 'PBX', uri: 'sip:192.0.2.1', register: false, sipAccounts: ACCOUNTS },
  { slug: 'trunk', name: 'Trunk', uri: 'sip:192.0.2.1:5060', register: false, sipAccounts: ACCOUNTS },
];
const CALLERS = {
  name: 'callers',
  registrar: 'pbx',
  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@192.0.2.1' },
  placement: { mode: 'REGION', region: 'local' },
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 200 }],
};
const CALLEES = {
  ...CALLERS,
  name: 'callees',
  callee: { mode: 'RECEIVE' },
  subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 10 }],
};
const TEST = { slug: 'test', name: 'Test', durationSeconds: 15, groups: [CALLERS] };

const withTest = (test: Fields): Fields => ({ registrars: REGISTRARS, tests: [{ ...TEST, ...test }] });
/** The smallest project that contains a given part of one. */
const IN_PROJECT: Readonly<Record<string, (part: Fields) => Fields>> = {
  test: withTest,
  group: (part) => withTest({ groups: [{ ...CALLERS, ...part }] }),
  callees: (part) => withTest({ groups: [{ ...CALLEES, ...part }] }),
  registrar: (part) => ({ registrars: [part] }),
};

const provision = (text: string): unknown => parseProvisionFile(text, ENVIRONMENT, provisionFaults);
const inProject = (part: Fields): string =>
  printYaml({ organizations: [{ slug: 'acme', name: 'Acme', projects: [{ slug: 'lab', name: 'Lab', ...part }] }] });

const Mcp = z.strictObject({
  type: z.literal('http').optional(),
  url: z.url(),
  headers: z.strictObject({ Authorization: z.string().regex(/^Bearer crl_[0-9a-f]{32}$/) }),
});

const file = (name: string, text: string): string => {
  const to = path.join(scratch, name);
  writeFileSync(to, text);
  return to;
};

function yaml({ kind, text }: PageBlock): unknown {
  if (kind === 'provision') return provision(text);
  if (kind === 'policy') return readPolicy(file('policy.yaml', text));
  if (kind === 'plans') return parsePlansFile(text, 'plans.yaml');
  if (['helm', 'adapter', 'github', 'gitlab'].includes(kind)) return parse(text);
  if (kind === 'ci') {
    ofCarillon(text);
    return parse(text);
  }
  if (kind === 'project') {
    const project = parse(text) as Fields;
    return provision(printYaml({ organizations: [{ slug: 'acme', name: 'Acme', projects: [project] }] }));
  }
  const around = IN_PROJECT[kind];
  if (around) return provision(inProject(around(parse(text) as Fields)));
  if (kind !== 'prometheus') throw new Error(`no check for "yaml ${kind}"`);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', file('prometheus.yaml', text)]);
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return parse(text);
}

function json({ kind, text }: PageBlock): unknown {
  const [what, name = ''] = kind.split(' ');
  const value = JSON.parse(text) as Fields;
  if (what === 'mcp') return z.strictObject({ [name]: z.strictObject({ carillon: Mcp }) }).parse(value);
  const row = (CATALOGUE as Readonly<Record<string, OperationRow>>)[name];
  if (what !== 'body' || !row) throw new Error(`no check for "json ${kind}"`);
  return row.input.partial().strict().parse(value);
}

const CLI = path.resolve(import.meta.dirname, '../../control-plane/cli/main.ts');
/** Commands and options of `carillon` exist in its help. */
function ofCarillon(text: string): void {
  for (const [, command = '', rest = ''] of text.replaceAll('\\\n', ' ').matchAll(/^ *(?:- )?carillon (\w+)(.*)$/gm)) {
    const { status, stdout } = spawnSync(process.execPath, [CLI, command, '--help'], { encoding: 'utf8' });
    if (status !== 0 || !stdout.startsWith(`Usage: carillon ${command} `)) throw new Error(`no command ${command}`);
    for (const [option] of rest.matchAll(/(?<= )--[a-z-]+/g))
      if (!stdout.includes(option)) throw new Error(`carillon ${command} has no ${option}`);
  }
}

const SHELL_KINDS = ['', 'run', 'service', 'example', 'api', 'foreign', 'tutorial', 'helm'];
const help = spawnSync('sipp', ['-h'], { encoding: 'utf8' }).stdout;

function shell({ kind, text }: PageBlock): unknown {
  if (!SHELL_KINDS.includes(kind)) throw new Error(`no check for "sh ${kind}"`);
  const { status, stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const options = kind === 'foreign' ? [...text.matchAll(/ (-[a-z_]+)\b/g)].map(([, option]) => option as string) : [];
  const unknown = options.filter((option) => !new RegExp(`^ *${option}\\b`, 'm').test(help));
  if (unknown.length > 0) throw new Error(`sipp has no ${unknown.join(', ')}`);
  ofCarillon(text);
  ofThisCheckout(text);
  return text;
}

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const scripts = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).scripts as Fields;
const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Names of npm's scripts, of files, of benchmarks and of proofs exist. */
function ofThisCheckout(text: string): void {
  for (const [, name = ''] of text.matchAll(/\bnpm run ([a-z-]+)/g))
    if (!(name in scripts)) throw new Error(`package.json has no script ${name}`);
  for (const [, file = ''] of text.matchAll(/(?:^|\s)(?:\.\/)?((?:scripts|agent|control-plane)\/\S+)/gm))
    if (!existsSync(path.join(ROOT, file))) throw new Error(`there is no ${file}`);
  for (const [, by, name = ''] of text.matchAll(/npm run (bench|prove) -- ([a-z-]+)/g))
    if (SECTIONS[name]?.by !== by) throw new Error(`npm run ${by} has no ${name}`);
}

/** The programs of others that a page configures. */
const CONFIGURATIONS = ['asterisk', 'freeswitch', 'kamailio', 'nginx', 'caddy', 'haproxy'];
const WORD = /^(\w+)=(.*)$/gm;
/** Settings of a control plane that it accepts, or a unit of systemd, which a test starts. */
function ini({ kind, text }: PageBlock): unknown {
  const settings = Object.fromEntries([...text.matchAll(WORD)].map(([, name = '', value = '']) => [name, value]));
  if (kind === 'env') return readConfig(settings);
  if (kind !== 'unit') throw new Error(`no check for "ini ${kind}"`);
  ofThisCheckout(text);
  return settings;
}

const LANGUAGES: Readonly<Record<string, (block: PageBlock) => unknown>> = {
  yaml,
  json,
  sh: shell,
  ini,
  mermaid: ({ text }) => drawn(text),
  ts: () => 'control-plane/http/clients.test.ts',
  text: ({ text }) => text,
  conf: ({ kind, text }) => (CONFIGURATIONS.includes(kind) ? text : Promise.reject(new Error(`no check for ${kind}`))),
};

t.test('every block is what it says', async (t) => {
  const blocks = allBlocks();
  t.ok(blocks.length > 60, `${blocks.length} blocks`);
  for (const block of blocks) {
    const check = LANGUAGES[block.language];
    const fault = await Promise.resolve()
      .then(() => check?.(block) ?? Promise.reject(new Error(`no check for ${block.language}`)))
      .then(
        () => '',
        (error: Error) => error.message,
      );
    t.equal(fault, '', block.at);
  }
});

t.test('every block is executed by a test, or has a reason why not', async (t) => {
  const used = new Set(
    allBlocks().map((block) => {
      const proof = proofOf(block);
      // A test that executes all blocks of a kind counts them itself.
      if ('by' in proof && 'page' in proof) {
        const test = readText(proof.by);
        const literal = JSON.stringify(proof.text).slice(1, -1).replaceAll('\\"', '"');
        t.ok(test.includes(literal), `${proof.by} takes ${block.at} from the page`);
        t.ok(test.includes(proof.page), `${proof.by} names ${proof.page}`);
      } else if ('by' in proof) t.ok(existsSync(path.join(ROOT, proof.by)), proof.by);
      return proof;
    }),
  );
  t.same(
    PROOFS.filter((proof) => !used.has(proof)),
    [],
    'a row without a block',
  );
  const block = { at: 'new.md:1', file: 'new.md', language: 'sh', kind: '', text: 'true\n' };
  t.throws(() => proofOf(block), /new\.md:1: 0 rows/, 'a block without a row');
});
