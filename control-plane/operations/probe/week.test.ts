/**
 * A week of probes (250; CARILLON_TEST_PROBES=1000: a thousand) on virtual time: two schedulers on one database, restarts,
 * processes that die in a transaction, clock changes in three zones. Every tick is executed once, or recorded as skipped. Only
 * the end of the runs is simulated.
 */
import { seeded } from '@carillon/media/seeded.ts';
import { sql } from 'kysely';
import t from 'tap';
import { nextTick, type Schedule } from '../../domain/probe/schedule.ts';
import type { Ports } from '../../ports.ts';
import { acme, openWorld } from '../../testing/world.ts';
import { tickProbes } from './tick.ts';

const START = Date.UTC(2026, 2, 29);
const MINUTE = 60_000;
const MINUTES = 7 * 24 * 60;
/** Between two looks for what is due: a look costs as much without anything due. */
const STEP = 3;
/** Paris goes from 02:00 to 03:00 on 29 March; Lord Howe Island from 02:00 to 01:30, Sydney from 03:00 to 02:00 on 5 April. */
const ZONES = ['Europe/Paris', 'Australia/Lord_Howe', 'Australia/Sydney'] as const;

const SHARE = Number(process.env['CARILLON_TEST_PROBES'] ?? 250) / 1000;

type Kind = { readonly name: string; readonly probes: number; readonly schedule: Omit<Schedule, 'timezone'> };
const plain = { fixedIntervalSec: null, cronExpression: null, timeOfDayStartUtc: null, timeOfDayEndUtc: null };
const every = (seconds: number, probes: number): Kind => ({
  name: `every ${seconds / 60} min`,
  probes,
  schedule: { ...plain, scheduleType: 'FIXED_INTERVAL', fixedIntervalSec: seconds },
});
const hourly = (start: string, end: string, probes: number): Kind => ({
  name: `hourly ${start}-${end}`,
  probes,
  schedule: {
    ...plain,
    scheduleType: 'FIXED_INTERVAL',
    fixedIntervalSec: 3600,
    timeOfDayStartUtc: start,
    timeOfDayEndUtc: end,
  },
});
const cron = (cronExpression: string, probes: number): Kind => ({
  name: cronExpression,
  probes,
  schedule: { ...plain, scheduleType: 'CRON', cronExpression },
});
const KINDS: readonly Kind[] = [
  every(300, 1),
  every(900, 3),
  every(1800, 6),
  every(3600, 12),
  hourly('01:00', '04:00', 150),
  hourly('22:00', '00:30', 90),
  cron('30 2 * * *', 436),
  cron('*/15 2 * * 0', 150),
  cron('15 9,17 * * 1-5', 150),
  cron('*/5 * * * *', 2),
];

/** The same week each time. */
const chance = seeded(20260329);
const below = (n: number): number => Math.floor(chance() * n);

const world = await openWorld(t);
const { db } = world.database;
await world.provision(acme());
const { id: projectId } = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
await db.deleteFrom('probes').execute();
type Probe = { readonly id: string; readonly name: string; readonly schedule: Schedule };
let made = 0;
const probes: Probe[] = KINDS.flatMap(({ name, probes, schedule }) =>
  Array.from({ length: Math.ceil(probes * SHARE) }, (_, i) => {
    const timezone = ZONES[i % ZONES.length] as string;
    const id = `01000000-0000-4000-8000-${(++made).toString(16).padStart(12, '0')}`;
    return { id, name: `${name} ${timezone}`, schedule: { ...schedule, timezone } };
  }),
);
for (let i = 0; i < probes.length; i += 250) {
  const rows = probes.slice(i, i + 250).map(({ id, name, schedule: s }) => ({
    id,
    project_id: projectId,
    slug: id,
    name,
    mode: 'CALL' as const,
    enabled: true,
    schedule_type: s.scheduleType,
    fixed_interval_sec: s.fixedIntervalSec,
    cron_expression: s.cronExpression,
    time_of_day_start_utc: s.timeOfDayStartUtc,
    time_of_day_end_utc: s.timeOfDayEndUtc,
    timezone: s.timezone,
    duration_seconds: 10,
    alert_strike_runs: 2,
    escalate_after_minutes: 60,
    config: '{}',
  }));
  await db.insertInto('probes').values(rows).execute();
}

let nowMs = START;
class Killed extends Error {}
type Scheduler = { readonly ports: Ports; downUntilMs: number };
let deaths = 0;

/** Its clock is slightly wrong; sometimes it dies when everything is written and nothing committed. */
function scheduler(skewMs: number): Scheduler {
  const database: Ports['database'] = {
    ...world.database,
    transaction: (work) =>
      world.database.transaction(async (tx) => {
        const done = await work(tx);
        if (chance() < 0.01) throw new Killed();
        return done;
      }),
  };
  const jobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };
  return { ports: { ...world.ports, database, jobs, now: () => new Date(nowMs + skewMs) }, downUntilMs: 0 };
}

async function look(s: Scheduler): Promise<void> {
  try {
    await tickProbes(s.ports);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    deaths++;
    s.downUntilMs = nowMs + (1 + below(5)) * MINUTE;
  }
}

