/**
 * How long a client with a valid key waits beside strangers: its 99th percentile is at most three times the quiet one, for requests
 * of every kind that needs no key. Quiet and disturbed batches alternate, so that a busy machine is in both of them.
 */
import { fork } from 'node:child_process';
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { KINDS } from './stranger.ts';

const BATCHES = 3;
const REQUESTS = 35;
/** A percentile of so few is one request: a machine that was busy in one batch only is asked again. */
const ATTEMPTS = 6;
const MAX_TIMES = 3;
/** Below this nobody notices, and a scheduler's tick is a multiple. */
const UNNOTICED_MS = 30;

const lab = await openLab(t, { agents: 0, provision: () => ({ tests: [] }) });
const { url } = lab.controlPlane;
const [owner] = await lab.query<{ email: string }>('select email from users order by id limit 1');
const strangers = fork(new URL('./stranger.ts', import.meta.url), [url, owner?.email ?? '']);
t.teardown(() => strangers.kill());
t.jobs = 1;

async function batch(times: number[]): Promise<void> {
  for (let n = 0; n < REQUESTS; n++) {
    const began = performance.now();
    const response = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${lab.apiKey}` } });
    await response.arrayBuffer();
    // Repeated attempts can spend the key's own budget of a minute, which has nothing to do with strangers.
    if (response.status === 429 && response.headers.get('ratelimit-remaining') === '0') {
      await sleep(1000 * Number(response.headers.get('retry-after')));
      n--;
      continue;
    }
    times.push(performance.now() - began);
    if (response.status !== 200) throw new Error(`a valid key is answered ${response.status}`);
  }
}

/** Resolves with the first answer to one of them. */
async function letIn(what: string): Promise<void> {
  strangers.send(what);
  for await (const [answered] of on(strangers, 'message', { close: ['exit'] })) if (answered === what) return;
  throw new Error('the process of strangers has ended');
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(0.99 * times.length) - 1] as number;

async function waits(what: string): Promise<{ readonly quietMs: number; readonly besideMs: number }> {
  const [quiet, beside]: [number[], number[]] = [[], []];
  for (let n = 0; n < BATCHES; n++) {
    await batch(quiet);
    await letIn(what);
    await batch(beside).finally(() => strangers.send(''));
  }
  return { quietMs: p99(quiet), besideMs: p99(beside) };
}

await batch([]);
for (const { what } of KINDS)
  t.test(what, async (t) => {
    const seen: string[] = [];
    let isFine = false;
    for (let n = 0; n < ATTEMPTS && !isFine; n++) {
      const { quietMs, besideMs } = await waits(what);
      seen.push(`${quietMs.toFixed(1)} ms quiet, ${besideMs.toFixed(1)} ms beside them`);
      isFine = besideMs <= Math.max(MAX_TIMES * quietMs, UNNOTICED_MS);
    }
    t.ok(isFine, `at most ${MAX_TIMES} times as long: ${seen.join('; ')}`);
  });
