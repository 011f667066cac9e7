/** A backup contains every row, and only a complete one from a Carillon that is not newer can be restored, into an empty database. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import t, { type Test } from 'tap';
import { until } from '../../../../scripts/peers/process.ts';
import { startQueue } from '../../../queue/boss.ts';
import { type ConnectionConfig, openedConnection, type Tx } from '../../../store/db.ts';
import { migrationFiles } from '../../../store/migration-files.ts';
import { KeyRing, newKey } from '../../../store/secrets/key-ring.ts';
import { openWorld } from '../../../testing/world.ts';
import { KEPT_JOBS, type KeptJob, storeKeptJobs } from '../queue/kept-jobs.ts';
import { createArchive } from './archive.ts';
import { type About, writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { foreignKeysOf, partitionsOf, quoted, tablesOf } from './schema.ts';
import type { Keys } from './signature.ts';
import { entriesOf } from './tar.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-backup-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const never = new AbortController().signal;
const world = await openWorld(t);
const NO_KEYS: Keys = { where: 'nowhere', all: () => [] };
const ring = new KeyRing({ keys: newKey() });
const source = world.database.config;
const queue = await startQueue(source, quiet);
t.teardown(() => queue.stop());

async function ask<T>(config: ConnectionConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(openedConnection(config));
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Table -> its rows, in any order. */
const contents = (config: ConnectionConfig): Promise<Record<string, string>> =>
  ask(config, async (client) => {
    const all: Record<string, string> = {};
    for (const { name, columns } of await tablesOf(client)) {
      const { rows } = await client.query(`select ${columns.map(quoted).join(', ')} from ${quoted(name)}`);
      const lines = rows.map((row) => JSON.stringify(row)).sort();
      all[name] = `${lines.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
    }
    return all;
  });

const shape = (config: ConnectionConfig) =>
  ask(config, async (client) => ({
    partitions: await partitionsOf(client),
    keys: await foreignKeysOf(client),
    triggers: (
      await client.query(
        `select tgname, tgenabled from pg_trigger join pg_class c on c.oid = tgrelid
         where not tgisinternal and c.relnamespace = 'public'::regnamespace order by 1, relname`,
      )
    ).rows,
    sequences: (
      await client.query("select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1")
    ).rows,
  }));

/** Another database of the same cluster. */
async function emptyDatabase(t: Test): Promise<ConnectionConfig> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await ask(source, (client) => client.query(`create database ${name}`));
  t.teardown(() => ask(source, (client) => client.query(`drop database ${name} with (force)`)));
  if (!('connectionString' in source)) return { ...source, database: name };
  return ask(source, async (client) => ({
    host: client.host,
    port: client.port,
    user: client.user ?? '',
    database: name,
  }));
}

const intoQueue = (config: ConnectionConfig) => async (tx: Tx, jobs: unknown) => {
  const other = await startQueue(config, quiet);
  await storeKeptJobs(other, tx, jobs as KeptJob[]).finally(() => other.stop());
};

const backup = (file: string) =>
  writeBackup(source, path.join(dir, file), { carillon: '0.1.0', jobs: KEPT_JOBS, at: new Date(), keys: ring }, never);
const restore = (config: ConnectionConfig, file: string, keys: Keys | null = ring) =>
  restoreBackup(config, path.join(dir, file), intoQueue(config), never, keys);

/** The archive as an editor would change it. */
async function altered(from: string, to: string, change: (tar: Buffer) => Buffer): Promise<void> {
  const tar = zstdDecompressSync(await readFile(path.join(dir, from)));
  await writeFile(path.join(dir, to), zstdCompressSync(change(tar)));
}

await world.provision({
  organizations: [
    {
      slug: 'acme',
      name: 'Acme \\ "Telecom"',
      users: [{ email: 'owner@acme.example', name: 'Zoë', role: 'OWNER' }],
      workers: [{ name: 'edge-1', region: 'local', capacity: 200, joinToken: randomBytes(16).toString('hex') }],
      projects: [
        {
          slug: 'lab',
          name: 'Lab',
          description: 'One \\ "line"\tand\nothers',
          registrars: [
            { slug: 'pbx', name: 'PBX', uri: 'sip:127.0.0.1:5070', sipAccounts: [{ username: '1', password: 'x' }] },
          ],
        },
      ],
    },
  ],
});
const due = new Date(Date.now() + 3_600_000);
await queue.enqueue(
  world.database.db,
  'incident.watch',
  { incidentId: '00000000-0000-7000-8000-000000000001' },
  { startAfter: due },
);
const samples =
  "create table samples_20260102 partition of samples for values from ('2026-01-02 00:00+00') to ('2026-01-03 00:00+00')";
await ask(source, (client) => client.query(samples));
const made = await backup('whole');

t.test('every row, partition, key, trigger and job comes back', async (t) => {
  const target = await emptyDatabase(t);
  const { about, rows } = await restore(target, 'whole');
  t.equal(rows, made.rows);
  t.match(about, { workers: 1, openRuns: 0, carillon: '0.1.0' });
  t.same(await contents(target), await contents(source));
  t.same(await shape(target), await shape(source));
  const jobs = (config: ConnectionConfig) =>
    ask(config, async (client) => (await client.query(KEPT_JOBS)).rows as KeptJob[]);
  t.same(await jobs(target), await jobs(source));
  t.equal((await jobs(target)).length, 1);
  await t.rejects(restore(target, 'whole'), /The database is not empty: it has rows in users, workers/);
});

t.test('a backup replaces no file, and leaves none where it fails', async (t) => {
  await t.rejects(backup('whole'), /exists: a backup replaces no file/);
  const ending = new AbortController();
  ending.abort(new Error('ended'));
  const late = writeBackup(
    source,
    path.join(dir, 'late'),
    { carillon: '', jobs: KEPT_JOBS, at: new Date(), keys: ring },
    ending.signal,
  );
  await t.rejects(late);
  const broken = writeBackup(
    source,
    path.join(dir, 'late'),
    { carillon: '', jobs: 'select nothing', at: new Date(), keys: ring },
    never,
  );
  await t.rejects(broken, /nothing/);
  t.same(await readdir(dir), ['whole']);
});

t.test('what is damaged, newer, or of other migrations is refused in words; the database stays empty', async (t) => {
  const target = await emptyDatabase(t);
  const refused = async (file: string, why: RegExp) => {
    await t.rejects(restore(target, file), why);
    t.same(await ask(target, tablesOf), [], why.source);
  };
  await refused('absent', /cannot be read: ENOENT/);
  const whole = await readFile(path.join(dir, 'whole'));
  await writeFile(path.join(dir, 'cut'), whole.subarray(0, whole.length / 2));
  await refused('cut', /is not a complete backup/);
  await writeFile(path.join(dir, 'other'), 'PGDMP');
  await refused('other', /is not a complete backup/);
  await altered('whole', 'changed', (tar) => {
    const at = tar.indexOf('owner@acme.example');
    tar.write('thief', at);
    return tar;
  });
  await refused('changed', /rows\/\w+ is not what the manifest says/);
  await altered('whole', 'short', (tar) => tar.subarray(0, tar.indexOf('manifest.json')));
  await refused('short', /it has no manifest/);
  await altered('whole', 'torn', (tar) => tar.subarray(0, 700));
  await refused('torn', /Truncated input/);
  await altered('whole', 'garbled', (tar) =>
    tar.fill('7', tar.indexOf('manifest.json') + 100, tar.indexOf('manifest.json') + 110),
  );
  await refused('garbled', /checksum failure/);

  // Complete, and of another Carillon: the manifest says so, too.
  const first = made.about.migrations[0] ?? { name: '', sha256: '' };
  const migrating = (file: string, more: object) =>
    forge(file, { 'about.json': (about) => ({ ...about, migrations: [{ ...first, ...more }] }) }, ring);
  await migrating('newer', { name: '9001-people' });
  await refused('newer', /made by a newer Carillon \(0\.1\.0\): it has 9001-people/);
  await migrating('before', { name: '0001-first-run' });
  await refused('before', /made by a Carillon older than the first release.*`carillon export`/);
  await migrating('differs', { sha256: '0'.repeat(64) });
  await refused('differs', /whose migrations differ from those of this one: 0001-people/);
});

type Change = (value: About & { [key: string]: unknown }) => unknown;

/** A complete backup, with its manifest, as a thief would make it. */
async function forge(
  to: string,
  changes: Readonly<Record<string, Change>>,
  keys: Keys = NO_KEYS,
  without: readonly string[] = [],
): Promise<void> {
  const archive = await createArchive(path.join(dir, to), new Date(), keys);
  const tar = zstdDecompressSync(await readFile(path.join(dir, 'whole')));
  for await (const { name, data } of entriesOf(Readable.from([tar]))) {
    if (name === 'manifest.json' || name === 'signature.json') continue;
    if (without.includes(name.replace(/\/\d+$/, ''))) continue;
    if (!name.endsWith('.json')) await archive.pieces(name.replace(/\/\d+$/, ''), Readable.from([data]));
    else await archive.json(name, (changes[name] ?? ((value) => value))(JSON.parse(data.toString())));
  }
  await archive.finish();
}

t.test('to change a backup one needs a sealing key of the installation, or the operator’s word', async (t) => {
  const target = await emptyDatabase(t);
  const refused = async (file: string, why: RegExp, keys: Keys | null = ring) => {
    await t.rejects(restore(target, file, keys), why);
    t.same(await ask(target, tablesOf), [], why.source);
  };
  await forge('unsigned', {});
  await refused('unsigned', /it is not signed: .* Add --unsigned if you trust/);
  const thief = new KeyRing({ keys: newKey() });
  await forge('by a thief', {}, thief);
  await refused('by a thief', /signed with sealing key [0-9a-f]{16}, which is not in CARILLON_SEALING_KEYS/);
  const [own] = ring.all();
  await forge(
    'by a liar',
    {},
    {
      where: '',
      all: () => thief.all().map(({ bytes }) => ({ id: own?.id ?? Buffer.alloc(8), bytes })),
    },
  );
  await refused('by a liar', /it was changed after it was made/);
  await refused('whole', /which is not in CARILLON_SEALING_KEYS/, thief);
  const both = { where: '', all: () => [...thief.all(), ...ring.all()] };
  t.equal((await restore(target, 'whole', both)).rows, made.rows, 'a key that has been rotated since');
  const other = await emptyDatabase(t);
  t.equal((await restore(other, 'unsigned', null)).rows, made.rows, 'with --unsigned');
});

t.test('nothing in a backup becomes a command, signed or not', async (t) => {
  const file = path.join(dir, 'ran');
  const command = `; copy (select 'x') to program 'id > ${file}'`;
  const day = "for values from ('2031-01-01') to ('2031-01-02')";
  const partition =
    (more: object): Change =>
    (about) => ({
      ...about,
      partitions: [...about.partitions, { name: 'zz', parent: 'samples', bounds: day, ...more }],
    });
  const table =
    (more: object): Change =>
    (about) => ({
      ...about,
      tables: about.tables.map((one) => (one.name === 'users' ? { ...one, ...more } : one)),
    });
  const sequence =
    (more: object): Change =>
    (all) => [...(all as unknown as object[]), { name: 'x', value: '1', ...more }];
  const cases: [string, string, Change, RegExp][] = [
    [
      'a command after the bounds',
      'about.json',
      partition({ bounds: day + command }),
      /zz whose bounds are not two instants/,
    ],
    [
      '… within',
      'about.json',
      partition({ bounds: `for values from ('2031-01-01'${command}) to ('2031-01-02')` }),
      /two instants/,
    ],
    [
      '… an expression',
      'about.json',
      partition({ bounds: 'for values from (pg_sleep(9)) to (now())' }),
      /two instants/,
    ],
    ['… a default', 'about.json', partition({ bounds: 'default' }), /two instants/],
    ['no bounds', 'about.json', partition({ bounds: 7 }), /partitions\.\d+\.bounds/],
    ['a name', 'about.json', partition({ name: `zz"${command}` }), /partitions\.\d+\.name/],
    ['a parent', 'about.json', partition({ parent: `samples"${command}` }), /partitions\.\d+\.parent/],
    ['a parent that is none', 'about.json', partition({ parent: 'pg_authid' }), /do not make: pg_authid/],
    ['a table', 'about.json', table({ name: `users"${command}` }), /tables\.\d+\.name/],
    ['a table of the catalogue', 'about.json', table({ name: 'pg_authid' }), /do not make: pg_authid/],
    ['a column', 'about.json', table({ columns: [`id) from program 'id' --`] }), /tables\.\d+\.columns/],
    ['a column that is none', 'about.json', table({ columns: ['id', 'god'] }), /do not make: users\.god/],
    [
      'a migration',
      'about.json',
      (about) => ({ ...about, migrations: [{ name: `x'${command}`, sha256: '' }] }),
      /migrations\.0\.name/,
    ],
    ['a format', 'about.json', (about) => ({ ...about, format: 2 }), /a format that this Carillon does not know/],
    ['nothing', 'about.json', () => null, /is not a backup of Carillon/],
    ['a sequence', 'sequences.json', sequence({ name: `x'${command}` }), /\d+\.name/],
    ['its value', 'sequences.json', sequence({ value: `1${command}` }), /\d+\.value/],
  ];
  for (const [what, part, change, why] of cases) {
    const target = await emptyDatabase(t);
    const name = `forged ${what}`;
    await forge(name, { [part]: change }, ring);
    await t.rejects(restore(target, name), why, what);
    const { rows } = await ask(target, (client) =>
      client.query("select count(*)::int as n from pg_class where relname = 'zz'"),
    );
    t.same(rows, [{ n: 0 }], what);
  }
  t.notOk(existsSync(file), 'no command ran');
});

