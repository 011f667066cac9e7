/**
 * What the pages say, typed as they say it: the commands of `npm start -- --agent` from a file, curl, `carillon`, an agent, keys, backup
 * and restore; each test of the pages is run, smaller. Addresses, ports and folders are the only words that differ.
 */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import { stringify } from 'yaml';
import { Authority } from '../../../agent/testing/sip/certificates.ts';
import { createClient } from '../../../control-plane/client.ts';
import { FEATURES } from '../../../control-plane/features.ts';
import { newJoinToken, workersOnline } from '../../peers/lab/carillon.ts';
import { freePort, freeSipPort, ownLoopback } from '../../peers/network/loopback.ts';
import { offspring } from '../../peers/offspring.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { blockOf, type PageBlock } from '../../site/blocks.ts';
import { blocksProvedBy } from '../../site/proofs.ts';
import { pageBlocks, pageProject, pageTests } from './page-project.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const PCAP = '/usr/share/sip-tester';
const net = ownLoopback();

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-pages-'));
await chmod(dir, 0o711);
const inDir = (name: string): string => path.join(dir, name);
const port = await freePort();
const agentSipPort = await freeSipPort('127.0.0.1');
const url = `http://127.0.0.1:${port}`;
const far = await startSipp({
  address: net.address(100),
  scenario: { builtIn: 'uas' },
  args: ['-rtp_echo', '-mp', '16000'],
});
const farEnd = `${net.address(100)}:${far.port}`;
t.teardown(async () => {
  await far.end();
  await rm(dir, { recursive: true, force: true });
});

/** Blocks that were executed. Those of a feature that is not there are taken, but not executed. */
const done = new Set<string>();
const take = (page: string, text: string): string => {
  const block: PageBlock = blockOf(page, text);
  done.add(block.at);
  return block.text;
};

/** The newcomer's shell. */
const env: Record<string, string> = {
  PORT: String(port),
  DATABASE_URL: '',
  CARILLON_DATA_DIR: inDir('data'),
  CARILLON_METRICS_PORT: '0',
  CARILLON_SIP_ADDRESS: '127.0.0.1',
  CARILLON_SIP_PORT: String(agentSipPort),
  CARILLON_PLANS: inDir('plans.yaml'),
};
const placed = (text: string): string => text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);

/** `text` in a shell. `code` null: any. What it wrote. */
async function types(
  t: Test,
  text: string,
  code: number | null = 0,
  more: Record<string, string> = {},
  cwd = ROOT,
): Promise<string> {
  const peer = startPeer('sh', ['-c', placed(text)], { cwd, env: { ...env, TERM: 'dumb', ...more } });
  const ended = await peer.exited;
  if (code !== null) t.equal(ended, code, `${text}\n${peer.output()}`);
  return peer.output();
}
const online = (count: number) =>
  until(`${count} agents are online`, async () => (await workersOnline(url).catch(() => -1)) === count, {
    idleMs: 120_000,
  });

async function starts(command: string, more: Record<string, string> = {}): Promise<Peer> {
  const service = startPeer('sh', ['-c', command], { cwd: ROOT, env: { ...env, ...more } });
  const isUp = async () => service.child.exitCode !== null || (await fetch(`${url}/readyz`).catch(() => null))?.ok;
  await until('the service is up', isUp, { idleMs: 120_000 });
  if (service.child.exitCode !== null) throw new Error(service.output());
  return service;
}
/** As Ctrl-C would, to the program itself. */
async function stops(service: Peer): Promise<void> {
  const [main] = await offspring(service.pid, /scripts\/start\.ts|agent\/main\.ts/);
  process.kill(main ?? 0, 'SIGINT');
  await service.exited;
}

const START = 'docs/guide/get-started.md';
const [newKey = '', startFromFile = ''] = take(START, 'CARILLON_PROVISION=').trim().split('\n');
await writeFile(inDir('provision.yaml'), take(START, 'organizations:'));
await writeFile(inDir('plans.yaml'), take('docs/guide/api.md', 'PRO:'));
env['CARILLON_API_KEY'] = execFileSync('sh', ['-c', `${newKey}\nprintf %s "$CARILLON_API_KEY"`], { encoding: 'utf8' });
// All tests of the pages start in the same second.
await writeFile(inDir('policy.yaml'), 'maxCallsPerSecond: 500\n');
const service = await starts(startFromFile.replace('provision.yaml', inDir('provision.yaml')), {
  CARILLON_POLICY: inDir('policy.yaml'),
});
await online(1);
const call = createClient(`${url}/api/v1`, env['CARILLON_API_KEY']);
const projectId = (await call('listProjects', {})).rows[0]?.id as string;
const testIds = async () => {
  const { rows } = await call('listTests', { projectId, per_page: 100 });
  return (name: string): string => rows.find((test) => test.name === name)?.id as string;
};
const runEnds = (testRunId: string) =>
  until(
    `run ${testRunId} ends`,
    async () => {
      const run = await call('getTestRun', { projectId, testRunId });
      return run.endedAt === null ? undefined : run;
    },
    { idleMs: 120_000 },
  );

