/** Fragments of SIP messages as bodies (RFC 3420): the status lines that report a referred call (RFC 3515, 2.4.5). */
import { headerText } from '../../message/wire-text.ts';

export const SIPFRAG = 'message/sipfrag;version=2.0';

export const statusFragment = (status: number, reason: string): string => `SIP/2.0 ${status} ${headerText(reason)}\r\n`;

/** Null: it does not start with a status line. */
export function statusOf(fragment: string): { readonly status: number; readonly reason: string } | null {
  const line = /^SIP\/2\.0 +([1-6]\d\d)(?: +([^\r\n]*))?(?:\r?\n|$)/i.exec(fragment);
  return line === null ? null : { status: Number(line[1]), reason: line[2] ?? '' };
}
