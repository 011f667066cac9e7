/** SRTP ciphers over node's OpenSSL: one context per key, with a new nonce for each packet. */
import {
  type CounterCipher,
  GCM_TAG_BYTES,
  type Gcm,
  type GcmDirection,
  type Hmac,
  type SrtpCiphers,
} from '@carillon/media/srtp/cipher.ts';
import { addressOf, type Block, pin } from '../libc.ts';
import { type OpenSsl, SSL } from './openssl.ts';
import { encryptBlocks } from './srtp-ciphers-node.ts';

const NONCE = 0;
const DIGEST = 32;
const KEY = 64;
const LENGTH = 96;

/** The memory that C uses: the packets, and a block for small data. */
type Workplace = { readonly openssl: OpenSsl; readonly packets: number; readonly scratch: Block };

/** Frees contexts that were never closed: they are C memory, which the garbage collector does not track. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

abstract class Context {
  protected readonly context: number;
  readonly #free: (context: number) => void;
  #closed = false;

  constructor(context: number, free: (context: number) => void) {
    if (context === 0) throw new Error('OpenSSL is out of memory');
    this.context = context;
    this.#free = free;
    forgotten.register(this, () => free(context), this);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    this.#free(this.context);
  }
}

class FfiCounterCipher extends Context implements CounterCipher {
  readonly #place: Workplace;

  constructor(place: Workplace, key: Uint8Array) {
    super(place.openssl.cipherNew(), place.openssl.cipherFree);
    this.#place = place;
    const { openssl, scratch } = place;
    scratch.bytes.set(key, KEY);
    openssl.cipherInit(this.context, openssl.aes128Counter(), 0, scratch.address + KEY, scratch.address + NONCE, 1);
    scratch.bytes.fill(0, KEY, KEY + key.length);
  }

  apply(offset: number, length: number): void {
    const { openssl, scratch, packets } = this.#place;
    if (length <= 0) return;
    openssl.cipherInit(this.context, 0, 0, 0, scratch.address + NONCE, 1);
    openssl.cipherUpdate(this.context, packets + offset, scratch.address + LENGTH, packets + offset, length);
  }
}

class FfiHmac extends Context implements Hmac {
  readonly #place: Workplace;

  constructor(place: Workplace, key: Uint8Array) {
    super(place.openssl.hmacNew(), place.openssl.hmacFree);
    this.#place = place;
    const { openssl, scratch } = place;
    scratch.bytes.set(key, KEY);
    openssl.hmacInit(this.context, scratch.address + KEY, key.length, openssl.sha1(), 0);
    scratch.bytes.fill(0, KEY, KEY + key.length);
  }

  digest(offset: number, length: number): void {
    const { openssl, scratch, packets } = this.#place;
    openssl.hmacInit(this.context, 0, 0, 0, 0);
    openssl.hmacUpdate(this.context, packets + offset, length);
    openssl.hmacFinal(this.context, scratch.address + DIGEST, 0);
  }
}

class FfiGcm extends Context implements Gcm {
  readonly #place: Workplace;
  readonly #sealing: number;

  constructor(place: Workplace, key: Uint8Array, direction: GcmDirection) {
    super(place.openssl.cipherNew(), place.openssl.cipherFree);
    this.#place = place;
    this.#sealing = direction === 'SEAL' ? 1 : 0;
    const { openssl, scratch } = place;
    scratch.bytes.set(key, KEY);
    openssl.cipherInit(this.context, openssl.aes128Gcm(), 0, scratch.address + KEY, 0, this.#sealing);
    scratch.bytes.fill(0, KEY, KEY + key.length);
  }

  run(offset: number, clearBytes: number, secretBytes: number, trailer: number): boolean {
    const { openssl, scratch, packets } = this.#place;
    const { context } = this;
    const sealing = this.#sealing;
    const length = scratch.address + LENGTH;
    const secret = packets + offset + clearBytes;
    const tag = secret + secretBytes;
    openssl.cipherInit(context, 0, 0, 0, scratch.address + NONCE, sealing);
    openssl.cipherUpdate(context, 0, length, packets + offset, clearBytes);
    if (trailer >= 0) openssl.cipherUpdate(context, 0, length, packets + trailer, 4);
    if (secretBytes > 0) openssl.cipherUpdate(context, secret, length, secret, secretBytes);
    if (sealing === 1) {
      openssl.cipherFinal(context, tag, length);
      return openssl.cipherControl(context, SSL.EVP_CTRL_AEAD_GET_TAG, GCM_TAG_BYTES, tag) === 1;
    }
    openssl.cipherControl(context, SSL.EVP_CTRL_AEAD_SET_TAG, GCM_TAG_BYTES, tag);
    if (openssl.cipherFinal(context, tag, length) === 1) return true;
    // Node uses the same queue of errors.
    openssl.clearErrors();
    return false;
  }
}

/** Ciphers for packets in `bytes`, whose memory is pinned from now on. */
export function createFfiCiphers(openssl: OpenSsl, bytes: Uint8Array): SrtpCiphers {
  const scratch = pin(LENGTH + 8);
  const place: Workplace = { openssl, packets: addressOf(bytes), scratch };
  return {
    adapter: 'openssl',
    bytes,
    nonce: scratch.bytes.subarray(NONCE, NONCE + 16),
    digest: scratch.bytes.subarray(DIGEST, DIGEST + 20),
    encryptBlocks,
    counter: (key) => new FfiCounterCipher(place, key),
    hmac: (key) => new FfiHmac(place, key),
    gcm: (key, direction) => new FfiGcm(place, key, direction),
  };
}
