/**
 * A process of strangers: requests of one kind at a time, as fast as they are answered (strangers-wait.test.ts). Its parent names
 * the kind, and '' ends it; it hears of the first answer. It has the
 * lowest priority, because strangers do their own work on other hosts.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { ATTACKS, type Prey } from './attacks.ts';

/** What needs no key, by path; `/shared/` is a guess of a share link. */
const OPEN = [
  ...['/api/v1/openapi.json', '/api/v1/openapi-3.0.json', '/api/reference/yaml', '/metrics', '/healthz', '/readyz'],
  ...['/', '/docs/', '/status/nothing', `/shared/${'A'.repeat(43)}`, '/api/v1/nothing'],
];
const PIPELINE_BYTES = 64 * 1024;
/** Of an enrolled agent and of a key: no strangers. */
const KNOWN = /VIEWER|enrolled agent|a join token that was used/;

const get = (path: string) => async (prey: Prey) => {
  const response = await fetch(prey.url + path);
  await response.arrayBuffer();
  return String(response.status);
};

/** As many requests as fit into `PIPELINE_BYTES`, in one write (RFC 9112, 9.3.2). */
const pipelined = (path: string, line: string) => async (prey: Prey) => {
  const { hostname, port } = new URL(prey.url);
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n${line}`;
  const socket = connect(Number(port), hostname);
  socket.end(`${`${head}\r\n`.repeat(PIPELINE_BYTES / head.length)}${head}Connection: close\r\n\r\n`);
  await once(
    socket.resume().on('error', () => undefined),
    'close',
  );
  return 'answered';
};

export type Kind = {
  readonly what: string;
  readonly atOnce: number;
  readonly attempt: (prey: Prey) => Promise<string>;
};

export const KINDS: readonly Kind[] = [
  ...OPEN.map((path) => ({ what: `GET ${path}`, atOnce: 10, attempt: get(path) })),
  ...[
    { path: '/healthz', line: '' },
    { path: '/api/v1/projects', line: 'Authorization: Bearer none\r\n' },
  ].map(({ path, line }) => ({
    what: `GET ${path} as often as fits into one write`,
    atOnce: 1,
    attempt: pipelined(path, line),
  })),
  ...ATTACKS.filter(({ what }) => !KNOWN.test(what)).map(({ what, atOnce = 10, attempt }) => ({
    what,
    atOnce,
    attempt,
  })),
];

if (process.send) {
  setPriority(constants.priority.PRIORITY_LOW);
  const [, , url = '', email = ''] = process.argv;
  const none = { viewerKey: '', projectId: '', testId: '', usedToken: '' };
  const prey: Prey = { url, email, ...none, hostileKey: generateKeyPairSync('ed25519').privateKey };
  let time = 0;
  process.on('message', (what: string) => {
    const mine = ++time;
    const kind = KINDS.find((one) => one.what === what);
    if (!kind) return;
    let answers = 0;
    const ask = async (): Promise<void> => {
      while (time === mine) {
        // A connection that is refused is an answer, too.
        await kind.attempt(prey).catch(() => undefined);
        if (answers++ === 0) process.send?.(what);
      }
    };
    for (let n = 0; n < kind.atOnce; n++) void ask();
  });
}
