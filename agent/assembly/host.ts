/**
 * Reads what the agent needs from its host before it starts threads: control plane, state folder, key, policy, facts of
 * the last process.
 */
import type { Closers } from '@carillon/proto/base/closers.ts';
import { readText } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Config } from '../config.ts';
import { openIdentity } from '../link/identity.ts';
import { openOutbox } from '../link/outbox.ts';
import { createLog } from '../log.ts';
import { CurrentPolicy } from '../policy/current-policy.ts';
import { listenFault, unreachable, withAllowedAddress } from '../policy/listening.ts';
import { MinutesBook } from '../policy/minutes.ts';
import { lockFolder, readEnrollment } from '../state-folder.ts';
import { Storage } from './storage.ts';

export type Host = Awaited<ReturnType<typeof openHost>>;

/** Adds to errors of the file system the folder that they concern. */
export const usedIn =
  (stateDir: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.syscall === undefined) throw error;
    throw new Error(`The agent's folder ${stateDir} (CARILLON_AGENT_DIR) cannot be used: ${error.message}`);
  };

/**
 * The returned `config` has the address that the policy allows. Rejects if a part is missing, used by another process,
 * or unusable.
 */
export async function openHost(given: Config, closers: Closers) {
  const enrollment = await readEnrollment(given.stateDir);
  const url = given.url || enrollment?.url;
  if (!url)
    throw new Error('The address of the control plane is not known. Run `carillon-agent enroll`, or set CARILLON_URL.');
  const ca =
    given.caFile === null
      ? (enrollment?.ca ?? null)
      : await readText('The file of authorities (CARILLON_CA)', given.caFile);
  const { joinTokenFile } = given;
  const joinToken =
    joinTokenFile === null
      ? given.joinToken
      : new Secret((await readText('The file of the join token', joinTokenFile)).trim());
  const inFolder = <T>(opening: Promise<T>) => opening.catch(usedIn(given.stateDir));
  const lock = await inFolder(lockFolder(given.stateDir));
  closers.push(() => lock.release());
  const log = createLog(given.logLevel);
  const currentPolicy = await CurrentPolicy.open(given.policyFile);
  const config = withAllowedAddress({ ...given, joinToken }, currentPolicy.policy);
  const unlistened = listenFault(config, currentPolicy.policy);
  if (unlistened !== null) throw new Error(unlistened);
  const lonely = unreachable(config, currentPolicy.policy);
  if (lonely !== null)
    log.warn({ why: lonely }, 'other agents cannot call this one: see CARILLON_SIP_ADDRESS and targetNetworks');
  const minutes = await inFolder(MinutesBook.open(config.stateDir, Date.now(), log));
  minutes.minutes.limit(currentPolicy.policy.maxMinutesADay);
  const identity = await inFolder(openIdentity(config.stateDir));
  const outbox = await inFolder(
    openOutbox(config.stateDir, (damage) => log.error(damage, 'facts on disk are damaged')),
  );
  const storage = new Storage(outbox, config.stateDir, log);
  closers.push(() => storage.close());
  return { config, url, ca, lock, log, currentPolicy, minutes, identity, outbox, storage };
}
