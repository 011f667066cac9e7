/**
 * What the page of a folded run costs while the run goes on, and the same run as if it had gone on for longer: the rows that its agents
 * have added are added again, for earlier times, and the control plane does with them what it always does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from '../../../../scripts/measure/installation.ts';
import type { Lab } from '../../../../scripts/peers/lab/lab.ts';
import { until } from '../../../../scripts/peers/process.ts';
import type { Timeline } from '../../../contract/run/timeline.ts';
import { merged, noCalls, type RunSums } from '../../../domain/sums/call-sums.ts';

const READS = 40;
const LOOKS = 15;
const IDLE_SECONDS = 10;
/** Rows that the last seconds have: they are gathered only when they are older. */
const UNGATHERED = 2500;

type Cost = {
  readonly calls: number;
  /** Of a request or a look, in milliseconds of CPU of control plane and PostgreSQL. */
  readonly run: number;
  readonly timeline: number;
  readonly look: number;
  /** In bytes. */
  readonly runBytes: number;
  readonly timelineBytes: number;
  /** The number of points of its curves. */
  readonly points: number;
};

const cpuMs = async (lab: Lab): Promise<number> => {
  const { controlPlane, postgres } = await cpuOf(lab);
  return 1000 * (controlPlane + postgres);
};

/** CPU milliseconds that `act` adds to those of an idle second, for each of its times. */
async function added(lab: Lab, idleAMs: number, act: () => Promise<number>): Promise<number> {
  const [before, beganMs] = [await cpuMs(lab), performance.now()];
  const times = await act();
  return ((await cpuMs(lab)) - before - idleAMs * (performance.now() - beganMs)) / times;
}

/** The run has to pause. */
export async function pageCost(lab: Lab, testRunId: string): Promise<Cost> {
  const before = await cpuMs(lab);
  await sleep(IDLE_SECONDS * 1000);
  const idleAMs = ((await cpuMs(lab)) - before) / (IDLE_SECONDS * 1000);
  const path = `/api/v1/projects/${lab.projectId}/test-runs/${testRunId}`;
  const open = (what: string) =>
    fetch(`${lab.controlPlane.url}${path}${what}`, { headers: { authorization: `Bearer ${lab.apiKey}` } });
  let bytes = 0;
  const read = (what: string) => async (): Promise<number> => {
    for (let i = 0; i < READS; i++) bytes = (await (await open(what)).arrayBuffer()).byteLength;
    return READS;
  };
  const run = await added(lab, idleAMs, read(''));
  const runBytes = bytes;
  const timeline = await added(lab, idleAMs, read('/timeline'));
  const timelineBytes = bytes;
  const { data } = (await (await open('/timeline')).json()) as { readonly data: Pick<Timeline, 'steps'> };
  const pieces = ((await open('/live')).body as ReadableStream).pipeThrough(new TextDecoderStream()).values();
  const seen = async (looks: number): Promise<number> => {
    for (let left = looks; left > 0; ) {
      const { value, done } = await pieces.next();
      if (done) throw new Error('the page is closed');
      left -= value.split('event: run').length - 1;
    }
    return looks;
  };
  // The first look draws the whole run: it costs as much as the two requests.
  await seen(1);
  const look = await added(lab, idleAMs, () => seen(LOOKS));
  await pieces.return?.();
  const { totalCalls } = (await lab.run(testRunId)).callTiming;
  return { calls: totalCalls, run, timeline, look, runBytes, timelineBytes, points: data.steps };
}

type Growth = { readonly seconds: number; readonly times: number };

/** The run pauses, and has had calls for so many seconds: it has gone on `times` as long, with as many calls. */
export async function grow(lab: Lab, testRunId: string, { seconds, times }: Growth): Promise<void> {
  const earlier = (times - 1) * seconds;
  await lab.query('update test_runs set started_at = started_at - make_interval(secs => $2) where id = $1', [
    testRunId,
    earlier,
  ]);
  const again = `generate_series(1, ${times - 1}) as i`;
  const columnsOf = async (table: string): Promise<string[]> =>
    (
      await lab.query<{ name: string }>(
        `select quote_ident(column_name) as name from information_schema.columns where table_name = $1`,
        [table],
      )
    ).map(({ name }) => name);
  for (const [table, changed] of [
    ['call_seconds', { at: `at - i * make_interval(secs => ${seconds})` }],
    ['noise_steps', { at: `at - i * make_interval(secs => ${seconds})` }],
    ['start_noise', { at: `at - i * make_interval(secs => ${seconds})`, batch: 'batch + i * 1000000000000' }],
  ] as const) {
    const columns = await columnsOf(table);
    const values = columns.map((name) => (changed as Record<string, string>)[name] ?? name);
    await lab.query(
      `insert into ${table} (${columns}) select ${values} from ${table}, ${again} where run_id = $1 on conflict do nothing`,
      [testRunId],
    );
  }
  const rows = await lab.query<{ instance: string; calls: object; failures: object; streams: object }>(
    'select instance_id as instance, calls, failures, streams from call_sums where run_id = $1 and not lost',
    [testRunId],
  );
  for (const { instance, calls, failures, streams } of rows) {
    const one = { ...noCalls(), ...calls, ...failures, ...(streams && { streams }) } as RunSums;
    const { kinds, timings, lateness, late, ...rest } = merged(new Array<RunSums>(times).fill(one));
    await lab.query(
      'update call_sums set calls = $3, failures = $4 where run_id = $1 and instance_id = $2 and not lost',
      [
        ...[testRunId, instance, JSON.stringify({ kinds, timings, lateness, late })],
        JSON.stringify({ failures: rest.failures, findings: rest.findings }),
      ],
    );
  }
  await until('it is gathered', async () => {
    const [left] = await lab.query<{ n: number }>('select count(*)::float8 as n from call_seconds where run_id = $1', [
      testRunId,
    ]);
    return (left?.n ?? Number.POSITIVE_INFINITY) < UNGATHERED;
  });
}
