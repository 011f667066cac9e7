/**
 * The contexts of one stream under the keys of SDES, for as long as the stream lives. A key that comes again finds the context that
 * it had: with another, which would begin at zero, one keystream would go over two packets (RFC 3711, 9.1).
 */
import type { SrtpCiphers } from '@carillon/media/srtp/cipher.ts';
import { SrtpReceiver, SrtpSender } from '@carillon/media/srtp/context.ts';
import { masterKeyOfText } from '@carillon/media/srtp/suites.ts';
import type { SrtpKey } from '../media-engine.ts';

/** The peer makes up its keys, as many as it likes; what comes again after that many is taken for new. */
const MOST_RECEIVERS = 8;

const nameOf = ({ suite, keySalt }: SrtpKey): string => `${suite} ${keySalt}`;

export class SdesContexts {
  /** Our own keys, one a suite. */
  private readonly senders = new Map<string, SrtpSender>();
  private readonly receivers = new Map<string, SrtpReceiver>();

  /** RangeError: the key is none. */
  sender(ciphers: SrtpCiphers, key: SrtpKey): SrtpSender {
    const name = nameOf(key);
    const sender = this.senders.get(name) ?? new SrtpSender(ciphers, masterKeyOfText(key.suite, key.keySalt));
    this.senders.set(name, sender);
    return sender;
  }

  /** RangeError: the key is none. */
  receiver(ciphers: SrtpCiphers, key: SrtpKey): SrtpReceiver {
    const name = nameOf(key);
    const receiver = this.receivers.get(name) ?? new SrtpReceiver(ciphers, masterKeyOfText(key.suite, key.keySalt));
    // The latest stands last.
    this.receivers.delete(name);
    this.receivers.set(name, receiver);
    for (const [oldest, context] of this.receivers) {
      if (this.receivers.size <= MOST_RECEIVERS) break;
      context.close();
      this.receivers.delete(oldest);
    }
    return receiver;
  }

  close(): void {
    for (const context of [...this.senders.values(), ...this.receivers.values()]) context.close();
  }
}
