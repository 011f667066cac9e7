/**
 * What an operator types on the host of an agent: enroll, run, status, doctor, policy check, stop; directly, and through TLS
 * and a proxy.
 */

import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createIdentity } from '../../../agent/net/text/self-signed.ts';
import { AGENT_VERSION } from '../../../agent/version.ts';
import { VERSION } from '../../../control-plane/version.ts';
import { newApiKey, newJoinToken, startControlPlaneProcess, workersOnline } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { mainOf } from '../../peers/lab/programs.ts';
import { labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { openVersionRelay } from '../../peers/network/version-relay.ts';
import { openHttpProxy, openTlsFront } from '../../peers/network/way-out.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';

const MAIN = mainOf('agent');
const PROXY_PASSWORD = 'swordfish';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-operator-'));
// The embedded database's user has to come through.
await chmod(dir, 0o711);
const tokens = [newJoinToken(), newJoinToken()] as const;
const workers = tokens.map((joinToken, i) => ({ name: `edge-${i + 1}`, joinToken }));
const database = await openLabDatabase(path.join(dir, 'data'), 'given');
const controlPlane = await startControlPlaneProcess({
  dataDir: path.join(dir, 'data'),
  provision: provisionText(labOrganization({ apiKey: newApiKey(), workers, tests: [], registrars: [] })),
  ...(database.url !== undefined && { databaseUrl: database.url }),
});
const url = `${controlPlane.url.replace(/^http/, 'ws')}/agent/v1`;
t.teardown(async () => {
  await controlPlane.stop();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

/** `carillon-agent …` with a separate folder, and its standard input. */
function agent(folder: string, args: readonly string[], env: Environment = {}, input?: string): Peer {
  const peer = startPeer(process.execPath, [MAIN, ...args], {
    stdin: input === undefined ? 'ignore' : 'pipe',
    env: {
      CARILLON_AGENT_DIR: path.join(dir, folder),
      CARILLON_SIP_ADDRESS: '127.0.0.1',
      CARILLON_METRICS_PORT: '0',
      CARILLON_URL: '',
      CARILLON_JOIN_TOKEN: '',
      ...env,
    },
  });
  peer.child.stdin?.end(input);
  return peer;
}

async function exitsWith(t: Test, peer: Peer, code: number, ...texts: (string | RegExp)[]): Promise<string> {
  t.equal(await peer.exited, code, peer.output());
  for (const text of texts) t.match(peer.output(), text);
  return peer.output();
}

t.test('enroll, run, status, stop', async (t) => {
  await exitsWith(
    t,
    agent('one', ['run']),
    1,
    'The address of the control plane is not known',
    'carillon-agent enroll',
  );
  await exitsWith(t, agent('one', ['status']), 3, 'not running');
  await exitsWith(t, agent('one', ['doctor']), 0, /WARN +control plane +not enrolled yet/);

  const wrong = newJoinToken();
  const refused = await exitsWith(t, agent('one', ['enroll', '--url', url, '--token', wrong]), 1, 'refuses this agent');
  t.notMatch(refused, wrong, 'a token is not on the screen');
  await exitsWith(t, agent('one', ['run']), 1, 'The address of the control plane is not known');

  await exitsWith(
    t,
    agent('one', ['enroll', '--url', url, '--token', '-'], {}, `${tokens[0]}\n`),
    0,
    'Enrolled as edge-1',
  );
  await exitsWith(t, agent('thief', ['enroll', '--url', url, '--token', tokens[0]]), 1, 'refuses this agent');

  await until('nobody is online any more', async () => (await workersOnline(controlPlane.url)) === 0);
  const running = agent('one', []);
  await until('it is online', async () => (await workersOnline(controlPlane.url)) === 1);
  const status = JSON.parse(await exitsWith(t, agent('one', ['status', '--json']), 0)) as Record<string, unknown>;
  t.match(status, { state: 'running', pid: running.pid, link: 'ONLINE', url, endpoints: 0, capacity: 1000 });
  // The row of an ability that no agent has would be told here.
  t.same(status['controlPlane'], { version: VERSION, lacks: [], agentLacks: [], older: null });
  await exitsWith(t, agent('one', ['status']), 0, /^link +ONLINE$/m, /^rtp adapter +/m);
  await exitsWith(
    t,
    agent('one', ['doctor']),
    0,
    /OK +control plane +.*answers/,
    /OK +agent +runs as process/,
    /OK +clock/,
    `agent ${AGENT_VERSION}, control plane ${VERSION}`,
  );

  await exitsWith(t, agent('one', ['stop']), 0, 'no call or registration is left');
  t.equal(await running.exited, 0, 'it ended in order');
  await exitsWith(t, agent('one', ['status']), 3, 'not running');
  await exitsWith(t, agent('one', ['stop']), 0, 'No agent runs');
});

t.test('a control plane of an earlier version goes on, and status and doctor say what it is too old for', async (t) => {
  const relay = await openVersionRelay(controlPlane.url, 'OLDER');
  t.teardown(() => relay.close());
  await until('nobody is online', async () => (await workersOnline(controlPlane.url)) === 0);
  const running = agent('one', [], { CARILLON_URL: `${relay.url.replace(/^http/, 'ws')}/agent/v1` });
  await until('it is online', async () => (await workersOnline(controlPlane.url)) === 1);
  const said = `the control plane is older than this agent (${AGENT_VERSION}), and too old for: new keys and`;
  await exitsWith(t, agent('one', ['status']), 0, /^controlPlane version +-$/m, `controlPlane older said ${said}`);
  await exitsWith(t, agent('one', ['doctor']), 0, /WARN +versions/, said, `install the control plane of version`);
  await exitsWith(t, agent('one', ['stop']), 0, 'no call or registration is left');
  t.equal(await running.exited, 0, 'it ended in order');
});

async function policyCheck(t: Test): Promise<void> {
  const file = path.join(dir, 'policy.yaml');
  await writeFile(file, 'targetNetworks: [192.0.2.0/24]\n');
  const env = { CARILLON_POLICY: file };
  await exitsWith(t, agent('one', ['policy', 'check'], env), 0, 'is valid', '192.0.2.0/24');
  await exitsWith(
    t,
    agent('one', ['policy', 'check', 'sip:1@192.0.2.7', '00 1 900 555 1234', '8.8.8.8'], env),
    1,
    /^allowed +sip:1@192.0.2.7$/m,
    /^refused +00 1 900 555 1234: the number/m,
    /^refused +8.8.8.8: the address/m,
  );
  await writeFile(file, 'targetNetworks: [here]\n');
  await exitsWith(t, agent('one', ['policy', 'check'], env), 1, 'targetNetworks.0: a network is ADDRESS/PREFIX');
  await exitsWith(t, agent('one', ['doctor'], env), 1, /FAIL +policy/);
}

t.test('rotate: another key, and no moment at which a kill -9 would lock the agent out', async (t) => {
  const folder = path.join(dir, 'one');
  const [key, next] = ['agent.key', 'agent.key.next'].map((name) => path.join(folder, name)) as [string, string];
  const text = (file: string) => readFile(file, 'utf8');
  const connected = async (n: number) =>
    until(`${n} online`, async () => (await workersOnline(controlPlane.url)) === n);
  /** With the files that a killed process has left. */
  const comesBack = async (t: Test, what: string, expected: string) => {
    await connected(0);
    const back = agent('one', []);
    await connected(1);
    await until(what, async () => (await text(key)) === expected);
    await until('one key is left', async () => (await text(next).catch(() => null)) === null);
    t.pass(what);
    t.equal(await back.stop(), 0, back.output());
  };
  const first = await text(key);
  await exitsWith(t, agent('one', ['rotate']), 0, 'the old one is refused from now on');
  const second = await text(key);
  t.not(second, first, 'where no agent runs');
  await connected(0);
  const running = agent('one', []);
  await connected(1);
  await exitsWith(t, agent('one', ['rotate']), 0, 'the old one is refused from now on');
  const third = await text(key);
  t.not(third, second, 'where one runs');
  t.equal(await workersOnline(controlPlane.url), 1, 'its connection stays');
  running.child.kill('SIGKILL');
  await running.exited;

  await writeFile(next, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const fourth = await text(next);
  await comesBack(t, 'killed before the control plane heard of it', fourth);

  await exitsWith(t, agent('one', ['rotate']), 0);
  const fifth = await text(key);
  await writeFile(next, fifth);
  await writeFile(key, fourth);
  await comesBack(t, 'killed when the control plane had it, before the receipt was taken', fifth);

  await writeFile(key, first);
  await exitsWith(t, agent('one', ['run']), 1, 'UNKNOWN_AGENT');
  await writeFile(key, fifth);
  const actions = await database.query<{ action: string; reason: string | null }>(
    "select action, target->>'reason' as reason from audit_entries where via = 'AGENT' order by id",
  );
  const changes = actions.filter((a) => a.action === 'changeAgentKey');
  t.equal(changes.length, 4, 'each change is in the audit log');
  t.match(actions.at(-1), { action: 'agentRefused', reason: 'KEY_RETIRED' }, 'so is the old key that came back');
});

t.test('two processes with one key', async (t) => {
  await until('nobody is online any more', async () => (await workersOnline(controlPlane.url)) === 0);
  const first = agent('one', []);
  await until('it is online', async () => (await workersOnline(controlPlane.url)) === 1);
  const second = agent('one', []);
  await t.test('it waits for the other to end; policy check meanwhile', policyCheck);
  await exitsWith(t, second, 1, `Another agent (process ${first.pid}) runs with the folder`);
  first.child.kill('SIGKILL');
  await first.exited;
  await exitsWith(t, agent('one', ['status']), 3, 'not running');
  const next = agent('one', []);
  await until('the next one is online', async () => (await agent('one', ['status']).exited) === 0);
  t.equal(await next.stop(), 0);
});

t.test('a certificate of its own, and a proxy with a password', async (t) => {
  const { certificate, key } = createIdentity('127.0.0.1');
  const front = await openTlsFront({ certificate, key: key.reveal() }, Number(new URL(controlPlane.url).port));
  const proxy = await openHttpProxy(`me:${PROXY_PASSWORD}`);
  t.teardown(() => {
    front.close();
    proxy.close();
  });
  const pinned = path.join(dir, 'pinned.pem');
  await writeFile(pinned, certificate);
  const tls = `wss://127.0.0.1:${front.port}/agent/v1`;
  const through = { HTTPS_PROXY: `http://me:${PROXY_PASSWORD}@127.0.0.1:${proxy.port}` };

  const untrusted = agent('two', ['doctor', '--json'], { CARILLON_URL: tls });
  t.equal(await untrusted.exited, 1);
  const findings = JSON.parse(untrusted.output()) as { check: string; state: string; cure: string | null }[];
  t.match(
    findings.find((f) => f.check === 'control plane'),
    { state: 'FAIL', cure: /CARILLON_CA/ },
  );

  const enrolling = agent('two', ['enroll', '--url', tls, '--ca', pinned, '--token', tokens[1]], through);
  await exitsWith(t, enrolling, 0, 'Enrolled as edge-2');
  await rm(pinned);
  await until('nobody is online any more', async () => (await workersOnline(controlPlane.url)) === 0);
  const running = agent('two', [], through);
  await until('it is online', async () => (await workersOnline(controlPlane.url)) === 1);
  t.same([...new Set(proxy.tunnels)], [`127.0.0.1:${front.port}`], 'everything went through the proxy');
  const looked = await exitsWith(t, agent('two', ['doctor'], through), 0, `through the proxy 127.0.0.1:${proxy.port}`);
  t.notMatch(looked, PROXY_PASSWORD);
  await exitsWith(t, agent('two', ['stop']), 0);
  t.equal(await running.exited, 0);
  t.notMatch(running.output(), PROXY_PASSWORD);

  const stranger = agent('two', ['doctor'], { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
  await exitsWith(t, stranger, 1, /FAIL +control plane/);
  t.equal(proxy.refused(), 1);
  t.match(await readFile(path.join(dir, 'two', 'enrolment.json'), 'utf8'), tls);
});
