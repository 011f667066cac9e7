/** The rows of two control planes on one database server. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freezeFamily } from '../peers/family.ts';
import { until } from '../peers/process.ts';
import type { InjectedFault } from './fault.ts';
import type { ChaosServer, ChaosStage } from './stage.ts';

function serverOf({ server }: ChaosStage): ChaosServer {
  if (server === null) throw new Error('this row needs a database server');
  return server;
}

/** Takes every connection of the server for this long: control planes lose theirs, and get no others. */
async function takeConnections({ postgres }: ChaosServer, seconds: number): Promise<void> {
  const taken: pg.Client[] = [];
  const untilMs = Date.now() + seconds * 1000;
  while (Date.now() < untilMs) {
    const next = new pg.Client({ connectionString: postgres.url, application_name: 'somebody else' });
    next.on('error', () => undefined);
    const isGiven = await next.connect().then(
      () => true,
      () => false,
    );
    if (isGiven) taken.push(next);
    else {
      await taken[0]
        ?.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'carillon%'")
        .catch(() => undefined);
      await sleep(20);
    }
  }
  await Promise.all(taken.map((one) => one.end()));
}

const quiet = { on: 'server', mayLose: 'NOTHING' } as const;

export const SERVER_FAULTS: readonly InjectedFault[] = [
  { ...quiet, name: 'no fault, two control planes', normalWithinSeconds: 5, strike: async () => undefined },
  {
    ...quiet,
    name: 'one of two control planes killed, started after 3 s',
    normalWithinSeconds: 20,
    async strike({ lab }) {
      await lab.controlPlane.stop('SIGKILL');
      await sleep(3000);
      await lab.startControlPlane();
    },
  },
  {
    ...quiet,
    name: 'two control planes restarted, one after the other',
    normalWithinSeconds: 20,
    async strike(stage) {
      const { lab } = stage;
      const server = serverOf(stage);
      await lab.controlPlane.stop('SIGTERM');
      await lab.startControlPlane();
      const { second } = server;
      server.second = null;
      await second?.stop('SIGTERM');
      await server.startSecond();
    },
  },
  {
    ...quiet,
    name: 'database server stopped at once, started after 5 s',
    normalWithinSeconds: 20,
    async strike(stage) {
      const { postgres } = serverOf(stage);
      await postgres.end('SIGQUIT');
      await sleep(5000);
      await postgres.start();
    },
  },
  {
    ...quiet,
    name: 'database server killed, started after 15 s',
    normalWithinSeconds: 30,
    async strike(stage) {
      const { postgres } = serverOf(stage);
      await postgres.end('SIGKILL');
      await sleep(15_000);
      // Its children notice it themselves; until then it may not start.
      await until('PostgreSQL starts again', () =>
        postgres.start().then(
          () => true,
          () => false,
        ),
      );
    },
  },
  {
    ...quiet,
    name: 'database server frozen for 5 s, all of its processes',
    normalWithinSeconds: 20,
    strike: (stage) => freezeFamily(serverOf(stage).postgres.pid, 5),
  },
  {
    ...quiet,
    name: 'connections to the database half open, others work',
    normalWithinSeconds: 60,
    async strike(stage) {
      const { relay } = serverOf(stage);
      relay.swallow(true);
      relay.swallow(false);
    },
  },
  {
    ...quiet,
    name: 'database server out of reach for 10 s: what is sent is lost',
    normalWithinSeconds: 60,
    async strike(stage) {
      const { relay } = serverOf(stage);
      relay.swallow(true);
      await sleep(10_000);
      relay.swallow(false);
    },
  },
  {
    ...quiet,
    name: 'database stalls 5 s on each piece, for 40 s',
    normalWithinSeconds: 60,
    async strike(stage) {
      const { relay } = serverOf(stage);
      relay.drag(() => 5000);
      await sleep(40_000);
      relay.drag(null);
    },
  },
  {
    ...quiet,
    name: 'connections of the database all taken for 20 s',
    normalWithinSeconds: 30,
    strike: (stage) => takeConnections(serverOf(stage), 20),
  },
];
