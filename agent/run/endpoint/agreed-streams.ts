/** What was agreed on of streams: what may be sent, and to whom. Pure. */
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import { sends } from '@carillon/media/sdp/session-description.ts';

/** Why keys cannot be pressed on what was agreed on; null: they can. */
export function untold(agreed: readonly NegotiatedStream[], digits: string): string | null {
  const taken = agreed.map(({ format }) => (format.kind === 'AUDIO' ? format.telephoneEvent : null));
  const events = taken.find((one) => one != null);
  if (!events) return 'digits are to be sent, and the peer takes no telephone-event (RFC 4733)';
  const unheard = [...digits].find((digit) => events.keys?.includes(digit) === false);
  return unheard === undefined ? null : `the digit ${unheard} is to be sent, and the peer does not take it (RFC 4733)`;
}

/** Something may be sent, and there is somewhere to send it to. */
export const maySend = ({ direction, address }: NegotiatedStream): boolean => address !== null && sends(direction);

export const paused = (before: NegotiatedStream | null): NegotiatedStream | null =>
  before === null ? null : { ...before, address: null, direction: 'inactive' };
