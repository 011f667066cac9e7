/** Answers about runs that no longer change: built once, and cached until the database reports a change. */
import { createHash } from 'node:crypto';
import type { Catalogue, Input, KnownName } from '../../contract/catalogue.ts';
import type { Context, Handler, OperationAnswer } from '../request/perform.ts';

export type WrittenAnswer = {
  /** The JSON text of the answer's data; for a list, of its rows. */
  readonly json: string;
  /** A weak tag (RFC 9110, 8.8.1), because the envelope has each request's own id. */
  readonly etag: string;
};

const WRITTEN = new WeakMap<object, WrittenAnswer>();

/** Undefined: the answer may differ the next time. */
export const writtenAnswer = (answer: object): WrittenAnswer | undefined => WRITTEN.get(answer);

/** The operations that the catalogue marks as kept. */
type KeptName = { [N in KnownName]: Catalogue[N] extends { readonly kept: true } ? N : never }[KnownName];

type Read<N extends KnownName> = {
  readonly answer: OperationAnswer<N> & object;
  /** Agents, jobs and time no longer change the answer; the database reports changes by people and retention (0023). */
  readonly isFinal: boolean;
};

/** A handler that reads a run, with the same answer for all authorized callers. */
export const keeping =
  <N extends KeptName>(
    name: N,
    read: (context: Context, input: Input<N> & { readonly testRunId: string }) => Promise<Read<N>>,
  ): Handler<N> =>
  async (context, input) => {
    const query = input as Input<N> & { readonly testRunId: string };
    const key = `${query.testRunId} ${name} ${JSON.stringify(query)}`;
    const { answer } = await context.ports.memory.answer(
      key,
      () => read(context, query),
      ({ answer, isFinal }) => (isFinal ? write(answer) : null),
    );
    return answer;
  };

/** @returns the size of the answer in bytes */
function write(answer: object): number {
  const json = JSON.stringify('rows' in answer ? answer.rows : answer);
  const digest = createHash('sha256').update(json);
  if ('total' in answer) digest.update(String(answer.total));
  WRITTEN.set(answer, { json, etag: `W/"${digest.digest('base64url').slice(0, 22)}"` });
  return Buffer.byteLength(json);
}
