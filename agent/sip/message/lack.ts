/**
 * What was missing according to a refusal, from the header for its status (RFC 3261, 21.4.15, 21.4.16; RFC 4028, 5).
 */
import { ownText } from './own-text.ts';
import type { SipMessage } from './sip-message.ts';

const MAX_TEXT = 100;

const HEADERS: Readonly<Record<number, readonly [header: string, words: string]>> = {
  420: ['unsupported', 'the far end does not support'],
  421: ['require', 'the far end requires'],
  422: ['min-se', 'the far end wants a Min-SE of'],
};

/** Null: another status, or the header is absent. */
export function lackOf(response: SipMessage): string | null {
  const row = HEADERS[response.status];
  if (row === undefined) return null;
  const [header, words] = row;
  const named = response.headerMembers(header).map((one) => one.trim());
  return named.length === 0 ? null : `${words} ${ownText(named.join(', ').slice(0, MAX_TEXT))}`;
}
