/** Our own processes, started as an operator starts them: a control plane, and agents. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NODE_FLAGS as CONTROL_PLANE_FLAGS } from '../../../control-plane/heap.ts';
import { AGENT_FLAGS } from '../../../proto/base/agent-heap.ts';
import { type Peer, startPeer, until } from '../process.ts';
import { scrape } from '../referees/prometheus-text.ts';
import { mainOf } from './programs.ts';

export type ControlPlaneProcess = Peer & { readonly url: string };

export type ControlPlaneOptions = {
  readonly dataDir: string;
  /** Text of the provisioning file; absent: none. */
  readonly provision?: string;
  readonly port?: number;
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** See PeerOptions. */
  readonly ownGroup?: boolean;
};

/** @throws Error with the process's last output if it does not start */
export async function startControlPlaneProcess(options: ControlPlaneOptions): Promise<ControlPlaneProcess> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o711 });
  const file = path.join(options.dataDir, 'provision.yaml');
  if (options.provision !== undefined) await writeFile(file, options.provision, { mode: 0o600 });
  const peer = startPeer(process.execPath, [...CONTROL_PLANE_FLAGS, mainOf('control-plane')], {
    tied: true,
    ownGroup: options.ownGroup ?? false,
    env: {
      HOST: '127.0.0.1',
      PORT: String(options.port ?? 0),
      CARILLON_DATA_DIR: options.dataDir,
      CARILLON_PROVISION: options.provision === undefined ? '' : file,
      DATABASE_URL: options.databaseUrl ?? '',
      ...options.env,
    },
  });
  const url = await ready(peer, 'control plane', /"url":"(https?:[^"]+)","msg":"control plane is up"/);
  return { ...peer, url };
}

export type AgentProcess = Peer & { readonly metricsUrl: string; readonly sipPort: number };

export type AgentOptions = {
  readonly url: string;
  readonly stateDir: string;
  readonly joinToken?: string;
  /** An installed agent instead of this checkout's. */
  readonly program?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** See PeerOptions. */
  readonly ownGroup?: boolean;
};

export async function startAgentProcess(options: AgentOptions): Promise<AgentProcess> {
  const checkout = [process.execPath, ...AGENT_FLAGS, mainOf('agent')];
  const [program, ...args] = (options.program ?? checkout) as [string, ...string[]];
  const peer = startPeer(program, args, {
    tied: true,
    ownGroup: options.ownGroup ?? false,
    env: {
      CARILLON_URL: `${options.url.replace(/^http/, 'ws')}/agent/v1`,
      CARILLON_JOIN_TOKEN: options.joinToken ?? '',
      CARILLON_AGENT_DIR: options.stateDir,
      CARILLON_SIP_ADDRESS: '127.0.0.1',
      CARILLON_METRICS_PORT: '0',
      ...options.env,
    },
  });
  const line = await ready(peer, 'agent', /(\{[^\n]*"msg":"agent is up"\})/);
  const { metrics, sip } = JSON.parse(line) as { metrics: string; sip: { port: number }[] };
  return { ...peer, metricsUrl: metrics, sipPort: sip[0]?.port ?? 0 };
}

async function ready(peer: Peer, what: string, pattern: RegExp): Promise<string> {
  let ended = false;
  void peer.exited.then(() => {
    ended = true;
  });
  try {
    return await until(
      `the ${what} comes up`,
      () => {
        const found = pattern.exec(peer.output())?.[1];
        if (ended && !found) throw new Error(`the ${what} ended`);
        return found;
      },
      { idleMs: 90_000 },
    );
  } catch (error) {
    await peer.stop('SIGKILL');
    throw new Error(`${(error as Error).message}. It said:\n${peer.output().slice(-3000)}`);
  }
}

/** The largest error of the control plane's clock as the agent knows it now, ms. */
export const clockErrorMs = async ({ metricsUrl }: AgentProcess): Promise<number> =>
  1000 * ((await scrape(metricsUrl)).value('carillon_agent_clock_error_seconds') ?? Number.NaN);

/** How many workers are online, by the control plane's own metrics. */
export async function workersOnline(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^carillon_workers\{status="ONLINE"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

export const newApiKey = (): string => `crl_${randomBytes(16).toString('hex')}`;
export const newJoinToken = (): string => randomBytes(24).toString('base64url');
