/**
 * The table of attacks: during each one, a client with a key gets every answer and calls continue. The client's waiting time at
 * the 99th percentile is printed, with and without attackers: a busy host increases it, and no assertion uses it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { AgentWire, hello, keyPair } from '../../../control-plane/testing/agent-wire.ts';
import { newApiKey, newJoinToken } from '../../peers/lab/carillon.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';
import { freshScrape } from '../../peers/referees/prometheus-text.ts';
import { ATTACKS, type Attack, attackLines, HTTP, type Prey } from './attacks.ts';

const HONEST_REQUESTS = 30;
const ATTACKERS = 4;
const CALLS = 5;

const TOKENS = new Map(ATTACKS.map((attack) => [attack, newJoinToken()]));
const viewerKey = newApiKey();
const lab = await openLab(t, {
  // In a region without calls.
  workersWithoutAgent: [...TOKENS.values()].map((joinToken, i) => ({
    name: `hostile-${i}`,
    region: 'elsewhere',
    joinToken,
  })),
  provision: () => ({ viewerKey, tests: [callsAmongAgents('calls', { endpoints: CALLS, durationSeconds: 5 })] }),
});
const { url } = lab.controlPlane;
const [owner] = await lab.query<{ email: string }>('select email from users order by id limit 1');
const email = owner?.email ?? '';

/** The agent of a separate worker, used by an attacker. */
async function enroll(attack: Attack): Promise<Pick<Prey, 'hostileKey' | 'usedToken'>> {
  const usedToken = TOKENS.get(attack) ?? '';
  const hostileKey = keyPair();
  const wire = new AgentWire(`${url.replace(/^http/, 'ws')}/agent/v1`);
  const { challenge } = await wire.next();
  wire.send(hello(hostileKey, challenge?.nonce as Uint8Array, { joinToken: usedToken }));
  await wire.nextOf('welcome');
  wire.ws.terminate();
  return { hostileKey, usedToken };
}

/** One request at a time; all have to be answered. */
async function p99OfHonestMs(): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < HONEST_REQUESTS; n++) {
    const began = performance.now();
    const response = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${lab.apiKey}` } });
    await response.arrayBuffer();
    times.push(performance.now() - began);
    if (response.status !== 200) throw new Error(`the honest client is answered ${response.status}`);
  }
  return times.sort((a, b) => a - b)[Math.ceil(0.99 * HONEST_REQUESTS) - 1] as number;
}

const entries = async ({ action, reason }: Attack['audit']): Promise<number> => {
  const sql = `select count(*)::int as n from audit_entries where action = $1 and ($2::text is null or target ->> 'reason' = $2)`;
  return (await lab.query<{ n: number }>(sql, [action, reason ?? null]))[0]?.n ?? 0;
};

async function counted({ metric, fates }: Attack): Promise<number> {
  const { value } = await freshScrape(url);
  if (metric !== HTTP) return value(metric) ?? 0;
  return fates.reduce((sum, status) => sum + (value(`${metric}_count`, { status }) ?? 0), 0);
}

type Flood = { readonly fates: ReadonlyMap<string, number>; readonly p99Ms: number };

async function flood(attack: Attack, prey: Prey): Promise<Flood> {
  const fates = new Map<string, number>();
  let isOver = false;
  const attackers = Array.from({ length: attack.atOnce ?? ATTACKERS }, async () => {
    while (!isOver) {
      const fate = await attack.attempt(prey);
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
    }
  });
  // Each kind has occurred before the client sends requests.
  await until('the first are refused', () => fates.size > 0);
  const p99Ms = await p99OfHonestMs().finally(() => {
    isOver = true;
  });
  await Promise.all(attackers);
  return { fates, p99Ms };
}

const sum = (fates: Flood['fates']): number => [...fates.values()].reduce((all, n) => all + n, 0);

let isOver = false;
const runs = (async () => {
  const all = [];
  while (!isOver) all.push(await lab.runWhole('calls'));
  return all;
})();
runs.catch(() => undefined);
t.teardown(() => {
  isOver = true;
});
t.jobs = 1;

for (const attack of ATTACKS)
  t.test(attack.what, async (t) => {
    const own = await enroll(attack);
    const prey = { url, email, viewerKey, projectId: lab.projectId, testId: lab.testId('calls'), ...own };
    const aloneMs = await p99OfHonestMs();
    const countedBefore = await counted(attack);
    const entriesBefore = await entries(attack.audit);
    const { fates, p99Ms } = await flood(attack, prey);
    const others = [...fates.keys()].filter((fate) => !attack.fates.includes(fate));
    t.same(others, [], 'every try is refused');
    const isCounted = async () => (await counted(attack)) - countedBefore >= sum(fates);
    await t.resolves(until('all are counted', isCounted), `${sum(fates)} are counted`);
    const isTold = async () => (await entries(attack.audit)) > entriesBefore;
    await t.resolves(until('the audit log has it', isTold), `${attack.audit.action} is in the audit log`);
    t.comment(
      `p99 ${aloneMs.toFixed(0)} ms without it, ${p99Ms.toFixed(0)} ms with it: x ${(p99Ms / aloneMs).toFixed(1)}; ${JSON.stringify([...fates])}`,
    );
  });

t.test('calls went on meanwhile', async (t) => {
  isOver = true;
  for (const run of await runs)
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } });
});

t.test('the page has the same rows', async (t) => {
  const page = readFileSync(path.resolve(import.meta.dirname, '..', '..', '..', 'docs', 'attacks.md'), 'utf8');
  for (const line of attackLines()) t.ok(page.includes(line), line);
});
