/** How each code block of the pages is proved: the test that executes it, or the reason why no test can. */
import { allBlocks, type PageBlock } from './blocks.ts';

/** What a row applies to: a language and kind, or a text of a page. A text precedes a kind. */
type Which = { readonly kinds: readonly string[] } | { readonly page: string; readonly text: string };
export type Proof = Which &
  (
    | { readonly by: string }
    /** The reason why the block is not executed. `blocks.test.ts` still checks it by a parser, a schema or a help text. */
    | { readonly because: string }
  );

const PAGES_TEST = 'scripts/e2e/install/pages.test.ts';
const COMMANDS_TEST = 'scripts/e2e/install/commands.test.ts';
const TUTORIALS_TEST = 'scripts/e2e/install/tutorials.test.ts';
const SERVER_TEST = 'scripts/e2e/install/server.test.ts';
const RELEASE_TEST = 'scripts/e2e/install/release.test.ts';

export const PROOFS: readonly Proof[] = [
  {
    kinds: ['yaml test', 'yaml group', 'yaml callees', 'yaml registrar', 'yaml provision', 'yaml plans'],
    by: PAGES_TEST,
  },
  { kinds: ['yaml policy', 'json body', 'json mcp', 'sh api', 'sh foreign'], by: PAGES_TEST },
  { kinds: ['yaml project', 'sh tutorial', 'conf kamailio'], by: TUTORIALS_TEST },
  {
    kinds: ['conf asterisk', 'conf freeswitch'],
    because:
      'Debian 12 has neither; tutorials.test.ts gives the blocks to an Asterisk if CARILLON_TEST_ASTERISK names one, and plays both by another server otherwise',
  },
  { kinds: ['yaml helm'], by: 'scripts/e2e/install/kubernetes.test.ts' },
  { kinds: ['sh helm', 'yaml adapter'], because: 'it needs a cluster, which neither Debian nor npm can bring up' },
  { kinds: ['mermaid', 'yaml prometheus'], by: 'scripts/site/blocks.test.ts' },
  { kinds: ['text'], because: 'a drawing or an output: nothing to execute' },
  { kinds: ['yaml github', 'yaml gitlab'], by: 'scripts/e2e/cli/pipelines.test.ts' },
  { kinds: ['ts client'], by: 'control-plane/http/clients.test.ts' },
  { kinds: ['ts openapi-generator'], by: 'scripts/e2e/cli/pipelines.test.ts' },

  { page: 'README.md', text: './scripts/demo', by: COMMANDS_TEST },
  {
    page: 'CONTRIBUTING.md',
    text: 'npm run check',
    because:
      'the suite, the checks and proofs that take hours: they run this test, or are run by hand; each name must exist',
  },
  { page: 'docs/guide/get-started.md', text: './scripts/demo --once', by: COMMANDS_TEST },
  { page: 'docs/guide/get-started.md', text: '\nnpm start -- --agent', by: COMMANDS_TEST },
  { page: 'docs/guide/get-started.md', text: './data/demo', by: COMMANDS_TEST },
  { page: 'docs/guide/get-started.md', text: 'CARILLON_PROVISION=', by: PAGES_TEST },
  { page: 'docs/guide/cli.md', text: 'CARILLON_PROJECT=lab', by: PAGES_TEST },
  { page: 'docs/guide/cli.md', text: '# pipeline.sh', by: 'scripts/e2e/cli/pipelines.test.ts' },
  { page: 'docs/guide/cli.md', text: 'until [', by: PAGES_TEST },
  { page: 'docs/guide/api.md', text: 'Idempotency-Key: build-42', by: PAGES_TEST },
  { page: 'docs/guide/api.md', text: 'openapi-generator generate', by: 'scripts/e2e/cli/pipelines.test.ts' },
  {
    page: 'docs/guide/api.md',
    text: 'npm install openapi-fetch',
    because: 'it needs the npm registry; clients.test.ts runs the same generator from the lock file',
  },
  { page: 'docs/guide/api.md', text: 'base64 -w0 greeting.wav', by: PAGES_TEST },
  {
    page: 'docs/guide/mcp.md',
    text: 'claude mcp add',
    because:
      'it needs a client that npm and Debian do not have; pages.test.ts sends what such a client sends to this address',
  },
  { page: 'docs/guide/probes.md', text: '"acknowledged"', by: 'control-plane/operations/probe/alarms.test.ts' },
  {
    page: 'docs/guide/server.md',
    text: 'openssl req',
    because: 'it writes into /etc; `npm run prove -- first-week` types these lines on a host of its own',
  },
  {
    page: 'docs/guide/agents.md',
    text: '--token-file',
    because: 'it needs the pool of the reader; the end-to-end test of pools starts agents with these options',
  },
  { page: 'docs/guide/agents.md', text: '-- enroll', by: PAGES_TEST },
  { page: 'docs/guide/agents.md', text: '-- doctor', by: PAGES_TEST },
  { page: 'docs/guide/agents.md', text: '-- policy check', by: PAGES_TEST },
  { page: 'docs/tutorials/carriers.md', text: '-- policy check', by: TUTORIALS_TEST },
  { page: 'docs/tutorials/carriers.md', text: 'targetNetworks:', by: TUTORIALS_TEST },
  { page: 'docs/guide/recipes.md', text: '--baseline last-good', by: TUTORIALS_TEST },
  { page: 'docs/guide/operating.md', text: 'npm run backup', by: PAGES_TEST },
  {
    page: 'docs/guide/database.md',
    text: 'citus_add_node',
    because: 'neither npm nor Debian has Citus; with CARILLON_TEST_DATABASE, all units run on a server that has it',
  },
  {
    page: 'docs/guide/database.md',
    text: 'citus -- distribute',
    because: 'neither npm nor Debian has Citus; distribution.test.ts distributes on a server that has it',
  },
  { page: 'docs/backup.md', text: 'in a container', by: PAGES_TEST },
  { page: 'docs/backup.md', text: 'data-2.keys', by: PAGES_TEST },
  { page: 'docs/guide/security.md', text: 'sealing-keys -- rotate', by: PAGES_TEST },
  {
    page: 'README.md',
    text: 'apt install',
    because:
      'apt changes the host: release.test.ts executes the first two lines as the page of releases has them, control-plane-package.test.ts unpacks the third',
  },
  {
    page: 'docs/guide/get-started.md',
    text: 'apt install',
    because:
      'apt changes the host: release.test.ts executes the first two lines, and "npm run prove -- packages" installs what the others name',
  },
  {
    page: 'docs/guide/server.md',
    text: 'apt install',
    because: 'apt changes the host: "npm run prove -- packages" installs this file in a Debian of its own',
  },
  {
    page: 'docs/guide/server.md',
    text: 'enable --now carillon-control-plane',
    because:
      'it needs systemd as the first process; control-plane-package.test.ts runs the doctor, and starts what the unit starts',
  },
  { page: 'docs/guide/server.md', text: 'HOST=0.0.0.0', by: SERVER_TEST },
  { page: 'docs/guide/server.md', text: 'HOST=127.0.0.1', by: SERVER_TEST },
  { kinds: ['conf nginx', 'conf caddy', 'conf haproxy'], by: SERVER_TEST },
  { page: 'docs/guide/server.md', text: '> /etc/haproxy/carillon.pem', by: SERVER_TEST },
  { page: 'docs/guide/server.md', text: '[Unit]', by: SERVER_TEST },
  {
    page: 'docs/guide/server.md',
    text: 'useradd',
    because: 'it changes the users of a host; server.test.ts runs what follows from a checkout',
  },
  {
    page: 'docs/guide/server.md',
    text: 'systemctl daemon-reload',
    because:
      'it needs systemd as the first process; server.test.ts starts what the unit starts, and ends it as systemd does',
  },
  {
    page: 'docs/guide/server.md',
    text: 'npm run doctor',
    because: 'it installs packages first; server.test.ts runs the same program with the same settings',
  },
  { page: 'docs/guide/releases.md', text: '> signers', by: RELEASE_TEST },
  { page: 'docs/guide/releases.md', text: 'ssh-keygen -Y verify', by: RELEASE_TEST },
  {
    page: 'docs/guide/releases.md',
    text: 'CARILLON_RELEASE_KEY=',
    because:
      'it takes minutes and writes into the checkout; release.test.ts runs the same program with a key and a folder',
  },
  {
    page: 'docs/guide/releases.md',
    text: 'diff dist/release',
    because:
      'it takes minutes; release.test.ts compares two releases, and "npm run prove -- release" types the command twice',
  },
];

const isOf = (proof: Proof, { file, text, language, kind }: PageBlock): boolean =>
  'kinds' in proof
    ? proof.kinds.some((one) => `${language} ${kind} `.startsWith(`${one} `))
    : proof.page === file && `\n${text}`.includes(proof.text);

/** @throws Error if no row, or more than one, applies */
export function proofOf(block: PageBlock): Proof {
  const found = PROOFS.filter((proof) => isOf(proof, block));
  const named = found.filter((proof) => 'page' in proof);
  const [proof, ...others] = named.length > 0 ? named : found;
  if (!proof || others.length > 0)
    throw new Error(
      `${block.at}: ${found.length} rows of scripts/site/proofs.ts say how this block is proved, one must`,
    );
  return proof;
}

export const blocksProvedBy = (test: string): PageBlock[] =>
  allBlocks().filter((block) => {
    const proof = proofOf(block);
    return 'by' in proof && proof.by === test;
  });
