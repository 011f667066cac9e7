/**
 * A control plane on the embedded PostgreSQL, and an agent, for one command. When the command ends, both are removed, and so are
 * their data.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_FLAGS } from '@carillon/proto/base/agent-heap.ts';
import type { Closers } from '@carillon/proto/base/closers.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import { printYaml } from '../../contract/yaml-file.ts';
import { NODE_FLAGS } from '../../heap.ts';
import { EXIT, Stop } from '../exit-codes.ts';
import type { Environment, Io } from '../io.ts';
import { type Api, openApi } from '../session/api.ts';
import { programs } from './programs.ts';

export const REGION = 'local';

const UP_MS = 120_000;
const LOOK_MS = 100;
const END_MS = 20_000;
/** The number of characters that are shown of the last output of a process that does not start. */
const WORDS = 4000;

export type LocalOptions = {
  readonly project: string;
  readonly policy?: string;
  /** The agent's address; absent: the first address that others can reach. */
  readonly address?: string;
};

/** @throws Stop with the last output of the program that did not start */
export async function startLocal(io: Io, closers: Closers, { project, policy, address }: LocalOptions): Promise<Api> {
  const found = programs();
  const folder = await mkdtemp(path.join(tmpdir(), 'carillon-dev-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  // The user of the embedded database must be able to pass through the folder.
  await chmod(folder, 0o711);
  const key = new Secret(`crl_${randomBytes(16).toString('hex')}`);
  const joinToken = randomBytes(24).toString('base64url');
  const provision = path.join(folder, 'provision.yaml');
  const variables = { CARILLON_DEV_KEY: key.reveal(), CARILLON_DEV_JOIN: joinToken };
  await writeFile(provision, printYaml(provisionOf(project)), { mode: 0o600 });
  const controlPlane = start(io, closers, [...NODE_FLAGS, found.controlPlane], {
    ...withoutOurs(io.env),
    ...variables,
    HOST: '127.0.0.1',
    PORT: '0',
    CARILLON_DATA_DIR: path.join(folder, 'data'),
    CARILLON_PROVISION: provision,
  });
  const url = await outputOf(io, controlPlane, 'control plane', /"url":"(http:[^"]+)","msg":"control plane is up"/);
  const agent = start(io, closers, [...AGENT_FLAGS, found.agent], {
    ...(address !== undefined && { CARILLON_SIP_ADDRESS: address }),
    ...io.env,
    CARILLON_URL: `${url.replace(/^http/, 'ws')}/agent/v1`,
    CARILLON_JOIN_TOKEN: joinToken,
    CARILLON_AGENT_DIR: path.join(folder, 'agent'),
    CARILLON_METRICS_PORT: '0',
    ...(policy !== undefined && { CARILLON_POLICY: path.resolve(policy) }),
  });
  await outputOf(io, agent, 'agent', /("msg":"agent is up")/);
  const api = await openApi(io, { project }, { access: { url, key, project } });
  await online(io, api, agent);
  return api;
}

const provisionOf = (project: string) => ({
  organizations: [
    {
      slug: 'dev',
      name: 'dev',
      users: [{ email: 'dev@carillon.example', name: 'dev', role: 'OWNER' }],
      apiKeys: [{ name: 'dev', user: 'dev@carillon.example', key: 'env:CARILLON_DEV_KEY' }],
      workers: [{ name: 'this-host', region: REGION, capacity: 100_000, joinToken: 'env:CARILLON_DEV_JOIN' }],
      projects: [{ slug: project, name: project }],
    },
  ],
});

/** The settings of an installation on this host must not affect a temporary one. */
const withoutOurs = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(CARILLON_|DATABASE_URL$|SMTP_URL$|PORT$|HOST$)/.test(name)),
  );

type Program = { readonly child: ChildProcess; readonly output: () => string };

function start(io: Io, closers: Closers, command: readonly string[], env: Environment): Program {
  const child = spawn(process.execPath, command, {
    // We pass on Ctrl-C in order. The channel ends the program if this process is killed.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: env as NodeJS.ProcessEnv,
  });
  child.channel?.unref();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      output = (output + text.toString()).slice(-64 * 1024);
      if (io.env['CARILLON_DEV_LOG']) io.err.write(text.toString());
    });
  closers.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await once(child, 'exit');
    clearTimeout(late);
  });
  return { child, output: () => output };
}

async function outputOf(io: Io, { child, output }: Program, what: string, pattern: RegExp): Promise<string> {
  for (
    const deadline = Date.now() + UP_MS;
    Date.now() < deadline;
    await sleep(LOOK_MS, undefined, { signal: io.ending })
  ) {
    const found = pattern.exec(output())?.[1];
    if (found !== undefined) return found;
    if (child.exitCode !== null || child.signalCode !== null) break;
  }
  throw new Stop(EXIT.COULD_NOT_RUN, `The local ${what} did not come up. It said:\n${output().slice(-WORDS)}`);
}

async function online(io: Io, api: Api, { output }: Program): Promise<void> {
  for (
    const deadline = Date.now() + UP_MS;
    Date.now() < deadline;
    await sleep(LOOK_MS, undefined, { signal: io.ending })
  ) {
    const { counts } = await api.call('getOverview', {});
    if (counts.onlineWorkers > 0) return;
  }
  throw new Stop(EXIT.COULD_NOT_RUN, `The local agent did not connect. It said:\n${output().slice(-WORDS)}`);
}
