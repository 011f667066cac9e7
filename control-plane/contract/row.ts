/** The definition of a catalogue row. */
import type * as z from 'zod';
import type { Scope } from './people/words.ts';
import type { Role } from './roles.ts';

export type OperationRow = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly summary: string;
  /** The lowest role that may call the operation. */
  readonly role: Role;
  /** The input is flat: names in the path are path parameters, the rest is the query (GET) or the body (other methods). */
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** `file`: raw bytes of the type in `output`; `events`: an event stream (text/event-stream). */
  readonly answers: 'single' | 'list' | 'file' | 'events';
  /** The content type of a file or of an event stream. */
  readonly contentType?: string;
  readonly status: 200 | 201;
  /**
   * Callers of the operation. Absent: API keys and people; SESSION: only people, in the dashboard; ANYONE: no key or session is
   * needed.
   */
  readonly by?: 'SESSION' | 'ANYONE';
  /** True: the operation concerns the whole organization, and requires access to all of its projects. */
  readonly whole?: true;
  /** True: the operation concerns all organizations, and requires the owner of the installation. It has the role OWNER, and is `whole`. */
  readonly installation?: true;
  /** True: a session needs a recent confirmation of identity. */
  readonly proof?: true;
  /** True: the operation extends the published contract, and OpenAPI marks it so. */
  readonly extension?: true;
  /** True: the answer has a `version`, which is its ETag; PATCH and DELETE take it as If-Match. */
  readonly versioned?: true;
  /**
   * True: an answer about an ended run has an ETag. The answer to a request with this If-None-Match is 304 while the ETag is
   * valid.
   */
  readonly kept?: true;
  /** True: this POST executes once per Idempotency-Key. */
  readonly once?: true;
  /** True: the operation ends the session whose id it answers. If that is the caller's own, its cookie is removed. */
  readonly endsSession?: true;
  /** The maximum length of a body, if 1 MiB is too little. */
  readonly bodyLimitBytes?: number;
};

/** The required scope of a key. */
export const scopeOf = ({ method, role }: Pick<OperationRow, 'method' | 'role'>): Scope =>
  method === 'GET' ? 'READ' : role === 'TESTER' ? 'RUN' : 'WRITE';

/** True for operations on the user's own account, which are allowed before a required second factor is set up. */
export const isOfOneself = ({ path }: Pick<OperationRow, 'path'>): boolean => /^\/me(\/|$)/.test(path);

/** The names in a path's braces. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] as string);

/** The names of a row's input that are in the query or the body. */
export const otherParameters = ({ path, input }: Pick<OperationRow, 'path' | 'input'>): string[] => {
  const inPath = pathParameters(path);
  return Object.keys(input.shape).filter((name) => !inPath.includes(name));
};

export const takesBody = (row: OperationRow): boolean => row.method !== 'GET' && otherParameters(row).length > 0;
