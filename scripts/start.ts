/** `npm start`: the service. `npm start -- --agent` starts a local agent beside it, shared with every organization. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openIdentity } from '../agent/link/identity.ts';
import { NODE_FLAGS } from '../agent/process/young-generation.ts';
import { readConfig } from '../control-plane/config.ts';
import { startControlPlane } from '../control-plane/control-plane.ts';
import { type Lifetime, live } from '../control-plane/lifetime.ts';
import { buildDashboard } from './build-dashboard.ts';
import { buildSite } from './site/build.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

await live(async (lifetime) => {
  const { values } = parseArgs({ options: { agent: { type: 'boolean', default: false } } });
  const config = readConfig(process.env);
  await buildDashboard(lifetime.ending);
  buildSite();
  // Passable, before the agent makes its own folder below: the database's user has to come through.
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const stateDir = path.join(config.dataDir, 'agent');
  const localWorkerKey = values.agent ? Buffer.from((await openIdentity(stateDir)).present.publicKey) : null;
  const running = await startControlPlane({ ...config, localWorkerKey }, process.env, lifetime.ending);
  if (running.setupLink) console.log(`No account exists yet. Create the owner's account at ${running.setupLink}`);
  const agent = values.agent && !lifetime.ending.aborted ? startAgent(running.url, stateDir, lifetime) : null;
  return {
    /** Agent first, it has calls to end and facts to hand over; the database is the last. */
    async close() {
      if (agent && agent.exitCode === null && agent.signalCode === null) {
        agent.kill('SIGTERM');
        await once(agent, 'exit');
      }
      await running.close();
    },
  };
});

function startAgent(url: string, stateDir: string, { ending, end }: Lifetime): ChildProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, path.join(ROOT, 'agent', 'main.ts')], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C is ours to pass on, in order.
    detached: true,
    env: {
      ...process.env,
      CARILLON_URL: `${url.replace(/^http/, 'ws')}/agent/v1`,
      CARILLON_AGENT_DIR: stateDir,
    },
  });
  child.on('exit', (code) => {
    if (ending.aborted) return;
    console.error(`The local agent ended (${code}). See its log above.`);
    end(1);
  });
  return child;
}
