/** `carillon-agent doctor`: checks the host and prints results and solutions. Changes nothing. */
import { access, constants } from 'node:fs/promises';
import { readText } from '@carillon/proto/base/files.ts';
import { type CheckResult, exitCodeOf, fail, ok, tableOf, warn } from '@carillon/proto/check-result.ts';
import type { Config } from '../config.ts';
import { withAllowedAddress } from '../policy/listening.ts';
import { type Policy, readPolicy } from '../policy/policy.ts';
import { makeStateFolder, type Running, readEnrollment, readRunning } from '../state-folder.ts';
import { examineWay } from './control-plane.ts';
import { examineHost } from './host.ts';
import { examinePorts } from './ports.ts';
import { examineSipPath } from './sip-path.ts';
import { examineVersions } from './versions.ts';

/** Resolves with 1 if a problem must be solved before the agent can work. */
export async function doctorCommand(given: Config, json: boolean, sipTarget: string | null = null): Promise<number> {
  const running = await readRunning(given.stateDir);
  const policy = await readPolicy(given.policyFile).catch((error: Error) => error);
  const config = policy instanceof Error ? given : withAllowedAddress(given, policy);
  const results = [
    ...(await examineFiles(config, running, policy)),
    ...(await examinePorts(config, policy instanceof Error ? null : policy, running !== null)),
    ...(await examineHost(config)),
    ...(await way(config)),
    await examineVersions(running),
  ];
  if (sipTarget !== null) results.push(...(await examineSipPath(config, sipTarget)));
  if (json) console.log(JSON.stringify(results, null, 2));
  else for (const line of tableOf(results)) console.log(line);
  return exitCodeOf(results);
}

async function examineFiles(config: Config, running: Running | null, policy: Policy | Error): Promise<CheckResult[]> {
  const folder = await makeStateFolder(config.stateDir)
    .then(() => access(config.stateDir, constants.W_OK))
    .then(
      () => ok('state folder', config.stateDir),
      (error: Error) => fail('state folder', error.message, 'a folder that the agent may write (CARILLON_AGENT_DIR)'),
    );
  const before = running === null ? '' : '; the agent keeps the previous one';
  return [
    folder,
    ok('agent', running === null ? 'not running' : `runs as process ${running.pid}`),
    policy instanceof Error
      ? fail('policy', `${policy.message}${before}`, 'carillon-agent policy check')
      : ok('policy', config.policyFile ?? 'the defaults'),
  ];
}

async function way(config: Config): Promise<CheckResult[]> {
  try {
    const enrollment = await readEnrollment(config.stateDir);
    const url = config.url || enrollment?.url;
    if (!url) return [warn('control plane', 'not enrolled yet', 'carillon-agent enroll, as the dashboard shows it')];
    return await examineWay(
      url,
      config.caFile === null
        ? (enrollment?.ca ?? null)
        : await readText('The file of authorities (CARILLON_CA)', config.caFile),
    );
  } catch (error) {
    return [fail('control plane', (error as Error).message, 'carillon-agent enroll, as the dashboard shows it')];
  }
}
