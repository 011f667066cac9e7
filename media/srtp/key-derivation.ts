/** Derives session keys from the master key (RFC 3711, 4.3), once, because the key derivation rate is 0. */
import type { SrtpCiphers } from './cipher.ts';
import { AUTHENTICATION_KEY_BYTES, MASTER_KEY_BYTES, type MasterKey, SUITES } from './suites.ts';

export type PacketKeys = {
  readonly encryption: Uint8Array;
  /** Empty if the cipher of the suite also authenticates. */
  readonly authentication: Uint8Array;
  readonly salt: Uint8Array;
};

export type SessionKeys = { readonly rtp: PacketKeys; readonly rtcp: PacketKeys };

const BLOCK_BYTES = 16;
/** The label is added to the salt here: 48 bits, the key's index in time, follow it. */
const LABEL_AT = 7;

/** The labels of encryption, authentication and salt (4.3.1, 4.3.2). */
const RTP_LABELS = [0, 1, 2] as const;
const RTCP_LABELS = [3, 4, 5] as const;

type BlockCipher = Pick<SrtpCiphers, 'encryptBlocks'>;

export function deriveSessionKeys(ciphers: BlockCipher, master: MasterKey): SessionKeys {
  const { transform, saltBytes } = SUITES[master.suite];
  const keys = ([encryption, authentication, salt]: readonly [number, number, number]): PacketKeys => ({
    encryption: derive(ciphers, master, encryption, MASTER_KEY_BYTES),
    authentication: derive(ciphers, master, authentication, transform === 'CM' ? AUTHENTICATION_KEY_BYTES : 0),
    salt: derive(ciphers, master, salt, saltBytes),
  });
  return { rtp: keys(RTP_LABELS), rtcp: keys(RTCP_LABELS) };
}

/** AES-CM as pseudo-random function (4.3.3); a salt of 96 bits is followed by zeros (RFC 7714, 11). */
export function derive(ciphers: BlockCipher, { key, salt }: MasterKey, label: number, bytes: number): Uint8Array {
  const count = Math.ceil(bytes / BLOCK_BYTES);
  const blocks = new Uint8Array(count * BLOCK_BYTES);
  for (let n = 0; n < count; n++) {
    const at = n * BLOCK_BYTES;
    blocks.set(salt, at);
    blocks[at + LABEL_AT]! ^= label;
    blocks[at + BLOCK_BYTES - 2] = n >>> 8;
    blocks[at + BLOCK_BYTES - 1] = n & 0xff;
  }
  return ciphers.encryptBlocks(key, blocks).slice(0, bytes);
}
