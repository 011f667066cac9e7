/** The embedded PostgreSQL: starts from nothing, outlives a killed owner, is restarted when it is killed, stops last. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import { openDatabase } from '../db.ts';
import { startEmbeddedPostgres } from './supervisor.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'carillon-embedded-'));
await chmod(dataDir, 0o711);
t.teardown(() => rm(dataDir, { recursive: true, force: true }));
const quiet = () => undefined;
/** The supervisor waits two seconds for clients that disconnect. */
const A_MOMENT_MS = 1500;

type Embedded = Awaited<ReturnType<typeof startEmbeddedPostgres>>;
/** Ends with the test, also if that fails: the next one would find it, and wait for what does not come. */
async function start(t: Pick<Test, 'teardown'>, more: { readonly maxLogBytes?: number } = {}): Promise<Embedded> {
  const postgres = await startEmbeddedPostgres({ dataDir, unsafe: true, log: quiet, ...more });
  t.teardown(() => postgres.stop());
  return postgres;
}

async function answers(postgres: Embedded): Promise<boolean> {
  const database = openDatabase(postgres.connection, { max: 1, onError: quiet });
  try {
    await sql`select 1`.execute(database.db);
    return true;
  } catch {
    return false;
  } finally {
    await database.close();
  }
}

t.test('from nothing, and again', async (t) => {
  const first = await start(t);
  t.ok(await answers(first));
  await first.stop();
  t.notOk(await answers(first));
  t.equal(first.pid(), null);
  const second = await start(t);
  t.ok(await answers(second));
  await second.stop();
});

t.test('it waits a moment for clients that are leaving, and not for clients that stay', async (t) => {
  const log = () => readFile(path.join(dataDir, 'postgres', 'postgres.log'), 'utf8');
  const thrownOut = /terminating connection due to administrator command/;
  for (const leaves of [true, false]) {
    const postgres = await start(t);
    const client = new pg.Client(postgres.connection);
    client.on('error', quiet);
    await client.connect();
    const stopMs = performance.now();
    const stopped = postgres.stop();
    // While it ends, it accepts no new clients.
    if (leaves && (await holds(async () => !(await answers(postgres))))) await client.end();
    const tookMs = performance.now() - stopMs;
    await stopped;
    if (leaves && tookMs > A_MOMENT_MS) t.comment(`the host stalled: its client left after ${tookMs} ms`);
    else (leaves ? t.notMatch : t.match)(await log(), thrownOut, leaves ? 'left by itself' : 'was thrown out');
  }
});

t.test('killed, it comes back', async (t) => {
  const postgres = await start(t);
  const pid = postgres.pid() ?? 0;
  process.kill(pid, 'SIGKILL');
  t.ok(await holds(async () => postgres.pid() !== pid && (await answers(postgres))));
  await postgres.stop();
});

/** A process that owns it, and the cluster's. */
async function owner(t: Pick<Test, 'teardown'>, options: string) {
  const script = path.join(dataDir, 'owner.ts');
  const supervisor = new URL('./supervisor.ts', import.meta.url).href;
  await writeFile(
    script,
    `import { startEmbeddedPostgres } from '${supervisor}';
     const p = await startEmbeddedPostgres({ dataDir: '${dataDir}', unsafe: true, ${options} log: () => {} });
     console.log('pid', p.pid()); setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: Number(/pid (\d+)/.exec(line.toString())?.[1]) };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

t.test('that of a test ends when its owner is killed', async (t) => {
  const { child, pid } = await owner(t, 'diesWithUs: true,');
  t.ok(isAlive(pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.ok(await holds(async () => !isAlive(pid)));
});

t.test('a killed owner leaves it running; the next one adopts it, and stops it', async (t) => {
  const { child, pid } = await owner(t, '');

  await t.test('a second process uses it and does not stop it', async (t) => {
    const guest = await start(t);
    t.equal(guest.pid(), pid);
    t.ok(await answers(guest));
    await guest.stop();
    t.ok(await answers(guest), 'it is not the guest’s to stop');
  });

  child.kill('SIGKILL');
  await once(child, 'exit');
  const heir = await start(t);
  t.equal(heir.pid(), pid, 'adopted, not started again');
  t.ok(await answers(heir));
  await heir.stop();
  t.notOk(await answers(heir));
});

t.test('its log moves aside when it is long, while it writes', async (t) => {
  const postgres = await start(t, { maxLogBytes: 4096 });
  const client = new pg.Client(postgres.connection);
  await client.connect();
  const held = (name: string) => readFile(path.join(dataDir, 'postgres', name), 'utf8').catch(() => '');
  const ask = (what: string) => client.query(`select ${what}`).catch(quiet);
  for (let i = 0; i < 100; i++) await ask(`early_${i}`);
  t.ok(await holds(async () => /early_99/.test(await held('postgres.log.1'))));
  await ask('late');
  t.match(
    await held('postgres.log'),
    /^.{0,60}ERROR: +column "late" does not exist/,
    'and goes on in the file of its name',
  );
  t.ok((await held('postgres.log')).length < 4096);
  await client.end();
  await postgres.stop();
});

t.test('a cluster that an older start was cut in is set aside, a whole one is not', async (t) => {
  const cluster = path.join(dataDir, 'postgres', 'cluster');
  const names = async () => (await readdir(path.dirname(cluster))).filter((name) => name.includes('half-made'));
  t.same(await names(), [], 'after all those starts');
  const { uid, gid } = await stat(cluster);
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8');
  await rename(cluster, `${cluster}.whole`);
  // As initdb leaves it while it fills template1.
  await mkdir(path.join(cluster, 'base', '1'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(cluster, 'PG_VERSION'), version);
  for (const one of [cluster, path.join(cluster, 'base')]) await chown(one, uid, gid);
  const postgres = await start(t);
  t.ok(await answers(postgres));
  await postgres.stop();
  const [aside = ''] = await names();
  t.equal(
    await readFile(path.join(path.dirname(cluster), aside, 'PG_VERSION'), 'utf8'),
    version,
    'and nothing of it is lost',
  );
});

t.test('a stale pid file of a cluster that is gone does not stop the next start', async (t) => {
  const postgres = await start(t);
  const home = postgres.connection.host;
  const file = path.join(home, 'cluster', 'postmaster.pid');
  const text = await readFile(file, 'utf8');
  await postgres.stop();
  const { uid, gid } = await stat(path.dirname(file));
  await writeFile(file, text.replace(/^\d+/, '999999'), { mode: 0o600 });
  await chown(file, uid, gid);
  const again = await start(t);
  t.ok(await answers(again));
  await again.stop();
});

t.test(
  "another user's database stays theirs",
  { skip: process.getuid?.() !== 0 && 'only root gives files away' },
  async (t) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'carillon-owned-'));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    await chmod(dir, 0o711);
    const dataDir = path.join(dir, 'data');
    const home = path.join(dataDir, 'postgres');
    await mkdir(home, { recursive: true });
    const SERVICE = 1234;
    await chown(home, SERVICE, SERVICE);
    await t.rejects(
      startEmbeddedPostgres({ dataDir, log: () => undefined }),
      /postgres belongs to the user with the id 1234.*runuser -u NAME/,
    );
    t.match(await stat(home), { uid: SERVICE, gid: SERVICE });
    t.same(await readdir(home), [], 'nothing was left there');
  },
);
