/**
 * How to call a row over HTTP. This file does not import the catalogue, so that a page in a browser need not carry every schema.
 */

import type * as z from 'zod';
import type { Catalogue, OperationName, Output } from './catalogue.ts';
import type { Search } from './envelope.ts';
import type { OperationRow } from './row.ts';

/** The input of a caller. Values with defaults may be omitted. */
export type CallInput<N extends OperationName> = z.input<Catalogue[N]['input']>;

export type ListAnswer<N extends OperationName> = {
  readonly rows: Output<N>[];
  readonly pagination: {
    readonly page: number;
    readonly perPage: number;
    readonly total: number;
    readonly totalPages: number;
  };
  /** In lists with a cursor, the cursor of the next page; null: this is the last page. */
  readonly nextCursor?: string | null;
  /** How far a search in texts got. */
  readonly search?: Search;
};

type Answers = { readonly [N in OperationName]: Catalogue[N]['answers'] };
export type ClientAnswer<N extends OperationName> = Answers[N] extends 'list'
  ? ListAnswer<N>
  : Answers[N] extends 'file'
    ? Uint8Array
    : Answers[N] extends 'events'
      ? never
      : Output<N>;

/** The fields of a row that a client needs. */
export type ClientRoute = Pick<OperationRow, 'method' | 'path' | 'answers'>;
export type Routes = { readonly [N in OperationName]: ClientRoute };

/** The dashboard sends this header with its session's cookie: no page of another origin can set it. */
export const SESSION_HEADER = 'x-carillon-dashboard';

/** A request that failed: with the error envelope, or with an answer that has none. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly status: number;
  readonly code: string;
  /** The errors by path. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  constructor(status: number, code: string, message: string, details: RequestFailed['details'] = []) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export type Client = <N extends OperationName>(
  name: N,
  input: CallInput<N>,
  headers?: Readonly<Record<string, string>>,
) => Promise<ClientAnswer<N>>;

/**
 * @param base the address, which ends in /api/v1
 * @param apiKey null: the request is made as the person whose session's cookie the browser sends
 * @param send the function that carries requests, for instance one that retries
 */
export const clientOf =
  (routes: Routes, base: string, apiKey: string | null, send: typeof fetch = fetch): Client =>
  async (name, input, headers = {}) => {
    const row = routes[name];
    const values = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    let path: string = row.path;
    for (const parameter of [...row.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] as string)) {
      path = path.replace(`{${parameter}}`, encodeURIComponent(String(values.get(parameter))));
      values.delete(parameter);
    }
    const isGet = row.method === 'GET';
    const query = new URLSearchParams(
      [...values].flatMap(([key, value]) =>
        (Array.isArray(value) ? value : [value]).map((one): [string, string] => [key, String(one)]),
      ),
    );
    const hasBody = !isGet && values.size > 0;
    const response = await send(`${base}${path}${isGet && query.size > 0 ? `?${query}` : ''}`, {
      method: row.method,
      headers: {
        ...(apiKey === null ? { [SESSION_HEADER]: '1' } : { authorization: `Bearer ${apiKey}` }),
        accept: 'application/json',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(Object.fromEntries(values)) }),
    });
    if (response.ok && row.answers === 'file')
      return new Uint8Array(await response.arrayBuffer()) as ClientAnswer<typeof name>;
    const body = (await response.json().catch(() => ({}))) as {
      data?: unknown;
      meta?: { pagination?: unknown; nextCursor?: string | null; search?: Search };
      error?: { code: string; message: string; details?: { path: string; message: string }[] };
    };
    if (!response.ok || body.data === undefined) {
      throw new RequestFailed(
        response.status,
        body.error?.code ?? 'NO_ENVELOPE',
        body.error?.message ?? response.statusText,
        body.error?.details,
      );
    }
    const { requestId: _, ...more } = (body.meta ?? {}) as { requestId?: string };
    const answer = row.answers === 'list' ? { rows: body.data, ...more } : body.data;
    return answer as ClientAnswer<typeof name>;
  };
