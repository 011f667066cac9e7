/** Pictures of what many runs say: the trend of a test, and capacity searches that fail, go on and have ended. */
import type { LabAsk } from './e2e/dashboard/lab-data.ts';
import { until } from './peers/process.ts';

type Body = { readonly groups: readonly object[] };
type Pictures = {
  readonly ask: LabAsk;
  /** Path of the project. */
  readonly at: string;
  readonly shoot: (name: string, address: string, ready: string | RegExp) => Promise<void>;
  readonly ended: (runId: string) => Promise<unknown>;
  /** A test of calls among its own endpoints. */
  readonly body: (name: string, endpoints: number, durationSeconds: number) => Body;
  /** A run that has ended. */
  readonly done: string;
};

const PATIENCE_MS = 300_000;
const EVERY_MS = 500;
const SHORT = { trialSeconds: 5, warmUpSeconds: 1, drainSeconds: 1, callSeconds: 1, start: 2, most: 4 };

/** On a busy machine a run may be VOID, and no baseline. */
const MOST_RUNS = 6;

export async function searchPictures({ ask, at, shoot, ended, body, done }: Pictures): Promise<void> {
  const { testId } = await ask<{ testId: string }>('GET', `${at}/test-runs/${done}`);
  const runs = [done];
  for (let hasBaseline = false; runs.length < 3 || (!hasBaseline && runs.length < MOST_RUNS); ) {
    const last = runs.at(-1) ?? done;
    const { validity } = await ask<{ validity: { verdict: string } }>('GET', `${at}/test-runs/${last}`);
    if (!hasBaseline && validity.verdict !== 'VOID') {
      await ask('POST', `${at}/test-runs/${last}/baseline`, { isBaseline: true });
      hasBaseline = true;
    }
    const again = await ask<{ testRunId: string }>('POST', `${at}/test-runs/${done}/replay`, {});
    await ended(again.testRunId);
    runs.push(again.testRunId);
  }
  await shoot('run-trend', `${at}/runs?test=${testId}`, 'Trend');
  const nowhere = body('Nobody there', 2, 1);
  const groups = nowhere.groups.map((g) => ({ ...g, placement: { mode: 'REGION', region: 'hamburg' } }));
  const unmanned = await ask('POST', `${at}/tests`, { ...nowhere, groups });
  const search = async (of: string, more: object = {}): Promise<string> =>
    (await ask('POST', `${at}/tests/${of}/capacity-searches`, { ...SHORT, ...more })).id;
  const ends = (id: string) =>
    until(
      'the search ends',
      async () => (await ask<{ endedAt: string | null }>('GET', `${at}/capacity-searches/${id}`)).endedAt !== null,
      { idleMs: PATIENCE_MS, everyMs: EVERY_MS },
    );
  const fails = await search(unmanned.id);
  await ends(fails);
  await shoot('capacity-failed', `${at}/capacity/${fails}`, /./);
  const running = await search(testId);
  await shoot('capacity-running', `${at}/capacity/${running}`, /Load and results/);
  await ends(running);
  await shoot('capacity-ended', `${at}/capacity/${running}`, 'Load and results');
  const strict = await search(testId, {
    method: 'RFC7502_STRICT',
    rfc7502: { sessions: 20, startRate: 2, mostSteps: 4 },
  });
  await ends(strict);
  await shoot('capacity-strict', `${at}/capacity/${strict}`, /RFC 7502/);
}
