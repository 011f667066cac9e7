/** Who opens a secret (proto/secret.ts): these files and no others, and each of them does. Tests and scripts have secrets of their own. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ownSources } from './check-arrows.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TYPE = 'proto/secret.ts';
const OPENED = /\breveal\b/;

/** File -> what it opens, and what for. */
const MAY_OPEN: Readonly<Record<string, string>> = {
  'agent/capture/hep3.ts': "the collector's password, in each message to it",
  'agent/greeting.ts': 'the join token, in the words of the wire',
  'agent/net/text/stream-node.ts': 'the private key of the TLS listener',
  'agent/net/text/tls-client.ts': "the private key of a registrar's certificate",
  'agent/run/threads/crossing.ts': 'what goes from one thread to another',
  'agent/sip/core/user-agent.ts': 'a private key, to tell TLS settings from others by their hash',
  'agent/sip/digest/authorization.ts': "an account's password, for the digest",
  'agent/sip/engines/drachtio/library.ts': "the drachtio-server's secret",
};

/** Files that open a secret and may not, and those that may and do not, one line each. */
export function secretsOpened(): string[] {
  const open = ownSources().filter(
    (file) =>
      file !== TYPE &&
      !file.startsWith('scripts/') &&
      OPENED.test(readFileSync(path.join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  return [
    ...open.filter((file) => !(file in MAY_OPEN)).map((file) => `${file} opens a secret`),
    ...Object.keys(MAY_OPEN)
      .filter((file) => !open.includes(file))
      .map((file) => `${file} may open a secret, and opens none`),
  ];
}

if (import.meta.main) {
  const found = secretsOpened();
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
