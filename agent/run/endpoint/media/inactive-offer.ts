/** The offer of calls without media. Those of one group differ only in the session id: the rest is built once. */
import type { LocalSession } from '@carillon/media/sdp/local.ts';
import { offerSdp } from '@carillon/media/sdp/offer.ts';
import type { GroupPlan } from '../../plan.ts';

/** Placeholder for the id: no description has such a character (RFC 8866, 5). */
const ID = '\0';

const offerTexts = new WeakMap<GroupPlan, { readonly before: string; readonly after: string }>();

/**
 * Null: the group has media, or each call has its own keys in its offer. A group is on one thread, and so has one
 * address and one certificate.
 */
export function inactiveOffer(group: GroupPlan, sessionId: string, local: () => LocalSession): string | null {
  if (group.withoutMedia === null || group.encryption === 'SDES') return null;
  let text = offerTexts.get(group);
  if (text === undefined) {
    const [before = '', after = ''] = offerSdp({ ...local(), sessionId: ID }).split(ID);
    text = { before, after };
    offerTexts.set(group, text);
  }
  return text.before + sessionId + text.after;
}