t.test('a database in use is refused', async (t) => {
  const target = await emptyDatabase(t);
  const other = await startQueue(target, quiet);
  await t.rejects(restore(target, 'whole'), /A control plane is using this database \(carillon queue/);
  await other.stop();
  const leaving = new pg.Client({ ...openedConnection(target), application_name: 'carillon queue' });
  await leaving.connect();
  await ask(target, (client) => client.query('create table elsewhere (id int)'));
  const refused = t.rejects(
    restore(target, 'whole'),
    /tables that are not of Carillon/,
    'a control plane that is leaving is waited for',
  );
  await until('the restore has seen it', async () => {
    const { rowCount } = await leaving.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'carillon restore'
         and state = 'idle' and query like 'select distinct application_name%'`,
    );
    return rowCount === 1;
  });
  await leaving.end();
  await refused;
});

t.test('a backup of an older Carillon gets the later migrations', async (t) => {
  const files = await migrationFiles();
  const tablesIn = (text: string) => [...text.matchAll(/^create table (\w+)/gm)].map((match) => match[1] as string);
  // The last one that makes tables, and those after it.
  const later = files.slice(files.findLastIndex(({ text }) => tablesIn(text).length > 0));
  const tables = later.flatMap(({ text }) => tablesIn(text));
  const columns = later.flatMap(({ text }) => [...text.matchAll(/^alter table (\w+) add column (\w+)/gm)]);
  const isLater = (table: string, column: string) => columns.some(([, of, name]) => of === table && name === column);
  // The rows of a table with a later column have one value too many.
  const without = [...tables, ...columns.map(([, of]) => of as string)];
  t.ok(tables.length > 0, `${later[0]?.name} makes tables`);
  await forge(
    'older',
    {
      'about.json': (about) => ({
        ...about,
        migrations: about.migrations.slice(0, -later.length),
        tables: about.tables
          .filter(({ name }) => !tables.includes(name))
          .map(({ name, columns }) => ({ name, columns: columns.filter((column) => !isLater(name, column)) })),
      }),
    },
    ring,
    without.map((name) => `rows/${name}`),
  );
  const target = await emptyDatabase(t);
  t.match(await restore(target, 'older'), { applied: later.map(({ name }) => name) });
  const kept = async (at: typeof target) =>
    Object.entries(await contents(at)).filter(([table]) => !without.includes(table));
  t.same(await kept(target), await kept(source));
  t.same(await shape(target), await shape(source));
});
