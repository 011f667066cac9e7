/** `carillon login`, `logout` and `whoami`. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT, type ExitCode, usage } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { accessFile, apiKey, baseUrl, removeAccess, storeAccess } from './access.ts';
import { everyRow, openApi } from './api.ts';

export type LoginOptions = { readonly url?: string; readonly keyStdin?: boolean; readonly project?: string };

export async function loginCommand(io: Io, options: LoginOptions): Promise<ExitCode> {
  const isAsked = io.input.isTTY === true && !options.keyStdin;
  const url =
    options.url ?? io.env['CARILLON_URL'] ?? (isAsked ? await answer(io, 'Address of the control plane: ', true) : '');
  if (url === '') throw usage('Name the control plane with --url https://HOST[:PORT].');
  const known = io.env['CARILLON_API_KEY'];
  const key = isAsked
    ? await answer(io, 'API key (it is not shown): ', false)
    : options.keyStdin || known === undefined
      ? await firstLine(io)
      : known;
  const access = { url: baseUrl(url), key: apiKey(key.trim()), project: options.project ?? null };
  const api = await openApi(io, {}, { access });
  const projects = await everyRow(api.call, 'listProjects', {});
  if (options.project !== undefined) await (await openApi(io, { project: options.project }, { access })).project();
  const file = await storeAccess(io.env, access);
  io.out.write(
    `${access.url} accepts the key, which has access to ${projects.length} ${projects.length === 1 ? 'project' : 'projects'}.\n`,
  );
  io.out.write(`Stored in ${file}, for this user only.\n`);
  return EXIT.GOOD;
}

export async function logoutCommand(io: Io): Promise<ExitCode> {
  await removeAccess(io.env);
  io.out.write(`${accessFile(io.env)} is removed. The key itself is valid until it is revoked in the dashboard.\n`);
  return EXIT.GOOD;
}

async function answer(io: Io, question: string, isShown: boolean): Promise<string> {
  io.err.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.input, output: isShown ? process.stderr : silent, terminal: true });
  try {
    return (await lines.question('', { signal: io.ending })).trim();
  } finally {
    lines.close();
    if (!isShown) io.err.write('\n');
  }
}

async function firstLine(io: Io): Promise<string> {
  const lines = createInterface({ input: io.input });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw usage('No key was given: pass it on standard input (--key-stdin), or in CARILLON_API_KEY.');
}
