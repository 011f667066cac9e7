/**
 * `carillon-agent stop`: the kill switch on the host itself. Calls end by CANCEL or BYE, registrations are removed,
 * facts are delivered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readRunning } from '../state-folder.ts';

/** An agent gives its calls 6 s; a process that lives longer than this is killed. */
const PATIENCE_MS = 10_000;

export async function stopCommand(stateDir: string): Promise<number> {
  const running = await readRunning(stateDir);
  if (running === null) {
    console.log(`No agent runs with the folder ${stateDir}.`);
    return 0;
  }
  process.kill(running.pid, 'SIGTERM');
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    if ((await readRunning(stateDir)) === null) {
      console.log('Stopped: no call or registration is left.');
      return 0;
    }
  }
  process.kill(running.pid, 'SIGKILL');
  console.error(
    `The agent (process ${running.pid}) did not end within ${PATIENCE_MS / 1000} s and was killed; calls may remain open at their peers.`,
  );
  return 1;
}
