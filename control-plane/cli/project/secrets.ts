/**
 * Secrets are removed from a project's file before it is checked. Compared and printed data therefore never contain one, and a
 * plan does not need the variables.
 */
import { Secret } from '@carillon/proto/base/secret.ts';
import { usage } from '../exit-codes.ts';
import type { Environment } from '../io.ts';

export type SecretKind = 'PASSWORD' | 'HA1' | 'KEY' | 'WEBHOOK';

type FileSecret = { readonly kind: SecretKind; readonly text: string };

export class FileSecrets {
  readonly #secrets = new Map<string, FileSecret>();
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  keep(name: string, secret: FileSecret): void {
    this.#secrets.set(name, secret);
  }

  kindOf(name: string): SecretKind | null {
    return this.#secrets.get(name)?.kind ?? null;
  }

  /** Resolves the secret, which is needed now. @throws Stop if its variable is not set */
  open(name: string): Secret | undefined {
    const secret = this.#secrets.get(name);
    if (secret === undefined) return undefined;
    if (!secret.text.startsWith('env:')) return new Secret(secret.text);
    const variable = secret.text.slice('env:'.length);
    const value = this.#env[variable];
    if (value === undefined || value === '')
      throw usage(`The environment variable ${variable} is not set: it contains the secret of ${name}.`);
    return new Secret(value);
  }
}

export const accountName = (registrar: string, username: string): string => `SIP account ${username} of ${registrar}`;
export const keyName = (registrar: string): string => `TLS key of ${registrar}`;
export const webhookName = (url: string): string => `webhook ${url}`;

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const itemsOf = (value: unknown): Plain[] => (Array.isArray(value) ? value.filter(isPlain) : []);

/** The same file without its secrets, which are kept in `secrets`. */
export function withoutSecrets(file: unknown, secrets: FileSecrets): unknown {
  if (!isPlain(file)) return file;
  const rest = structuredClone(file);
  const take = (holder: Plain, field: string, name: string, kind: SecretKind) => {
    const text = holder[field];
    if (typeof text !== 'string') return;
    secrets.keep(name, { kind, text });
    delete holder[field];
  };
  for (const registrar of itemsOf(rest['registrars'])) {
    const slug = String(registrar['slug']);
    for (const account of itemsOf(registrar['sipAccounts'])) {
      const name = accountName(slug, String(account['username']));
      // Having both is an error. They stay, so that the check of the file reports it.
      if (typeof account['password'] === 'string' && typeof account['ha1'] === 'string') continue;
      take(account, 'password', name, 'PASSWORD');
      take(account, 'ha1', name, 'HA1');
    }
    if (isPlain(registrar['tls'])) take(registrar['tls'], 'key', keyName(slug), 'KEY');
  }
  for (const webhook of itemsOf(rest['webhooks']))
    take(webhook, 'secret', webhookName(String(webhook['url'])), 'WEBHOOK');
  return rest;
}
