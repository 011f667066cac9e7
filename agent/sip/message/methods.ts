/** Methods: one string object for each known name, so that comparisons compare pointers. */
import type { SipMessage } from './sip-message.ts';

/** The methods that our user agents answer. */
export const ALLOWED_METHODS = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, PRACK, REFER, NOTIFY';

const ALLOWED: ReadonlySet<string> = new Set(ALLOWED_METHODS.split(', '));
/** Known to the IANA registry, answered with 405 instead of 501 (RFC 3261, 8.2.1). */
const KNOWN: ReadonlySet<string> = new Set([
  ...ALLOWED,
  'REGISTER',
  'SUBSCRIBE',
  'NOTIFY',
  'PUBLISH',
  'REFER',
  'MESSAGE',
]);

/** What ends a call, and what belongs to that. */
const ENDING_METHODS: ReadonlySet<string> = new Set(['ACK', 'BYE', 'CANCEL']);

/** Whether our message ends a call or removes a registration. `text`: may have an Expires of 0. */
export const isEnding = (method: string, text: string): boolean =>
  ENDING_METHODS.has(method) || (method === 'REGISTER' && /^Expires: 0\r?$/m.test(text));

export const isAllowedMethod = (method: string): boolean => ALLOWED.has(method);
export const isKnownMethod = (method: string): boolean => KNOWN.has(method);

/** The method spelled by [at, end); methods are case-sensitive (RFC 3261, 7.1). */
export function methodAt(text: string, at: number, end: number): string {
  switch (text.charCodeAt(at)) {
    case 73:
      if (end - at === 6 && text.startsWith('INVITE', at)) return 'INVITE';
      break;
    case 66:
      if (end - at === 3 && text.startsWith('BYE', at)) return 'BYE';
      break;
    case 65:
      if (end - at === 3 && text.startsWith('ACK', at)) return 'ACK';
      break;
    case 67:
      if (end - at === 6 && text.startsWith('CANCEL', at)) return 'CANCEL';
      break;
    case 82:
      if (end - at === 8 && text.startsWith('REGISTER', at)) return 'REGISTER';
      break;
  }
  return text.slice(at, end);
}

/**
 * What a registrar says of a mailbox without a subscription, to be answered as telephones do: it is sent after REGISTER by
 * every server with voicemail (RFC 3842).
 */
export const isMailboxNotice = (request: SipMessage): boolean =>
  request.method === 'NOTIFY' &&
  request.toTag === '' &&
  /^message-summary\s*(?:;|$)/i.test(request.header('event') ?? '');
