/**
 * Idle cost: an agent without allocations, a control plane with embedded PostgreSQL, at least a minute after a run.
 * Standalone: node_modules/.bin/node scripts/bench/product/idle.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type IdleShares, idleShares } from '../../peers/lab/idle.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';

const REST_MS = 60_000;
const SECONDS = 60;
const LOOKS = 3;

export async function benchIdle(): Promise<IdleShares[]> {
  const closers: (() => unknown)[] = [];
  try {
    const lab = await openLab(
      { teardown: (close) => closers.push(close) },
      {
        database: 'embedded',
        provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 5, durationSeconds: 2 })] }),
      },
    );
    await lab.runToEnd('calls');
    await sleep(REST_MS);
    const rows: IdleShares[] = [];
    for (let look = 0; look < LOOKS; look++) rows.push(await idleShares(lab, SECONDS));
    return rows;
  } finally {
    for (const close of closers) await close();
  }
}

if (import.meta.main) console.table(await benchIdle());
