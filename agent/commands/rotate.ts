/** `carillon-agent rotate`: creates a new key for this host. Asks the running agent to create it, or starts an agent for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from '../agent.ts';
import type { Config } from '../config.ts';
import { openIdentity } from '../link/identity.ts';
import { type Running, readEnrollment, readRunning } from '../state-folder.ts';

const LIMIT_MS = 20_000;
const DONE = 'This agent has a new key; the old one is refused from now on.';

export async function rotateCommand(config: Config): Promise<number> {
  const { stateDir } = config;
  if (config.url === '' && (await readEnrollment(stateDir)) === null)
    throw new Error(
      `The agent of ${stateDir} is not enrolled: it has no registered key. \`carillon-agent enroll\` creates one.`,
    );
  const running = await readRunning(stateDir);
  if (running !== null) return askRunning(stateDir, running);
  const agent = await startAgent({
    ...config,
    metrics: { ...config.metrics, port: 0 },
    logLevel: 'silent',
  });
  const late = sleep(LIMIT_MS, null, { ref: false }).then(
    () =>
      new Error(
        `The control plane does not answer: ${agent.linkFault() || 'no receipt'}. Start the agent: it keeps trying.`,
      ),
  );
  const refused = await Promise.race([agent.changeKey(), agent.broken, late]);
  await agent.close();
  if (refused instanceof Error) throw refused;
  if (refused !== null) throw new Error(`The key is unchanged: ${refused}`);
  console.log(DONE);
  return 0;
}

async function askRunning(stateDir: string, { pid, healthUrl }: Running): Promise<number> {
  const present = async () => Buffer.from((await openIdentity(stateDir)).present.publicKey).toString('hex');
  const before = await present();
  await understands(healthUrl);
  process.kill(pid, 'SIGUSR2');
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await sleep(50)) {
    if ((await present()) === before) continue;
    console.log(DONE);
    return 0;
  }
  console.error(
    'The running agent has not changed its key yet. It tries again when it is connected. See its log for the reason.',
  );
  return 1;
}

/** An older agent does not handle the signal, and would end with its calls. Only an agent that handles it shows its key. */
async function understands(healthUrl: string): Promise<void> {
  if (healthUrl === '') throw new Error('The agent is starting: try again when it is up.');
  const status = await fetch(new URL('/status', healthUrl), { signal: AbortSignal.timeout(5000) })
    .then((answer) => answer.json() as Promise<{ readonly publicKey?: string }>)
    .catch((error: Error) => {
      throw new Error(`The running agent does not report its state (${healthUrl}): ${error.message}`);
    });
  if (status.publicKey === undefined)
    throw new Error("The running agent's version cannot change keys: restart it first.");
}
