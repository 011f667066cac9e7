/**
 * Fifty agents with one address (scripts/measure/bench/fleet.ts: a thousand): after each restart of the control plane all
 * return, also among strangers.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { workersOnline } from '../../peers/lab/carillon.ts';
import { Fleet } from '../../peers/lab/fleet.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { greeting, openRawLink } from '../../peers/network/raw-link.ts';
import { until } from '../../peers/process.ts';

/** Many times more than greet at once: four, of a network of which many are refused, too (control-plane/limits/limits.ts). */
const AGENTS = 50;
const ATTACKERS = 6;
/** Between two greetings of an attacker: enough to hold the address's places, without taking the processor from other tests. */
const PAUSE_MS = 100;
const LIMIT_MS = 240_000;

const fleet = new Fleet(AGENTS, 'fleet');
const lab = await openLab(t, {
  agents: 0,
  organizations: [{ slug: 'fleet', name: 'Fleet', workers: [...fleet.workers] }],
  provision: () => ({ tests: [] }),
});
t.teardown(() => fleet.close());

const allBack = async (t: Test) => {
  await until('all were welcomed', () => fleet.back === AGENTS, { idleMs: LIMIT_MS });
  await until('all are online', async () => (await workersOnline(lab.controlPlane.url)) === AGENTS, {
    idleMs: LIMIT_MS,
  });
  t.equal(fleet.online, AGENTS);
  t.same(
    fleet.standings.filter(({ refused }) => refused !== null),
    [],
    'none is sent away for good',
  );
  const later = fleet.standings.map(({ toldLater }) => toldLater);
  t.comment(`told to come later: at most ${Math.max(...later)} times`);
};

t.test('all are enrolled, each once', async (t) => {
  await fleet.open(lab.controlPlane.url, path.join(lab.dir, 'fleet'));
  await allBack(t);
  const [row] = await lab.query<{ keys: number; used: number }>(
    `select count(distinct public_key)::int as keys, (select count(used_at)::int from join_tokens) as used from workers`,
  );
  t.same(row, { keys: AGENTS, used: AGENTS });
});

/** Greets with unknown keys and tokens until `isOver`; the number of refusals. */
async function stranger(url: string, isOver: () => boolean): Promise<number> {
  let refused = 0;
  while (!isOver()) {
    const link = await openRawLink(url);
    if (!('ws' in link)) {
      // No place: told to retry later.
      await sleep(PAUSE_MS);
      continue;
    }
    link.ws.send(await greeting(link, 'a token of nobody'));
    for (let frame = await link.next(); frame !== null; frame = await link.next())
      if (frame.farewell?.code === 'JOIN_TOKEN_REFUSED') refused++;
    await link.closed;
    await sleep(PAUSE_MS);
  }
  return refused;
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const)
  t.test(`${signal}, and strangers at the same address`, async (t) => {
    fleet.begin();
    await lab.controlPlane.stop(signal);
    await until('all have noticed', () => fleet.online === 0, { idleMs: LIMIT_MS });
    await lab.startControlPlane();
    let isOver = false;
    const attack = Array.from({ length: ATTACKERS }, () => stranger(lab.controlPlane.url, () => isOver));
    await allBack(t).finally(() => {
      isOver = true;
    });
    const refused = (await Promise.all(attack)).reduce((sum, one) => sum + one, 0);
    t.comment(`${refused} strangers were refused meanwhile`);
  });
