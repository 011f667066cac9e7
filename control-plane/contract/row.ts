/** The definition of a catalogue row. */
import type * as z from 'zod';
import type { Role, Scope } from './words.ts';

export type OperationRow = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly summary: string;
  /** The least role that may ask. */
  readonly role: Role;
  /** Flat: the names in the path are path parameters, the rest is the query (GET) or the body (others). */
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** file: raw bytes of the type in `output`; events: an event stream (text/event-stream). */
  readonly answers: 'single' | 'list' | 'file' | 'events';
  /** Of a file, or of events. */
  readonly contentType?: string;
  readonly status: 200 | 201;
  /**
   * Who may call it. Absent: API keys and people; SESSION: only people, in the dashboard; ANYONE: no key or session
   * needed.
   */
  readonly by?: 'SESSION' | 'ANYONE';
  /** It concerns the whole organization: requires access to all of its projects. */
  readonly whole?: true;
  /** A session needs a recent confirmation of identity. */
  readonly proof?: true;
  /** An extension of the published contract, marked as such in OpenAPI. */
  readonly extension?: true;
  /** The answer has a `version`, which is its ETag; PATCH and DELETE take it as If-Match. */
  readonly versioned?: true;
  /** An answer about a run that has ended has an ETag; If-None-Match takes it, and 304 is the answer while it holds. */
  readonly kept?: true;
  /** A POST that executes once per Idempotency-Key. */
  readonly once?: true;
  /** How long a body may be, where 1 MiB is too little. */
  readonly bodyLimitBytes?: number;
};

/** The required scope of a key. */
export const scopeOf = ({ method, role }: Pick<OperationRow, 'method' | 'role'>): Scope =>
  method === 'GET' ? 'READ' : role === 'TESTER' ? 'RUN' : 'WRITE';

/** True for operations on one's own account, which are allowed before a required second factor is set up. */
export const isOfOneself = ({ path }: Pick<OperationRow, 'path'>): boolean => /^\/me(\/|$)/.test(path);

/** Names in a path's braces. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] as string);

/** Names of a row's input that come in the query or the body. */
export const otherParameters = ({ path, input }: Pick<OperationRow, 'path' | 'input'>): string[] => {
  const inPath = pathParameters(path);
  return Object.keys(input.shape).filter((name) => !inPath.includes(name));
};

export const takesBody = (row: OperationRow): boolean => row.method !== 'GET' && otherParameters(row).length > 0;
