/**
 * Scanning of message text, one character a byte, by positions: [at, end) names a stretch of the text. Scans, not
 * regular expressions, because every message passes here. Grammar: RFC 3261, 25.1.
 */

const TAB = 9;
const LF = 10;
const CR = 13;
const SP = 32;
const QUOTE = 34;
const COMMA = 44;
const ZERO = 48;
const NINE = 57;
const SEMICOLON = 59;
const LESS = 60;
const EQUALS = 61;
const BACKSLASH = 92;
const LOWER_A = 97;

/** Space of the grammar, line ends included: a value may be folded over several lines. */
export const isSpace = (code: number): boolean => code === SP || code === TAB || code === CR || code === LF;

export function skipSpace(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** The end of [at, end) without the space before it. */
export function trimEnd(text: string, at: number, end: number): number {
  let i = end;
  while (i > at && isSpace(text.charCodeAt(i - 1))) i--;
  return i;
}

/** 1: a character of tokens (RFC 3261, 25.1). */
const TOKEN = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9\-.!%*_+`'~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

export function isToken(text: string, at: number, end: number): boolean {
  if (at >= end) return false;
  for (let i = at; i < end; i++) if (TOKEN[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Compares [at, end) with text in lower case, ignoring case. */
export function isWord(text: string, at: number, end: number, lower: string): boolean {
  if (end - at !== lower.length) return false;
  for (let i = 0; i < lower.length; i++) {
    const code = text.charCodeAt(at + i);
    const wanted = lower.charCodeAt(i);
    if (code !== wanted && (wanted < LOWER_A || (code | 0x20) !== wanted)) return false;
  }
  return true;
}

/** The decimal number in [at, end), -1 if it is none. Beyond 2^53 it is only approximate. */
export function digits(text: string, at: number, end: number): number {
  if (at >= end) return -1;
  let value = 0;
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < ZERO || code > NINE) return -1;
    value = value * 10 + (code - ZERO);
  }
  return value;
}

/** Position after the quoted string that starts at `at`, -1 if its closing quote is missing. */
export function skipQuoted(text: string, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i + 1;
  }
  return -1;
}

/** Position of the comma that ends the first member of a comma list, or `end`. Commas in quotes and `<>` do not count. */
export function endOfMember(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === COMMA) return i;
    if (code === QUOTE) {
      const behind = skipQuoted(text, i, end);
      if (behind < 0) return end;
      i = behind - 1;
    } else if (code === LESS) {
      const close = text.indexOf('>', i);
      if (close < 0 || close >= end) return end;
      i = close;
    }
  }
  return end;
}

/** Position of the next `;`, or `end`; quoted strings are passed over. */
export function endOfParameter(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === SEMICOLON) return i;
    if (code === QUOTE) {
      const behind = skipQuoted(text, i, end);
      if (behind < 0) return end;
      i = behind - 1;
    }
  }
  return end;
}

/**
 * Value of the parameter `name` (lower case) in `;name=value;…`, where [at, end) starts at or before the first
 * semicolon; '' without a value, null if absent. Quotes are kept.
 */
export function parameter(text: string, at: number, end: number, name: string): string | null {
  for (let i = endOfParameter(text, at, end); i < end; ) {
    const from = skipSpace(text, i + 1, end);
    const to = endOfParameter(text, from, end);
    let nameEnd = from + name.length;
    if (nameEnd <= to && isWord(text, from, nameEnd, name)) {
      nameEnd = skipSpace(text, nameEnd, to);
      if (nameEnd === to) return '';
      if (text.charCodeAt(nameEnd) === EQUALS) {
        const valueAt = skipSpace(text, nameEnd + 1, to);
        return text.slice(valueAt, trimEnd(text, valueAt, to));
      }
    }
    i = to;
  }
  return null;
}

/** Start of the header parameters of a name-addr or addr-spec: after `>`, or at the first `;` without one (20.10). */
export function parametersOf(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === SEMICOLON) return i;
    if (code === QUOTE) {
      const behind = skipQuoted(text, i, end);
      if (behind < 0) return end;
      i = behind - 1;
    } else if (code === LESS) {
      const close = text.indexOf('>', i);
      return close < 0 || close >= end ? end : close + 1;
    }
  }
  return end;
}

/** `text` with the comma list taken apart, members trimmed, empty ones left out. */
export function membersOf(text: string): string[] {
  const members: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfMember(text, at, text.length);
    const member = text.slice(at, end).trim();
    if (member !== '') members.push(member);
    at = end + 1;
  }
  return members;
}

/** Joins the lines of a folded value (7.3.1). */
export function unfold(value: string): string {
  return value.includes('\n') ? value.replace(/\r?\n[ \t]+/g, ' ') : value;
}

/** The content of a quoted string, or the text itself if it is not quoted (25.1). */
export function unquote(value: string): string {
  if (value.length < 2 || value.charCodeAt(0) !== QUOTE || value.charCodeAt(value.length - 1) !== QUOTE) return value;
  const inner = value.slice(1, -1);
  return inner.includes('\\') ? inner.replace(/\\(.)/gs, '$1') : inner;
}
