/** Reported states: a table; and a database that is silent, or full, or whose jobs are not done. */
import { sql } from 'kysely';
import t from 'tap';
import type { Disk } from '../store/embedded/disk.ts';
import { TROUBLE_WORDS, troubleOf } from '../store/trouble.ts';
import { testDatabase } from '../testing/database.ts';
import { conditionOf, type Seen } from './condition.ts';
import { openReadiness } from './readiness.ts';

const database = await testDatabase(t);
const MIB = 2 ** 20;
const WELL: Seen = {
  writeFault: null,
  isShort: false,
  isFull: false,
  disk: { freeBytes: 100_000 * MIB, sizeBytes: 200_000 * MIB },
  jobs: { stalledSeconds: 0, waitingSeconds: null },
  certificateTrouble: null,
  maxStalledSeconds: 60,
};
const disk = (free: number, size: number): { disk: Disk } => ({
  disk: { freeBytes: free * MIB, sizeBytes: size * MIB },
});
const stalled = (stalledSeconds: number) => ({ jobs: { stalledSeconds, waitingSeconds: 5 } });

t.test('what is seen, and what is told of it', (t) => {
  const rows: readonly [string, Partial<Seen>, faults: string[], warnings: string[]][] = [
    ['all is well', {}, [], []],
    ['a disk that nobody sees', { disk: null }, [], []],
    ['1,023 MiB of a large disk', disk(1023, 200_000), [], ['DISK_NEARLY_FULL']],
    ['1,025 MiB of a large disk', disk(1025, 200_000), [], []],
    ['a tenth of a small one', disk(199, 2000), [], ['DISK_NEARLY_FULL']],
    ['more than that', disk(201, 2000), [], []],
    ['no room for the next files of the log', disk(31, 200_000), ['DISK_FULL'], []],
    ['a statement found no room', { isFull: true, disk: null }, ['DISK_FULL'], []],
    ['neither does the write', { isFull: true, writeFault: 'DISK_FULL', disk: null }, ['DISK_FULL'], []],
    [
      'a full disk has ended PostgreSQL',
      { ...disk(0, 500), writeFault: 'DATABASE_AWAY' },
      ['DISK_FULL', 'DATABASE_AWAY'],
      [],
    ],
    ['silence', { writeFault: 'DATABASE_AWAY' }, ['DATABASE_AWAY'], []],
    ['no connection', { writeFault: 'CONNECTIONS_SPENT', isShort: true }, ['CONNECTIONS_SPENT'], []],
    ['none in time', { writeFault: 'DATABASE_AWAY', isShort: true }, ['CONNECTIONS_SPENT'], []],
    ['served in turn', { isShort: true }, [], ['CONNECTIONS_SPENT']],
    ['a job waits for more than a minute', stalled(61), ['JOBS_STALLED'], []],
    ['for less', stalled(59), [], []],
    ['jobs that nobody sees', { jobs: null }, [], []],
    ['a certificate that ends', { certificateTrouble: 'It ends.' }, [], ['CERTIFICATE']],
  ];
  for (const [what, more, faults, warnings] of rows) {
    const told = conditionOf({ ...WELL, ...more });
    const kinds = { faults: told.faults.map((f) => f.kind), warnings: told.warnings.map((w) => w.kind) };
    t.same(kinds, { faults, warnings }, what);
  }
  t.end();
});

t.test('every trouble says its cure', (t) => {
  for (const words of Object.values(TROUBLE_WORDS)) t.match(words, /\. [A-Z]/);
  t.end();
});

t.test('by SQLSTATE, and by what pg says without one', (t) => {
  const rows = [
    [{ code: '53100' }, 'DISK_FULL'],
    [{ code: '53300' }, 'CONNECTIONS_SPENT'],
    [{ code: '57P03' }, 'DATABASE_AWAY'],
    [{ code: '08006' }, 'DATABASE_AWAY'],
    [{ code: 'ECONNREFUSED' }, 'DATABASE_AWAY'],
    [{ code: 'ENOENT', syscall: 'connect' }, 'DATABASE_AWAY'],
    [{ code: 'ENOENT', syscall: 'open' }, null],
    [{ code: '23505' }, null],
    [{ code: '57014' }, null],
    [new Error('Connection terminated unexpectedly'), 'DATABASE_AWAY'],
    [new Error('Query read timeout'), 'DATABASE_AWAY'],
    [new Error('no'), null],
    [undefined, null],
  ] as const;
  for (const [error, trouble] of rows) t.equal(troubleOf(error), trouble, JSON.stringify(error));
  t.end();
});

