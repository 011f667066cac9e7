/** SQL that computes: samples and their rollups, percentiles, partitions, array literals. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { byStreams, summaryOf } from '../domain/figures/figures.ts';
import { streamFact } from '../testing/reading.ts';
import { acme, FakeAgent, openWorld, someSamples, startRun, TOKENS } from '../testing/world.ts';
import { booleans, numbers, texts } from './arrays.ts';
import {
  dropSamplePartitions,
  endpointScales,
  endpointSeries,
  ensureSamplePartitions,
  insertSamples,
  liveScales,
  runSeries,
} from './measured/samples.ts';
import { insertStreams, streamFigures, streamScales, unfinishedStreams } from './measured/streams.ts';
import { migrate } from './migrate.ts';
import { migrationFiles } from './migration-files.ts';
import { insertEndpoints, timingDistributions } from './run/endpoints.ts';

const world = await openWorld(t);
const { db } = world.database;
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)];
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);

t.test('migrations are applied once', async (t) => {
  t.same(await migrate(world.database), []);
});

t.test('a migration that is not what was applied is refused by name', async (t) => {
  const sumsOf = async () =>
    (await sql<{ name: string; sha256: string }>`select name, sha256 from kysely_migration order by name`.execute(db))
      .rows;
  const sums = (await migrationFiles()).map(({ name, sha256 }) => ({ name, sha256 }));
  t.same(await sumsOf(), sums, 'kept for each');
  await sql`update kysely_migration set sha256 = 'another' where name = '0006-probes'`.execute(db);
  await t.rejects(
    migrate(world.database),
    /made by other migrations.*: 0006-probes \(SHA-256 another, here [0-9a-f]{64}\)\. .*Nothing was changed/,
  );
  await sql`alter table kysely_migration drop column sha256`.execute(db);
  t.same(await migrate(world.database), [], 'of an earlier Carillon, which kept none');
  t.same(await sumsOf(), sums, 'from now on they are held to what they are');
});

t.test('a database that is older than the baseline is refused, and says what to do', async (t) => {
  await sql`insert into kysely_migration (name, timestamp) values ('0001-first-run', '2026')`.execute(db);
  await t.rejects(
    migrate(world.database),
    /^The database was made by a Carillon older than the first release.*`carillon export`.* Nothing was changed\.$/,
  );
  await sql`delete from kysely_migration where name = '0001-first-run'`.execute(db);
});

t.test('a newer database is refused by name', async (t) => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2027')`.execute(db);
  await t.rejects(migrate(world.database), /belongs to a newer Carillon: it contains 9999-from-the-future/);
  await sql`delete from kysely_migration where name = '9999-from-the-future'`.execute(db);
});

t.test('array literals carry every value', async (t) => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('"', '\\', '{', '}', ',', 'NULL', 'null', '', ' ', '\\"', '\n', 'é', '💥'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(text), { maxLength: 8 }),
      fc.array(fc.oneof(fc.double(), fc.integer()), { maxLength: 8 }),
      fc.array(fc.boolean(), { maxLength: 8 }),
      async (strings, values, flags) => {
        const { rows } = await sql<{ s: (string | null)[]; n: (number | null)[]; b: boolean[] }>`
          select ${texts(strings)}::text[] as s, ${numbers(values)}::float8[] as n, ${booleans(flags)}::boolean[] as b`.execute(
          db,
        );
        const [row] = rows;
        t.same(
          row?.s,
          strings.map((s) => (s === null ? null : s.replaceAll('\0', '\uFFFD'))),
        );
        t.same(
          row?.n,
          values.map((v) => (Number.isFinite(v) ? v + 0 : null)),
        );
        t.same(row?.b, flags);
      },
    ),
    { numRuns: 100 },
  );
});

t.test('samples and rollups are one thing', async (t) => {
  const { runId } = await startRun(world);
  const instance = randomUUID();
  const base = Date.UTC(2026, 10, 20, 23, 59, 57);
  const facts = someSamples(
    base,
    Array.from({ length: 12 }, (_, i) => i),
    6,
  );
  const days = await ensureSamplePartitions(db, facts.unixMs, new Set());
  t.same(await ensureSamplePartitions(db, facts.unixMs, new Set(days)), []);
  t.same([...days].sort(), ['2026-11-20', '2026-11-21'], 'over midnight there are two partitions');
  await insertSamples(db, runId, instance, facts);
  await insertSamples(db, runId, instance, facts);
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const series = await runSeries(db, runId, 1, 'nb');
  t.equal(series.length, 6);
  for (const [second, row] of series.entries()) {
    t.equal(row.at.getTime(), base + second * 1000);
    const mine = Array.from(facts.endpoint).flatMap((_, i) => (Math.floor(i / 12) === second ? [i] : []));
    const [avg, min, max, count] = row.mos;
    t.ok(
      Math.abs((avg ?? 0) - mean(mine.map((i) => facts.mos[i] as number))) < 1e-6,
      'mean over streams, counted once',
    );
    t.same([Math.round((min ?? 0) * 10), Math.round((max ?? 0) * 10), Number(count)], [40, 43, 12]);
    t.ok(Math.abs((row.packetLossFraction[0] ?? 0) - 12 / 600) < 1e-9, 'loss is weighted by packets');
    t.equal(row.rtt[0] === null, second % 5 !== 0, 'what was not measured is null');
    t.equal(row.remoteJitter[0], null);
  }
  const [whole] = await runSeries(db, runId, 60, 'nb');
  t.equal(Number(whole?.mos[3]), 36, 'coarser buckets add up');
  const endpoint = await endpointSeries(db, runId, 5, 1, 'nb');
  t.equal(endpoint.length, 6);
  t.ok(Math.abs((endpoint[0]?.packetLossFraction[0] ?? 0) - 2 / 50) < 1e-6);

  await t.test('loss is a share of what was sent; absence and pause are of what was due', async (t) => {
    const { runId } = await startRun(world);
    const all = (n: number) => Array.from(facts.lost, () => n);
    await insertSamples(db, runId, instance, { ...facts, absent: all(10), paused: all(20), expected: all(80) });
    for (const [row] of [await runSeries(db, runId, 1, 'nb'), await endpointSeries(db, runId, 5, 1, 'nb')]) {
      const loss = row === undefined ? 0 : (row.packetLossFraction[0] ?? 0);
      t.ok(
        [12 / 600, 2 / 50].some((share) => Math.abs(loss - share) < 1e-6),
        `${loss}`,
      );
      t.same([row?.absentFraction[0], row?.pausedFraction[0]], [10 / 80, 20 / 80]);
    }
  });

  await t.test('a stream without its end is drawn from its samples', async (t) => {
    const row = (number: number, instanceId: string) => ({
      number,
      id: randomUUID(),
      instanceId,
      workerId: randomUUID(),
      registrarId: randomUUID(),
      endpointType: 'CALLER',
      calleeUri: '',
      countsAsCall: true,
      names: null,
    });
    const rows = Array.from({ length: 12 }, (_, i) => row(i, i < 10 ? instance : randomUUID()));
    await insertEndpoints(db, runId, rows);
    const open = await unfinishedStreams(db, runId, [instance]);
    await db.deleteFrom('endpoints').where('run_id', '=', runId).execute();
    t.equal(open.length, 10, 'of the instances that are named');
    const one = open.find((s) => s.endpoint_number === 5);
    t.match(one, { packets_sent: 300, packets_received: 288, expected: 300, lost: 12, plc_events: 6, rtt_count: 2 });
  });

  await t.test('retention drops whole days', async (t) => {
    t.same(await dropSamplePartitions(db, new Date('2026-11-21T12:00:00Z')), ['samples_20261120']);
    t.equal((await endpointSeries(db, runId, 5, 1, 'nb')).length, 3);
    t.same(await dropSamplePartitions(db, new Date('2026-11-21T12:00:00Z')), []);
  });
});

t.test('percentiles are nearest rank, by definition', async (t) => {
  const { runId } = await startRun(world);
  await world.work();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ min: 0.001, max: 1e5, noNaN: true }), { minLength: 1, maxLength: 8 }),
      async (values) => {
        await db
          .updateTable('endpoints')
          .set({ pdd_ms: null, counts_as_call: true })
          .where('run_id', '=', runId)
          .execute();
        for (const [number, value] of values.entries()) {
          await db
            .updateTable('endpoints')
            .set({ pdd_ms: value })
            .where('run_id', '=', runId)
            .where('number', '=', number)
            .execute();
        }
        const sorted = values.map(Math.fround).sort((a, b) => a - b);
        const rank = (p: number) => sorted[Math.ceil(p * sorted.length) - 1] as number;
        const { pdd, callSetup } = await timingDistributions(db, runId);
        t.same(pdd.percentiles?.map(Math.fround), [rank(0.5), rank(0.95), rank(0.99)]);
        t.equal(pdd.count, values.length);
        t.same([callSetup.percentiles, callSetup.avg, callSetup.count], [null, null, 0]);
      },
    ),
    { numRuns: 25 },
  );
});

t.test('callees that registered do not count as calls', async (t) => {
  const { runId } = await startRun(world);
  await world.work();
  const set = (number: number, values: object) =>
    db.updateTable('endpoints').set(values).where('run_id', '=', runId).where('number', '=', number).execute();
  await set(0, { counts_as_call: true, pdd_ms: 10, call_duration_ms: 5000, register_rtt_ms: 3 });
  await set(1, { counts_as_call: false, pdd_ms: 900, call_duration_ms: 1, register_rtt_ms: 5 });
  const timings = await timingDistributions(db, runId);
  t.same([timings.pdd.count, timings.pdd.max, timings.callDuration.min], [1, 10, 5000]);
  t.same([timings.registerRtt.count, timings.registerRtt.max], [2, 5]);
});

t.test('ratings on different scales are never added up', async (t) => {
  const { runId } = await startRun(world);
  const baseMs = Date.UTC(2026, 10, 26, 12);
  const facts = someSamples(baseMs, [0, 1, 2, 3, 4], 10);
  const scaleOf = (endpoint: number) => (['nb', 'wb', 'wb', 'fb', null] as const)[endpoint] ?? null;
  const mixed = {
    ...facts,
    scale: Array.from(facts.endpoint, scaleOf),
    mos: Array.from(facts.endpoint, (n) => (scaleOf(n) === null ? Number.NaN : 1 + n)),
  };
  await ensureSamplePartitions(db, mixed.unixMs, new Set());
  await insertSamples(db, runId, randomUUID(), mixed);
  await insertSamples(db, runId, randomUUID(), mixed);
  const live = byStreams(await liveScales(db, runId));
  t.same(
    live.map((s) => [s.scale, s.streams, s.avgMos, s.minMos]),
    [
      ['wb', 2, 2.5, 2],
      ['nb', 1, 1, 1],
      ['fb', 1, 4, 4],
    ],
  );
  const [row] = await runSeries(db, runId, 60, 'wb');
  t.same([row?.mos, row?.jitter[3]], [[2.5, 2, 3, 20], 50], 'other figures are of all streams');
  t.same((await runSeries(db, runId, 60, null))[0]?.mos, [null, null, null, 0]);
  t.same((await endpointScales(db, runId, 3))[0], { scale: 'fb', streams: 10 });
  t.same((await endpointSeries(db, runId, 3, 60, 'fb'))[0]?.mos, [4, 4, 4, 10]);
  t.same(await endpointScales(db, runId, 4), []);

  const stream = (endpoint: number) =>
    streamFact(endpoint, 0, { scale: scaleOf(endpoint), mos: mixed.mos[endpoint] ?? 0, rFactor: 10 * (1 + endpoint) });
  await insertStreams(db, runId, [0, 1, 2, 3, 4].map(stream));
  const summary = summaryOf(await streamFigures(db, runId), await streamScales(db, runId));
  t.match(summary, { mosScale: 'wb', avgMos: 2.5, minMos: 2, avgRFactor: 25, minRFactor: 20, totalStreams: 5 });
  t.match(summary.measured, { mos: 2, rFactor: 2, jitter: 5 });
  t.same(
    summary.scales.map((s) => [s.scale, s.streams]),
    [
      ['wb', 2],
      ['nb', 1],
      ['fb', 1],
    ],
    'of as many the narrower',
  );
  t.match(summaryOf(await streamFigures(db, randomUUID()), []), { mosScale: null, avgMos: 0, measured: { mos: 0 } });
});

t.test('many streams at once fit one batch', async (t) => {
  const { runId } = await startRun(world);
  const stream = {
    ...Object.fromEntries(
      'endpoint stream localPort ssrcSent ssrcReceived packetsSent octetsSent packetsReceived octetsReceived expected lost absent paused discarded duplicates reordered ssrcChanges plcEvents plcMs jitterMeanMs jitterMaxMs rttMeanMs rttMaxMs rttCount mos rFactor burstRatio remoteLost remoteJitterMs nackCount pliCount firCount sendsSkipped'
        .split(' ')
        .map((name) => [name, 0]),
    ),
    codec: 'PCMU',
    remote: '127.0.0.1:1',
    feedback: false,
    scale: 'nb',
    details: null,
  } as unknown as Parameters<typeof insertStreams>[2][number];
  await insertStreams(
    db,
    runId,
    Array.from({ length: 4500 }, (_, endpoint) => ({ ...stream, endpoint })),
  );
  const { n } = await db
    .selectFrom('streams')
    .where('run_id', '=', runId)
    .select(sql<number>`count(*)`.as('n'))
    .executeTakeFirstOrThrow();
  t.equal(n, 4500);
});
