/** TLS settings that say the same are one object, so that their user agents share connections. */
import { hash } from 'node:crypto';
import type { TlsSettings } from '../engine.ts';
import type { Core } from './core.ts';

/** The settings that say the same and came first. */
export function sharedTls(core: Pick<Core, 'tls'>, settings: TlsSettings | null): TlsSettings | null {
  if (settings === null) return null;
  const text = JSON.stringify([settings.verify, settings.ca, settings.certificate, settings.key?.reveal()]);
  const key = hash('sha256', text, 'base64');
  const shared = core.tls.get(key)?.deref();
  if (shared !== undefined) return shared;
  core.tls.set(key, new WeakRef(settings));
  return settings;
}
