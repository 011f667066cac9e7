/** Text from untrusted peers, such as SIP headers, for people. */

/**
 * Control characters, line breaks, lone surrogates, and format characters, which are invisible or change the direction of
 * writing. The two joiners are allowed: some languages are written with them.
 */
const NOT_PLAIN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** The text, made safe to print within a line. */
export const plain = (text: string): string => text.replace(NOT_PLAIN, '\u{fffd}');
