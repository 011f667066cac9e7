/**
 * The table: one fault a row, of processes, disks and links here, of database servers in server-faults.ts. To add a fault, add
 * a row; `npm run chaos -- WORD` runs those with the word in their name.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freezeFamily } from '../peers/family.ts';
import { freeze } from '../peers/freeze.ts';
import { putBack, takeSnapshot } from '../peers/lab/cluster-snapshot.ts';
import { until } from '../peers/process.ts';
import { CLOCK_FAULTS } from './clock-faults.ts';
import type { InjectedFault } from './fault.ts';
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
 * Takes a snapshot; after more calls have ended, a power failure, and the snapshot is restored. `meanwhile`: while the control
 * plane still runs.
 */
async function comeBackOlder(
  stage: ChaosStage,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const { lab, runId } = stage;
  // On the disk of the data folder, where its name places it.
  const snapshot = path.join(lab.dataDir, 'snapshot');
  await takeSnapshot(lab.dataDir, snapshot);
  const before = await good(stage);
  await lab.reaches(runId, 'has good calls more', (run) => run.callTiming.successCount >= before + 4);
  await meanwhile();
  await lab.controlPlane.stop('SIGKILL');
  await putBack(lab.dataDir, snapshot);
  await lab.startControlPlane();
}

const HERE: readonly InjectedFault[] = [
  { name: 'no fault', mayLose: 'NOTHING', normalWithinSeconds: 5, strike: async () => undefined },
  {
    name: 'control plane killed, started after 3 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 20,
    async strike({ lab }) {
      await lab.controlPlane.stop('SIGKILL');
      await sleep(3000);
      await lab.startControlPlane();
    },
  },
  {
    name: 'control plane and database killed, started after 3 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 20,
    async strike(stage) {
      const { lab } = stage;
      process.kill(postmasterOf(stage), 'SIGKILL');
      await lab.controlPlane.stop('SIGKILL');
      await sleep(3000);
      await lab.startControlPlane();
    },
  },
  {
    name: 'database killed, the control plane alive',
    mayLose: 'NOTHING',
    normalWithinSeconds: 20,
    async strike(stage) {
      const pid = postmasterOf(stage);
      process.kill(pid, 'SIGKILL');
      await until('PostgreSQL is started again', () => ![0, pid].includes(postmasterOf(stage)));
    },
  },
  {
    name: 'control plane frozen for 5 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 20,
    strike: ({ lab }) => freeze(lab.controlPlane.pid, 5_000),
  },
  {
    name: 'control plane frozen for 90 s, longer than the grace',
    mayLose: 'NOTHING',
    normalWithinSeconds: 30,
    strike: ({ lab }) => freeze(lab.controlPlane.pid, 90_000),
  },
  {
    name: 'one connection of the database killed',
    mayLose: 'NOTHING',
    normalWithinSeconds: 20,
    async strike({ lab }) {
      const [found] = await lab.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
      );
      if (found === undefined) throw new Error('no connection is there to be killed');
      process.kill(found.pid, 'SIGKILL');
      await until('PostgreSQL takes connections', async () => (await lab.query('select 1').catch(() => [])).length > 0);
    },
  },
  {
    name: 'database frozen for 5 s, all of its processes',
    mayLose: 'NOTHING',
    normalWithinSeconds: 20,
    strike: (stage) => freezeFamily(postmasterOf(stage), 5),
  },
  {
    name: 'database frozen for 90 s, all of its processes',
    mayLose: 'NOTHING',
    normalWithinSeconds: 30,
    strike: (stage) => freezeFamily(postmasterOf(stage), 90),
  },
  {
    name: 'disk of the database full for 15 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 30,
    async strike({ lab, disk }) {
      if (disk === null) throw new Error('A disk of its own can be mounted by root only: run this row as root.');
      await disk.leave(0);
      await until('the control plane says that the disk is full', async () =>
        (await lab.troubles()).includes('DISK_FULL'),
      );
      await sleep(15_000);
      await disk.free();
    },
  },
  {
    name: 'one agent frozen for 5 s',
    mayLose: 'NOT_STARTED',
    normalWithinSeconds: 20,
    strike: (stage) => freeze(agentPid(stage), 5_000),
  },
  {
    name: 'one agent frozen for 90 s, longer than the grace',
    mayLose: 'NOT_STARTED',
    normalWithinSeconds: 30,
    strike: (stage) => freeze(agentPid(stage), 90_000),
  },
  {
    name: 'one agent killed, started after 3 s',
    mayLose: 'ITS_OWN',
    normalWithinSeconds: 30,
    async strike({ lab }) {
      await lab.agents[0]?.stop('SIGKILL');
      await sleep(3000);
      await lab.startAgent(0);
    },
  },
  {
    name: 'every agent killed, started after 8 s',
    mayLose: 'ALL',
    normalWithinSeconds: 60,
    async strike({ lab }) {
      await Promise.all(lab.agents.map((agent) => agent.stop('SIGKILL')));
      await sleep(8000);
      await Promise.all(lab.agents.map((_, i) => lab.startAgent(i)));
    },
  },
  {
    name: 'links cut for 5 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 15,
    strike: (stage) => cutOff(stage, 5),
  },
  {
    name: 'links cut for 20 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 15,
    strike: (stage) => cutOff(stage, 20),
  },
  {
    name: 'links cut for 90 s, longer than the grace',
    mayLose: 'NOTHING',
    normalWithinSeconds: 30,
    strike: (stage) => cutOff(stage, 90),
  },
  {
    name: 'links cut for 150 s, longer than agents continue by themselves',
    mayLose: 'NOTHING',
    normalWithinSeconds: 70,
    strike: (stage) => cutOff(stage, 150),
  },
  {
    name: 'links half open for 20 s: what they carry is lost',
    mayLose: 'NOTHING',
    normalWithinSeconds: 40,
    strike: (stage) => swallowed(stage, 20),
  },
  {
    name: 'links half open for 90 s: what they carry is lost',
    mayLose: 'NOTHING',
    normalWithinSeconds: 70,
    strike: (stage) => swallowed(stage, 90),
  },
  {
    name: 'links at 10 kB/s to the end of the run',
    mayLose: 'NOTHING',
    normalWithinSeconds: 15,
    async strike({ lab, relay, runId }) {
      relay.drag((bytes) => bytes / 10);
      await lab.ended(runId);
      relay.drag(null);
    },
  },
  {
    name: 'disk of an agent full and links cut, for 75 s',
    mayLose: 'NOTHING',
    normalWithinSeconds: 30,
    async strike(stage) {
      const disk = stage.agentDisk;
      if (disk === null) throw new Error('A disk of its own can be mounted by root only: run this row as root.');
      await disk.leave(0);
      await cutOff(stage, 75);
      await disk.free();
    },
  },
  {
    name: 'database comes back older (snapshot of its disk)',
    mayLose: 'NOTHING',
    normalWithinSeconds: 30,
    strike: (stage) => comeBackOlder(stage),
  },
  {
    name: 'database comes back older, one agent restarted meanwhile',
    mayLose: 'NAMED',
    normalWithinSeconds: 40,
    async strike(stage) {
      const { lab, relay } = stage;
      await comeBackOlder(stage, async () => {
        relay.block(true);
        await lab.agents[0]?.stop('SIGTERM', 60_000);
      });
      relay.block(false);
      await lab.startAgent(0);
    },
  },
];

export const FAULTS: readonly InjectedFault[] = [...HERE, ...SERVER_FAULTS, ...CLOCK_FAULTS];