t.jobs = 1;

t.test('a project as a file: apply', async (t) => {
  const access = `${take('docs/guide/cli.md', 'CARILLON_PROJECT=lab').replace(/^export CARILLON_API_KEY=.*$/m, '')}`;
  await writeFile(inDir('project.yaml'), stringify(pageProject(farEnd)));
  const secrets = { SIP_1001: 'one', TRUNK: 'two', PBX_CA: new Authority('a test authority').certificate };
  await types(t, `${access}\nnpm run carillon -- apply -y -f ${inDir('project.yaml')}`, 0, secrets);
  for (const { at } of pageBlocks()) done.add(at);
});

t.test('every test of the pages', async (t) => {
  const idOf = await testIds();
  const started = await Promise.all(
    pageTests().map(async ({ block, slug }) => {
      const { testRunId } = await call('runTest', { projectId, testId: idOf(slug) });
      return { block, testRunId };
    }),
  );
  const receives = started.find(({ block }) => block.text.includes('callsFrom: ANYBODY'));
  await until('it waits for calls', async () => {
    const run = await call('getTestRun', { projectId, testRunId: receives?.testRunId as string });
    return run.status === 'RUNNING';
  });
  // As many calls as it has endpoints.
  const stranger = net.address(101);
  const caller = `sipp 127.0.0.1:${agentSipPort} -sn uac -i ${stranger} -m 16 -r 20 -d 100 -nostdin`;
  await types(t, caller, 0, {}, dir);
  for (const { block, testRunId } of started) {
    const { status, error, callTiming, callQuality } = await runEnds(testRunId);
    t.equal(status, 'COMPLETED', `${block.at}: ${error?.message ?? ''}`);
    t.ok(callTiming.totalCalls > 0, `${block.at}: ${callTiming.totalCalls} calls`);
    const answered = block.text.includes('rejectStatus') ? 0 : callTiming.totalCalls;
    t.equal(callQuality.answered, answered, `${block.at}: answered`);
  }
});

