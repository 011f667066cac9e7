/** `carillon-agent status`: asks the agent of this host for its state. */
import { askStatus } from '../doctor/versions.ts';
import { readRunning } from '../state-folder.ts';

const NOT_RUNNING = 3;

export async function statusCommand(stateDir: string, json: boolean): Promise<number> {
  const running = await readRunning(stateDir);
  if (running === null || running.healthUrl === '') {
    const state = running === null ? 'not running' : 'starting';
    console.log(json ? JSON.stringify({ state }) : `The agent of ${stateDir} is ${state}.`);
    return NOT_RUNNING;
  }
  const status = await askStatus(running);
  if (json) console.log(JSON.stringify({ state: 'running', pid: running.pid, ...status }, null, 2));
  else for (const line of lines({ process: running.pid, ...status })) console.log(line);
  return status.link === 'ONLINE' ? 0 : 1;
}

/** Lines of the form `name  value`, with flattened groups. */
function lines(group: Readonly<Record<string, unknown>>, prefix = ''): string[] {
  return Object.entries(group).flatMap(([name, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? lines(value as Record<string, unknown>, `${prefix}${name} `)
      : [`${`${prefix}${name}`.padEnd(18)} ${Array.isArray(value) ? value.join(', ') : (value ?? '-')}`],
  );
}
