/** The faults of two control planes on one database server. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freezeFamily } from '../../peers/family.ts';
import { until } from '../../peers/process.ts';
import { type InjectedFault, onStage } from './fault.ts';
import type { ChaosServer, ChaosStage } from './stage.ts';

function serverOf({ server }: ChaosStage): ChaosServer {
  if (server === null) throw new Error('this row needs a database server');
  return server;
}

/** Takes every connection of the server for this long. Control planes lose theirs, and get no others. */
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

const loses = onStage('server');

export const SERVER_FAULTS: readonly InjectedFault[] = [
  loses.nothing('no fault, two control planes', 5, async () => undefined),
  loses.nothing('one of two control planes killed, started after 3 s', 20, async ({ lab }) => {
    await lab.controlPlane.stop('SIGKILL');
    await sleep(3000);
    await lab.startControlPlane();
  }),
  loses.nothing('two control planes restarted, one after the other', 20, async (stage) => {
    const { lab } = stage;
    const server = serverOf(stage);
    await lab.controlPlane.stop('SIGTERM');
    await lab.startControlPlane();
    const { second } = server;
    server.second = null;
    await second?.stop('SIGTERM');
    await server.startSecond();
  }),
  loses.nothing('database server stopped at once, started after 5 s', 20, async (stage) => {
    const { postgres } = serverOf(stage);
    await postgres.end('SIGQUIT');
    await sleep(5000);
    await postgres.start();
  }),
  loses.nothing('database server killed, started after 15 s', 30, async (stage) => {
    const { postgres } = serverOf(stage);
    await postgres.end('SIGKILL');
    await sleep(15_000);
    // The children notice the end of the server themselves. Until then it may not start.
    await until('PostgreSQL starts again', () =>
      postgres.start().then(
        () => true,
        () => false,
      ),
    );
  }),
  loses.nothing('database server frozen for 5 s, all of its processes', 20, (stage) =>
    freezeFamily(serverOf(stage).postgres.pid, 5),
  ),
  loses.nothing('connections to the database half open, others work', 60, async (stage) => {
    const { relay } = serverOf(stage);
    relay.swallow(true);
    relay.swallow(false);
  }),
  loses.nothing('database server out of reach for 10 s: what is sent is lost', 60, async (stage) => {
    const { relay } = serverOf(stage);
    relay.swallow(true);
    await sleep(10_000);
    relay.swallow(false);
  }),
  loses.nothing('database stalls 5 s on each piece, for 40 s', 60, async (stage) => {
    const { relay } = serverOf(stage);
    relay.drag(() => 5000);
    await sleep(40_000);
    relay.drag(null);
  }),
  loses.nothing('connections of the database all taken for 20 s', 30, (stage) => takeConnections(serverOf(stage), 20)),
];
