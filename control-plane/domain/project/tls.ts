/** Rules of a registrar's TLS settings: readable certificates, and a key that matches its certificate. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Tls } from '../../contract/test-settings/tls.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string };

/** Errors never reveal a key. `keepsKey`: without a key in `tls` the existing one of the same certificate is used. */
export function tlsFaults(tls: Tls | null, path: readonly PropertyKey[], keepsKey = false): Fault[] {
  if (tls === null) return [];
  const faults: Fault[] = [];
  const fault = (key: keyof Tls, message: string): void => void faults.push({ path: [...path, key], message });
  if (tls.verify === 'CUSTOM' && tls.ca === null) fault('ca', 'CUSTOM needs the authorities to trust');
  if (tls.ca !== null && certificates(tls.ca) === null) fault('ca', 'holds no certificate that can be read');
  if (tls.certificate === null) {
    if (tls.key !== undefined) fault('certificate', 'a key needs its certificate');
    return faults;
  }
  const own = certificates(tls.certificate);
  if (own === null) fault('certificate', 'is not a readable certificate');
  if (tls.key === undefined) {
    if (!keepsKey) fault('key', 'a certificate needs its private key');
    return faults;
  }
  try {
    const key = createPrivateKey(tls.key.reveal());
    if (own?.[0]?.checkPrivateKey(key) === false) fault('key', 'belongs to another certificate');
  } catch {
    fault('key', 'is not a private key that can be read without a passphrase');
  }
  return faults;
}

function certificates(pem: string): X509Certificate[] | null {
  try {
    const found = (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
    return found.length === 0 ? null : found;
  } catch {
    return null;
  }
}
