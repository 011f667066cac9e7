/** Attacks on the endpoints of a control plane, one a row: what is sent, the answer, the counter, the entry in the audit log. */
import { type KeyObject, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { zstdCompressSync } from 'node:zlib';
import { encodeFacts, PROTOCOL } from '@carillon/proto';
import { SESSION_HEADER } from '../../../control-plane/client.ts';
import { STRANGER_REFUSED } from '../../../control-plane/limits/refusals.ts';
import { AgentWire, hello, keyPair } from '../../../control-plane/testing/agent-wire.ts';
import { newApiKey } from '../../peers/lab/carillon.ts';
import { bytesOfNoFrame } from '../../peers/network/raw-link.ts';
import { bytesFrom, seeded } from '../../peers/seeded.ts';

/** With the status as a label. */
export const HTTP = 'carillon_http_request_duration_seconds';
const UNREADABLE = 'carillon_http_unreadable_total';
const LINK = 'carillon_agent_refusals_total';

/** What attackers know. */
export type Prey = {
  readonly url: string;
  readonly email: string;
  /** Of a role that only reads. */
  readonly viewerKey: string;
  readonly projectId: string;
  readonly testId: string;
  /** Of an enrolled agent, used by the attackers; the token was used for it. */
  readonly usedToken: string;
  readonly hostileKey: KeyObject;
};

export type Attack = {
  readonly what: string;
  /** Possible results of an attempt: all of them refusals. */
  readonly fates: readonly string[];
  readonly metric: typeof HTTP | typeof UNREADABLE | typeof LINK;
  /** Its action in the audit log, and the reason, if the client has no identity. */
  readonly audit: { readonly action: string; readonly reason?: string };
  /** Attackers; absent: a few. */
  readonly atOnce?: number;
  /** One attempt, and its result. */
  attempt(prey: Prey): Promise<string>;
};

const random = seeded(11);

/** For the agents' link: there is no place for another stranger of this network. */
const NO_ROOM = '503';

async function statusOf(url: string, headers: Record<string, string>, body?: object): Promise<string> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { ...init, headers: { ...type, ...headers } });
  await response.arrayBuffer();
  return String(response.status);
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const PAGE = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' };

/** The result of a connection to the agents' link: a status, the code of a farewell, or the close code. */
async function linkFate(
  { url }: Prey,
  act: (wire: AgentWire, nonce: Uint8Array) => void,
  options: { origin?: string } = {},
): Promise<string> {
  const wire = new AgentWire(`${url.replace(/^http/, 'ws')}/agent/v1`, [PROTOCOL], options);
  const status = new Promise<string>((resolve) =>
    wire.ws.once('unexpected-response', (_, response) => {
      response.resume();
      resolve(String(response.statusCode));
    }),
  );
  const closed = wire.closed.then((code) => `closed ${code}`);
  const told = async (): Promise<string> => {
    for (let isGreeted = false; ; ) {
      const { challenge, farewell } = await wire.next();
      if (farewell) return farewell.code ?? '';
      if (challenge && !isGreeted) act(wire, challenge.nonce as Uint8Array);
      isGreeted = true;
    }
  };
  // If nothing is sent, the end of the connection counts.
  const said = told().catch(() => closed);
  const fate = await Promise.race([status, said, closed]);
  wire.ws.terminate();
  return fate;
}

/** Welcome first, then this. */
const asEnrolled = (prey: Prey, send: (wire: AgentWire) => void): Promise<string> =>
  linkFate(prey, (wire, nonce) => {
    wire.send(hello(prey.hostileKey, nonce));
    send(wire);
  });

const bomb = (() => {
  const text = zstdCompressSync(Buffer.alloc(1024 * 1024));
  const words = { words: ['A'], method: [0], callId: [0], peer: [0], transport: [0], localPort: [0] };
  const block = { endpoint: [0], number: [0], length: [1024 * 1024], atMs: [0], kind: [1], text, ...words };
  const messageBlocks = Array.from({ length: 2000 }, () => block);
  return encodeFacts(1, { allocations: [{ allocationId: randomBytes(16), messageBlocks }] });
})();

/** The answer to a request with these bytes. */
const bareRequest = ({ url }: Prey, text: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'));
    socket.write(Buffer.from(text, 'latin1'));
  });

/** The rest of it never comes. */
const SLOW_BODY = [
  'POST /api/v1/entrance/log-in HTTP/1.1',
  'Host: x',
  `${SESSION_HEADER}: 1`,
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/json',
  'Content-Length: 1000',
  '',
  '{',
].join('\r\n');

