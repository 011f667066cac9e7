/** `carillon`, started as a shell starts it, with a separate home folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Lab } from '../../peers/lab/lab.ts';
import { mainOf } from '../../peers/lab/programs.ts';

export const MAIN = mainOf('control-plane/cli');

/** Of what test files get: Node's compile cache, and how agents of tests start and call. */
const FROM_THE_RUNNER = Object.fromEntries(
  ['NODE_COMPILE_CACHE', 'CARILLON_LATEST_START_MS'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

export type CommandResult = { readonly code: number; readonly out: string; readonly err: string };

export type Started = {
  readonly pid: number;
  readonly out: () => string;
  readonly ended: Promise<CommandResult>;
  signal(name: NodeJS.Signals): void;
};

export type CarillonOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
};

/** `lab` null: only `env` is known. */
export function startCarillon(
  lab: Lab | null,
  args: readonly string[],
  { env, input, cwd }: CarillonOptions = {},
): Started {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...FROM_THE_RUNNER,
      ...(lab && { HOME: lab.dir, CARILLON_URL: lab.controlPlane.url, CARILLON_API_KEY: lab.apiKey }),
      ...env,
    },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  return {
    pid: child.pid ?? 0,
    out: () => out,
    ended: once(child, 'close').then(([code, signal]) => ({
      code: (code as number | null) ?? -1,
      out,
      err: `${err}${signal ?? ''}`,
    })),
    signal: (name) => void child.kill(name),
  };
}

export const carillon = (lab: Lab | null, args: readonly string[], options?: CarillonOptions): Promise<CommandResult> =>
  startCarillon(lab, args, options).ended;

const ATTEMPTS = 4;

/**
 * On a busy machine a run may be VOID, which `code` shows: then the run is repeated, a few times. `machineTooBusy` if all were
 * VOID: then only the code and the reason can be asserted.
 */
export async function unlessVoid(
  code: number,
  run: () => Promise<CommandResult>,
): Promise<CommandResult & { machineTooBusy: boolean }> {
  let said = await run();
  for (let attempt = 1; said.code === code && attempt < ATTEMPTS; attempt++) said = await run();
  return { ...said, machineTooBusy: said.code === code && /\bVOID\b/.test(said.out) };
}
