/**
 * The cryptographic operations of SRTP. Ciphers work in place on one block of memory that all packets of a direction
 * use, so an adapter can pass its address to C. Nonce and digest are in memory that all ciphers share. Per-packet calls
 * allocate nothing.
 */
export interface SrtpCiphers {
  readonly adapter: 'openssl' | 'node';
  /** The memory of the packets. */
  readonly bytes: Uint8Array;
  /** 16 bytes: the initial counter block of AES-CM, or in its first 12 bytes the nonce of GCM. */
  readonly nonce: Uint8Array;
  /** The 20 bytes that `Hmac.digest` computes. */
  readonly digest: Uint8Array;
  /** Encrypts each 16 bytes of `blocks` separately with AES-128, for key derivation. */
  encryptBlocks(key: Uint8Array, blocks: Uint8Array): Uint8Array;
  counter(key: Uint8Array): CounterCipher;
  hmac(key: Uint8Array): Hmac;
  gcm(key: Uint8Array, direction: GcmDirection): Gcm;
}

export type GcmDirection = 'SEAL' | 'OPEN';

/** AES-128 in counter mode (RFC 3711, 4.1.1). */
export interface CounterCipher {
  /** Adds the keystream that starts at `nonce`. */
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
   * Processes `clearBytes` from `offset` that are only authenticated, the following `secretBytes` that are encrypted or
   * decrypted, and the tag after those, which is written or compared. The four bytes at `trailer`, unless it is
   * negative, are authenticated after the clear ones. False: the tag does not match (OPEN), and the buffer content is
   * invalid.
   */
  run(offset: number, clearBytes: number, secretBytes: number, trailer: number): boolean;
  close(): void;
}

export const GCM_TAG_BYTES = 16;
