/**
 * SIPp scenarios from steps: what SIPp expects, checks, and sends. The INVITE's own headers are stored, because `[last_…]`
 * forgets them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A regular expression (POSIX extended) that must be found in a header (`'RAck:'`) or in the message (`'msg'`). */
export type MessageCheck = readonly [where: string, regexp: string];

const KEPT = [
  ['Via:', 'via'],
  ['From:', 'from'],
  ['To:', 'to'],
  ['CSeq:', 'cseq'],
] as const;

let variables = 0;

const check = ([where, regexp]: MessageCheck): string => {
  const search = where === 'msg' ? 'search_in="msg"' : `search_in="hdr" header="${where}"`;
  variables++;
  return `<ereg regexp="${regexp.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}" ${search} check_it="true" assign_to="c${variables}" /><log message="[$c${variables}]" />`;
};

const keep = KEPT.map(
  ([header, name]) => `<ereg regexp=".*" search_in="hdr" header="${header}" assign_to="${name}" />`,
).join('');

/** Waits for a request. The headers of an INVITE are stored. */
export const expect = (method: string, ...checks: MessageCheck[]): string =>
  `<recv request="${method}"><action>${method === 'INVITE' ? keep : ''}${checks.map(check).join('')}</action></recv>`;

/** Waits for a response; 100 may come before it. */
export const expectStatus = (status: number, ...checks: MessageCheck[]): string =>
  `<recv response="100" optional="true" /><recv response="${status}" rrs="true"><action>${checks.map(check).join('')}</action></recv>`;

const message = (lines: readonly string[], body: string): string => {
  const type = body === '' ? [] : ['Content-Type: application/sdp'];
  return `<send><![CDATA[\n${[...lines, ...type, 'Content-Length: [len]', '', ...body.split('\r\n')].join('\n')}\n]]></send>`;
};

/** Answers the INVITE. `tag`: of To; '' for none. */
export const answer = (line: string, tag: string, headers: readonly string[] = [], body = ''): string =>
  message(
    [
      `SIP/2.0 ${line}`,
      'Via:[$via]',
      'From:[$from]',
      `To:[$to]${tag === '' ? '' : `;tag=${tag}-[call_number]`}`,
      '[last_Call-ID:]',
      'CSeq:[$cseq]',
      ...headers,
    ],
    body,
  );

/** Answers the last request. */
export const ok = (line = '200 OK'): string =>
  message([`SIP/2.0 ${line}`, '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]'], '');

type RequestParts = readonly [method: string, user: string, cseq: number, headers?: readonly string[], body?: string];

/** A request of a caller to `user` of the remote side, within the dialog: To is the one of the last response. */
export const request = (...parts: RequestParts): string => requestTo('[peer_tag_param]', parts);
/** The same outside any dialog: To has no tag. */
export const firstRequest = (...parts: RequestParts): string => requestTo('', parts);

const requestTo = (tag: string, [method, user, cseq, headers = [], body = '']: RequestParts): string =>
  message(
    [
      `${method} sip:${user}@[remote_ip]:[remote_port] SIP/2.0`,
      'Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]',
      'From: <sip:sipp@[local_ip]:[local_port]>;tag=sipp-[call_number]',
      `To: <sip:${user}@[remote_ip]:[remote_port]>${tag}`,
      'Call-ID: [call_id]',
      `CSeq: ${cseq} ${method}`,
      'Contact: <sip:sipp@[local_ip]:[local_port]>',
      'Max-Forwards: 70',
      ...headers,
    ],
    body,
  );

export const pause = (ms: number): string => `<pause milliseconds="${ms}" />`;

export const CONTACT = 'Contact: <sip:callee@[local_ip]:[local_port]>';

/** Arguments for SIPp; `close` removes the file. */
export function writeScenario(steps: readonly string[]): { args: string[]; close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-scenario-'));
  const file = join(folder, 'scenario.xml');
  const usesKept = steps.some((step) => step.includes(keep));
  // SIPp refuses variables that are used only once.
  const reference = usesKept ? `<Reference variables="${KEPT.map(([, name]) => name).join(',')}" />` : '';
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario>${steps.join('\n')}${reference}</scenario>\n`,
  );
  return { args: ['-sf', file], close: () => rmSync(folder, { recursive: true, force: true }) };
}
