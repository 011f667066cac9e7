/** The versions of this agent and of its control plane, which tells its own only to agents: the running one is asked. */
import { type CheckResult, ok, unknown, warn } from '@carillon/proto/check-result.ts';
import type { Versions } from '../link/versions.ts';
import type { Running } from '../state-folder.ts';

/** What a running agent says of itself (agent/assembly/status.ts). */
export type Status = {
  readonly version: string;
  readonly link: string;
  readonly url: string;
  /** Null: the agent has not been welcomed yet. */
  readonly controlPlane: Versions | null;
  readonly [name: string]: unknown;
};

/** @throws Error if the agent does not answer within 5 s */
export async function askStatus({ healthUrl }: Pick<Running, 'healthUrl'>): Promise<Status> {
  const answer = await fetch(new URL('/status', healthUrl), { signal: AbortSignal.timeout(5000) });
  return (await answer.json()) as Status;
}

export async function examineVersions(running: Running | null): Promise<CheckResult> {
  const check = 'versions';
  const status = running?.healthUrl ? await askStatus(running).catch(() => null) : null;
  if (!status?.controlPlane) return unknown(check, 'the control plane tells its version to an agent that is connected');
  const { version, controlPlane } = status;
  if (controlPlane.older) return warn(check, controlPlane.older.said, controlPlane.older.cure);
  return ok(check, `agent ${version}, control plane ${controlPlane.version}`);
}
