/** An agent as its host starts it in a pool: by options, and with the token in a file. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_FLAGS } from '../../../../proto/base/agent-heap.ts';
import type { Lab } from '../../../../scripts/peers/lab/lab.ts';
import { mainOf } from '../../../../scripts/peers/lab/programs.ts';
import { type Peer, startPeer } from '../../../../scripts/peers/process.ts';

type PoolAgent = {
  /** The name of its folder in the lab; another one for each agent. */
  readonly folder: string;
  readonly token: string;
  readonly address: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

export async function startPoolAgent(lab: Lab, { folder, token, address, args = [], env }: PoolAgent): Promise<Peer> {
  const stateDir = path.join(lab.dir, folder);
  const tokenFile = path.join(lab.dir, `${folder}.token`);
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
  const url = `${lab.controlPlane.url.replace(/^http/, 'ws')}/agent/v1`;
  const options = ['run', '--url', url, '--token-file', tokenFile, ...args];
  return startPeer(process.execPath, [...AGENT_FLAGS, mainOf('agent'), ...options], {
    tied: true,
    env: { CARILLON_AGENT_DIR: stateDir, CARILLON_SIP_ADDRESS: address, CARILLON_METRICS_PORT: '0', ...env },
  });
}
