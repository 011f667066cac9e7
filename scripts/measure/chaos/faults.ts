/**
 * The table of faults. Those of processes, disks, links and clocks are here, those of database servers in server-faults.ts. To
 * add a fault, add a row; `npm run chaos -- WORD` runs the rows with the word in their name.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freezeFamily } from '../../peers/family.ts';
import { freeze } from '../../peers/freeze.ts';
import { putBack, takeSnapshot } from '../../peers/lab/cluster-snapshot.ts';
import { until } from '../../peers/process.ts';
import { type InjectedFault, onStage } from './fault.ts';
import { SERVER_FAULTS } from './server-faults.ts';
import { type ChaosStage, postmasterOf } from './stage.ts';

const agentPid = ({ lab }: ChaosStage): number => lab.agents[0]?.pid ?? 0;

async function swallowed({ relay }: ChaosStage, seconds: number): Promise<void> {
  relay.swallow(true);
  await sleep(seconds * 1000);
  relay.swallow(false);
}

async function cutOff({ relay }: ChaosStage, seconds: number): Promise<void> {
  relay.block(true);
  await sleep(seconds * 1000);
  relay.block(false);
}

const good = async ({ lab, runId }: ChaosStage): Promise<number> => (await lab.run(runId)).callTiming.successCount;

/**
 * Takes a snapshot. After more calls have ended, a power failure follows, and the snapshot is restored. `meanwhile` is called
 * while the control plane still runs.
 */
async function comeBackOlder(
  stage: ChaosStage,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const { lab, runId } = stage;
  // The snapshot is on the disk of the data folder, because its name is within that folder.
  const snapshot = path.join(lab.dataDir, 'snapshot');
  await takeSnapshot(lab.dataDir, snapshot);
  const before = await good(stage);
  await lab.reaches(runId, 'has good calls more', (run) => run.callTiming.successCount >= before + 4);
  await meanwhile();
  await lab.controlPlane.stop('SIGKILL');
  await putBack(lab.dataDir, snapshot);
  await lab.startControlPlane();
}

const loses = onStage('embedded');

const HERE: readonly InjectedFault[] = [
  loses.nothing('no fault', 5, async () => undefined),
  loses.nothing('control plane killed, started after 3 s', 20, async ({ lab }) => {
    await lab.controlPlane.stop('SIGKILL');
    await sleep(3000);
    await lab.startControlPlane();
  }),
  loses.nothing('control plane and database killed, started after 3 s', 20, async (stage) => {
    const { lab } = stage;
    process.kill(postmasterOf(stage), 'SIGKILL');
    await lab.controlPlane.stop('SIGKILL');
    await sleep(3000);
    await lab.startControlPlane();
  }),
  loses.nothing('database killed, the control plane alive', 20, async (stage) => {
    const pid = postmasterOf(stage);
    process.kill(pid, 'SIGKILL');
    await until('PostgreSQL is started again', () => ![0, pid].includes(postmasterOf(stage)));
  }),
  loses.nothing('control plane frozen for 5 s', 20, ({ lab }) => freeze(lab.controlPlane.pid, 5_000)),
  loses.nothing('control plane frozen for 90 s, longer than the grace', 30, ({ lab }) =>
    freeze(lab.controlPlane.pid, 90_000),
  ),
  loses.nothing('one connection of the database killed', 20, async ({ lab }) => {
    const [found] = await lab.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
    );
    if (found === undefined) throw new Error('no connection is there to be killed');
    process.kill(found.pid, 'SIGKILL');
    await until('PostgreSQL takes connections', async () => (await lab.query('select 1').catch(() => [])).length > 0);
  }),
  loses.nothing('database frozen for 5 s, all of its processes', 20, (stage) => freezeFamily(postmasterOf(stage), 5)),
  loses.nothing('database frozen for 90 s, all of its processes', 30, (stage) => freezeFamily(postmasterOf(stage), 90)),
  loses.nothing('disk of the database full for 15 s', 30, async ({ lab, disk }) => {
    if (disk === null) throw new Error('A disk of its own can be mounted by root only: run this row as root.');
    await disk.leave(0);
    await until('the control plane says that the disk is full', async () =>
      (await lab.troubles()).includes('DISK_FULL'),
    );
    await sleep(15_000);
    await disk.free();
  }),
  loses.notStarted('one agent frozen for 5 s', 20, (stage) => freeze(agentPid(stage), 5_000)),
  loses.notStarted('one agent frozen for 90 s, longer than the grace', 30, (stage) => freeze(agentPid(stage), 90_000)),
  loses.itsOwn('one agent killed, started after 3 s', 30, async ({ lab }) => {
    await lab.agents[0]?.stop('SIGKILL');
    await sleep(3000);
    await lab.startAgent(0);
  }),
  loses.all('every agent killed, started after 8 s', 60, async ({ lab }) => {
    await Promise.all(lab.agents.map((agent) => agent.stop('SIGKILL')));
    await sleep(8000);
    await Promise.all(lab.agents.map((_, i) => lab.startAgent(i)));
  }),
  loses.nothing('links cut for 5 s', 15, (stage) => cutOff(stage, 5)),
  loses.nothing('links cut for 20 s', 15, (stage) => cutOff(stage, 20)),
  loses.nothing('links cut for 90 s, longer than the grace', 30, (stage) => cutOff(stage, 90)),
  loses.nothing('links cut for 150 s, longer than agents continue by themselves', 70, (stage) => cutOff(stage, 150)),
  loses.nothing('links half open for 20 s: what they carry is lost', 40, (stage) => swallowed(stage, 20)),
  loses.nothing('links half open for 90 s: what they carry is lost', 70, (stage) => swallowed(stage, 90)),
  loses.nothing('links at 10 kB/s to the end of the run', 15, async ({ lab, relay, runId }) => {
    relay.drag((bytes) => bytes / 10);
    await lab.ended(runId);
    relay.drag(null);
  }),
  loses.nothing('disk of an agent full and links cut, for 75 s', 30, async (stage) => {
    const disk = stage.agentDisk;
    if (disk === null) throw new Error('A disk of its own can be mounted by root only: run this row as root.');
    await disk.leave(0);
    await cutOff(stage, 75);
    await disk.free();
  }),
  loses.nothing('database comes back older (snapshot of its disk)', 30, (stage) => comeBackOlder(stage)),
  loses.named('database comes back older, one agent restarted meanwhile', 40, async (stage) => {
    const { lab, relay } = stage;
    await comeBackOlder(stage, async () => {
      relay.block(true);
      await lab.agents[0]?.stop('SIGTERM', 60_000);
    });
    relay.block(false);
    await lab.startAgent(0);
  }),
];

/** The calendar clock of an agent is set during calls. Measurements use the monotonic clock. */
const clockFault = (name: string, seconds: number): InjectedFault =>
  onStage('clock').nothing(name, 15, async ({ setClock }) => {
    if (setClock === null) throw new Error('this row needs a clock that can be set');
    await setClock(seconds);
    await sleep(3000);
  });

export const FAULTS: readonly InjectedFault[] = [
  ...HERE,
  ...SERVER_FAULTS,
  clockFault("one agent's clock set forward by an hour", 3600),
  clockFault("one agent's clock set back to where it was", 0),
  clockFault("one agent's clock set back by an hour", -3600),
];
