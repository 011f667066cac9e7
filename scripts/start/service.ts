/**
 * `npm start` starts the service. `npm start -- --agent` also starts a local agent, which is shared with every organization. On a
 * terminal it prints in plain text what runs, and the log is a file in the data folder; elsewhere the log is written to standard
 * error. The log has one JSON object a line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openIdentity } from '../../agent/link/identity.ts';
import { readConfig } from '../../control-plane/config.ts';
import { startControlPlane } from '../../control-plane/control-plane.ts';
import { type Lifetime, live } from '../../control-plane/lifetime.ts';
import { makeDataFolder } from '../../control-plane/store/embedded/supervisor.ts';
import { AGENT_FLAGS } from '../../proto/base/agent-heap.ts';
import { buildDashboard } from '../build-dashboard.ts';
import { buildSite } from '../site/build.ts';
import { greetingLines, startingLine } from './greeting.ts';
import { openTerminalLog } from './terminal-log.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

await live(async (lifetime) => {
  const { values } = parseArgs({ options: { agent: { type: 'boolean', default: false } } });
  const onTerminal = process.stdout.isTTY && process.stderr.isTTY;
  const config = readConfig(process.env);
  const isNew = config.databaseUrl === null && !existsSync(path.join(config.dataDir, 'postgres'));
  if (onTerminal) console.log(startingLine(values.agent, isNew));
  await Promise.all([buildDashboard(lifetime.ending), buildSite(lifetime.ending)]);
  // The data folder is made before the agent creates its own folder below it.
  await makeDataFolder(config.dataDir);
  const logFile = path.join(config.dataDir, 'carillon.log');
  const logTo = onTerminal ? openTerminalLog(logFile).fd : config.logTo;
  const stateDir = path.join(config.dataDir, 'agent');
  const localWorkerKey = values.agent ? Buffer.from((await openIdentity(stateDir)).present.publicKey) : null;
  const starting = startControlPlane({ ...config, logTo, localWorkerKey }, process.env, lifetime.ending);
  // An agent takes as long to start as the control plane, so both start at the same time if the address is known in advance.
  const here = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`;
  // The names in a certificate are those of the public address.
  const address = config.tls === null ? here : (config.publicUrl ?? here);
  const early = values.agent && config.port > 0 ? startAgent(address, stateDir, logTo, lifetime) : null;
  const running = await starting.catch((error) => {
    early?.removeAllListeners('exit').kill('SIGTERM');
    throw error;
  });
  const isLate = values.agent && early === null && !lifetime.ending.aborted;
  const agent = isLate ? startAgent(config.tls === null ? running.url : address, stateDir, logTo, lifetime) : early;
  if (onTerminal) {
    const shown = {
      url: config.publicUrl ?? running.url,
      setupLink: running.setupLink,
      dataDir: config.databaseUrl === null ? config.dataDir : null,
      keysFile: 'file' in config.sealingKeys ? config.sealingKeys.file : null,
      hasAgent: values.agent,
      logFile,
    };
    console.log(greetingLines(shown, process.stdout.columns || 80).join('\n'));
  } else if (running.setupLink)
    console.log(`No account exists yet. Create the owner's account at ${running.setupLink}`);
  return {
    /** The agent is first: it has calls to end and facts to hand over. The database is last. */
    async close() {
      if (agent && agent.exitCode === null && agent.signalCode === null) {
        agent.kill('SIGTERM');
        await once(agent, 'exit');
      }
      await running.close();
    },
  };
});

function startAgent(url: string, stateDir: string, logTo: number, { ending, end }: Lifetime): ChildProcess {
  const child = spawn(process.execPath, [...AGENT_FLAGS, path.join(ROOT, 'agent', 'main.ts')], {
    stdio: ['inherit', 'inherit', logTo, 'ipc'],
    // We forward Ctrl-C in order.
    detached: true,
    env: {
      ...process.env,
      CARILLON_URL: `${url.replace(/^http/, 'ws')}/agent/v1`,
      CARILLON_AGENT_DIR: stateDir,
    },
  });
  child.on('exit', (code) => {
    if (ending.aborted) return;
    console.error(`The local agent ended (${code}); its log says why.`);
    end(1);
  });
  return child;
}
