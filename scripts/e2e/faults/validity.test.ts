/** A run whose agent lacks processor time reports it; the same run undisturbed is VALID. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { EFFECTS } from '../../../control-plane/domain/figures/validity.ts';
import { starve } from '../../peers/burners.ts';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';

/** Other processes work on this machine, too: an undisturbed run may be disturbed. */
const ATTEMPTS = 5;
/** Longer than the run. */
const STARVED_MS = 15_000;
/** If an observer is once woken later than this, or loses more processor time, the machine is not free. */
const QUIET_MS = 8;
const QUIET_STEAL = 0.01;

const lab = await openLab(t, {
  provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 10, buildup: 1, durationSeconds: 5 })] }),
});

const validityText = ({ validity }: RunDetail): string =>
  `${validity?.verdict} ${(validity?.reasons ?? []).map((r) => `${r.check} ${r.value} ${r.unit} (${r.level})`).join(', ')}`;

/** Of all processors since the host started (proc(5)). */
function ticks(): { stolen: number; all: number } {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/ +/).slice(1, 9).map(Number);
  return { stolen: fields[7]!, all: fields.reduce((sum, n) => sum + n, 0) };
}

t.test('a starved agent makes the run SUSPECT or VOID', async (t) => {
  const id = await lab.startRun('calls');
  const burners = starve(lab.agents[0]?.pid ?? 0);
  // An agent that gets no time at all would not end the run.
  const fed = sleep(STARVED_MS).then(() => burners.stop());
  const run = await lab.ended(id).finally(() => fed);
  t.comment(`starved: ${validityText(run)}`);
  const reasons = run.validity?.reasons ?? [];
  t.ok(run.validity?.verdict === 'SUSPECT' || run.validity?.verdict === 'VOID', 'the verdict says so');
  t.equal(
    run.validity?.verdict === 'VOID',
    reasons.some((r) => r.level === 'VOID'),
    'the worst reason decides',
  );
  t.ok(reasons.length > 0, 'with reasons');
  for (const reason of reasons) {
    t.equal(reason.worker, 'agent-1', `${reason.check}: the worker is named`);
    t.ok(Object.hasOwn(EFFECTS, reason.check) && reason.message.includes('agent-1'), reason.message);
    t.ok(reason.value > reason.limit, `${reason.value} is above ${reason.limit}`);
  }
});

t.test('an undisturbed agent makes the run VALID', async (t) => {
  let run: RunDetail | undefined;
  let wasQuiet = false;
  for (let attempt = 1; attempt <= ATTEMPTS && run?.validity?.verdict !== 'VALID'; attempt++) {
    const bystander = monitorEventLoopDelay({ resolution: 2 });
    bystander.enable();
    const before = ticks();
    run = await lab.runToEnd('calls');
    const after = ticks();
    bystander.disable();
    const [lateMs, stolen] = [bystander.max / 1e6, (after.stolen - before.stolen) / (after.all - before.all)];
    wasQuiet ||= lateMs < QUIET_MS && stolen < QUIET_STEAL;
    t.comment(
      `undisturbed, attempt ${attempt}: ${validityText(run)}; a bystander was ${lateMs.toFixed(1)} ms late at most`,
    );
  }
  t.equal(run?.status, 'COMPLETED');
  const { verdict, reasons = [], checks = [] } = run?.validity ?? {};
  t.ok(verdict === 'VALID' || !wasQuiet, 'VALID, unless a bystander had no quiet machine, either');
  const named = new Set(reasons.map(({ check }) => check));
  for (const { check, kind, value, suspectAbove, unit, count } of checks) {
    const isNamed = kind === 'EFFECT' && value !== null && value > suspectAbove;
    t.equal(named.has(check), isNamed, `${check}: ${value} ${unit}`);
    if (check !== 'steal') t.ok(count > 0, `${check} rests on ${count} values`);
  }
});
