/**
 * What SRTP needs of a cryptographic library. Ciphers work in place on one piece of memory that all packets of a direction go
 * through, so that an adapter may hand its address to C; they take their nonce from, and leave their digest in, memory that is
 * shared by all of them. Nothing is allocated by what is called for a packet.
 */
export interface SrtpCiphers {
  readonly adapter: 'openssl' | 'node';
  /** The packets. */
  readonly bytes: Uint8Array;
  /** 16 bytes: the initial counter block of AES-CM, or in its first 12 bytes the nonce of GCM. */
  readonly nonce: Uint8Array;
  /** 20 bytes: what `Hmac.digest` found. */
  readonly digest: Uint8Array;
  /** AES-128 of each 16 bytes of `blocks` on its own. For the derivation of keys. */
  encryptBlocks(key: Uint8Array, blocks: Uint8Array): Uint8Array;
  counter(key: Uint8Array): CounterCipher;
  hmac(key: Uint8Array): Hmac;
  gcm(key: Uint8Array, direction: GcmDirection): Gcm;
}

export type GcmDirection = 'SEAL' | 'OPEN';

/** AES-128 in counter mode (RFC 3711, 4.1.1). */
export interface CounterCipher {
  /** Adds the keystream that begins at `nonce`. */
  apply(offset: number, length: number): void;
  close(): void;
}

/** HMAC-SHA1 (RFC 2104). */
export interface Hmac {
  digest(offset: number, length: number): void;
  close(): void;
}

/** AES-128-GCM with a tag of 16 bytes (RFC 5116, 5.1), in one direction. */
export interface Gcm {
  /**
   * Over `clearBytes` from `offset` that are only authenticated, `secretBytes` after them that are encrypted or decrypted, and the tag
   * after those, which is written or compared. The four bytes at `trailer`, unless it is negative, are authenticated after the
   * clear ones. False: the tag does not fit (OPEN), and what is in place is rubbish.
   */
  run(offset: number, clearBytes: number, secretBytes: number, trailer: number): boolean;
  close(): void;
}

export const GCM_TAG_BYTES = 16;
