/**
 * Refusals in the audit log of the organization concerned: in each hour the first ones of a kind individually, a flood
 * as counts. A refusal without a named account concerns the only organization; with several, none, and it is only
 * counted in /metrics.
 */
import type { OperationName } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { networkOf } from '../../domain/network.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { type AuditRow, insertAuditEntry } from '../../store/people/audit.ts';
import { allOrganizations, userById } from '../../store/people/members.ts';
import { countRefusals, type RefusalWindow, takeRefusalWindows } from '../../store/people/refusals.ts';
import type { Actor } from '../request/actor.ts';
import type { Context } from '../request/perform.ts';

const WINDOW_SECONDS = 3600;
/** The refusal of clients without an identity; counted by its `reason`. */
export const STRANGER_REFUSED = 'strangerRefused';
/** Individual entries in a window: per kind, and per kind and network. */
const MOST_OF_KIND = 100;
const MOST_OF_NETWORK = 10;

/** `organizationId` null: no particular one. */
export type Refusal = Omit<AuditRow, 'at' | 'organizationId'> & { readonly organizationId: string | null };

/** Never throws: failing to record a refusal must not change it. */
export async function noteRefusal(ports: Ports, refusal: Refusal, count = 1): Promise<void> {
  try {
    const organizationId = refusal.organizationId ?? (await onlyOrganization(ports));
    if (organizationId !== null) await note(ports, { ...refusal, organizationId }, count);
  } catch (error) {
    ports.log.warn({ action: refusal.action, error: (error as Error).message }, 'refusal not stored');
  }
}

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

async function onlyOrganization(ports: Ports): Promise<string | null> {
  const organizations = await allOrganizations(ports.database.db);
  return organizations.length === 1 ? (organizations[0]?.id ?? null) : null;
}

async function note(ports: Ports, refusal: Omit<AuditRow, 'at'>, count: number): Promise<void> {
  const { db } = ports.database;
  const { organizationId, address } = refusal;
  const at = ports.now();
  const windowStart = new Date(at.getTime() - (at.getTime() % (WINDOW_SECONDS * 1000)));
  const window = { organizationId, action: countedAs(refusal), windowStart };
  const ofKind = await countRefusals(db, { ...window, network: '' }, count);
  if (ofKind > MOST_OF_KIND) {
    // Networks are no longer distinguished: there may be very many.
    if (!reachesPowerOfTen(ofKind, count)) return;
    const target = { ...refusal.target, count: String(ofKind) };
    await insertAuditEntry(db, { ...refusal, target, at });
    return;
  }
  const network = address === '' ? '' : networkOf(address);
  const ofNetwork = network === '' ? ofKind : await countRefusals(db, { ...window, network }, count);
  const isOneOfFew = ofNetwork <= MOST_OF_NETWORK;
  if (!isOneOfFew && !reachesPowerOfTen(ofNetwork, count)) return;
  const target = { ...refusal.target, ...((!isOneOfFew || count > 1) && { count: String(ofNetwork) }) };
  await insertAuditEntry(db, { ...refusal, target, at });
}

/** A reason that is common must not hide the others of the same action. */
const countedAs = ({ action, target: { reason } }: Omit<AuditRow, 'at'>): string =>
  action === STRANGER_REFUSED && reason !== undefined ? `${action} ${reason}` : action;

const reachesPowerOfTen = (total: number, more: number): boolean =>
  Math.floor(Math.log10(total)) > Math.floor(Math.log10(Math.max(1, total - more))) || total === more;

const kindOf = ({ organizationId, action, windowStart }: RefusalWindow): string =>
  `${organizationId} ${action} ${windowStart.getTime()}`;

/** Refusals of ended windows beyond their individual entries: one entry each. */
export async function sumRefusals(ports: Ports): Promise<void> {
  const at = ports.now();
  await ports.database.transaction(async (tx) => {
    const windows = await takeRefusalWindows(tx, secondsAfter(at, -WINDOW_SECONDS));
    const floods = new Set(windows.filter((w) => w.network === '' && w.refusals > MOST_OF_KIND).map(kindOf));
    for (const w of windows) {
      // Within a flood networks were counted only at its beginning.
      if (w.network === '' ? !floods.has(kindOf(w)) : floods.has(kindOf(w)) || w.refusals <= MOST_OF_NETWORK) continue;
      const from = w.windowStart.toISOString();
      const until = secondsAfter(w.windowStart, WINDOW_SECONDS).toISOString();
      const [action = '', reason] = w.action.split(' ');
      await insertAuditEntry(tx, {
        organizationId: w.organizationId,
        userId: null,
        actor: '',
        via: 'LOGIN',
        action,
        target: { ...(reason !== undefined && { reason }), count: String(w.refusals), from, until },
        address: w.network,
        at,
      });
    }
  });
}
