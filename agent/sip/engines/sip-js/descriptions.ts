/** The media of a session, as SIP.js sees them: descriptions that its call gives and takes (RFC 3264). */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import { SUPPORTED_BODY } from '../../message/build.ts';
import type { LibraryCall } from '../library-call.ts';
import type { SessionDescriptionHandler } from './library.ts';

export class Descriptions implements SessionDescriptionHandler {
  readonly #call: LibraryCall | null;
  readonly #now: () => number;
  /** Ours, which waits for its answer. */
  #offered: string | null = null;
  /** The peer's, which waits for ours. */
  #offer: string | null = null;

  /** `now`: when what is read came. */
  constructor(call: LibraryCall | null, now: () => number) {
    this.#call = call;
    this.#now = now;
  }

  async getDescription(): Promise<{ body: string; contentType: string }> {
    const offer = this.#offer;
    this.#offer = null;
    const atMs = this.#now();
    const body = offer === null ? this.#call?.ownOffer(atMs) : this.#call?.answerTo(offer, atMs);
    if (body === undefined || isSdpFault(body)) throw new Error(body?.reason ?? 'there is no call');
    if (offer === null) this.#offered = body;
    return { body, contentType: SUPPORTED_BODY };
  }

  async setDescription(description: string): Promise<void> {
    const offered = this.#offered;
    this.#offered = null;
    if (offered === null) this.#offer = description;
    else this.#call?.onAnswer(offered, description, this.#now());
  }

  async rollbackDescription(): Promise<void> {
    this.#offered = null;
    this.#offer = null;
  }

  hasDescription(contentType: string): boolean {
    return contentType === SUPPORTED_BODY;
  }

  close(): void {
    // Nothing is kept.
  }

  sendDtmf(): boolean {
    return false;
  }
}
