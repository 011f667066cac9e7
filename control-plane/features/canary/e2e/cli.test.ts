/** `carillon run --canary`: a platform that is slower under load, and one that is not, as a caller beside the load finds them. */
import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { openAnswered } from '../../../../scripts/e2e/cli/answered.ts';
import { carillon } from '../../../../scripts/e2e/cli/carillon.ts';
import { callsTo, type ProbeInput, type TestInput } from '../../../../scripts/peers/lab/provision.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { startThrottled } from '../../../../scripts/peers/sip/throttled.ts';

/** Calls at once: many for the slower platform. */
const AT_ONCE = 12;
/** Both loads go on at once, and a host allows 50 calls a second. */
const LOAD = { shape: 'CONCURRENCY', callsPerSecond: 20, seconds: 22 } as const;
/** A clear difference is one of this size (../domain/canary.ts). */
const CLEAR_MS = 20;
const ATTEMPTS = 2;

const loadOn = (uri: string, slug: string): TestInput =>
  callsTo(uri, slug, {
    ...{ endpoints: AT_ONCE, calls: null, durationSeconds: 1, load: LOAD, breaker: null },
    media: { mediaTracks: [] },
  });

/** The far ends send no audio. */
const watching = (uri: string, slug: string): ProbeInput => ({
  ...{ slug, name: slug, enabled: false, fixedIntervalSec: 300, durationSeconds: 1, alertStrikeRuns: 1 },
  test: {
    registrar: 'cloud',
    callee: { mode: 'EXTERNAL_URI', uri },
    placement: { mode: 'REGION', region: 'local' },
    expectations: { toleratedFindings: ['NO_MEDIA'] },
  },
  thresholds: [],
});

const net = ownLoopback();
const slow = await startThrottled(net.address(103), 1_000_000, { takes: { fewMs: 100, manyMs: 400 } });
t.teardown(() => slow.stop());
const { lab, file, run } = await openAnswered(t, net, (uri) => ({
  probes: [watching(slow.uri, 'door-of-the-slow'), watching(uri, 'door-of-the-fast')],
  tests: [loadOn(slow.uri, 'crowd'), loadOn(uri, 'crowd-elsewhere')],
}));

type Values = { readonly count: number; readonly median: number | null };
type Phase = { readonly failed: number; readonly setUpMs: Values };
/** The run as the command prints it. */
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
async function watched(t: Test, test: string, probe: string, ...more: string[]) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const said = await run(test, '--canary', probe, '--canary-every', '1', '--json', ...more);
    const ended = (JSON.parse(said.out) as { run: Run }).run;
    const { canary } = ended;
    if (canary.idle.setUpMs.count >= 3 && canary.loaded.setUpMs.count >= 3) return { said, ended, canary };
    t.match(
      canary.sentences[0],
      /^Too few values to compare set-up times: \d+ before the load and \d+ while it was on/,
    );
    t.equal(canary.setUpRatio, null);
    t.comment(`${probe}, not judged: ${said.err} ${JSON.stringify(canary.executions)}`);
  }
  return null;
}

t.test('what a caller beside the load finds', async (t) => {
  const [markdown, html] = [file('canary.md'), file('canary.html')];
  const [slower, steady] = await Promise.all([
    watched(t, 'crowd', 'door-of-the-slow', '--markdown', markdown, '--html', html),
    watched(t, 'crowd-elsewhere', 'door-of-the-fast'),
  ]);
  if (slower) {
    const { said, ended, canary } = slower;
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
    const started = Date.parse(ended.startedAt ?? '');
    for (const { phase, startedAt } of canary.executions)
      t.equal(Date.parse(startedAt ?? '') < started, phase === 'IDLE', `${phase} ${startedAt}`);
    t.ok(ended.callTiming.totalCalls > AT_ONCE, 'its calls are not those of the load');
    const shown = await carillon(lab, ['show', ended.id]);
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
  t.match(await run('crowd', '--canary', 'nobody'), { code: 1, err: /There is no probe "nobody"/ });
});
