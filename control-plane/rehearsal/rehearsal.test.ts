/** An invented run goes from its start to its end as a real one does, and leaves nothing. */
import t from 'tap';
import { openWorld } from '../testing/world.ts';
import { startRehearsal } from './rehearsal.ts';

const LIMITS = { size: { batches: 3, calls: 20, decodings: 2 }, cpuMs: 60_000, ms: 60_000 };
const world = await openWorld(t);
const { ports, database } = world;

t.test('the run is rehearsed to its end, twice, and no row of it stays', async (t) => {
  const faults: object[] = [];
  const log = { ...ports.log, debug: (fault: object) => faults.push(fault) };
  const rehearsal = startRehearsal({ ...ports, log }, LIMITS);
  t.same(await rehearsal.done, { calls: 3 * 20 + 6 * 10, completed: 2 });
  t.same(faults, []);
  for (const table of [
    'organizations',
    'workers',
    'test_runs',
    'endpoints',
    'sip_messages',
    'run_events',
    'noise',
  ] as const)
    t.same(await database.db.selectFrom(table).selectAll().execute(), [], table);
  t.same(world.jobs, [], 'no job is enqueued');
});

t.test('it ends where it is told to', async (t) => {
  const rehearsal = startRehearsal(ports, LIMITS);
  await rehearsal.stop();
  t.equal((await rehearsal.done)?.completed, 0);
});

t.test('it ends at its limits', async (t) => {
  t.same(await startRehearsal(ports, { ...LIMITS, cpuMs: 0 }).done, { calls: 0, completed: 0 });
  t.same(await startRehearsal(ports, { ...LIMITS, ms: 0 }).done, { calls: 0, completed: 0 });
});

t.test('a database that refuses it is of no consequence', async (t) => {
  const closed = { ...database, transaction: () => Promise.reject(new Error('no connection')) };
  t.equal(await startRehearsal({ ...ports, database: closed }, LIMITS).done, null);
});
