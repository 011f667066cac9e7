/**
 * An agent that is frozen during calls (SIGSTOP, like a paused virtual machine) reports it, and blames no other party.
 * FREEZES=20 repeats it 20 times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { freeze } from '../../peers/freeze.ts';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { seeded } from '../../peers/seeded.ts';

const FREEZES = Number(process.env['FREEZES'] ?? 2);
const CALLS = 6;
const CALL_MS = 6000;
/** A slow host sees late that the calls are up; the fault has to fall into them. */
const ROOM_MS = 4000;

const lab = await openLab(t, {
  provision: () => ({
    tests: [callsAmongAgents('calls', { endpoints: CALLS, buildup: 1, durationSeconds: CALL_MS / 1000 })],
  }),
});
const random = seeded(16);
const pid = lab.agents[0]?.pid ?? 0;

/** A run whose agent is stopped for `ms`, starting `afterMs` after all calls are established; a busy host may lengthen both. */
async function frozen(afterMs: number, ms: number): Promise<RunDetail> {
  const id = await lab.startRun('calls', 'has all calls up', (run) => run.progress.phases.INCALL === 2 * CALLS);
  // The moment of the fault, drawn from the seed.
  await sleep(afterMs);
  await freeze(pid, ms);
  return lab.ended(id);
}

const lastsMs = ({ startedAt, endedAt }: RunDetail): number => Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '');

for (let i = 0; i < FREEZES; i++) {
  // 0.2 to 3 s, both included.
  const ms = Math.round(200 + (2800 * i) / Math.max(1, FREEZES - 1));
  const afterMs = Math.round(random() * (CALL_MS - ROOM_MS));
  t.test(`frozen for ${ms} ms, ${afterMs} ms into the calls`, async (t) => {
    const run = await frozen(afterMs, ms);
    const { validity, result, findings } = run;
    t.comment(validity?.sentence);
    t.ok(validity?.verdict === 'SUSPECT' || validity?.verdict === 'VOID', 'the verdict says so');
    const stall = validity?.reasons.find(({ check }) => check === 'stall');
    // The host may stall the agent for longer, elsewhere in the run: its length is the limit.
    t.ok(stall && stall.value >= 0.9 * ms && stall.value <= lastsMs(run), `for its reason: ${stall?.message}`);
    t.equal(stall?.worker, 'agent-1', 'and names the worker');
    t.match(result, { calls: CALLS, successful: CALLS }, 'nobody else is blamed');
    t.same(
      findings.filter(({ severity }) => severity === 'FAULT'),
      [],
    );
  });
}