t.test('curl', async (t) => {
  const testId = (await testIds())(pageTests().find(({ block }) => block.text.includes('thresholds:'))?.slug ?? '');
  const ids = { PROJECT: projectId, TEST: testId, CI_JOB_ID: 'job-1' };
  const api = 'docs/guide/api.md';
  for (const page of [START, api])
    t.match(
      await types(t, take(page, 'Bearer $CARILLON_API_KEY" http://127.0.0.1:8080/api/v1/projects\n')),
      /"slug":"lab"/,
    );
  t.match(await types(t, take('docs/guide/mcp.md', 'tools/list')), /"name":"/);
  const { testRunId } = JSON.parse(await types(t, take(api, 'Idempotency-Key: build-42'), 0, ids)).data;
  await runEnds(testRunId);
  const said = await types(t, take('docs/guide/cli.md', 'until ['), null, { ...ids, PATH: `${process.env['PATH']}` });
  const { rows } = await call('listTestRuns', { projectId, test_id: testId, per_page: 1 });
  const { passed } = await call('getTestRun', { projectId, testRunId: rows[0]?.id as string });
  t.equal(said.trim(), String(passed === true), said);
  await writeFile(inDir('greeting.wav'), recording());
  t.match(await types(t, take(api, 'base64 -w0 greeting.wav'), 0, ids, dir), /"name":"greeting"/);

  const post = async (method: string, at: string, body: string) => {
    const headers = { authorization: `Bearer ${env['CARILLON_API_KEY']}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/projects/${projectId}${at}`, { method, headers, body });
    const text = await answer.text();
    t.ok(answer.ok, `${at}: ${text}`);
    return JSON.parse(text).data;
  };
  const atARate = (await testIds())(pageTests().find(({ block }) => block.text.includes('seconds: 3600'))?.slug ?? '');
  const run = await post('POST', `/tests/${atARate}/run`, take(api, '"callsPerSecond": 20'));
  await call('cancelTestRun', { projectId, testRunId: run.testRunId });
  const share = take(api, 'expiresInDays');
  if ('share-links' in FEATURES) await post('POST', `/test-runs/${testRunId}/share-links`, share);
});

t.test('MCP clients', async (t) => {
  for (const name of ['servers', 'mcpServers']) {
    const { url: to, headers } = JSON.parse(placed(take('docs/guide/mcp.md', `"${name}"`)))[name].carillon;
    const answer = await fetch(to, {
      method: 'POST',
      headers: {
        ...headers,
        Authorization: headers.Authorization.replace(/crl_\w+/, env['CARILLON_API_KEY']),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    t.match(await answer.text(), /"tools":\[/, name);
  }
});

t.test('SIPp, beside the tests that replace its command lines', async (t) => {
  const page = 'docs/guide/sipp.md';
  const sip = await freeSipPort(net.address(102));
  const answering = take(page, '-sn uas').trim().replace('5060', `${sip}`).replace('192.0.2.10', net.address(102));
  await mkdir(inDir('sipp'));
  await symlink(PCAP, inDir('sipp/pcap'));
  await writeFile(inDir('sipp/users.csv'), 'SEQUENTIAL\n1001;secret;9000\n');
  await types(t, 'sipp -sd uac_pcap > uac_pcap.xml; sipp -sd uac > register-and-call.xml', null, {}, inDir('sipp'));
  const at = (command: string, host: number, target: string): string =>
    `${command
      .replace(/ -m \d+/, '')
      .replace(/ -d \d+/, ' -d 100')
      .replace('192.0.2.1:5060', target)} -m 2 -i ${net.address(host)} -nostdin`;
  const commands = ['-s 9000 -r 10', '-s 9000 -l 100', '-rate_increase', '-inf users.csv', 'uac_pcap.xml'].map(
    (text, i) => at(take(page, text).trim(), 110 + i, farEnd),
  );
  await Promise.all([
    ...commands.map((command) => types(t, command, 0, {}, inDir('sipp'))),
    types(t, `${answering.replace(/ -d \d+/, ' -d 100')} -m 1 -nostdin`, 0, {}, dir),
    types(t, at('sipp 192.0.2.1:5060 -sn uac', 120, `${net.address(102)}:${sip}`).replace('-m 2', '-m 1'), 0, {}, dir),
  ]);
});

t.test('sealing keys, a backup, and its restore', async (t) => {
  const keys = take('docs/guide/security.md', 'sealing-keys -- rotate').replace(/^.*forget KEY.*$/m, '');
  t.match(await types(t, `set -e\n${keys}`), /secrets[\s\S]*sealed again[\s\S]*Dropped/);
  const backups = [take('docs/guide/operating.md', 'npm run backup'), take('docs/backup.md', 'in a container')];
  const isThere = 'backup' in FEATURES;
  if (isThere)
    for (const [i, name] of ['early', 'carillon'].entries())
      await types(t, backups[i]?.replace('carillon-', `${dir}/${name}-`) ?? '');
  await stops(service);
  const page = take('docs/backup.md', 'data-2.keys').trim().split('\n');
  t.match(page[0], /^npm start /);
  const here = (line = ''): string =>
    line.replace('./data-2', inDir(isThere ? 'data-2' : 'data')).replace('carillon-2', `${dir}/carillon-2`);
  if (isThere) {
    await types(t, page[1] ?? '', 0, {}, dir);
    t.match(await types(t, here(page[2])), /restored \d+ rows/);
  }
  await writeFile(inDir('second.yaml'), take('docs/guide/provisioning.md', 'joinToken'));
  const token = newJoinToken();
  const again = await starts(here(page[3]), {
    CARILLON_PROVISION: inDir('second.yaml'),
    ACME_KEY: env['CARILLON_API_KEY'] as string,
    ACME_JOIN: token,
    SIP_1001: 'one',
  });
  const tests = (await call('listTests', { projectId, per_page: 100 })).rows.map(({ name }) => name);
  t.ok(tests.includes('First calls') && tests.includes('First call'), 'the restored tests, and that of the file');
  await t.test('an agent', (t) => agent(t, token));
  await stops(again);
});

async function agent(t: Test, token: string): Promise<void> {
  const page = 'docs/guide/agents.md';
  Object.assign(env, { CARILLON_AGENT_DIR: inDir('edge'), CARILLON_SIP_PORT: '' });
  const lines = take(page, '-- enroll')
    .replace('wss://carillon.example', `ws://127.0.0.1:${port}`)
    .replace('TOKEN', token);
  const [enroll = '', run = ''] = lines.trim().split('\n');
  t.match(await types(t, enroll), /Enrolled as edge-1/);
  const running = startPeer('sh', ['-c', run], { cwd: ROOT, env });
  await online(1);
  t.match(await types(t, take(page, '-- doctor')), /OK +control plane/);
  t.match(await types(t, take(page, '-- policy check')), /^allowed +sip:9000@127.0.0.1:5070$/m);
  await writeFile(inDir('policy.yaml'), take(page, 'targetNetworks:'));
  const policy = { CARILLON_POLICY: inDir('policy.yaml') };
  t.match(await types(t, 'npm run agent -- policy check sip:9000@127.0.0.1:5070', 1, policy), /refused[\s\S]*number/);
  await stops(running);
}

t.test('no block that is to be executed here was left out', async (t) => {
  const expected = blocksProvedBy('scripts/e2e/install/pages.test.ts').map(({ at }) => at);
  t.same(
    expected.filter((at) => !done.has(at)),
    [],
  );
  t.same(
    [...done].filter((at) => !expected.includes(at)),
    [],
    'and none without a row in scripts/site/proofs.ts',
  );
});

/** 8 kHz, 16 bit, mono: half a second of silence. */
function recording(): Buffer {
  const samples = 8000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples)]);
}