/** The simulation: runs end, except some that hang for a while. */
const endRuns = () =>
  sql`update test_runs set status = 'CANNOT_RUN_FOR_NOW', ended_at = ${new Date(nowMs)}
    where ended_at is null and (submitted_at < ${new Date(nowMs - 20 * MINUTE)} or right(id::text, 2) <> '7f')`.execute(
    db,
  );

const schedulers = [scheduler(0), scheduler(350)] as const;
const cpu = process.cpuUsage();
await tickProbes({ ...(schedulers[0] as Scheduler).ports, database: world.database });
for (let minute = STEP; minute <= MINUTES; minute += STEP) {
  nowMs = START + minute * MINUTE;
  if (chance() < 0.005 * STEP) schedulers[below(2) as 0 | 1].downUntilMs = nowMs + (1 + below(60)) * MINUTE;
  // Three times in the week no scheduler runs for hours.
  if (minute % 3000 === 0) for (const s of schedulers) s.downUntilMs = nowMs + (60 + below(120)) * MINUTE;
  const alive = minute === MINUTES ? [] : schedulers.filter((s) => s.downUntilMs <= nowMs);
  // Mostly one finds what is due, sometimes both at the same time.
  const [first, second] = below(2) === 0 ? alive : [...alive].reverse();
  await Promise.all([first, minute % (2 * STEP) === 0 ? second : undefined].map((s) => s && look(s)));
  if (minute % (2 * STEP) === 0) await endRuns();
}
await tickProbes({ ...(schedulers[0] as Scheduler).ports, database: world.database });
const used = process.cpuUsage(cpu);

const executed = Map.groupBy(
  await db.selectFrom('probe_instances').select(['probe_id as id', 'tick_at as at']).execute(),
  (i) => i.id,
);
const skipped = Map.groupBy(await db.selectFrom('probe_skips').selectAll().execute(), (s) => s.probe_id);

type Tally = { expected: number; executed: number; missed: number; busy: number; lost: number; twice: number };
const tallies = new Map<string, Tally>();
for (const { id, name, schedule } of probes) {
  const tally = tallies.get(name) ?? { expected: 0, executed: 0, missed: 0, busy: 0, lost: 0, twice: 0 };
  tallies.set(name, tally);
  const ran = (executed.get(id) ?? []).map((i) => i.at?.getTime() as number);
  const skips = skipped.get(id) ?? [];
  const expected: number[] = [];
  for (let at = nextTick(schedule, id, START); at !== null && at <= nowMs; at = nextTick(schedule, id, at))
    expected.push(at);
  const covered = new Map(expected.map((at) => [at, 0]));
  for (const at of ran) covered.set(at, (covered.get(at) ?? 100) + 1);
  for (const { tick_at, last_tick_at, ticks, reason } of skips) {
    const within = expected.filter((at) => at >= tick_at.getTime() && at <= last_tick_at.getTime());
    for (const at of within) covered.set(at, (covered.get(at) as number) + 1);
    if (within.length !== ticks) tally.lost += Math.abs(within.length - ticks);
    tally[/Nobody/.test(reason) ? 'missed' : 'busy'] += ticks;
  }
  tally.expected += expected.length;
  tally.executed += ran.length;
  for (const times of covered.values()) {
    if (times === 0) tally.lost++;
    if (times > 1) tally.twice++;
  }
}

t.test('expected and actual', async (t) => {
  const columns = ['expected', 'executed', 'missed', 'busy', 'lost', 'twice'] as const;
  const line = (name: string, cells: readonly (string | number)[]) =>
    t.comment(`${name.padEnd(42)}${cells.map((c) => String(c).padStart(9)).join('')}`);
  line('schedule and zone', columns);
  for (const [name, tally] of tallies)
    line(
      name,
      columns.map((c) => tally[c]),
    );
  const sum = (c: (typeof columns)[number]) => [...tallies.values()].reduce((n, tally) => n + tally[c], 0);
  line('together', columns.map(sum));
  t.comment(`${deaths} deaths during a transaction; ${((used.user + used.system) / 1e6).toFixed(1)} s of CPU here`);
  t.ok(probes.length >= 1000 * SHARE);
  t.same([sum('lost'), sum('twice')], [0, 0], 'every tick is executed once, or recorded as skipped');
  t.equal(sum('expected'), sum('executed') + sum('missed') + sum('busy'));
  t.ok(deaths > 10 && sum('missed') > 100 && sum('busy') > 0, 'the week was not a quiet one');
  // By hand: the effect of clock changes on a week. Ticks of a probe, from 29 March 00:00 to 5 April 00:00 UTC.
  const each = (name: string) => (tallies.get(name)?.expected ?? 0) / probes.filter((p) => p.name === name).length;
  const table: [name: string, ticks: number][] = [
    ['every 60 min Europe/Paris', 168],
    ['every 60 min Australia/Sydney', 168],
    // Two in the night of the gap, three in each of six nights, and the first of the last night.
    ['hourly 01:00-04:00 Europe/Paris', 21],
    ['30 2 * * * Europe/Paris', 7],
    ['30 2 * * * Australia/Sydney', 7],
    ['15 9,17 * * 1-5 Europe/Paris', 10],
  ];
  for (const [name, ticks] of table) t.equal(each(name), ticks, name);
});
