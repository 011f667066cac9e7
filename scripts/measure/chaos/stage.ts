/**
 * The installation for faults: two agents and SIPp, which answers their calls, with the embedded database, or with two control
 * planes on one database server. One relay leads to the control planes, and one to the server.
 */
import { chmod, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { openFakeClock } from '../../peers/fake-clock.ts';
import { type ControlPlaneProcess, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { ask, type LabDatabase, openLabDatabase, postmasterPid } from '../../peers/lab/database.ts';
import { type DebianPostgres, startDebianPostgres } from '../../peers/lab/debian-postgres.ts';
import { Lab } from '../../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { mountSmallDisk, type SmallDisk } from '../../peers/lab/small-disk.ts';
import { freePort, ownLoopback } from '../../peers/network/loopback.ts';
import { openTcpRelay, type TcpRelay } from '../../peers/network/tcp-relay.ts';
import { type Sipp, startSipp } from '../../peers/sip/sipp.ts';

/** Both agents place half of the calls each. The calls of a row start within BUILDUP_SECONDS. */
export const CALLS = 24;
const BUILDUP_SECONDS = 12;
const DURATION_SECONDS = 8;

export type StageKind = 'embedded' | 'server' | 'clock';

export type ChaosStage = {
  readonly lab: Lab;
  /** The relay between the agents and the control planes. */
  readonly relay: TcpRelay;
  readonly sipp: Sipp;
  /** The disks of the data folder and of the first agent's folder; null: no permission to mount. */
  readonly disk: SmallDisk | null;
  readonly agentDisk: SmallDisk | null;
  /** null: the database is the embedded one, and only one control plane runs. */
  readonly server: ChaosServer | null;
  /** Sets the first agent's clock ahead by this many seconds; null: this stage cannot do so. */
  readonly setClock: ((seconds: number) => Promise<void>) | null;
  /** The run in progress. */
  runId: string;
  close(): Promise<unknown>;
};

/** A database server, and the second of two control planes. */
export type ChaosServer = {
  readonly postgres: DebianPostgres;
  /** The relay between the control planes and the server. */
  readonly relay: TcpRelay;
  second: ControlPlaneProcess | null;
  startSecond(): Promise<void>;
};

const MAX_CONNECTIONS = 60;

export async function openStage(kind: StageKind): Promise<ChaosStage> {
  const net = ownLoopback();
  const dir = await mkdtemp('/tmp/carillon-chaos-');
  // The user of the embedded database must be able to pass through the folder.
  await chmod(dir, 0o711);
  const data = path.join(dir, 'data');
  const disk = kind === 'embedded' ? await mountSmallDisk(data) : null;
  const agentDisk = kind === 'embedded' ? await mountSmallDisk(path.join(dir, 'agent-1')) : null;
  const sipp = await startSipp({ address: net.address(50), scenario: { builtIn: 'uas' } });
  const server = kind === 'server' ? await openServer(data) : null;
  const database = server ? databaseOf(server) : await openLabDatabase(data, 'embedded');
  const clock = kind === 'clock' ? await openFakeClock(path.join(dir, 'clock')) : null;
  const port = await freePort();
  let turn = 0;
  // Like a load balancer, this leads to the running control planes in turn.
  const relay = await openTcpRelay(() => {
    const there = [port, ...(server?.second ? [Number(new URL(server.second.url).port)] : [])];
    return there[turn++ % there.length] ?? port;
  });
  const shape = { endpoints: CALLS, buildup: BUILDUP_SECONDS, durationSeconds: DURATION_SECONDS, media: SPEAKS_ONLY };
  const lab = new Lab(dir, database, port, {
    net,
    agents: 2,
    agentEnv: (agent) => (clock !== null && agent === 0 ? clock.env : {}),
    linkUrl: () => `http://127.0.0.1:${relay.port}`,
    provision: () => ({ tests: [callsTo(sipp.uri, 'calls', shape)] }),
  });
  await lab.start();
  await server?.startSecond();
  // As with a load balancer, either each control plane now has an agent, or one has both.
  if (server) relay.cut();
  const close = async () => {
    relay.close();
    await server?.second?.stop();
    await Promise.allSettled([lab.stop(), sipp.stop('SIGKILL')]);
    server?.relay.close();
    await server?.postgres.stop();
    await disk?.remove();
    await agentDisk?.remove();
  };
  return { lab, relay, sipp, disk, agentDisk, server, setClock: clock?.set ?? null, runId: '', close };
}

async function openServer(data: string): Promise<ChaosServer> {
  const postgres = await startDebianPostgres([`max_connections=${MAX_CONNECTIONS}`]);
  const relay = await openTcpRelay(postgres.port);
  const server: ChaosServer = {
    postgres,
    relay,
    second: null,
    async startSecond() {
      server.second = await startControlPlaneProcess({
        dataDir: `${data}-2`,
        databaseUrl: relayed(server),
        env: { CARILLON_SEALING_KEYS_FILE: `${data}.keys` },
      });
    },
  };
  return server;
}

const relayed = ({ relay }: ChaosServer): string => `postgres://postgres@127.0.0.1:${relay.port}/postgres`;

const databaseOf = (server: ChaosServer): LabDatabase => ({
  url: relayed(server),
  query: (sql, values) => ask(server.postgres.url, sql, values),
  close: async () => undefined,
});

/** The main process of the embedded database. */
export const postmasterOf = ({ lab }: ChaosStage): number => postmasterPid(lab.dataDir) ?? 0;
