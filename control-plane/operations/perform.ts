/**
 * The one way to ask for an operation, whoever asks (REST, MCP): the row of the catalogue says which role it takes and what
 * comes in; what the actor may not see does not exist for him.
 */
import { validate as isUuid } from 'uuid';
import { CATALOGUE, type Input, type OperationName, type Output, type Row } from '../contract/catalogue.ts';
import type { Listed } from '../contract/envelope.ts';
import { ApiError, notFound } from '../contract/errors.ts';
import { atLeast } from '../contract/words.ts';
import type { Ports } from '../ports.ts';
import { findProject } from '../store/projects.ts';
import type { Actor } from './actor.ts';

export type Context = {
  readonly ports: Ports;
  readonly actor: Actor;
  /** A repeated POST with the same key has the first one's effect (REST header Idempotency-Key). */
  readonly idempotencyKey: string | null;
  /** Versions that a change was made from (REST header If-Match); `*`: whichever; null: nobody asks. */
  readonly ifMatch: readonly string[] | '*' | null;
};

export type Answer<N extends OperationName> = (typeof CATALOGUE)[N]['answers'] extends 'list'
  ? Listed<Output<N>>
  : Output<N>;

/** A handler may rely on: input validated, project reachable, role sufficient. */
export type Handler<N extends OperationName> = (context: Context, input: Input<N>) => Promise<Answer<N>>;
export type Handlers = { readonly [N in OperationName]: Handler<N> };

/**
 * The door: role and reach.
 * @throws ApiError
 */
export async function admit(
  ports: Ports,
  actor: Actor,
  name: OperationName,
  projectId: string | undefined,
): Promise<void> {
  const row: Row = CATALOGUE[name];
  let { role } = actor;
  if (projectId !== undefined) {
    const project = isUuid(projectId) ? await findProject(ports.database.db, actor, projectId) : undefined;
    if (!project) throw notFound('project', projectId);
    role = project.role ?? role;
  }
  if (!atLeast(role, row.role)) {
    throw new ApiError('FORBIDDEN', `This needs the role ${row.role} or above; the key's user has ${role} here.`);
  }
}

/** @throws ApiError */
export async function perform<N extends OperationName>(
  handlers: Handlers,
  name: N,
  context: Context,
  input: Input<N>,
): Promise<Answer<N>> {
  await admit(context.ports, context.actor, name, (input as { projectId?: string }).projectId);
  return (handlers[name] as Handler<N>)(context, input);
}

/** Identifiers are opaque to clients: what is no identifier of ours names nothing. */
export function known<T>(what: string, id: string, found: T | undefined): T {
  if (found === undefined) throw notFound(what, id);
  return found;
}

/** Asks the store only with what can be an identifier. */
export const byId = <T>(id: string, find: () => Promise<T | undefined>): Promise<T | undefined> =>
  isUuid(id) ? find() : Promise.resolve(undefined);