export const ATTACKS: readonly Attack[] = [
  {
    what: 'unknown API keys, at REST and MCP',
    fates: ['401', '429'],
    metric: HTTP,
    audit: { action: 'requestRefused' },
    attempt: ({ url }) =>
      random() < 0.5
        ? statusOf(`${url}/api/v1/projects`, bearer(newApiKey()))
        : statusOf(`${url}/api/mcp`, bearer(newApiKey()), { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  },
  {
    what: 'guesses of a password',
    fates: ['401', '429'],
    metric: HTTP,
    audit: { action: 'logInRefused' },
    attempt: ({ url, email }) =>
      statusOf(`${url}/api/v1/entrance/log-in`, PAGE, { email, password: 'a guess of a stranger' }),
  },
  {
    what: 'guesses of an invitation link',
    fates: ['404', '429'],
    metric: HTTP,
    audit: { action: 'openInvitationRefused' },
    attempt: ({ url }) =>
      statusOf(`${url}/api/v1/entrance/invitation`, PAGE, { token: randomBytes(32).toString('base64url') }),
  },
  {
    what: 'log-in by a page of another site',
    fates: ['403'],
    metric: HTTP,
    audit: { action: STRANGER_REFUSED, reason: 'FOREIGN_PAGE' },
    attempt: ({ url, email }) => {
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      return statusOf(`${url}/api/v1/entrance/log-in`, foreign, { email, password: 'correct horse battery' });
    },
  },
  {
    what: 'MCP asked by a page of another site',
    fates: ['403'],
    metric: HTTP,
    audit: { action: STRANGER_REFUSED, reason: 'FOREIGN_HOST' },
    attempt: ({ url, viewerKey }) => {
      const foreign = { ...bearer(viewerKey), origin: 'https://evil.example' };
      return statusOf(`${url}/api/mcp`, foreign, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    },
  },
  {
    what: 'bodies that never end',
    fates: ['400'],
    atOnce: 200,
    metric: HTTP,
    audit: { action: STRANGER_REFUSED, reason: 'SLOW_BODY' },
    attempt: (prey) => bareRequest(prey, SLOW_BODY),
  },
  {
    what: 'a key of a VIEWER that starts runs',
    fates: ['403', '429'],
    metric: HTTP,
    audit: { action: 'operationRefused' },
    attempt: ({ url, viewerKey, projectId, testId }) =>
      statusOf(`${url}/api/v1/projects/${projectId}/tests/${testId}/run`, bearer(viewerKey), {}),
  },
  {
    what: 'headers of 70 kB',
    fates: ['400'],
    metric: UNREADABLE,
    audit: { action: STRANGER_REFUSED, reason: 'HEADERS_TOO_LONG' },
    attempt: (prey) => bareRequest(prey, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n`),
  },
  {
    what: 'bytes that are not HTTP',
    fates: ['400'],
    metric: UNREADABLE,
    audit: { action: STRANGER_REFUSED, reason: 'UNREADABLE_REQUEST' },
    attempt: (prey) => bareRequest(prey, `${bytesFrom(random, 300).toString('latin1')}\r\n\r\n`),
  },
  {
    what: 'connections of strangers to the link that say nothing',
    fates: [NO_ROOM, 'closed 1006'],
    atOnce: 150,
    metric: LINK,
    audit: { action: STRANGER_REFUSED, reason: 'TOO_MANY_STRANGERS' },
    attempt: (prey) => linkFate(prey, () => undefined),
  },
  {
    what: 'a page of another site at the link',
    fates: ['403', NO_ROOM],
    metric: LINK,
    audit: { action: STRANGER_REFUSED, reason: 'FOREIGN_ORIGIN' },
    attempt: (prey) => linkFate(prey, () => undefined, { origin: 'https://evil.example' }),
  },
  {
    what: 'join tokens that were guessed',
    fates: ['JOIN_TOKEN_REFUSED', NO_ROOM],
    metric: LINK,
    audit: { action: STRANGER_REFUSED, reason: 'JOIN_TOKEN_UNKNOWN' },
    attempt: (prey) => linkFate(prey, (wire, nonce) => wire.send(hello(keyPair(), nonce, { joinToken: newApiKey() }))),
  },
  {
    what: 'a join token that was used',
    fates: ['JOIN_TOKEN_REFUSED', NO_ROOM],
    metric: LINK,
    audit: { action: 'agentRefused' },
    attempt: (prey) =>
      linkFate(prey, (wire, nonce) => wire.send(hello(keyPair(), nonce, { joinToken: prey.usedToken }))),
  },
  {
    what: 'garbage of an enrolled agent',
    fates: ['FRAME_REFUSED', 'REFUSED_TOO_OFTEN', NO_ROOM],
    metric: LINK,
    audit: { action: 'agentRefused' },
    attempt: (prey) => asEnrolled(prey, ({ ws }) => ws.send(bytesOfNoFrame(random, 300))),
  },
  {
    what: 'few bytes of an enrolled agent that unpack to 2 GB',
    fates: ['FRAME_REFUSED', 'REFUSED_TOO_OFTEN', NO_ROOM],
    metric: LINK,
    audit: { action: 'agentRefused' },
    attempt: (prey) => asEnrolled(prey, (wire) => wire.send({ batch: bomb })),
  },
];

const inLog = ({ action, reason }: Attack['audit']): string =>
  reason === undefined ? `\`${action}\`` : `\`${action}\`, ${reason}`;

/** As on the page. */
export const attackLines = (): string[] =>
  ATTACKS.map(
    ({ what, fates, metric, audit }) => `| ${what} | ${fates.join(', ')} | \`${metric}\` | ${inLog(audit)} |`,
  );
