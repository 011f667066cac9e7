import type { DtlsContext } from '../../net/ciphers/dtls.ts';
import type { CipherChoice } from '../../net/ciphers/srtp-ciphers-open.ts';
import type { OnSource } from '../receive/symmetric-rtp.ts';

export type MediaLoopOptions = {
  readonly firstPort: number;
  readonly lastPort: number;
  readonly rtcpMinimumMs: number;
  readonly random: () => number;
  /** A stream gets no packets from the negotiated address, but media from `source`: see `follow`. */
  readonly onSource?: OnSource;
  /** The ciphers for SRTP; the best available if absent. */
  readonly ciphers?: CipherChoice;
  /** Absent or null: DTLS is not available. The context is closed with the loop. */
  readonly dtls?: DtlsContext | null;
};
