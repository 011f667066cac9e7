/**
 * SRTP ciphers over node:crypto, which creates an object for every packet: they work everywhere, but are several times slower.
 */
import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type DecipherGCM,
} from 'node:crypto';
import { GCM_TAG_BYTES, type GcmDirection, type SrtpCiphers } from '@carillon/media/srtp/cipher.ts';

/** Encrypts each block separately with AES-128. */
export function encryptBlocks(key: Uint8Array, blocks: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  return cipher.update(blocks);
}

const close = (): void => undefined;

/** Ciphers for packets in `bytes`. */
export function createNodeCiphers(bytes: Uint8Array): SrtpCiphers {
  const nonce = new Uint8Array(16);
  const gcmNonce = nonce.subarray(0, 12);
  const digest = new Uint8Array(20);
  const tagOptions = { authTagLength: GCM_TAG_BYTES };
  return {
    adapter: 'node',
    bytes,
    nonce,
    digest,
    encryptBlocks,
    counter(raw) {
      const key = createSecretKey(raw);
      return {
        apply(offset, length) {
          const cipher = createCipheriv('aes-128-ctr', key, nonce);
          bytes.set(cipher.update(bytes.subarray(offset, offset + length)), offset);
        },
        close,
      };
    },
    hmac(raw) {
      const key = createSecretKey(raw);
      return {
        digest(offset, length) {
          digest.set(
            createHmac('sha1', key)
              .update(bytes.subarray(offset, offset + length))
              .digest(),
          );
        },
        close,
      };
    },
    gcm(raw, direction: GcmDirection) {
      const key = createSecretKey(raw);
      const crypt = (
        cipher: CipherGCM | DecipherGCM,
        offset: number,
        clearBytes: number,
        secretBytes: number,
        trailer: number,
      ): void => {
        const clear = bytes.subarray(offset, offset + clearBytes);
        const end = trailer < 0 ? [] : [bytes.subarray(trailer, trailer + 4)];
        cipher.setAAD(Buffer.concat([clear, ...end]));
        const at = offset + clearBytes;
        bytes.set(cipher.update(bytes.subarray(at, at + secretBytes)), at);
      };
      return {
        run(offset, clearBytes, secretBytes, trailer) {
          const tagAt = offset + clearBytes + secretBytes;
          if (direction === 'SEAL') {
            const cipher = createCipheriv('aes-128-gcm', key, gcmNonce, tagOptions);
            crypt(cipher, offset, clearBytes, secretBytes, trailer);
            cipher.final();
            bytes.set(cipher.getAuthTag(), tagAt);
            return true;
          }
          const decipher = createDecipheriv('aes-128-gcm', key, gcmNonce, tagOptions);
          decipher.setAuthTag(bytes.subarray(tagAt, tagAt + GCM_TAG_BYTES));
          crypt(decipher, offset, clearBytes, secretBytes, trailer);
          try {
            decipher.final();
            return true;
          } catch {
            return false;
          }
        },
        close,
      };
    },
  };
}
