/** The address of the control plane, and the key for it. The environment precedes the values that `carillon login` stored. */
import { rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { makeFolder, readIfThere, writeDraft } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import * as z from 'zod';
import { usage } from '../exit-codes.ts';
import type { Environment } from '../io.ts';

export type ApiAccess = { readonly url: string; readonly key: Secret; readonly project: string | null };

const Stored = z.object({ url: z.string(), key: z.string(), project: z.string().nullable().default(null) });

export const accessFile = (env: Environment): string =>
  path.join(env['XDG_CONFIG_HOME'] || path.join(env['HOME'] || homedir(), '.config'), 'carillon', 'credentials.json');

/** The address as people write it: with or without a slash, or the whole address of the API. */
export function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usage(`${JSON.stringify(text)} is not a control plane URL: https://HOST[:PORT]`);
  return `${url.origin}${url.pathname}`.replace(/\/(api\/v1\/?)?$/, '');
}

export const apiKey = (text: string): Secret => {
  if (!/^crl_[0-9a-f]{32}$/.test(text)) throw usage('An API key is crl_ and 32 hexadecimal characters.');
  return new Secret(text);
};

/** @throws Stop if neither the environment nor `login` has set them */
export async function readAccess(env: Environment): Promise<ApiAccess> {
  const given = { url: env['CARILLON_URL'] || undefined, key: env['CARILLON_API_KEY'] || undefined };
  const project = env['CARILLON_PROJECT'] || null;
  if (given.url !== undefined && given.key !== undefined)
    return { url: baseUrl(given.url), key: apiKey(given.key), project };
  const stored = await readStored(accessFile(env));
  const url = given.url ?? stored?.url;
  // A key is only sent to the server that it was stored for.
  const isSame = stored !== null && url !== undefined && baseUrl(url) === baseUrl(stored.url);
  const key = given.key ?? (isSame ? stored.key : undefined);
  if (url === undefined || key === undefined)
    throw usage(
      `${url === undefined ? 'No control plane is known' : `No API key for ${url} is known`}: run \`carillon login\`, or set CARILLON_URL and CARILLON_API_KEY.`,
    );
  return { url: baseUrl(url), key: apiKey(key), project: project ?? (isSame ? stored.project : null) };
}

async function readStored(file: string): Promise<z.output<typeof Stored> | null> {
  const text = await readIfThere('The file', file).catch((error: Error) => {
    throw usage(error.message);
  });
  if (text === null) return null;
  try {
    return Stored.parse(JSON.parse(text));
  } catch {
    throw usage(`${file} is not what \`carillon login\` writes: log in again, or remove it.`);
  }
}

/** Stores the access in a file that only this user can read. Returns the file. */
export async function storeAccess(env: Environment, { url, key, project }: ApiAccess): Promise<string> {
  const file = accessFile(env);
  await makeFolder(path.dirname(file), 0o700);
  const draft = `${file}.${process.pid}`;
  await writeDraft(draft, `${JSON.stringify({ url, key: key.reveal(), project }, null, 2)}\n`);
  await rename(draft, file);
  return file;
}

export const removeAccess = (env: Environment): Promise<void> => rm(accessFile(env), { force: true });
