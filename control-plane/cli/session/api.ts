/** The API for one command: credentials, retries, and the resolution of names on the command line. */

import { randomUUID } from 'node:crypto';
import { plain } from '@carillon/proto/base/plain-text.ts';
import { createClient } from '../../client.ts';
import type { CallInput, Client, ClientAnswer, ListAnswer } from '../../contract/call.ts';
import { RequestFailed } from '../../contract/call.ts';
import type { OperationName, Output } from '../../contract/catalogue.ts';
import { errorPage } from '../../contract/errors.ts';
import { EXIT, Stop, usage } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type ApiAccess, readAccess } from './access.ts';
import { reasonOf, retrying } from './retries.ts';

export type Api = {
  readonly url: string;
  readonly call: Client;
  /** The project that is named, or the only one. */
  project(): Promise<Output<'listProjects'>>;
};

/** The attempts take about four seconds in total. */
const ATTEMPTS = 4;
/** The attempts while waiting for a run. They take about two minutes, the duration of a server's restart. */
export const WAITING_ATTEMPTS = 9;

export type ProjectOption = { readonly project?: string | undefined };

type ApiOptions = { readonly access?: ApiAccess; readonly attempts?: number };

export async function openApi(
  io: Io,
  reference: ProjectOption,
  { access, attempts = ATTEMPTS }: ApiOptions = {},
): Promise<Api> {
  const { url, key, project: preset } = access ?? (await readAccess(io.env));
  const report = (message: string) => io.err.write(`${message}; trying again.\n`);
  // The command handles the signal, and may have to cancel a run, so its requests continue.
  const send = retrying({ attempts: attemptsOf(io, attempts), ending: new AbortController().signal, report });
  const ask = createClient(`${url}/api/v1`, key.reveal(), send);
  const call: Client = (name, input, headers) =>
    ask(name, input, headers).catch((error: unknown) => {
      throw stopOf(error, url);
    });
  let found: Promise<Output<'listProjects'>> | undefined;
  const project = () => {
    found ??= findProject(call, reference.project ?? preset);
    return found;
  };
  return { url, call, project };
}

const attemptsOf = ({ env }: Io, fallback: number): number => {
  const wanted = Number(env['CARILLON_ATTEMPTS'] || fallback);
  return Number.isInteger(wanted) && wanted >= 1 ? wanted : fallback;
};

/** A refusal keeps its code, because some commands handle certain codes. */
export class Refused extends Stop {
  readonly status: number;
  constructor(failed: RequestFailed, message: string) {
    super(EXIT.API, message);
    this.status = failed.status;
  }
}

/** The page of a code of the API or of a run. `url`: of the control plane. */
export const whatToDo = (url: string, code: string): string => `What to do: ${url}${plain(errorPage(code))}`;

function stopOf(error: unknown, url: string): unknown {
  if (error instanceof RequestFailed) {
    const details = error.details.map(({ path, message }) => `  ${path}: ${message}`);
    const text = error.details.length > 0 ? [`${error.status} ${error.code}`, ...details].join('\n') : error.message;
    const page = error.code === 'NO_ENVELOPE' ? '' : `\n${whatToDo(url, error.code)}`;
    return new Refused(error, `The server refused the request: ${text}${page}`);
  }
  if (error instanceof TypeError) return new Stop(EXIT.API, `${url} is unreachable: ${reasonOf(error)}`);
  return error;
}

/** The key of a request that may be repeated but must execute once. */
export const once = (): Readonly<Record<string, string>> => ({ 'idempotency-key': randomUUID() });

type ListName = {
  [N in OperationName]: ClientAnswer<N> extends ListAnswer<N> ? N : never;
}[OperationName];

const PAGE = 100;

/** Returns every row of a list, however many pages it has. */
export async function everyRow<N extends ListName>(call: Client, name: N, input: CallInput<N>): Promise<Output<N>[]> {
  const rows: Output<N>[] = [];
  for (let page = 1; ; page++) {
    const answer = (await call(name, { ...input, page, per_page: PAGE } as CallInput<N>)) as ListAnswer<N>;
    rows.push(...answer.rows);
    if (page >= answer.pagination.totalPages) return rows;
  }
}

type NamedRow = { readonly id: string; readonly name: string; readonly slug?: string };

/** Finds a thing by id, slug or name. @throws Stop that lists the existing ones */
export function choose<T extends NamedRow>(what: string, rows: readonly T[], reference: string): T {
  for (const same of [
    (row: T) => row.id === reference,
    (row: T) => row.slug === reference,
    (row: T) => row.name === reference,
    (row: T) => row.name.toLowerCase() === reference.toLowerCase(),
  ]) {
    const found = rows.filter(same);
    if (found.length === 1) return found[0] as T;
    if (found.length > 1) throw usage(`${found.length} ${what}s are called ${JSON.stringify(reference)}: name the id.`);
  }
  const names = rows.slice(0, 20).map((row) => plain(row.slug ?? row.name));
  const there = names.length === 0 ? 'there is none' : `there are ${names.join(', ')}`;
  throw usage(`There is no ${what} ${JSON.stringify(reference)}; ${there}${rows.length > 20 ? ' and others' : ''}.`);
}

async function findProject(call: Client, reference: string | null): Promise<Output<'listProjects'>> {
  const rows = await everyRow(call, 'listProjects', {});
  if (reference !== null) return choose('project', rows, reference);
  if (rows.length === 1) return rows[0] as Output<'listProjects'>;
  if (rows.length === 0) throw usage('The key has access to no project.');
  throw usage(
    `The key has access to ${rows.length} projects (${rows
      .slice(0, 20)
      .map((row) => row.slug)
      .join(', ')}): name one with --project, or CARILLON_PROJECT.`,
  );
}

export async function findTest({ call, project }: Api, reference: string): Promise<Output<'listTests'>> {
  const { id: projectId } = await project();
  return choose('test', await everyRow(call, 'listTests', { projectId }), reference);
}
