// node client.mjs PROJECT TEST: starts a test, waits for its end, and prints what callers got. No dependency.
import { setTimeout as sleep } from 'node:timers/promises';

const { CARILLON_URL = 'http://127.0.0.1:8080', CARILLON_API_KEY } = process.env;
const [project, test] = process.argv.slice(2);
if (!CARILLON_API_KEY || !project || !test) throw new Error('Usage: CARILLON_API_KEY=… node client.mjs PROJECT TEST');

/** The data of an answer; a refusal has a code and a message. */
async function ask(method, path, body) {
  const response = await fetch(`${CARILLON_URL}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${CARILLON_API_KEY}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.data;
}

const found = (rows, slug) => rows.find((row) => row.slug === slug) ?? rows.find((row) => row.name === slug);
const { id: projectId } = found(await ask('GET', '/projects?per_page=100'), project);
const { id: testId } = found(await ask('GET', `/projects/${projectId}/tests?per_page=100`), test);
const { testRunId } = await ask('POST', `/projects/${projectId}/tests/${testId}/run`, { labels: { from: 'example' } });

let run;
do {
  await sleep(1000);
  run = await ask('GET', `/projects/${projectId}/test-runs/${testRunId}`);
} while (run.endedAt === null);

const { totalCalls, successCount } = run.callTiming;
console.log(`${run.status}: ${successCount} of ${totalCalls} calls were answered. ${run.error?.message ?? ''}`);
for (const { title, calls } of run.findings ?? []) console.log(`${title}: ${calls} calls`);
process.exitCode = run.status === 'COMPLETED' && run.passed !== false ? 0 : 1;
