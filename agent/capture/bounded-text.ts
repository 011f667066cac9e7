/**
 * Makes text from untrusted peers fit for reports: short, whole code points, no control characters. A database refuses
 * a NUL and long index keys; labels of metrics must be few.
 */
import { isKnownMethod } from '../sip/message/methods.ts';

/** Reason phrases and sentences about failures. */
export const MAX_REASON = 120;
/** URIs and Call-IDs. */
export const MAX_IDENTIFIER = 255;

const PLAIN = /^[\x20-\x7e]*$/;
const UNFIT = /[\p{Cc}\p{Cs}]/gu;

/** At most `most` UTF-16 units. Wire text, one character per byte, is decoded as UTF-8 (RFC 3261, 25.1). */
export function boundedText(text: string, most: number): string {
  if (text.length <= most && PLAIN.test(text)) return text;
  const clean = readable(text).replace(UNFIT, ' ');
  if (clean.length <= most) return clean;
  const last = clean.charCodeAt(most - 1);
  return clean.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}

function readable(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}

/** A method of the IANA registry, or OTHER. */
export const methodLabel = (method: string): string => (isKnownMethod(method) ? method : 'OTHER');
