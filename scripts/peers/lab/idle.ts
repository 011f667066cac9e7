/** What an idle installation does: a control plane with its database, and one agent. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from './lab.ts';

/** Each second: how often a thread of the process was woken, and the transactions of the database. */
export type IdleEvents = {
  readonly agentWakeUps: number;
  readonly controlPlaneWakeUps: number;
  readonly transactions: number;
};

/** Counts, which a busy host does not increase. */
export const idleEvents = (lab: Lab, seconds: number): Promise<IdleEvents> =>
  perSecond(
    async () => ({
      agentWakeUps: await wakeUps(lab.agents[0]!.pid),
      controlPlaneWakeUps: await wakeUps(lab.controlPlane.pid),
      transactions: await transactions(lab),
    }),
    seconds,
  );

async function perSecond<Counts extends Readonly<Record<string, number>>>(
  look: () => Promise<Counts>,
  seconds: number,
): Promise<Counts> {
  const [before, beganMs] = [await look(), performance.now()];
  await sleep(seconds * 1000);
  const [after, endedMs] = [await look(), performance.now()];
  const rates = Object.keys(before).map((name) => [
    name,
    (1000 * (after[name]! - before[name]!)) / (endedMs - beganMs),
  ]);
  return Object.fromEntries(rates);
}

/** Of all its threads, since each began (Linux): a thread that waits has given up its processor voluntarily. */
async function wakeUps(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const texts = await Promise.all((await readdir(folder)).map((task) => readFile(`${folder}/${task}/status`, 'utf8')));
  return texts.reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0);
}

async function transactions(lab: Lab): Promise<number> {
  const [row] = await lab.query<{ n: number }>(
    'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = current_database()',
  );
  return row?.n ?? Number.NaN;
}
