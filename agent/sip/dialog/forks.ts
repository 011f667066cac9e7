/**
 * The forks of an INVITE that we sent, by their To tags (RFC 3261, 12.1): early dialogs, each with its own numbers and
 * session, and those that have ended (RFC 6228). Created when the first is needed: most calls have none.
 */
import { parseMessage } from '../message/parse.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { Dialog } from './dialog.ts';
import { EarlyDialog, type ForkingCall } from './early-dialog.ts';

/** A peer with ever new forks must not fill our memory, nor make us send to arbitrary targets. */
const MAX_FORKS = 64;

export class Forks {
  readonly #call: ForkingCall;
  readonly #dialogOf: (response: SipMessage) => Dialog;
  readonly #dialogs: EarlyDialog[] = [];
  /** Tags that a 199 has named. */
  readonly #over = new Set<string>();

  /** `dialogOf` creates the dialog of a response. */
  constructor(call: ForkingCall, dialogOf: (response: SipMessage) => Dialog) {
    this.#call = call;
    this.#dialogOf = dialogOf;
  }

  /** The early dialog of a fork, ended or not; null: it has none. */
  of(tag: string): EarlyDialog | null {
    return this.#dialogs.find(({ dialog }) => dialog.remoteTag === tag) ?? null;
  }

  get several(): boolean {
    return this.#dialogs.length > 1;
  }

  /** Only a 2xx of this fork counts from now on (RFC 6228, 4). */
  isOver(tag: string): boolean {
    return this.#over.has(tag);
  }

  /** The early dialog of a response, created if necessary; null: it has ended, or there are too many. */
  open(response: SipMessage, localSdp: string): EarlyDialog | null {
    const tag = response.toTag;
    if (this.#over.has(tag)) return null;
    const known = this.of(tag);
    if (known !== null) return known;
    if (this.#dialogs.length >= MAX_FORKS || this.#over.size >= MAX_FORKS) return null;
    const early = new EarlyDialog(this.#call, this.#dialogOf(response), localSdp);
    this.#dialogs.push(early);
    return early;
  }

  /** Most forks need no dialog before the answer: it is created from their response on demand. */
  openOf(provisionals: readonly string[], tag: string, localSdp: string): EarlyDialog | null {
    for (const text of tag === '' ? [] : provisionals) {
      const response = parseMessage(text);
      if (response !== null && response.status > 100 && response.toTag === tag) return this.open(response, localSdp);
    }
    return null;
  }

  /** A 199 has come for it. */
  end(tag: string): void {
    if (tag === '' || this.#over.size >= MAX_FORKS) return;
    this.#over.add(tag);
    this.of(tag)?.end();
  }

  /** The INVITE is sent again, or the call has ended: no more requests to the forks. */
  stop(): void {
    for (const early of this.#dialogs) early.end();
  }
}
