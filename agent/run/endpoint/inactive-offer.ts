/** What calls that are signalling only offer. Those of one group differ by the id of their session only: the rest is written once. */
import type { LocalSession } from '@carillon/media/sdp/local.ts';
import { offerSdp } from '@carillon/media/sdp/offer.ts';
import type { GroupPlan } from '../plan.ts';

/** Stands where the id goes: no description has such a character (RFC 8866, 5). */
const ID = '\0';

const known = new WeakMap<GroupPlan, { readonly before: string; readonly after: string }>();

/** Null: it is no such group, or each call has keys of its own in its offer. A group is of one thread: of one address, and one certificate. */
export function inactiveOffer(group: GroupPlan, sessionId: string, local: () => LocalSession): string | null {
  if (group.withoutMedia === null || group.encryption === 'SDES') return null;
  let text = known.get(group);
  if (text === undefined) {
    const [before = '', after = ''] = offerSdp({ ...local(), sessionId: ID }).split(ID);
    text = { before, after };
    known.set(group, text);
  }
  return text.before + sessionId + text.after;
}
