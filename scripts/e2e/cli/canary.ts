/** `carillon run --canary`: a platform that is slower under load, and one that is not, as a caller beside the load finds them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Test } from 'tap';
import type { Lab } from '../../peers/lab/lab.ts';
import { callsTo, type ProbeInput, type TestInput } from '../../peers/lab/provision.ts';
import { carillon } from './carillon.ts';

/** Calls at once: many for the slower platform. */
const AT_ONCE = 12;
/** Both loads go on at once, and a host allows 50 calls a second. */
const LOAD = { shape: 'CONCURRENCY', callsPerSecond: 20, seconds: 22 } as const;
/** A clear difference is one of this size (domain/probe/canary.ts). */
const CLEAR_MS = 20;
const ATTEMPTS = 2;

export const loadOn = (uri: string, slug: string): TestInput =>
  callsTo(uri, slug, {
    ...{ endpoints: AT_ONCE, calls: null, durationSeconds: 1, load: LOAD, breaker: null },
    media: { mediaTracks: [] },
  });

/** The far ends send no audio. */
export const watching = (uri: string, slug: string): ProbeInput => ({
  ...{ slug, name: slug, enabled: false, fixedIntervalSec: 300, durationSeconds: 1, alertStrikeRuns: 1 },
  test: {
    registrar: 'cloud',
    callee: { mode: 'EXTERNAL_URI', uri },
    placement: { mode: 'REGION', region: 'local' },
    expectations: { toleratedFindings: ['NO_MEDIA'] },
  },
  thresholds: [],
});

type Values = { readonly count: number; readonly median: number | null };
type Phase = { readonly failed: number; readonly setUpMs: Values };
/** The run as the command prints it: types of the API have its canary only as long as the feature exists. */
type Run = {
  readonly id: string;
  readonly startedAt: string | null;
  readonly callTiming: { readonly totalCalls: number };
  readonly canary: {
    readonly probeId: string;
    readonly idle: Phase;
    readonly loaded: Phase;
    readonly setUpRatio: number | null;
    readonly sentences: readonly string[];
    readonly executions: readonly { readonly phase: string; readonly startedAt: string | null }[];
  };
};

/** Until enough executions could be judged, which a busy machine prevents; null: it did each time, and the run says so. */
async function watched(t: Test, lab: Lab, test: string, probe: string, ...more: string[]) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const asked = ['run', test, '--canary', probe, '--canary-every', '1', '--json', ...more];
    const said = await carillon(lab, asked);
    const { run } = JSON.parse(said.out) as { run: Run };
    const { canary } = run;
    if (canary.idle.setUpMs.count >= 3 && canary.loaded.setUpMs.count >= 3) return { said, run, canary };
    t.match(
      canary.sentences[0],
      /^Too few values to compare set-up times: \d+ before the load and \d+ while it was on/,
    );
    t.equal(canary.setUpRatio, null);
    t.comment(`${probe}, not judged: ${said.err} ${JSON.stringify(canary.executions)}`);
  }
  return null;
}

export async function watchedLoads(t: Test, lab: Lab): Promise<void> {
  const [markdown, html] = ['canary.md', 'canary.html'].map((name) => path.join(lab.dir, name)) as [string, string];
  const [slower, steady] = await Promise.all([
    watched(t, lab, 'crowd', 'door-of-the-slow', '--markdown', markdown, '--html', html),
    watched(t, lab, 'crowd-elsewhere', 'door-of-the-fast'),
  ]);
  if (slower) {
    const { said, run, canary } = slower;
    t.match(said.err, /^Canary: door-of-the-slow, before the load and while it is on\.$/m);
    t.match(canary, { probeName: 'door-of-the-slow', mode: 'CALL', calls: 3, everySeconds: 1, idle: { failed: 0 } });
    const [before, on] = [canary.idle.setUpMs.median ?? 0, canary.loaded.setUpMs.median ?? 0];
    t.ok(before >= 95, `${before} ms: the platform takes 100 ms for a call`);
    t.ok(on >= 395, `${on} ms: it takes 400 ms while there are more calls`);
    t.match(
      canary.sentences[0],
      /While the load was on, a caller waited [\d,]+ ms for ringing \(median of \d+\), \d+\.\d times as long as before it/,
    );
    for (const text of [said.err, await readFile(markdown, 'utf8'), await readFile(html, 'utf8')])
      t.match(text.replaceAll('\\', '').replaceAll(/\s+/g, ' '), canary.sentences[0], 'in every report');
    const started = Date.parse(run.startedAt ?? '');
    for (const { phase, startedAt } of canary.executions)
      t.equal(Date.parse(startedAt ?? '') < started, phase === 'IDLE', `${phase} ${startedAt}`);
    t.ok(run.callTiming.totalCalls > AT_ONCE, 'its calls are not those of the load');
    const shown = await carillon(lab, ['show', run.id]);
    t.match(shown.out.replaceAll(/\s+/g, ' '), canary.sentences[0]);
    const incidents = await lab.call('listProbeIncidents', { projectId: lab.projectId, probeId: canary.probeId });
    t.same(incidents.rows, [], 'nobody is alarmed by it');
  }
  if (steady) {
    const { canary } = steady;
    const [before, on] = [canary.idle.setUpMs.median ?? 0, canary.loaded.setUpMs.median ?? 0];
    // A busy machine may be slower by itself: what is said has to be what was measured.
    if (on - before < CLEAR_MS) t.match(canary.sentences[0], /, about as long as before it \(/);
    t.equal(canary.setUpRatio, Math.round((on / before) * 100) / 100);
    t.match(canary.sentences[1], /^None of \d+ failed while it was on; before it, none of 3\.$/);
  }
  t.match(await carillon(lab, ['run', 'crowd', '--canary', 'nobody']), { code: 1, err: /There is no probe "nobody"/ });
}
