/**
 * The session description in a body, which may have several parts (RFC 5621; syntax: RFC 2046, 5.1): an emergency call also
 * brings a location, a gateway its ISUP. What is not a description of the session is passed over, unless the sender says
 * that it must be understood. Pure; linear in the body.
 */
import { SUPPORTED_BODY } from './build.ts';
import { endOfParameter, parameter, unfold, unquote } from './scan.ts';

/** Something with a media type: a whole body, or a part of one. `disposition` null: it has none. */
type Entity = {
  readonly type: string;
  readonly disposition: string | null;
  readonly id: string;
  readonly encoding: string;
  readonly content: string;
};

export type ReadBody = {
  /** The session description; '' none. */
  readonly sdp: string;
  /** TYPE: it has to be understood, and is not. SYNTAX: it cannot be taken apart. */
  readonly fault: 'TYPE' | 'SYNTAX' | null;
};

const MAX_PARTS = 32;
const MAX_LEVELS = 4;

const NOTHING: ReadBody = { sdp: '', fault: null };
const UNKNOWN: ReadBody = { sdp: '', fault: 'TYPE' };
const BROKEN: ReadBody = { sdp: '', fault: 'SYNTAX' };

/** `type` and `disposition` are header values, the latter null if absent: the handling of a whole body is required then (RFC 3261, 20.11). */
export const readBody = (content: string, type: string, disposition: string | null): ReadBody =>
  read({ type, disposition: disposition ?? 'session', id: '', encoding: '', content }, 0);

/** The first part of a media type, without parameters and in lower case; the whole body, where it has no parts. '' none. */
export function contentOf(content: string, type: string, wanted: string): string {
  const whole: Entity = { type, disposition: null, id: '', encoding: '', content };
  return first(type).startsWith('multipart/') ? (partWith(whole, wanted, 0) ?? '') : content;
}

function partWith(entity: Entity, wanted: string, level: number): string | null {
  const type = first(entity.type);
  if (type === wanted) return decoded(entity);
  if (!type.startsWith('multipart/') || level === MAX_LEVELS) return null;
  for (const part of partsOf(entity) ?? []) {
    const found = partWith(part, wanted, level + 1);
    if (found !== null) return found;
  }
  return null;
}

function read(entity: Entity, level: number): ReadBody {
  const type = first(entity.type);
  if (type === SUPPORTED_BODY && isSession(entity)) {
    const sdp = decoded(entity);
    return sdp === null ? unread(entity) : { sdp, fault: null };
  }
  if (!type.startsWith('multipart/') || level === MAX_LEVELS) return unread(entity);
  const parts = partsOf(entity);
  if (parts === null) return level === 0 && !isOptional(entity.disposition) ? BROKEN : unread(entity);
  const result =
    type === 'multipart/alternative' ? (best(parts, level) ?? unread(entity)) : together(inOrder(parts, entity), level);
  return result.fault !== null && isOptional(entity.disposition) ? { sdp: result.sdp, fault: null } : result;
}

/** All of them, of which the first description counts. */
function together(parts: readonly Entity[], level: number): ReadBody {
  let { sdp, fault } = NOTHING;
  for (const part of parts) {
    const one = read(part, level + 1);
    if (sdp === '') sdp = one.sdp;
    fault ??= one.fault;
  }
  return { sdp, fault };
}

/** The last one that is understood (RFC 2046, 5.1.4); null: none is. */
function best(parts: readonly Entity[], level: number): ReadBody | null {
  for (const part of parts.toReversed()) {
    const one = read(part, level + 1);
    if (one.sdp !== '' && one.fault === null) return one;
  }
  return null;
}

/** The root comes first (RFC 2387, 3.2). */
function inOrder(parts: readonly Entity[], { type }: Entity): readonly Entity[] {
  const start = unquote(parameter(type, 0, type.length, 'start') ?? '');
  return start === '' ? parts : [...parts].sort((a, b) => Number(b.id === start) - Number(a.id === start));
}

/**
 * A part without Content-Disposition is passed over, although required is the default of its handling: locations are sent
 * like this (RFC 6442, 5.1).
 */
const unread = ({ disposition }: Entity): ReadBody =>
  disposition === null || isOptional(disposition) ? NOTHING : UNKNOWN;

const isOptional = (disposition: string | null): boolean =>
  disposition !== null &&
  unquote(parameter(disposition, 0, disposition.length, 'handling') ?? '').toLowerCase() === 'optional';

/** Another disposition than `session`, such as early-session (RFC 3959), is of something else. */
const isSession = ({ disposition }: Entity): boolean => disposition === null || first(disposition) === 'session';

const first = (value: string): string =>
  value
    .slice(0, endOfParameter(value, 0, value.length))
    .replace(/\s/g, '')
    .toLowerCase();

/** Null: in an encoding that we do not know. */
function decoded({ encoding, content }: Entity): string | null {
  switch (first(encoding)) {
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
      return content;
    case 'base64':
      return Buffer.from(content, 'base64').toString('latin1');
    case 'quoted-printable':
      return content
        .replace(/=[ \t]{0,8}\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    default:
      return null;
  }
}

/** Null: it has no boundary, no part, or too many. */
function partsOf({ type, content }: Entity): Entity[] | null {
  const boundary = unquote(parameter(type, 0, type.length, 'boundary') ?? '');
  if (boundary === '') return null;
  const delimiter = `--${boundary}`;
  const parts: Entity[] = [];
  let from = -1;
  for (let at = delimiterAt(content, delimiter, 0); at >= 0; at = delimiterAt(content, delimiter, at + 1)) {
    if (from >= 0) parts.push(partOf(content.slice(from, beforeLineEnd(content, at))));
    const behind = at + delimiter.length;
    if (content.startsWith('--', behind)) return parts;
    if (parts.length === MAX_PARTS) return null;
    const end = content.indexOf('\n', behind);
    if (end < 0) break;
    from = end + 1;
  }
  // If its last delimiter is missing, the body ends with the message.
  if (from >= 0) parts.push(partOf(content.slice(from)));
  return parts.length === 0 ? null : parts;
}

/** The next one that is a line of its own, at or after `from`; -1: none. */
function delimiterAt(content: string, delimiter: string, from: number): number {
  for (let at = content.indexOf(delimiter, from); at >= 0; at = content.indexOf(delimiter, at + 1)) {
    if (at > 0 && content.charAt(at - 1) !== '\n') continue;
    let behind = at + delimiter.length;
    if (content.startsWith('--', behind)) behind += 2;
    while (content.charAt(behind) === ' ' || content.charAt(behind) === '\t') behind++;
    const next = content.charAt(behind);
    if (next === '' || next === '\r' || next === '\n') return at;
  }
  return -1;
}

/** The line end before a delimiter belongs to it. */
const beforeLineEnd = (content: string, at: number): number =>
  content.charAt(at - 2) === '\r' ? at - 2 : Math.max(0, at - 1);

function partOf(text: string): Entity {
  const isBare = /^\r?\n/.test(text);
  const end = isBare ? 0 : (/\r?\n\r?\n/.exec(text)?.index ?? text.length);
  const content = text.slice(end).replace(isBare ? /^\r?\n/ : /^\r?\n\r?\n/, '');
  const fields = new Map<string, string>();
  for (const line of unfold(text.slice(0, end)).split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return {
    // The compact form is SIP's, and some write it here.
    type: fields.get('content-type') ?? fields.get('c') ?? 'text/plain',
    disposition: fields.get('content-disposition') ?? null,
    id: fields.get('content-id') ?? '',
    encoding: fields.get('content-transfer-encoding') ?? '',
    content,
  };
}
