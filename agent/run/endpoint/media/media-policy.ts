/** The addresses to which the policy lets the media of one endpoint go. */
import { addressFault } from '@carillon/media/sdp/media-address.ts';
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import { isUnspecified } from '@carillon/media/sdp/parse.ts';
import { type SdpFault, sdpFault } from '@carillon/media/sdp/session-description.ts';
import { forbiddenOf } from './agreed-streams.ts';

export class MediaPolicy {
  /** Why the policy last forbade a destination; null: it has forbidden none. */
  forbidden: string | null = null;
  readonly #mayReach: (address: string) => boolean;

  constructor(mayReach: (address: string) => boolean) {
    this.#mayReach = mayReach;
  }

  /** Why an offered address is unusable for media, or forbidden; null: it is neither. */
  readonly judge = (address: string | null): SdpFault | null => {
    const fault = addressFault(address);
    if (fault !== null || address === null || isUnspecified(address)) return fault;
    const forbidden = this.#forbids(address);
    return forbidden === null ? null : sdpFault('FORBIDDEN', forbidden);
  };

  /** Why the negotiated session is forbidden; null: it is allowed. */
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
