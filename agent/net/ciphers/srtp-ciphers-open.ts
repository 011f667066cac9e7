/** Chooses SRTP's ciphers. OpenSSL by FFI is used if it passes a test: its results must be those of node:crypto. */
import type { SrtpCiphers } from '@carillon/media/srtp/cipher.ts';
import { loadOpenSsl, type OpenSsl } from './openssl.ts';
import { createFfiCiphers } from './srtp-ciphers-ffi.ts';
import { createNodeCiphers } from './srtp-ciphers-node.ts';

export type SrtpCipherAdapter = 'auto' | 'openssl' | 'node';

export type CipherChoice = {
  readonly adapter: 'openssl' | 'node';
  /** Null: node:crypto is used. */
  readonly openssl: OpenSsl | null;
  /** Why OpenSSL is not used although 'auto' was requested. */
  readonly fallbackReason: string | null;
  /** The ciphers for packets in `bytes`. */
  over(bytes: Uint8Array): SrtpCiphers;
};

/** Throws when 'openssl' is requested and not available. */
export function chooseSrtpCiphers(adapter: SrtpCipherAdapter): CipherChoice {
  const overNode = { adapter: 'node', openssl: null, over: createNodeCiphers } as const;
  if (adapter === 'node') return { ...overNode, fallbackReason: null };
  const openssl = loadOpenSsl();
  const failure = openssl instanceof Error ? openssl.message : examine(openssl);
  if (failure === null && !(openssl instanceof Error))
    return { adapter: 'openssl', openssl, fallbackReason: null, over: (bytes) => createFfiCiphers(openssl, bytes) };
  if (adapter === 'openssl') throw new Error(`OpenSSL by FFI was requested but is not available: ${failure}`);
  return { ...overNode, fallbackReason: failure };
}

/** Why OpenSSL cannot be used here; null: it can be. */
function examine(openssl: OpenSsl): string | null {
  try {
    const [ours, reference] = [new Uint8Array(512), new Uint8Array(512)];
    const [ffi, node] = [createFfiCiphers(openssl, ours), createNodeCiphers(reference)];
    for (const ciphers of [ffi, node]) {
      ciphers.bytes.forEach((_, i) => {
        ciphers.bytes[i] = i;
      });
      ciphers.nonce.forEach((_, i) => {
        ciphers.nonce[i] = 255 - i;
      });
      const key = Uint8Array.from({ length: 20 }, (_, i) => i * 7);
      const all = [
        ciphers.counter(key.subarray(0, 16)),
        ciphers.hmac(key),
        ciphers.gcm(key.subarray(0, 16), 'SEAL'),
        ciphers.gcm(key.subarray(0, 16), 'OPEN'),
      ] as const;
      const [counter, hmac, seal, open] = all;
      counter.apply(3, 170);
      hmac.digest(1, 190);
      seal.run(5, 12, 150, 400);
      ciphers.bytes.copyWithin(200, 5, 5 + 12 + 150 + 16);
      if (!open.run(200, 12, 150, 400)) return 'GCM does not decrypt its own output';
      ciphers.bytes[300]! ^= 1;
      if (open.run(200, 12, 150, 400)) return 'GCM accepts altered data';
      for (const cipher of all) cipher.close();
    }
    // After a failed opening the content is invalid and may differ between the adapters.
    if (Buffer.compare(ours.subarray(0, 200), reference.subarray(0, 200)) !== 0)
      return 'OpenSSL and node encrypt differently';
    return Buffer.compare(ffi.digest, node.digest) === 0 ? null : 'OpenSSL and node authenticate differently';
  } catch (error) {
    return (error as Error).message;
  }
}
