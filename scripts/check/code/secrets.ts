/**
 * The files that open secrets (proto/base/secret.ts). Only these files may do so, and each of them does. Tests and scripts are not
 * checked.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ownSources, ROOT, read } from '../sources.ts';

const TYPE = 'proto/base/secret.ts';
const OPENED = /\breveal\b/;

/** The files, each with what it opens and the reason. */
const MAY_OPEN: Readonly<Record<string, string>> = {
  'agent/capture/hep3.ts': "the collector's password, in each message to it",
  'agent/assembly/greeting.ts': 'the join token, in the words of the wire',
  'agent/net/text/stream-node.ts': 'the private key of the TLS listener',
  'agent/net/text/tls-client.ts': "the private key of a registrar's certificate",
  'agent/run/threads/crossing.ts': 'what goes from one thread to another',
  'agent/sip/core/shared-tls.ts': 'a private key, to tell TLS settings from others by their hash',
  'agent/sip/digest/authorization.ts': "an account's password, for the digest",
  'agent/sip/engines/drachtio/library.ts': "the drachtio-server's secret, and a password for the library's digest",
  'agent/sip/engines/sip-js/library.ts': "an account's password, for the library's digest",
  'control-plane/cli/dev/local.ts': 'the API key of an installation that lives for one command',
  'control-plane/cli/project/writes.ts': 'passwords and keys of a file, in the request that stores them',
  'control-plane/cli/session/access.ts': 'an API key, in the file that `carillon login` writes',
  'control-plane/cli/session/api.ts': 'an API key, in the header of each request',
  'control-plane/control-plane.ts': 'the link by which the first owner comes in, for the operator who started it',
  'control-plane/features/pools/operations/pools.ts': 'the token of a pool, in the only answer that returns it',
  'control-plane/features/mail/courier/smtp.ts': "the mail server's address, with its password",
  'control-plane/features/chat-formats/domain/pagerduty.ts': 'the integration key, in the body of the event',
  'control-plane/domain/project/provision.ts': 'keys and join tokens of a file, to tell one from another',
  'control-plane/domain/project/tls.ts': 'a private key, to see whether it belongs to its certificate',
  'control-plane/features/second-factor/domain/totp.ts': "an authenticator's secret, for its codes",
  'control-plane/domain/webhook.ts': "a webhook's secret, to sign with",
  'control-plane/http/certificate.ts': 'the private key of the certificate, for TLS',
  'control-plane/http/scrape-sight.ts': 'the token of /metrics, to compare it',
  'control-plane/http/session-cookie.ts': "the session's token, in the cookie that tells it",
  'control-plane/link/wire/encode-order.ts': 'passwords and private keys, in the words of the wire',
  'control-plane/operations/agents/workers.ts': 'a join token, in the only answer that returns it',
  'control-plane/operations/notify/webhooks.ts': "a webhook's secret, in the only answer that returns it",
  'control-plane/operations/people/api-keys.ts': 'an API key, in the only answer that returns it',
  'control-plane/operations/people/members.ts': "an invitation's token, in the only answer that returns it",
  'control-plane/operations/people/password.ts': 'passwords of people, for their hash',
  'control-plane/features/identity-provider/operations/provider.ts':
    'callback parameters of the provider; the secret of a log-in, in the only answer that returns it',
  'control-plane/features/identity-provider/courier/identity-provider.ts': "the client's secret, for the provider",
  'control-plane/features/second-factor/operations/second-factor.ts':
    'codes, to compare them; the secret of an authenticator, in the only answer that returns it',
  'control-plane/operations/people/strength.ts': 'a new password, to estimate how hard it is to guess',
  'control-plane/operations/request/actor.ts':
    'keys and tokens, for their hash, their last four characters, and the links that have them',
  'control-plane/operations/request/change.ts': 'all of a request, for the hash that tells its repetition from another',
  'control-plane/operations/request/session.ts': "a session's token, to see whether it can be one",
  'control-plane/operations/notify/deliver.ts': "a webhook's address, to send to it",
  'control-plane/store/agents/commands.ts':
    'passwords and private keys of orders that wait for their agent, to seal them as one',
  'control-plane/store/db.ts': "the database's address, with its password",
  'control-plane/store/notify/webhooks.ts': "a webhook's address, for what is shown of it",
  'control-plane/store/secrets/key-ring.ts': 'sealing keys, for their bytes',
  'control-plane/store/secrets/sealing.ts': 'a secret, to seal it',
};

/** A feature may be deleted with its folder. */
const isOfDeletedFeature = (file: string): boolean =>
  file.startsWith('control-plane/features/') && !existsSync(path.join(ROOT, file));

/** The files that open a secret without permission, and permitted ones that do not open any, one line each. */
export function secretsOpened(): string[] {
  const open = ownSources().filter(
    (file) =>
      file !== TYPE && !file.startsWith('scripts/') && OPENED.test(read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  );
  return [
    ...open.filter((file) => !(file in MAY_OPEN)).map((file) => `${file} opens a secret`),
    ...Object.keys(MAY_OPEN)
      .filter((file) => !open.includes(file) && !isOfDeletedFeature(file))
      .map((file) => `${file} may open a secret, and opens none`),
  ];
}

if (import.meta.main) {
  const found = secretsOpened();
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
