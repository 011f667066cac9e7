/**
 * An agent that is frozen for a moment of calls, often in their last second, says so in each run that it disturbed: what
 * comes with the end of a run counts, too. Several runs at once, so that one freeze falls into different moments of each.
 * FREEZES=200 wants that many disturbed runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { freeze } from '../../peers/freeze.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';
import { seeded } from '../../peers/seeded.ts';

const WANTED = Number(process.env['FREEZES'] ?? 40);
/** Of them, at least so many within the last second of calls. */
const WANTED_LAST = Math.ceil(WANTED / 3);
/** A host on which no freeze comes into calls gives up. */
const MAX_ROUNDS = WANTED;
const AT_ONCE = 5;
const CALL_MS = 5000;
const LAST_MS = 1000;

const lab = await openLab(t, {
  provision: () => ({
    tests: [callsAmongAgents('calls', { endpoints: 2, buildup: 0, durationSeconds: CALL_MS / 1000 })],
  }),
});
const random = seeded(40);
const pid = lab.agents[0]?.pid ?? 0;

type Calls = { readonly up: number; readonly down: number };

/** From when on all calls of the run are up, until the first has ended; Unix ms, NaN: not yet. */
async function callsOf(id: string): Promise<Calls> {
  const [row] = await lab.query<{ up: number | null; down: number | null }>(
    `select extract(epoch from max(answered_at)) * 1000 as up, extract(epoch from min(left_at)) * 1000 as down
    from endpoints where run_id = $1 having count(*) = count(answered_at)`,
    [id],
  );
  return { up: Number(row?.up ?? Number.NaN), down: Number(row?.down ?? Number.NaN) };
}

/** Freezes the agent in a drawn moment of one of some runs; the runs, and when it was frozen. */
async function round(isLast: boolean) {
  const ids: string[] = [];
  for (let i = 0; i < AT_ONCE; i++) ids.push(await lab.begin('calls'));
  const target = ids[Math.floor(random() * AT_ONCE)]!;
  let up = Number.NaN;
  await until('the calls of a run are up', async () => {
    ({ up } = await callsOf(target));
    return !Number.isNaN(up);
  });
  const left = (isLast ? LAST_MS : CALL_MS) * random();
  // The moment of the fault, drawn from the seed.
  await sleep(Math.max(0, up + CALL_MS - left - Date.now()));
  const fromMs = Date.now();
  const lastedMs = await freeze(pid, 200 + 400 * random());
  return { ids, fromMs, untilMs: fromMs + lastedMs };
}

t.test('a run that was disturbed is not VALID', async (t) => {
  let [disturbed, last] = [0, 0];
  for (let n = 0; n < MAX_ROUNDS && (disturbed < WANTED || last < WANTED_LAST); n++) {
    const { ids, fromMs, untilMs } = await round(n % 2 === 0);
    for (const id of ids) {
      const { validity } = await lab.ended(id);
      const { up, down } = await callsOf(id);
      // All of the freeze was in its calls: a frozen agent does not end them.
      if (!(up < fromMs && untilMs <= down)) continue;
      disturbed++;
      const toEndMs = up + CALL_MS - fromMs;
      if (toEndMs <= LAST_MS) last++;
      const frozen = `frozen for ${Math.round(untilMs - fromMs)} ms, ${Math.round(toEndMs)} ms before the end of calls`;
      t.ok(validity && validity.verdict !== 'VALID', `${frozen}: ${validity?.sentence}`);
    }
  }
  t.ok(disturbed >= WANTED && last >= WANTED_LAST, `${disturbed} disturbed runs, ${last} of them in the last second`);
});
