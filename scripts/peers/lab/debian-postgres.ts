/** Debian's PostgreSQL 15 with a separate cluster: the other supported database. */

import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../network/loopback.ts';
import { type Peer, startPeer, until } from '../process.ts';

const BIN = '/usr/lib/postgresql/15/bin';
/** PostgreSQL refuses to run as root; the user nobody exists on every system. */
const NOBODY = { uid: 65534, gid: 65534 };

export type DebianPostgres = {
  readonly url: string;
  readonly port: number;
  /** Of the server that was started last. */
  readonly pid: number;
  /** Ends it as `signal` does, and keeps the cluster. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** After it has ended, on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** @param more settings, as `name=value` */
export const startDebianPostgres = (more: readonly string[] = []): Promise<DebianPostgres> =>
  startWith('initdb', ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'], more);

/** A standby that follows it by streaming. */
export const startDebianStandby = ({ url }: DebianPostgres): Promise<DebianPostgres> =>
  startWith('pg_basebackup', ['-d', url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], []);

/** `program` makes the cluster. */
async function startWith(program: string, args: readonly string[], more: readonly string[]): Promise<DebianPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'carillon-pg15-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(home, NOBODY.uid, NOBODY.gid);
  const cluster = path.join(home, 'cluster');
  const as = (command: string, args: string[]): Peer =>
    isRoot
      ? startPeer('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', command, ...args], { cwd: home })
      : startPeer(command, args, { cwd: home });
  const made = as(`${BIN}/${program}`, ['-D', cluster, ...args]);
  if ((await made.exited) !== 0) throw new Error(`${program} of PostgreSQL 15 failed: ${made.output()}`);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${home}`,
    'fsync=off',
    'max_connections=200',
    ...more,
  ];
  const start = async (): Promise<Peer> => {
    const started = as(`${BIN}/postgres`, ['-D', cluster, ...settings.flatMap((s) => ['-c', s])]);
    await until('PostgreSQL 15 comes up', () => /ready to accept (read-only )?connections/.test(started.output()));
    return started;
  };
  let server = await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    get pid() {
      return server.pid;
    },
    end: async (signal) => void (await server.stop(signal)),
    async start() {
      server = await start();
    },
    async stop() {
      await server.stop('SIGINT');
      await rm(home, { recursive: true, force: true });
    },
  };
}
