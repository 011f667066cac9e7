import type { DtlsContext } from '../../net/ciphers/dtls.ts';
import type { CipherChoice } from '../../net/ciphers/srtp-ciphers-open.ts';
import type { OnSource } from '../receive/symmetric-rtp.ts';

export type MediaLoopOptions = {
  readonly firstPort: number;
  readonly lastPort: number;
  readonly rtcpMinimumMs: number;
  readonly random: () => number;
  /** A stream hears nothing from where it was negotiated, but its media from `source`: see `follow`. */
  readonly onSource?: OnSource;
  /** For SRTP; the best there are if absent. */
  readonly ciphers?: CipherChoice;
  /** Absent or null: no DTLS. Closed with the loop. */
  readonly dtls?: DtlsContext | null;
};
