/** A run whose agent is starved of the processor says so; the same run undisturbed is VALID. */
import t from 'tap';
import { CHECKS } from '../../control-plane/domain/validity.ts';
import { starve } from '../peers/burners.ts';
import { openLab, type RunDetail } from '../peers/lab.ts';
import { callsAmongAgents } from '../peers/provision.ts';

/** Others work on this machine, too: an undisturbed run may be disturbed. */
const ATTEMPTS = 3;

const lab = await openLab(t, {
  provision: () => ({ tests: [callsAmongAgents('calls', { endpoints: 10, buildup: 1, durationSeconds: 5 })] }),
});

const told = ({ validity }: RunDetail): string =>
  `${validity?.verdict} ${(validity?.reasons ?? []).map((r) => `${r.check} ${r.value} ${r.unit} (${r.level})`).join(', ')}`;

t.test('starved', async (t) => {
  const id = await lab.begin('calls');
  await lab.reaches(id, 'is running', (run) => run.status === 'RUNNING');
  const burners = starve(lab.agents[0]?.pid ?? 0);
  const run = await lab.ended(id).finally(() => burners.stop());
  t.comment(`starved: ${told(run)}`);
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
    t.ok(Object.hasOwn(CHECKS, reason.check) && reason.message.includes('agent-1'), reason.message);
    t.ok(reason.value > reason.limit, `${reason.value} is above ${reason.limit}`);
  }
});

t.test('undisturbed', async (t) => {
  let run: RunDetail | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS && run?.validity?.verdict !== 'VALID'; attempt++) {
    run = await lab.runToEnd('calls');
    t.comment(`undisturbed, attempt ${attempt}: ${told(run)}`);
  }
  t.match(run, { status: 'COMPLETED', validity: { verdict: 'VALID', reasons: [] } });
  for (const check of run?.validity?.checks ?? []) {
    t.ok(check.value === null || check.value <= check.suspectAbove, `${check.check}: ${check.value} ${check.unit}`);
    if (check.check !== 'steal') t.ok(check.count > 0, `${check.check} rests on ${check.count} values`);
  }
});