type LogEntry = { level: string; fields: Record<string, unknown>; message: string };
function log() {
  const told: LogEntry[] = [];
  const of = (level: string) => (fields: object, message: string) =>
    void told.push({ level, fields: fields as Record<string, unknown>, message });
  return { told, log: { debug: of('debug'), info: of('info'), warn: of('warn'), error: of('error') } };
}
const now = () => new Date();
const kindsOf = ({ faults }: { faults: readonly { kind: string }[] }) => faults.map(({ kind }) => kind);

t.test('it writes, and many who ask at once share one look', async (t) => {
  const readiness = openReadiness({ database, disk: null, certificate: null, jobs: null, log: log().log, now });
  const looks = await Promise.all(Array.from({ length: 100 }, () => readiness.look()));
  t.equal(new Set(looks).size, 1);
  t.same(kindsOf(looks[0] as (typeof looks)[0]), []);
  const { rows } = await sql<{ n: number }>`select count(*) as n from write_proof`.execute(database.db);
  t.equal(rows[0]?.n, 1, 'in its one row');
});

t.test('a database that may not be written is not ready', async (t) => {
  const { told, log: to } = log();
  const readiness = openReadiness({ database, disk: null, certificate: null, jobs: null, log: to, now });
  await sql`alter table write_proof rename to away`.execute(database.db);
  t.same(kindsOf(await readiness.look()), ['DATABASE_AWAY']);
  await sql`alter table away rename to write_proof`.execute(database.db);
  t.match(told, [
    { level: 'warn', message: 'readiness: write failed', fields: { error: /write_proof/ } },
    { level: 'error', message: 'not ready', fields: { trouble: 'DATABASE_AWAY', message: /database/ } },
  ]);
});

t.test('a database that hangs is waited for by our clock, and asked once', async (t) => {
  const readiness = openReadiness({ database, disk: null, certificate: null, jobs: null, log: log().log, now });
  await database.transaction(async (tx) => {
    await sql`lock table write_proof in access exclusive mode`.execute(tx);
    t.same(kindsOf(await readiness.look()), ['DATABASE_AWAY']);
    const { total, idle: free } = database.poolState();
    t.same(kindsOf(await readiness.look()), ['DATABASE_AWAY']);
    t.same(database.poolState(), { total, idle: free, waiting: 0 }, 'no second write waits beside the first');
  });
  await readiness.close();
});

t.test('no room: it is full until room is proved', async (t) => {
  const readiness = openReadiness({ database, disk: null, certificate: null, jobs: null, log: log().log, now });
  database.troubles.note('DISK_FULL');
  t.same(kindsOf(await readiness.look()), [], 'there is room, and nothing of the proof stays');
  const { rows } = await sql<{ n: number }>`select count(*) as n from room_proof`.execute(database.db);
  t.equal(rows[0]?.n, 0);
  t.notOk(database.troubles.has('DISK_FULL'));
});

t.test('jobs that are not begun, or not seen', async (t) => {
  for (const jobs of [
    async () => ({ waitingSeconds: 9 }),
    async () => {
      throw new Error('Connection terminated');
    },
  ]) {
    const { told, log: to } = log();
    const readiness = openReadiness({
      database,
      disk: null,
      certificate: null,
      jobs,
      log: to,
      now,
      maxStalledSeconds: 0,
    });
    t.match(await readiness.look(), { faults: [{ kind: 'JOBS_STALLED', message: /have not been begun for \d+ s/ }] });
    t.match(told, [{ level: 'error', fields: { trouble: 'JOBS_STALLED', message: /^Jobs/ }, message: 'not ready' }]);
  }
  const none = openReadiness({
    database,
    disk: null,
    certificate: null,
    jobs: async () => ({ waitingSeconds: null }),
    log: log().log,
    now,
    maxStalledSeconds: 0,
  });
  t.same(kindsOf(await none.look()), [], 'where nothing is to be done nothing is stalled');
});
