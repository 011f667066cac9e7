/** The commands of the first page and of "Get started", typed as they are there: the demo, twice; the service, with the demo's data; and a kill -9 that stops no next start. */

import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import { workersOnline } from '../../peers/lab/carillon.ts';
import { postmasterPid } from '../../peers/lab/database.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { offspring } from '../../peers/offspring.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { blockOf } from '../../site/blocks.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const CALLS = 5;

const dataDir = await mkdtemp(path.join(tmpdir(), 'carillon-commands-'));
await chmod(dataDir, 0o711);
t.teardown(() => rm(dataDir, { recursive: true, force: true }));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = (folder: string, metricsPort: number) => ({
  CARILLON_DATA_DIR: path.join(dataDir, folder),
  CARILLON_METRICS_PORT: String(metricsPort),
  CARILLON_SIP_ADDRESS: '127.0.0.1',
  PORT: String(port),
  DATABASE_URL: '',
});

/** Without what follows `#`. */
const [FIRST_DEMO = '', FIRST_START = '', SUITE = ''] = blockOf('README.md', './scripts/demo')
  .text.replace(/ +#.*$/gm, '')
  .split('\n');
const PAGE = 'docs/guide/get-started.md';
const ONCE = blockOf(PAGE, './scripts/demo --once').text;
const SERVICE = blockOf(PAGE, '\nnpm start -- --agent').text.trim();
const WITH_THE_DEMO = blockOf(PAGE, './data/demo').text.trim();

const isAlive = async (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (text) => !/\) Z /.test(text),
    () => false,
  );
const refuses = () =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );

t.test('./scripts/demo', async (t) => {
  const plan = ['--endpoints', String(CALLS), '--buildup', '1', '--duration', '2'];
  const demo = (command: string): Peer =>
    startPeer('sh', ['-c', `exec ${command.trim()} ${plan.join(' ')}`], { cwd: ROOT, env: env('demo', 0) });

  await t.test('--once, from nothing', async (t) => {
    const peer = demo(ONCE);
    t.equal(await peer.exited, 0, peer.output());
    t.match(peer.output(), /agent demo-1 enrolled.*agent demo-2 enrolled/s);
    t.match(peer.output(), new RegExp(`callers, ${CALLS} callees: COMPLETED`));
    t.match(peer.output(), new RegExp(`^${CALLS} +${CALLS} +0 +0 +0 +100.0 % +100.0 %$`, 'm'), 'every call answered');
    t.match(peer.output(), `${CALLS} of ${CALLS} calls good; heard both ways: ${CALLS} of ${CALLS}`);
    // On a host without processor time it may be less, and the verdict says so.
    const isValid = /^VALID: /m.test(peer.output());
    t.match(peer.output(), isValid ? /^MOS +4\.[34]\d +/m : /^MOS +[1-4]\.\d\d +/m);
    t.match(peer.output(), new RegExp(`0 of \\d+ +${2 * CALLS}$`, 'm'), 'nothing lost');
    t.notMatch(peer.output(), /The API:|The dashboard:|stays up/, 'nothing of what is over');
    t.notMatch(peer.output(), /crl_[0-9a-f]{32}/, 'the key is not on the screen');
    t.ok(await refuses(), 'nothing is left behind');
  });

  await t.test('again, killed, and again', async (t) => {
    const killed = demo(FIRST_DEMO);
    await until('the demo says that it stays up', () => /stays up until Ctrl-C/.test(killed.output()), {
      idleMs: 120_000,
    });
    t.notMatch(killed.output(), /enrolled|Installing/, 'nothing is done twice');
    t.match(killed.output(), `The API: curl -H "Authorization: Bearer $(cat `);
    t.notMatch(killed.output(), /crl_[0-9a-f]{32}/, 'the key is not on the screen');
    await killed.stop('SIGKILL');
    const stopped = startPeer('sh', ['-c', `exec ${FIRST_DEMO.trim()} ${plan.join(' ')}`], {
      ...{ cwd: ROOT, env: env('demo', 0), ownGroup: true },
    });
    await until('it stays up again', () => /stays up until Ctrl-C/.test(stopped.output()), { idleMs: 120_000 });
    const database = postmasterPid(path.join(dataDir, 'demo')) ?? 0;
    t.ok(await isAlive(database), 'PostgreSQL runs');
    // Ctrl-C: the terminal signals the whole group.
    process.kill(-stopped.pid, 'SIGINT');
    t.equal(await stopped.exited, 0);
    t.notOk(await isAlive(database), 'PostgreSQL has ended with the demo');
    const next = demo(ONCE);
    t.equal(await next.exited, 0, next.output());
  });
});

t.test('npm start -- --agent', async (t) => {
  const metricsPort = await freePort();
  t.equal(SERVICE, FIRST_START, 'on both pages');
  t.equal(SUITE, './scripts/test', 'which runs this');
  const command = WITH_THE_DEMO.replace('./data/demo', path.join(dataDir, 'demo'));
  const service = async (): Promise<Peer> => {
    const peer = startPeer('sh', ['-c', command], { cwd: ROOT, env: env('', metricsPort) });
    await until('the service is up, and its agent online', async () => (await online()) === 1, { idleMs: 120_000 });
    return peer;
  };
  const online = () => workersOnline(url).catch(() => 0);

  const first = await service();
  const [main] = await offspring(first.pid, /scripts\/start\.ts/);
  const [agent] = await offspring(first.pid, /agent\/main\.ts/);
  process.kill(main ?? 0, 'SIGKILL');
  await first.exited;
  await until('the agent ends, too', async () => !(await isAlive(agent ?? 0)));
  const second = await service();
  const database = postmasterPid(path.join(dataDir, 'demo')) ?? 0;
  t.ok(await isAlive(database), 'PostgreSQL runs');
  await endsInOrder(t, second);
  t.notOk(await isAlive(database), 'PostgreSQL has ended with its owner');
});

async function endsInOrder(t: Test, service: Peer): Promise<void> {
  const [main] = await offspring(service.pid, /scripts\/start\.ts/);
  const [agent] = await offspring(service.pid, /agent\/main\.ts/);
  // As a terminal would: every process of the foreground group except the agent, which has a separate group.
  process.kill(main ?? 0, 'SIGINT');
  await service.exited;
  t.notOk(await isAlive(agent ?? 0), 'the agent has ended');
  t.ok(await refuses(), 'the control plane has ended');
}
