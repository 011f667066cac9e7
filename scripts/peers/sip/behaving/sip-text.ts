/** SIP messages for a peer with its own parser and writer: a start line, headers, a body (RFC 3261, 7). */

export type SipText = {
  readonly start: string;
  /** Full names in lower case, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
};

const COMPACT: Readonly<Record<string, string>> = {
  c: 'content-type',
  f: 'from',
  i: 'call-id',
  l: 'content-length',
  m: 'contact',
  t: 'to',
  v: 'via',
};

/** Null: it is not a SIP message. */
export function readSip(text: string): SipText | null {
  const end = text.indexOf('\r\n\r\n');
  const [start = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n');
  if (!/^(SIP\/2\.0 \d{3}\b|[A-Z]+ \S+ SIP\/2\.0$)/.test(start)) return null;
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    return [COMPACT[name] ?? name, line.slice(colon + 1).trim()] as const;
  });
  return { start, headers, body: text.slice(end + 4) };
}

/** The first with the name; '' if there is none. */
export const header = ({ headers }: SipText, name: string): string => headers.find(([one]) => one === name)?.[1] ?? '';

export const methodOf = ({ start }: SipText): string => /^([A-Z]+) /.exec(start)?.[1] ?? '';
export const statusOf = ({ start }: SipText): number => Number(/^SIP\/2\.0 (\d{3})/.exec(start)?.[1] ?? 0);
export const cseqOf = (message: SipText): number => Number.parseInt(header(message, 'cseq'), 10);

/** `INVITE`, or `200 INVITE`: in logs. */
export const nameOf = (message: SipText): string =>
  methodOf(message) || `${statusOf(message)} ${header(message, 'cseq').replace(/^\d+ +/, '')}`;

/** The text between < and >, or before the parameters. */
export const uriIn = (value: string): string => /<([^>]*)>/.exec(value)?.[1] ?? value.replace(/;.*$/s, '').trim();

export function writeSip(start: string, headers: SipText['headers'], body = ''): string {
  const isTyped = body === '' || headers.some(([name]) => name === 'Content-Type');
  const type = isTyped ? [] : [['Content-Type', 'application/sdp'] as const];
  const all = [...headers, ...type, ['Content-Length', String(Buffer.byteLength(body))] as const];
  return `${[start, ...all.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n${body}`;
}

/** The parts of a request that its response repeats (RFC 3261, 8.2.6.2). */
export const repeated = (request: SipText, toTag: string): SipText['headers'] => [
  ...request.headers.filter(([name]) => name === 'via'),
  ['From', header(request, 'from')],
  ['To', /;\s*tag=/i.test(header(request, 'to')) ? header(request, 'to') : `${header(request, 'to')};tag=${toTag}`],
  ['Call-ID', header(request, 'call-id')],
  ['CSeq', header(request, 'cseq')],
];
