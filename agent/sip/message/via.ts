/** Via, and a server's handling of the topmost one (RFC 3261, 18.2.1 and 18.2.2; RFC 3581). */
import { ownText } from './own-text.ts';
import { endOfMember, endOfParameter, isSpace, isToken, parameter, skipSpace, trimEnd } from './scan.ts';
import { parseHostPort } from './uri.ts';

export type Via = {
  /** The transport as written: `UDP`, `TLS`. */
  readonly transport: string;
  /** The sent-by as written, port included. */
  readonly sentBy: string;
  readonly host: string;
  /** 0: not given. */
  readonly port: number;
  /** '' if absent. */
  readonly branch: string;
  /** Null: the parameter is absent; '': the client asks for it (RFC 3581). */
  readonly rport: string | null;
  /** The parameters are valid; if not, the sender can still get an error response. */
  readonly wellFormed: boolean;
};

const BRANCH_COOKIE = 'z9hg4bk';
/** Parameters a Via may carry: `;name` or `;name=value`, the value a token, a host or a quoted string. */
const PARAMETERS =
  /^(?:\s*;\s*[A-Za-z0-9\-.!%*_+`'~]+(?:\s*=\s*(?:[A-Za-z0-9\-.!%*_+`'~[\]:]+|"(?:[^"\\]|\\.)*"))?)*\s*$/s;

const BRANCH = ';branch=';

/** The last one read, and its text around the branch: a peer's differ only in the branch. */
let last: { readonly via: Via; readonly head: string; readonly tail: string } | null = null;

/** One member of a Via list, or null if it does not say where it was sent from. */
export function parseVia(text: string): Via | null {
  const at = text.indexOf(BRANCH) + BRANCH.length;
  const semicolon = text.indexOf(';', at);
  const end = semicolon < 0 ? text.length : semicolon;
  if (at < BRANCH.length || !isToken(text, at, end)) return readVia(text);
  const branch = text.slice(at, end);
  const isAlike =
    last !== null &&
    at === last.head.length &&
    text.length - end === last.tail.length &&
    text.startsWith(last.head) &&
    text.startsWith(last.tail, end);
  if (last !== null && isAlike) return withBranch(last.via, branch);
  const via = readVia(text);
  // In quotes, or after another one, it would be no branch.
  const isIt = !text.includes('"') && !/branch/i.test(text.slice(0, at - BRANCH.length));
  if (via !== null && via.branch === branch && isIt) {
    const { transport, sentBy, host, port, rport, wellFormed } = via;
    const own = { transport: ownText(transport), sentBy: ownText(sentBy), host: ownText(host), port };
    last = {
      via: { ...own, branch: '', rport: rport === null ? null : ownText(rport), wellFormed },
      head: ownText(text.slice(0, at)),
      tail: ownText(text.slice(end)),
    };
  }
  return via;
}

const withBranch = ({ transport, sentBy, host, port, rport, wellFormed }: Via, branch: string): Via => ({
  transport,
  sentBy,
  host,
  port,
  branch,
  rport,
  wellFormed,
});

function readVia(text: string): Via | null {
  const end = trimEnd(text, 0, text.length);
  const slash = text.indexOf('/');
  const secondSlash = text.indexOf('/', slash + 1);
  if (slash < 0 || secondSlash < 0) return null;
  const version = text.slice(slash + 1, secondSlash).trim();
  if (text.slice(0, slash).trim().toUpperCase() !== 'SIP') return null;
  if (version !== '2.0' && !/^\d+\.\d+$/.test(version)) return null;
  const transportAt = skipSpace(text, secondSlash + 1, end);
  let transportEnd = transportAt;
  while (transportEnd < end && !isSpace(text.charCodeAt(transportEnd))) transportEnd++;
  if (!isToken(text, transportAt, transportEnd)) return null;
  const parametersAt = endOfParameter(text, transportEnd, end);
  const sentBy = text
    .slice(skipSpace(text, transportEnd, parametersAt), trimEnd(text, transportEnd, parametersAt))
    .replace(/\s/g, '');
  const hostPort = parseHostPort(sentBy);
  if (hostPort === null) return null;
  return {
    transport: text.slice(transportAt, transportEnd),
    sentBy: sentBy.toLowerCase(),
    host: hostPort.host,
    port: hostPort.port,
    branch: parameter(text, parametersAt, end, 'branch') ?? '',
    rport: parameter(text, parametersAt, end, 'rport'),
    // A sender with another version can get an error response (RFC 4475, 3.1.2.16).
    wellFormed: version === '2.0' && PARAMETERS.test(text.slice(parametersAt, end)),
  };
}

/** True for a branch that is unique to its transaction (RFC 3261, 8.1.1.7); others are matched the way of RFC 2543. */
export const hasCookie = (branch: string): boolean =>
  branch.length > BRANCH_COOKIE.length && branch.slice(0, BRANCH_COOKIE.length).toLowerCase() === BRANCH_COOKIE;

/**
 * The first Via header for the response: the topmost member with `received`, if the sender asked for `rport` or named
 * another host, and `rport` filled in (RFC 3261, 18.2.1; RFC 3581, 4). IPv6 without brackets (RFC 5118, 4.5).
 */
export function stampVia(value: string, via: Via, fromAddress: string, fromPort: number): string {
  if (via.rport === null && via.host === fromAddress) return value;
  const end = endOfMember(value, 0, value.length);
  let top = value.slice(0, end).trimEnd();
  if (via.rport !== null) top = top.replace(/;\s*rport\s*(?:=\s*[^;,\s]*)?/i, `;rport=${fromPort}`);
  top = top.replace(/;\s*received\s*=\s*[^;,\s]*/i, '');
  return `${top};received=${fromAddress}${value.slice(end)}`;
}

/** Port that a response goes to, at the request's source address: RFC 3581, 4 with `rport`, RFC 3261, 18.2.2 without. */
export function responsePort(via: Via, fromPort: number): number {
  return via.rport !== null ? fromPort : via.port || 5060;
}
