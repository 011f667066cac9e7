/** The agent's side of a change of its key, over the connection. */
import { signedKeyChange, type wire } from '@carillon/proto';
import type { Log } from '../log.ts';
import type { Identity } from './identity.ts';

const TOO_OLD = "The control plane's version cannot change keys.";

type KeyExchangeParts = {
  readonly identity: Identity;
  readonly log: Log;
  readonly send: (frame: { readonly keyChange: wire.agent.v1.KeyChange.$Properties }) => void;
  /** The result of a change; null: the control plane has the new key. */
  readonly onKey: (refused: string | null) => void;
};

export class KeyExchange {
  readonly #identity: Identity;
  readonly #log: Log;
  readonly #parts: KeyExchangeParts;

  constructor(parts: KeyExchangeParts) {
    this.#identity = parts.identity;
    this.#log = parts.log;
    this.#parts = parts;
  }

  /** Creates a new key. False: it could not be written. */
  prepare(): boolean {
    try {
      this.#identity.prepare();
      return true;
    } catch (error) {
      const { message } = error as Error;
      this.#log.error({ error: message }, 'a new key cannot be written; the old one stays');
      this.#parts.onKey(message);
      return false;
    }
  }

  /** The control plane has welcomed the agent with its present key. */
  welcomed(): void {
    if (this.#settled(this.#identity.publicKey)) this.#parts.onKey(null);
  }

  /** Presents the new key, if it exists. `isKnown`: the control plane supports changes of keys. */
  present(isKnown: boolean): void {
    const { change } = this.#identity;
    if (change === null) return;
    const { from, to } = change;
    if (!isKnown) {
      this.answered({ publicKey: to.publicKey, refused: TOO_OLD });
      return;
    }
    const signed = signedKeyChange(from.publicKey, to.publicKey);
    const [consent, proof] = [from.sign(signed), to.sign(signed)];
    this.#parts.send({ keyChange: { publicKey: to.publicKey, consent, proof } });
  }

  answered({ publicKey, refused }: Pick<wire.agent.v1.KeyReceipt, 'publicKey' | 'refused'>): void {
    if (refused === '') {
      if (this.#settled(publicKey)) this.#log.info('this agent has a new key');
    } else {
      // The receipt of another key does not concern the pending one.
      const { change } = this.#identity;
      if (!change || !Buffer.from(change.to.publicKey).equals(publicKey)) return;
      this.#log.error({ reason: refused }, 'the control plane refuses the new key; the old one stays');
      this.#written(() => this.#identity.abandon(publicKey));
    }
    this.#parts.onKey(refused === '' ? null : refused);
  }

  /** The control plane has this key. True if it is the next one, which has now replaced the present one. */
  #settled(publicKey: Uint8Array): boolean {
    return this.#written(() => this.#identity.known(publicKey));
  }

  /** A failing disk is no reason to disconnect: the next greeting uses either key, whichever is accepted. */
  #written(change: () => boolean): boolean {
    try {
      return change();
    } catch (error) {
      const { message } = error as Error;
      this.#log.error({ error: message }, 'the new key cannot be written; next attempt at the next connection');
      return false;
    }
  }
}
