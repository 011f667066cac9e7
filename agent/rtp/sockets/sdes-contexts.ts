/**
 * The contexts of one stream under its SDES keys, for the life of the stream. A key that returns gets its old context:
 * a new one would start at zero and reuse keystream (RFC 3711, 9.1).
 */
import type { SrtpCiphers } from '@carillon/media/srtp/cipher.ts';
import { SrtpReceiver, SrtpSender } from '@carillon/media/srtp/context.ts';
import { masterKeyOfText } from '@carillon/media/srtp/suites.ts';
import type { SrtpKey } from '../media-engine.ts';

/** The peer may invent keys without limit; a key that returns after this many others is treated as new. */
const MAX_RECEIVERS = 8;

const nameOf = ({ suite, keySalt }: SrtpKey): string => `${suite} ${keySalt}`;

export class SdesContexts {
  /** Our own keys, one per suite. */
  readonly #senders = new Map<string, SrtpSender>();
  readonly #receivers = new Map<string, SrtpReceiver>();

  /** @throws RangeError if the key is invalid */
  sender(ciphers: SrtpCiphers, key: SrtpKey): SrtpSender {
    const name = nameOf(key);
    const sender = this.#senders.get(name) ?? new SrtpSender(ciphers, masterKeyOfText(key.suite, key.keySalt));
    this.#senders.set(name, sender);
    return sender;
  }

  /** @throws RangeError if the key is invalid */
  receiver(ciphers: SrtpCiphers, key: SrtpKey): SrtpReceiver {
    const name = nameOf(key);
    const receiver = this.#receivers.get(name) ?? new SrtpReceiver(ciphers, masterKeyOfText(key.suite, key.keySalt));
    // The latest key comes last.
    this.#receivers.delete(name);
    this.#receivers.set(name, receiver);
    for (const [oldest, context] of this.#receivers) {
      if (this.#receivers.size <= MAX_RECEIVERS) break;
      context.close();
      this.#receivers.delete(oldest);
    }
    return receiver;
  }

  close(): void {
    for (const context of [...this.#senders.values(), ...this.#receivers.values()]) context.close();
  }
}
