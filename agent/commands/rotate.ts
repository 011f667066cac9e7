/** `carillon-agent rotate`: a new key for this host. The agent that runs is told to make it; where none runs, one starts for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from '../agent.ts';
import type { Config } from '../config.ts';
import { openIdentity } from '../link/identity.ts';
import { readEnrolment, readRunning } from '../state-folder.ts';

const LIMIT_MS = 20_000;
const DONE = 'This agent has a new key; the old one is refused from now on.';

export async function rotateCommand(config: Config): Promise<number> {
  const { stateDir } = config;
  if (config.url === '' && (await readEnrolment(stateDir)) === null)
    throw new Error(
      `The agent of ${stateDir} is not enrolled: it has no key that anybody knows. \`carillon-agent enroll\` makes one.`,
    );
  const running = await readRunning(stateDir);
  if (running !== null) return askRunning(stateDir, running.pid);
  const agent = await startAgent({ ...config, metrics: { ...config.metrics, port: 0 }, logLevel: 'silent' });
  const late = sleep(LIMIT_MS, null, { ref: false }).then(
    () =>
      new Error(
        `The control plane does not answer: ${agent.linkFault() || 'no receipt'}. Start the agent: it tries on.`,
      ),
  );
  const refused = await Promise.race([agent.changeKey(), agent.broken, late]);
  await agent.close();
  if (refused instanceof Error) throw refused;
  if (refused !== null) throw new Error(`The control plane refuses the new key: ${refused}`);
  console.log(DONE);
  return 0;
}

async function askRunning(stateDir: string, pid: number): Promise<number> {
  const present = async () => Buffer.from((await openIdentity(stateDir)).present.publicKey).toString('hex');
  const before = await present();
  process.kill(pid, 'SIGUSR2');
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await sleep(50)) {
    if ((await present()) === before) continue;
    console.log(DONE);
    return 0;
  }
  console.error('The running agent has not changed its key yet: it tries on when it is connected. Its log says why.');
  return 1;
}
