/** `carillon-agent status`: asks the agent of this host for its state. */
import { readRunning } from '../state-folder.ts';

const NOT_RUNNING = 3;

type Status = { readonly link: string; readonly url: string; readonly [name: string]: unknown };

export async function statusCommand(stateDir: string, json: boolean): Promise<number> {
  const running = await readRunning(stateDir);
  if (running === null || running.healthUrl === '') {
    const state = running === null ? 'not running' : 'starting';
    console.log(json ? JSON.stringify({ state }) : `The agent of ${stateDir} is ${state}.`);
    return NOT_RUNNING;
  }
  const answer = await fetch(new URL('/status', running.healthUrl), { signal: AbortSignal.timeout(5000) });
  const status = (await answer.json()) as Status;
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
