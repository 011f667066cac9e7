/**
 * Writes refusals to the audit log of the organization concerned: in each hour the first ones of a kind individually, a
 * flood as counts. A refusal without a named account concerns the only organization; if several exist, it concerns
 * none, and is only counted in /metrics.
 */
import { networkOf } from '../domain/network.ts';
import { secondsAfter } from '../domain/seconds-after.ts';
import type { Ports } from '../ports.ts';
import { type AuditRow, insertAuditEntry } from '../store/people/audit.ts';
import { allOrganizations } from '../store/people/members.ts';
import { countRefusals, type RefusalWindow, takeRefusalWindows } from '../store/people/refusals.ts';
import { LIMITS } from './limits.ts';
import { windowAt } from './windows.ts';

const WINDOW_SECONDS = LIMITS.auditedOfKind.withinMs / 1000;
/** The refusal of clients without an identity; counted by its `reason`. */
export const STRANGER_REFUSED = 'strangerRefused';

/** `organizationId` null: no particular organization. */
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

async function onlyOrganization(ports: Ports): Promise<string | null> {
  const organizations = await allOrganizations(ports.database.db);
  return organizations.length === 1 ? (organizations[0]?.id ?? null) : null;
}

async function note(ports: Ports, refusal: Omit<AuditRow, 'at'>, count: number): Promise<void> {
  const { db } = ports.database;
  const { organizationId, address } = refusal;
  const at = ports.now();
  const { start: windowStart } = windowAt(at.getTime(), LIMITS.auditedOfKind.withinMs);
  const window = { organizationId, action: countedAs(refusal), windowStart };
  const ofKind = await countRefusals(db, { ...window, network: '' }, count);
  if (ofKind > LIMITS.auditedOfKind.max) {
    // Networks are no longer distinguished, because very many may exist.
    if (!reachesPowerOfTen(ofKind, count)) return;
    const target = { ...refusal.target, count: String(ofKind) };
    await insertAuditEntry(db, { ...refusal, target, at });
    return;
  }
  const network = address === '' ? '' : networkOf(address);
  const ofNetwork = network === '' ? ofKind : await countRefusals(db, { ...window, network }, count);
  const isOneOfFew = ofNetwork <= LIMITS.auditedOfNetwork.max;
  if (!isOneOfFew && !reachesPowerOfTen(ofNetwork, count)) return;
  const target = { ...refusal.target, ...((!isOneOfFew || count > 1) && { count: String(ofNetwork) }) };
  await insertAuditEntry(db, { ...refusal, target, at });
}

/** A common reason must not hide the others of the same action. */
const countedAs = ({ action, target: { reason } }: Omit<AuditRow, 'at'>): string =>
  action === STRANGER_REFUSED && reason !== undefined ? `${action} ${reason}` : action;

const reachesPowerOfTen = (total: number, more: number): boolean =>
  Math.floor(Math.log10(total)) > Math.floor(Math.log10(Math.max(1, total - more))) || total === more;

const kindOf = ({ organizationId, action, windowStart }: RefusalWindow): string =>
  `${organizationId} ${action} ${windowStart.getTime()}`;

/** Writes one entry each for the refusals of ended windows beyond their individual entries. */
export async function sumRefusals(ports: Ports): Promise<void> {
  const at = ports.now();
  await ports.database.transaction(async (tx) => {
    const windows = await takeRefusalWindows(tx, secondsAfter(at, -WINDOW_SECONDS));
    const floods = new Set(
      windows.filter((w) => w.network === '' && w.refusals > LIMITS.auditedOfKind.max).map(kindOf),
    );
    for (const w of windows) {
      // In a flood, networks were counted only at its beginning.
      if (
        w.network === '' ? !floods.has(kindOf(w)) : floods.has(kindOf(w)) || w.refusals <= LIMITS.auditedOfNetwork.max
      )
        continue;
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
