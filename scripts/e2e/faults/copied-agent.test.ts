/**
 * Two agents with one copied state folder, on two addresses: they are told apart when the first one comes back, the audit log says so,
 * the worker is in ERROR, and no run since the second one came is VALID, also if it was over before anybody could know.
 */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { startAgentProcess } from '../../peers/lab/carillon.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const sipp = await startSipp({ address: net.address(50), scenario: { builtIn: 'uas' } });
t.teardown(() => sipp.stop('SIGKILL'));
const shape = { endpoints: 2, durationSeconds: 1, media: SPEAKS_ONLY };
const lab = await openLab(t, { net, agents: 1, provision: () => ({ tests: [callsTo(sipp.uri, 'calls', shape)] }) });

const worker = async () => {
  const [row] = await lab.query<{ status: string; copied: boolean }>(
    `select status, copied_at is not null as copied from workers where name = 'agent-1'`,
  );
  return row ?? { status: '', copied: false };
};
const verdicts = () =>
  lab.query<{ id: string; status: string; verdict: string | null }>(
    `select id, status, validity ->> 'verdict' as verdict from test_runs where id = any ($1::uuid[])`,
    [runs],
  );
const runs: string[] = [];

t.test('before: one agent, and its runs are believed', async (t) => {
  const run = await lab.runToEnd('calls');
  t.equal(run.status, 'COMPLETED');
  t.same(await worker(), { status: 'ONLINE', copied: false });
});

t.test('a copy of its folder is started: told apart, and nothing of theirs is VALID', async (t) => {
  const stateDir = path.join(lab.dir, 'copy');
  await cp(path.join(lab.dir, 'agent-1'), stateDir, { recursive: true });
  // Its process is another host's.
  await rm(path.join(stateDir, 'agent.lock'), { force: true });
  const copy = await startAgentProcess({
    ...{ url: lab.controlPlane.url, stateDir },
    env: { CARILLON_SIP_ADDRESS: net.address(60) },
  });
  t.teardown(() => copy.stop());
  for (let n = 0; n < 3; n++) {
    // One may end before the first agent has come back; none can start afterwards.
    const id = await lab.begin('calls');
    runs.push(id);
    await lab.ended(id);
  }
  await until('they are told apart', async () => (await worker()).copied);
  t.equal((await worker()).status, 'ERROR');
  const audit = await lab.query<{ target: string }>(
    `select target::text from audit_entries where action = 'agentRefused' and target::text like '%KEY_COPIED%'`,
  );
  t.ok(audit.length > 0, 'it is in the audit log');
  const late = await lab.begin('calls');
  runs.push(late);
  await lab.ended(late);
  await until('every run of theirs is judged', async () =>
    (await verdicts()).every(({ verdict }) => verdict !== 'VALID'),
  );
  for (const { id, status, verdict } of await verdicts()) {
    t.comment(`${id}: ${status} ${verdict}`);
    t.ok(status !== 'COMPLETED' || verdict === 'VOID', 'what was completed is VOID');
  }
});
