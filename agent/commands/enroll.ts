/**
 * `carillon-agent enroll`: exchanges a join token for a key. It starts the whole agent, so that problems of the host
 * are reported now.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import { startAgent } from '../agent.ts';
import type { Config } from '../config.ts';
import { writeEnrollment } from '../state-folder.ts';

const LIMIT_MS = 20_000;

export async function enrollCommand(config: Config, token: string, caFile: string | null): Promise<number> {
  const joinToken = new Secret(token === '-' ? (await text(process.stdin)).trim() : token);
  const file = caFile ?? config.caFile;
  const ca = file === null ? null : await readText('The file of authorities', file);
  const agent = await startAgent({
    ...config,
    caFile: file,
    joinToken,
    metrics: { ...config.metrics, port: 0 },
    logLevel: 'silent',
  });
  const silence = sleep(LIMIT_MS, null, { ref: false }).then(() => {
    const why = agent.linkFault() || 'it does not answer';
    return new Error(`${config.url} cannot be reached: ${why}. \`carillon-agent doctor\` says what to do.`);
  });
  const result = await Promise.race([agent.welcomed, agent.broken, silence]);
  await agent.close();
  if (result instanceof Error) throw result;
  await writeEnrollment(config.stateDir, { url: config.url, ca });
  console.log(`Enrolled as ${result.name}, region ${result.region}. The key is in ${config.stateDir} and stays there.`);
  console.log('Start it: carillon-agent run');
  return 0;
}
