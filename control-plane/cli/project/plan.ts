/** `carillon plan` and `carillon apply`: compare a project with its file, and make it equal. */
import { createInterface } from 'node:readline/promises';
import { printYaml } from '../../contract/yaml-file.ts';
import { EXIT, type ExitCode, Stop, usage } from '../exit-codes.ts';
import { type Io, painter } from '../io.ts';
import type { Api } from '../session/api.ts';
import { tellVersions } from '../session/versions.ts';
import { type Changes, changeLines, changesOf } from './changes.ts';
import { type Documents, documentsOf } from './documents.ts';
import { parseProject, readProjectFile, type WrittenProject } from './file.ts';
import { fileOf } from './server-file.ts';
import { readServerProject, type ServerProject } from './server-project.ts';
import { Writer } from './writes.ts';

export type PlanOptions = { readonly prune?: boolean; readonly json?: boolean };
export type ApplyOptions = PlanOptions & { readonly yes?: boolean; readonly secrets?: boolean };

export async function planCommand(
  io: Io,
  api: Api,
  file: string,
  { prune = false, json }: PlanOptions,
): Promise<ExitCode> {
  const { changes } = await compare(io, api, await readProjectFile(file, io.env), prune);
  if (json) io.out.write(`${JSON.stringify(changes, null, 2)}\n`);
  else print(io, changes);
  return changes.pending.length > 0 ? EXIT.CHANGES_PENDING : EXIT.GOOD;
}

export async function applyCommand(io: Io, api: Api, file: string, options: ApplyOptions): Promise<ExitCode> {
  const written = await readProjectFile(file, io.env);
  const { changes, server } = await compare(io, api, written, options.prune ?? false);
  await mayWrite(io, api);
  print(io, changes);
  if (changes.pending.length === 0 && !options.secrets) return EXIT.GOOD;
  if (!options.yes && !(await confirmed(io))) {
    io.out.write('Nothing was changed.\n');
    return EXIT.CHANGES_PENDING;
  }
  const writer = new Writer(api, written, server, options.prune);
  await perform(writer, changes, (line) => io.out.write(`${line}\n`));
  if (options.secrets) {
    await writer.resendSecrets();
    io.out.write('Secrets were sent again.\n');
  }
  return EXIT.GOOD;
}

/**
 * The changes are not printed to a key that may make none. A control plane that does not tell refuses the first one.
 * @throws Stop
 */
async function mayWrite(io: Io, api: Api): Promise<void> {
  const me = await api.call('getWhoami', {}).catch(() => null);
  if (me === null) return;
  tellVersions(io, me.version);
  if (me.scopes.includes('WRITE')) return;
  const may = me.scopes.join(', ');
  throw new Stop(
    EXIT.API,
    `This needs a key that may WRITE; this one may ${may}. Create one on the page API keys, then log in with it.`,
  );
}

/** After this, the project is as in the file. */
export async function perform(writer: Writer, changes: Changes, report: (line: string) => void): Promise<void> {
  writer.secretsAreThere(changes.pending);
  for (const change of changes.pending) {
    await writer.perform(change);
    report(
      `${{ CREATE: 'created', UPDATE: 'changed', DELETE: 'deleted' }[change.action]} ${change.kind} ${change.key}`,
    );
  }
  await writer.finish();
}

export async function compare(
  io: Io,
  api: Api,
  written: WrittenProject,
  prune: boolean,
): Promise<{ changes: Changes; server: ServerProject | null }> {
  const sha256Of = (name: string) => written.recordings.get(name)?.sha256 ?? '';
  const wanted = documentsOf(written.project, written.secrets, sha256Of);
  const server = await readServerProject(api, written.project.slug);
  if (server?.webhooks === null && written.project.webhooks.length > 0)
    throw usage('The file has webhooks, which a key needs the role ADMIN to see.');
  return {
    changes: changesOf(wanted, server === null ? new Map() : documentsOfServer(io, server), prune),
    server: server,
  };
}

/** This uses the reader of the file, so that both omit the same values. */
function documentsOfServer(io: Io, server: ServerProject): Documents {
  const { project, secrets } = parseProject(printYaml(fileOf(server)), `project ${server.project.slug}`, io.env);
  return documentsOf(project, secrets, (name) => server.mediaFiles.find((m) => m.name === name)?.sha256 ?? '');
}

const print = (io: Io, changes: Changes): void =>
  void io.out.write(`${changeLines(changes, painter(io.out, io.env)).join('\n')}\n`);

async function confirmed(io: Io): Promise<boolean> {
  if (io.input.isTTY !== true) throw usage('No terminal to confirm on: use --yes.');
  const lines = createInterface({ input: io.input, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question('Apply these changes? (yes/no) ', { signal: io.ending })).trim());
  } finally {
    lines.close();
  }
}
