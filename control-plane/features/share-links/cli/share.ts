/** `carillon share RUN`: creates a link by which anybody can read the report of a run, without an account, until it expires. */
import { EXIT, type ExitCode, usage } from '../../../cli/exit-codes.ts';
import { type Io, painter, widthOf } from '../../../cli/io.ts';
import { type Api, everyRow, once } from '../../../cli/session/api.ts';
import { findRun } from '../../../cli/session/runs.ts';
import { instant } from '../../../cli/text/figures.ts';
import { table } from '../../../cli/text/table.ts';

export type ShareOptions = {
  readonly days?: number;
  readonly list?: boolean;
  readonly revoke?: string;
  readonly json?: boolean;
};

/** Only the address is written to standard output, for pipes. */
export async function shareCommand(io: Io, api: Api, reference: string, options: ShareOptions): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const run = await findRun(api, reference);
  const ref = { projectId, testRunId: run.id };
  if (options.list) return list(io, api, ref, options.json === true);
  if (options.revoke !== undefined) {
    const shareLinkId = await linkOf(api, ref, options.revoke);
    await api.call('deleteShareLink', { ...ref, shareLinkId });
    io.err.write(`The link ${shareLinkId} is revoked.\n`);
    return EXIT.GOOD;
  }
  const { days } = options;
  const link = await api.call(
    'createShareLink',
    { ...ref, ...(days !== undefined && { expiresInDays: days }) },
    once(),
  );
  const address = link.url ?? `${api.url}${link.path}`;
  io.out.write(options.json ? `${JSON.stringify({ ...link, url: address }, null, 2)}\n` : `${address}\n`);
  io.err.write(
    `Anybody with this address can read the run until ${instant(link.expiresAt)} UTC. It is not shown again.\n`,
  );
  return EXIT.GOOD;
}

type Ref = { readonly projectId: string; readonly testRunId: string };

/** Finds a link by its id, or by the beginning or the end of the id. */
async function linkOf(api: Api, ref: Ref, reference: string): Promise<string> {
  const ids = (await everyRow(api.call, 'listShareLinks', ref)).map(({ id }) => id);
  const [found, other] = ids.filter((id) => id.startsWith(reference) || id.endsWith(reference));
  if (found === undefined) throw usage(`The run has no valid link ${JSON.stringify(reference)}; --list shows them.`);
  if (other !== undefined)
    throw usage(`More than one link is called ${JSON.stringify(reference)}: write more of its id.`);
  return found;
}

async function list(io: Io, api: Api, ref: Ref, json: boolean): Promise<ExitCode> {
  const links = await everyRow(api.call, 'listShareLinks', ref);
  if (json) io.out.write(`${JSON.stringify(links, null, 2)}\n`);
  else {
    const columns = ['link', 'created (UTC)', 'by', 'expires (UTC)', 'views'].map((title) => ({ title }));
    const rows = links.map((l) => [
      l.id,
      instant(l.createdAt),
      l.createdBy ?? '-',
      instant(l.expiresAt),
      String(l.views),
    ]);
    io.out.write(`${table(columns, rows, widthOf(io.out), painter(io.out, io.env)).join('\n')}\n`);
  }
  return EXIT.GOOD;
}
