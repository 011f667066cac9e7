/** How we answer offers within a session, and offer it again (RFC 3264, 8). */
import { answerAgain, offerAgain } from '@carillon/media/sdp/answer.ts';
import { recall } from '@carillon/media/sdp/recall.ts';
import { isSdpFault, type SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { CallEvents } from '../../engine.ts';

/** Our answer to an offer within the session whose description of ours is `local`; our own offer if `offer` is ''. */
export const describeSession = (events: CallEvents, local: string, offer: string): string | SdpFault =>
  events.onSessionOffer?.(local, offer) ?? describeAgain(local, offer);

/** Agrees to anything that the current session supports. */
function describeAgain(current: string, offer: string): string | SdpFault {
  const local = recall(current, 'sendrecv');
  if (isSdpFault(local)) return local;
  return offer === '' ? offerAgain(current, local) : answerAgain(current, offer, local);
}
