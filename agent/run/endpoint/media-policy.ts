/** Where the host's owner lets the media of one endpoint go. */
import { addressFault } from '@carillon/media/sdp/media-address.ts';
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import { isUnspecified } from '@carillon/media/sdp/parse.ts';
import { type SdpFault, sdpFault } from '@carillon/media/sdp/session-description.ts';
import { forbiddenOf } from './agreed-streams.ts';

export class MediaPolicy {
  /** Why media were last kept from going somewhere; null: they were not. */
  forbidden: string | null = null;
  readonly #mayReach: (address: string) => boolean;

  constructor(mayReach: (address: string) => boolean) {
    this.#mayReach = mayReach;
  }

  /** Of an address that is offered: none that media could be sent to, or one that is forbidden. */
  readonly judge = (address: string | null): SdpFault | null => {
    const fault = addressFault(address);
    if (fault !== null || address === null || isUnspecified(address)) return fault;
    const forbidden = this.#forbids(address);
    return forbidden === null ? null : sdpFault('FORBIDDEN', forbidden);
  };

  /** Why what was agreed on may not be; null: it may. */
  forbids(agreed: readonly NegotiatedStream[]): string | null {
    for (const stream of agreed) {
      const address = forbiddenOf(stream, this.#mayReach);
      if (address !== null) return this.#forbids(address);
    }
    return null;
  }

  #forbids(address: string): string | null {
    if (this.#mayReach(address)) return null;
    this.forbidden = `the policy of this host forbids media to ${address}`;
    return this.forbidden;
  }
}
