/** Refused operations of authenticated users, in the audit log of their organization. */
import type { OperationName } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { noteRefusal } from '../../limits/refusals.ts';
import type { Ports } from '../../ports.ts';
import { userById } from '../../store/people/members.ts';
import type { Actor } from '../request/actor.ts';
import type { Context } from '../request/perform.ts';

const AUDITED: ReadonlySet<string> = new Set(['FORBIDDEN', 'PROOF_REQUIRED', 'SECOND_FACTOR_REQUIRED']);

/** An authenticated user exceeded their permissions. @returns the error */
export async function noteForbidden(
  ports: Ports,
  { organizationId, userId, by }: Actor,
  address: string,
  operation: OperationName,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof ApiError) || !AUDITED.has(thrown.code)) return thrown;
  const user = await userById(ports.database.db, userId).catch(() => undefined);
  const who = { organizationId, userId, actor: user?.name ?? '', via: by, address };
  await noteRefusal(ports, { ...who, action: 'operationRefused', target: { name: operation } });
  return thrown;
}

/** A failed confirmation of identity within a session. */
export async function noteOwnRefusal({ ports, actor, address }: Context, action: string): Promise<void> {
  const { organizationId, userId } = actor;
  const user = await userById(ports.database.db, userId);
  const who = { organizationId, userId, actor: user?.name ?? '', via: actor.by, address };
  await noteRefusal(ports, { ...who, action: `${action}Refused`, target: {} });
}
