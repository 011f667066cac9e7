/** Quality over time: short enough, exact for one endpoint, fast for a large run. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { DEFAULT_POINTS, RESOLUTION_SECONDS, type Resolution } from '../../contract/run/metrics.ts';
import { ensureSamplePartitions, insertSamples } from '../../store/measured/samples.ts';
import { everyPage, openReading, single } from '../../testing/reading.ts';
import { someSamples } from '../../testing/world.ts';
import { chooseResolution } from './metrics.ts';

const { world, agents, begin } = await openReading(t, 4);
const { db } = world.database;
const HOUR = 3600;
const run = await begin();
const startMs = Math.floor(Date.now() / 1000 - HOUR) * 1000;

t.test('the resolution keeps a series short', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 170_000 }), (start, seconds) => {
      const span = { from: new Date(start * 1000), to: new Date((start + seconds) * 1000) };
      const points = (r: Resolution) =>
        Math.floor((start + seconds) / RESOLUTION_SECONDS[r]) - Math.floor(start / RESOLUTION_SECONDS[r]) + 1;
      return points(chooseResolution(span, undefined)) < DEFAULT_POINTS;
    }),
  );
  const span = { from: new Date(4000), to: new Date(9_999_000) };
  t.equal(chooseResolution(span, '10s'), '10s');
  t.throws(() => chooseResolution(span, '1s'), { code: 'VALIDATION_ERROR', message: /resolution=5s or coarser/ });
  const longer = { from: new Date(4000), to: new Date(10_000_000) };
  t.throws(
    () => chooseResolution(longer, '5s'),
    { message: /resolution=10s/ },
    '2,001 points, since buckets are whole',
  );
  t.end();
});

t.test('series of one endpoint are exact', async (t) => {
  const endpoints = await everyPage(run, 'listTestRunEndpoints');
  const facts = someSamples(startMs, [3, 4, 5], HOUR);
  await ensureSamplePartitions(db, facts.unixMs, new Set());
  await insertSamples(db, run.runId, run.orders.flat()[0]?.allocationId ?? '', facts);
  const rows = Array.from(facts.endpoint).flatMap((n, i) => (n === 4 ? [i] : []));
  for (const resolution of ['5s', '10s', '30s', '1m', '5m'] as const) {
    const { series } = await single(run, 'getTestRunMetrics', { endpoint_id: endpoints[4]?.id ?? '', resolution });
    const points = (key: string) => series.find((s) => s.metricKey === key)?.points ?? [];
    const ms = RESOLUTION_SECONDS[resolution] * 1000;
    const buckets = Map.groupBy(rows, (i) => Math.floor((facts.unixMs[i] as number) / ms) * ms);
    const expected = (column: ArrayLike<number>) =>
      [...buckets].flatMap(([at, of]) => {
        const values = of.map((i) => Math.fround(column[i] as number)).filter((v) => !Number.isNaN(v));
        const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
        return values.length === 0 ? [] : [[at, mean, Math.min(...values), Math.max(...values), values.length]];
      });
    const close = (key: string, column: ArrayLike<number>) =>
      t.same(
        points(key).map(([at, ...figures]) => [Date.parse(at), ...figures.map((v) => Math.round(v * 1e4))]),
        expected(column).map(([at, ...figures]) => [at, ...figures.map((v) => Math.round(v * 1e4))]),
        `${key} at ${resolution}`,
      );
    close('rtt', facts.rttMs);
    close('jitter', facts.jitterMs);
    close('mos', facts.mos);
    close(
      'packetLossFraction',
      Array.from(facts.lost, (lost, i) => lost / (facts.expected[i] as number)),
    );
    t.same(points('remoteJitter'), [], 'what was not measured has no points');
  }
});

t.test('those of 10,000 endpoints over an hour cost less than reading their rollups once for each', async (t) => {
  // On ten agents, callers and callees: 20 shares.
  const shares = Array.from({ length: 20 }, () => randomUUID());
  await sql`
    insert into sub_population_instances (run_id, id, sub_population_id, group_id, worker_id, role, endpoints, status)
    select ${run.runId}::uuid, id, id, id, ${agents[0].workerId}::uuid, 'CALLER', 500, 'DONE'
    from unnest(${shares}::uuid[]) id`.execute(db);
  await sql`
    insert into rollups
    select ${run.runId}::uuid, id, to_timestamp(${startMs / 1000}) + s * interval '1 s', 100, 5000, 5000, 5000, 5, 0,
      100, 0, 0.01, 100, 420, 4, 4.4, 8500, 80, 93, 100, 50, 0, 3, 10, 20, 1, 3, 10, 0.1, 0, 0.02, 10, 5, 0, 1, 'nb'
    from unnest(${shares}::uuid[]) id, generate_series(0, ${HOUR - 1}) s`.execute(db);
  await sql`analyze rollups`.execute(db);
  const timed = async <T>(work: () => Promise<T>): Promise<readonly [ms: number, result: T]> => {
    const beganMs = performance.now();
    const result = await work();
    return [performance.now() - beganMs, result];
  };
  // What the database needs for one figure of each point, whatever host it has.
  const read = () =>
    sql`select floor(extract(epoch from at) / 10), sum(mos_sum), max(mos_max), count(*) from rollups
        where run_id = ${run.runId}::uuid group by 1`.execute(db);
  let [least, leastRead, points, count] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  // The minimum of each: all other values include other work of this host.
  for (let i = 0; i < 10; i++) {
    const [ms, { series, resolutionSeconds }] = await timed(() => single(run, 'getTestRunMetrics'));
    least = Math.min(least, ms);
    leastRead = Math.min(leastRead, (await timed(read))[0]);
    t.equal(resolutionSeconds, 10);
    points = series.reduce((n, s) => n + s.points.length, 0);
    count = series.length;
  }
  t.comment(
    `${points} points from ${20 * HOUR} rollups: ${least.toFixed(0)} ms, reading them ${leastRead.toFixed(0)} ms`,
  );
  t.ok(least < count * leastRead, `less than a reading for each of ${count} series: ${(least / leastRead).toFixed(1)}`);
});
