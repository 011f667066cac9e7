/**
 * The only way to execute an operation, for REST and MCP: the catalogue row defines role and input. Objects that the
 * actor may not see do not exist for that actor. `perform` accepts only the result of `admit`.
 */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { CATALOGUE } from '../../catalogue.ts';
import {
  type EntranceName,
  type Input,
  type KnownName,
  type OperationName,
  type OperationRow,
  type Output,
  scopeOf,
} from '../../contract/catalogue.ts';
import type { Listed } from '../../contract/envelope.ts';
import { ApiError, invalid, notFound } from '../../contract/errors.ts';
import { atLeast } from '../../contract/roles.ts';
import { isOfOneself } from '../../contract/row.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { isUuid } from '../../store/new-id.ts';
import { organizationOfInstallation } from '../../store/people/installation.ts';
import { findProject } from '../../store/project/projects.ts';
import { type Actor, PROOF_SECONDS } from './actor.ts';
import { reading } from './reading.ts';

export type Context = {
  readonly ports: Ports;
  readonly actor: Actor;
  /** The address that the request comes from. */
  readonly address: string;
  /** A repeated POST with the same key has the first one's effect (REST header Idempotency-Key). */
  readonly idempotencyKey: string | null;
  /** Accepted versions for a change (REST header If-Match); `*`: any; null: not checked. */
  readonly ifMatch: readonly string[] | '*' | null;
};

/** Events as they happen. `next`: the next events, null at the end; `close`: the listener has disconnected. */
export type EventStream = {
  next(): Promise<readonly { readonly event: string; readonly id?: string; readonly data: unknown }[] | null>;
  close(): void;
};

/** A file that is generated while it is sent. Errors before the first bytes may be thrown; later ones cut off the answer. */
export type Download = { readonly fileName: string; readonly bytes: AsyncIterable<Buffer> };

type Answers = { readonly [N in OperationName]: (typeof CATALOGUE)[N]['answers'] };
export type OperationAnswer<N extends OperationName> = Answers[N] extends 'list'
  ? Listed<Output<N>>
  : Answers[N] extends 'file'
    ? Download
    : Answers[N] extends 'events'
      ? EventStream
      : Output<N>;

/** A handler may rely on valid input, a reachable project and a sufficient role. */
export type Handler<N extends OperationName> = (context: Context, input: Input<N>) => Promise<OperationAnswer<N>>;
export type Handlers = { readonly [N in KnownName]: Handler<N> };

/** A caller who is known only by address. */
export type Visitor = {
  readonly address: string;
  readonly userAgent: string;
  /** The token in the browser's cookie of earlier log-ins; null: none. */
  readonly device: Secret | null;
};

type Entry<N extends EntranceName> = {
  readonly answer: OperationAnswer<N>;
  /** The token of a new session; null: none is started. */
  readonly sessionToken: Secret | null;
  /** The token that identifies the browser from now on; null: it is unchanged. */
  readonly deviceToken: Secret | null;
};
export type Entrance<N extends EntranceName> = (ports: Ports, visitor: Visitor, input: Input<N>) => Promise<Entry<N>>;
export type Entrances = { readonly [N in EntranceName]: Entrance<N> };

class Admission<N extends KnownName> {
  readonly name: N;
  readonly #projectId: string | undefined;
  constructor(name: N, projectId: string | undefined) {
    this.name = name;
    this.#projectId = projectId;
  }
  covers(projectId: string | undefined): boolean {
    return this.#projectId === projectId;
  }
}

export type { Admission };

/**
 * Checks the actor's role and reach.
 * @throws ApiError FORBIDDEN, NOT_FOUND
 */
export async function admit<N extends KnownName>(
  ports: Ports,
  actor: Actor,
  name: N,
  projectId: string | undefined,
): Promise<Admission<N>> {
  const row: OperationRow = CATALOGUE[name];
  if (row.by === 'SESSION' && actor.by !== 'SESSION') {
    throw new ApiError('FORBIDDEN', 'This needs a dashboard session; API keys cannot do it.');
  }
  let { role } = actor;
  if (projectId !== undefined) {
    const project = isUuid(projectId) ? await reached(ports, actor, projectId) : undefined;
    if (!project) throw notFound('project', projectId);
    role = project.role ?? role;
  }
  if (!atLeast(role, row.role)) {
    throw new ApiError('FORBIDDEN', `This needs the role ${row.role} or above; you have ${role} here.`);
  }
  requireReach(actor, row);
  if (row.installation && (await organizationOfInstallation(ports.database.db)) !== actor.organizationId) {
    throw new ApiError(
      'FORBIDDEN',
      'This needs the owner of the installation: an OWNER of the organization that runs it.',
    );
  }
  if (actor.lacksSecondFactor && !isOfOneself(row)) {
    const message = `${actor.organizationName} requires a second factor. Set one up in your account first.`;
    throw new ApiError('SECOND_FACTOR_REQUIRED', message);
  }
  if (row.proof && actor.provedAt !== null && secondsAfter(actor.provedAt, PROOF_SECONDS) <= ports.now()) {
    throw new ApiError('PROOF_REQUIRED', 'Confirm your password first: POST /me/proof, then repeat the request.');
  }
  return new Admission(name, projectId);
}

/** Checks the restrictions of a key, and operations on the whole organization. */
function requireReach({ scopes, allProjects, onlyProjects }: Actor, row: OperationRow): void {
  const needed = scopeOf(row);
  if (scopes !== null && !scopes.includes(needed)) {
    throw new ApiError('FORBIDDEN', `This needs a key that may ${needed}; this one may ${scopes.join(', ')}.`);
  }
  if (row.whole && !(allProjects && onlyProjects === null)) {
    throw new ApiError('FORBIDDEN', 'This needs access to all projects of the organization.');
  }
}

function reached({ memory, database }: Ports, actor: Actor, projectId: string) {
  const { userId, organizationId, allProjects, onlyProjects } = actor;
  const only = onlyProjects?.join() ?? 'all';
  const key = `project ${projectId} ${organizationId} ${userId} ${allProjects} ${only}`;
  return memory.access(key, () => findProject(database.db, actor, projectId));
}

/** @throws ApiError */
export async function perform<N extends KnownName>(
  handlers: Handlers,
  admission: Admission<N>,
  context: Context,
  input: Input<N>,
): Promise<OperationAnswer<N>> {
  const { projectId } = input as { projectId?: string };
  if (!admission.covers(projectId)) throw new Error(`${admission.name} was admitted to another project`);
  const { from, to } = input as { from?: unknown; to?: unknown };
  if (typeof from === 'string' && typeof to === 'string' && Date.parse(from) > Date.parse(to))
    throw invalid([{ path: ['to'], message: 'is before from: nothing is between them' }]);
  const handler = handlers[admission.name];
  const { method, answers }: OperationRow = CATALOGUE[admission.name];
  if (method !== 'GET' || !(answers === 'list' || answers === 'file')) return handler(context, input);
  const { testRunId } = input as { testRunId?: string };
  return reading(context.ports, testRunId, (ports) => handler({ ...context, ports }, input));
}

/** Identifiers are opaque to clients: an invalid one counts as unknown. */
export function known<T>(what: string, id: string, found: T | undefined): T {
  if (found === undefined) throw notFound(what, id);
  return found;
}

/** Queries the store only with valid identifiers. */
export const byId = <T>(id: string, find: () => Promise<T | undefined>): Promise<T | undefined> =>
  isUuid(id) ? find() : Promise.resolve(undefined);
