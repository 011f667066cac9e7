/**
 * Message text has one character per byte. Our text that may not be ASCII (names, passwords) is converted to its UTF-8
 * bytes (RFC 3261, 7.3.1), and must not break out of its line.
 */

export const wireText = (text: string): string => {
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) > 127) return Buffer.from(text, 'utf8').toString('latin1');
  return text;
};

/** Wire text without control characters, safe for a header line. */
export const headerText = (text: string): string =>
  wireText(/\p{Cc}/u.test(text) ? text.replace(/\p{Cc}/gu, ' ') : text);

/** A quoted string (RFC 3261, 25.1). */
export const quoted = (text: string): string => `"${headerText(text).replace(/["\\]/g, '\\$&')}"`;
