/** Gathered noise says what the same intervals say that are not: of random workers that report late, gathered at random instants. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { RESOLUTION_SECONDS } from '../../contract/run/metrics.ts';
import { judge } from '../../domain/figures/validity.ts';
import type { NoiseFact } from '../../domain/run/facts.ts';
import { noiseSteps } from '../../store/measured/gathered-noise.ts';
import { insertNoise } from '../../store/measured/noise.ts';
import { acme, FakeAgent, openWorld, runningRun, TOKENS } from '../../testing/world.ts';
import { noiseOfIntervals } from '../run-view/noise.ts';
import { gatherNoise } from './gather.ts';

const RUNS = 12;
const SECONDS = 150;
/** A multiple of every step. */
const START_MS = 1_800_000_000_000;
/** What stays of a worker beside the steps: its last intervals, of a quarter of a second at least. */
const KEPT = 80;
const ALWAYS = new Date(0);
const STEPS = Object.values(RESOLUTION_SECONDS).filter((seconds) => seconds <= 60);

const world = await openWorld(t);
const { db } = world.database;
await world.provision(acme());
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
const { runId } = await runningRun(world, agents);

const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
const pairs = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 50 })), { maxLength: 4, selector: ([b]) => b })
  .map((all) => all.sort(([a], [b]) => a - b).flat());
const interval = fc.record({
  afterMs: fc.integer({ min: 250, max: 4000 }),
  pacingError: pairs,
  loopDelay: pairs,
  slotsPlanned: fc.nat({ max: 1000 }),
  slotsSkipped: fc.nat({ max: 20 }),
  threadCpu: share,
  steal: fc.oneof(share, fc.constant(Number.NaN)),
  receiveDrops: fc.nat({ max: 3 }),
  received: fc.nat({ max: 1000 }),
  clockSteps: fc.nat({ max: 1 }),
  coldSeconds: share,
});
/** Intervals that follow each other. */
const ofWorker = fc.array(interval, { minLength: 1, maxLength: 120, size: 'max' }).map((all) => {
  let unixMs = START_MS;
  return all
    .map(({ afterMs, ...rest }): NoiseFact => {
      unixMs += afterMs;
      return { ...rest, unixMs, seconds: Math.fround(afterMs / 1000), stamps: 'kernel' };
    })
    .filter((fact) => fact.unixMs < START_MS + SECONDS * 1000);
});
const history = fc.record({
  workers: fc.tuple(ofWorker, ofWorker),
  lagSeconds: fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 })),
  gatherings: fc.uniqueArray(fc.integer({ min: 1, max: SECONDS + 60 }), { minLength: 1, maxLength: 6 }),
});

t.test('curves and verdict are the same, and what is read is bounded', async (t) => {
  await fc.assert(
    fc.asyncProperty(history, async ({ workers, lagSeconds, gatherings }) => {
      const twin = randomUUID();
      for (const table of ['noise', 'noise_steps', 'noise_sums'] as const)
        await db.deleteFrom(table).where('run_id', '=', runId).execute();
      const sent = [0, 0];
      let step = 1;
      for (const [nth, second] of [...gatherings].sort((a, b) => a - b).entries()) {
        for (const [i, agent] of agents.entries()) {
          const due = (workers[i] as NoiseFact[]).filter(
            ({ unixMs }) => unixMs <= START_MS + 1000 * (second - (lagSeconds[i] as number)),
          );
          await insertNoise(db, [runId, twin], agent.workerId, due.slice(sent[i]));
          sent[i] = due.length;
        }
        step = STEPS[Math.min(nth, STEPS.length - 1)] as number;
        await gatherNoise(db, runId, new Date(START_MS + 1000 * (second - 15)), step);
        t.same(judge(await noiseOfIntervals(db, runId)), judge(await noiseOfIntervals(db, twin)));
        for (const seconds of STEPS.filter((one) => one >= step))
          for (const since of [ALWAYS, new Date(START_MS + 60_000)])
            t.same(await noiseSteps(db, runId, seconds, since), await noiseSteps(db, twin, seconds, since));
      }
      await gatherNoise(db, runId, new Date(START_MS + 1000 * (SECONDS + 1)), step);
      const { rows } = await sql<{ steps: number; noise: number }>`
        select (select count(*)::int from noise_steps where run_id = ${runId}::uuid) as steps,
          (select count(*)::int from noise where run_id = ${runId}::uuid) as noise`.execute(db);
      t.ok((rows[0]?.steps ?? 0) <= SECONDS / step + 1, `${rows[0]?.steps} steps of ${step} s`);
      t.ok((rows[0]?.noise ?? 0) <= KEPT * agents.length, `${rows[0]?.noise} intervals`);
      t.same(judge(await noiseOfIntervals(db, runId)), judge(await noiseOfIntervals(db, twin)));
      await db.deleteFrom('noise').where('run_id', '=', twin).execute();
    }),
    { numRuns: RUNS },
  );
});
