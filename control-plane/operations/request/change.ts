/**
 * Common parts of every configuration change: one transaction, a project that is not deleted in the meantime, an
 * Idempotency-Key that makes it happen once, and the version that its author had seen.
 */

import { Secret } from '@carillon/proto/base/secret.ts';
import type { Input, OperationName } from '../../contract/catalogue.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { isTaken, ringOf, type Tx } from '../../store/db.ts';
import { isUuid } from '../../store/new-id.ts';
import { claimKey, keepAnswer, keptAnswer } from '../../store/people/idempotency-keys.ts';
import { holdProject } from '../../store/project/projects.ts';
import type { Referrer } from '../../store/project/references.ts';
import type { Context, Handler, OperationAnswer } from './perform.ts';

/** How long an answer is kept for repetitions. */
export const IDEMPOTENCY_SECONDS = 86_400;

export type Work<N extends OperationName> = (context: Context, tx: Tx, input: Input<N>) => Promise<OperationAnswer<N>>;

/** A handler that changes an existing object. */
export const changing =
  <N extends OperationName>(work: Work<N>): Handler<N> =>
  (context, input) =>
    context.ports.database.transaction((tx) => work(context, tx, input));

/** Parts of an answer that must not be stored for repetitions, and how they are restored. */
type Unstored<A> = {
  readonly without: (answer: A) => A;
  readonly again: (tx: Tx, kept: A) => Promise<A>;
};

/** A handler that creates something, once per Idempotency-Key of an API key or session. */
export const creating =
  <N extends OperationName>(name: N, work: Work<N>, unstored?: Unstored<OperationAnswer<N>>): Handler<N> =>
  (context, input) =>
    context.ports.database.transaction(async (tx) => {
      const { projectId } = input as { projectId?: string };
      if (projectId !== undefined && !(await holdProject(tx, projectId))) throw notFound('project', projectId);
      return context.idempotencyKey === null
        ? work(context, tx, input)
        : once(
            context,
            tx,
            { key: context.idempotencyKey, prints: fingerprint(context.ports, name, input) },
            () => work(context, tx, input),
            unstored,
          );
    });

/** Answers of earlier requests. */
const REPLAYED = new WeakSet<object>();

/** Nothing was done: this is the answer to an earlier request with the same Idempotency-Key. */
export const isReplayed = (answer: unknown): boolean => REPLAYED.has(answer as object);

type Repeatable = { readonly key: string; readonly prints: readonly [Buffer, ...Buffer[]] };

async function once<T extends object>(
  { ports, actor }: Context,
  tx: Tx,
  { key, prints: [request, ...earlier] }: Repeatable,
  work: () => Promise<T>,
  unstored: Unstored<T> | undefined,
): Promise<T> {
  const claim = { credentialId: actor.credentialId, key };
  const at = ports.now();
  if (await claimKey(tx, claim, request, at, secondsAfter(at, -IDEMPOTENCY_SECONDS))) {
    const answer = await work();
    await keepAnswer(tx, claim, unstored ? unstored.without(answer) : answer);
    return answer;
  }
  const kept = await keptAnswer(tx, claim);
  if (kept && [request, ...earlier].some((one) => kept.request.equals(one))) {
    const answer = unstored ? await unstored.again(tx, kept.answer as T) : (kept.answer as T);
    REPLAYED.add(answer);
    return answer;
  }
  const message = 'This Idempotency-Key was used for another request; take a new one for this.';
  throw new ApiError('VALIDATION_ERROR', message, [{ path: 'Idempotency-Key', message }]);
}

/** The keyed hashes of the request, including its secrets and independent of field order: one per sealing key. */
const fingerprint = ({ database }: Context['ports'], name: string, input: unknown) =>
  ringOf(database.db).macs(JSON.stringify([name, input], sorted));

/** `this` is the holder of the value, as in JSON.stringify: `value` is masked already. */
function sorted(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const held = this[key];
  if (held instanceof Secret) return held.reveal();
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** @throws ApiError PRECONDITION_FAILED; `version` null: it has no version */
export function requireMatch({ ifMatch }: Context, version: number | null): void {
  if (ifMatch === null || ifMatch === '*' || (version !== null && ifMatch.includes(String(version)))) return;
  if (version === null) throw new ApiError('PRECONDITION_FAILED', 'This has no version; leave If-Match out.');
  const message = `Its version is ${version}. Read it again, and send the change with If-Match: "${version}".`;
  throw new ApiError('PRECONDITION_FAILED', message, [{ path: 'If-Match', message: `"${version}"` }]);
}

export const conflict = (message: string): ApiError => new ApiError('CONFLICT', message);

const MAX_NAMED = 20;

/** @throws ApiError CONFLICT that names what uses `what` */
export function requireUnused(what: string, referrers: readonly Referrer[]): void {
  if (referrers.length === 0) return;
  const named = referrers.slice(0, MAX_NAMED).map((r) => `${r.kind} ${r.name}`);
  const more = referrers.length > MAX_NAMED ? ` and ${referrers.length - MAX_NAMED} more` : '';
  throw new ApiError(
    'CONFLICT',
    `${what} is used by ${named.join(', ')}${more}. Change or delete them first.`,
    referrers.slice(0, MAX_NAMED).map((r) => ({ path: r.kind === 'test' ? 'tests' : 'probes', message: r.id })),
  );
}

/** Maps the error of a write that breaks a unique key. */
export const taken =
  (message: string) =>
  (error: unknown): never => {
    throw isTaken(error) ? conflict(message) : error;
  };

/** Keeps valid identifiers only; the store is not queried for others. */
export const identifiers = (ids: Iterable<string>): string[] => [...new Set(ids)].filter((id) => isUuid(id));
