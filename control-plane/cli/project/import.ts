/** `carillon import`: writes a project as a file, without defaults; `carillon init`: writes an initial file. */
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { traitsOf } from '../../contract/notify/formats.ts';
import { ProjectFile } from '../../contract/project-file.ts';
import { printYaml } from '../../contract/yaml-file.ts';
import { EXIT, type ExitCode, usage } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Api } from '../session/api.ts';
import { DEFAULT_FILE } from './default-file.ts';
import { SAMPLE } from './sample.ts';
import { FileSecrets, withoutSecrets } from './secrets.ts';
import { fileName, fileOf } from './server-file.ts';
import { readServerProject } from './server-project.ts';

export type ImportOptions = { readonly output: string; readonly force?: boolean };

const MEDIA = 'media';

export async function importCommand(io: Io, api: Api, { output, force }: ImportOptions): Promise<ExitCode> {
  const { slug, id: projectId } = await api.project();
  const isFile = output !== '-';
  if (isFile && !force) await isFree(output);
  const server = await readServerProject(api, slug);
  if (server === null) throw usage(`The project ${slug} no longer exists.`);
  const text = printYaml(trimmed(withSecretUrls(fileOf(server, MEDIA))));
  if (!isFile) {
    io.out.write(text);
    return EXIT.GOOD;
  }
  const folder = path.join(path.dirname(output), MEDIA);
  if (server.mediaFiles.length > 0) await mkdir(folder, { recursive: true });
  for (const { id: mediaFileId, name } of server.mediaFiles)
    await writeFile(path.join(folder, fileName(name)), await api.call('downloadMediaFile', { projectId, mediaFileId }));
  await writeFile(output, text);
  const variables = [...new Set([...text.matchAll(/env:(\w+)/g)].map(([, name]) => name))];
  io.out.write(`${output} is written.\n`);
  if (variables.length > 0)
    io.out.write(
      `The API does not return secrets; \`apply\` takes those that it needs from ${variables.join(', ')}.\n`,
    );
  return EXIT.GOOD;
}

export async function initCommand(io: Io, file: string = DEFAULT_FILE): Promise<ExitCode> {
  await isFree(file);
  await writeFile(file, SAMPLE);
  io.out.write(`${file} is written: a project with one test, whose endpoints call each other.\n`);
  io.out.write(
    'carillon dev     runs it here, without an account\ncarillon plan    says what apply would do\ncarillon apply   makes the project what the file says\n',
  );
  return EXIT.GOOD;
}

const isFree = async (file: string): Promise<void> => {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw usage(`${file} already exists.`);
};

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The address of a chat is a secret as well. */
const withSecretUrls = (file: ReturnType<typeof fileOf>) => ({
  ...file,
  webhooks: file.webhooks.map((w, i) =>
    traitsOf(w.format).hasSecretUrl ? { ...w, url: `env:WEBHOOK_${i + 1}_URL` } : w,
  ),
});

const LISTS = ['mediaFiles', 'tests', 'probes', 'webhooks'] as const;

/** The file without values that the reader adds: each part that makes no difference is omitted. */
export function trimmed({ registrars, ...file }: ReturnType<typeof fileOf>): Plain {
  const lists = LISTS.map(
    (list) => [list, file[list].map((one) => trim(one, (part) => ({ slug: 'x', [list]: [part] })))] as const,
  );
  return Object.fromEntries(
    Object.entries({
      slug: file.slug,
      name: file.name,
      ...(file.description !== '' && { description: file.description }),
      registrars: registrars.map(trimRegistrar),
      ...Object.fromEntries(lists),
    }).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

/** Accounts are trimmed one by one, because there may be thousands. */
function trimRegistrar({ sipAccounts, ...registrar }: ReturnType<typeof fileOf>['registrars'][number]): Plain {
  const accounts = sipAccounts.map((account) =>
    trim(account, (part) => ({ slug: 'x', registrars: [{ ...registrar, sipAccounts: [part] }] })),
  );
  return {
    ...trim(registrar, (part) => ({ slug: 'x', registrars: [part] })),
    ...(accounts.length > 0 && { sipAccounts: accounts }),
  };
}

/** @param fileWith a file that has this part */
function trim(part: Plain, fileWith: (part: Plain) => Plain): Plain {
  const rest = structuredClone(part);
  const read = (): unknown => {
    const parsed = ProjectFile.safeParse(withUrls(withoutSecrets(fileWith(rest), new FileSecrets({}))));
    return parsed.success ? parsed.data : null;
  };
  const whole = read();
  if (whole === null) return rest;
  const within = (holder: unknown): void => {
    if (Array.isArray(holder)) holder.forEach(within);
    if (!isPlain(holder)) return;
    for (const [key, value] of Object.entries(holder)) {
      // A secret cannot be compared, so it stays.
      if (typeof value === 'string' && value.startsWith('env:')) continue;
      delete holder[key];
      if (isDeepStrictEqual(read(), whole)) continue;
      holder[key] = value;
      within(value);
    }
  };
  within(rest);
  return inOrder(part, rest) as Plain;
}

/** Restores the original order: restored items must not be at the end. */
const inOrder = (whole: unknown, part: unknown): unknown => {
  if (Array.isArray(part)) return part.map((item, i) => inOrder((whole as unknown[])[i], item));
  if (!isPlain(part)) return part;
  return Object.fromEntries(
    Object.keys(whole as Plain)
      .filter((key) => Object.hasOwn(part, key))
      .map((key) => [key, inOrder((whole as Plain)[key], part[key])]),
  );
};

/** An address from a variable matches any address. */
const withUrls = (file: unknown): unknown => {
  if (!isPlain(file) || !Array.isArray(file['webhooks'])) return file;
  const webhooks = file['webhooks'].map((w: Plain, i) =>
    String(w['url']).startsWith('env:') ? { ...w, url: `https://example.com/${i}` } : w,
  );
  return { ...file, webhooks };
};
