/** Dependencies of a share on its thread. */
import type { DayMinutes } from '../../policy/minutes.ts';
import type { SipEngine, SipLocator } from '../../sip/engine.ts';
import type { HostPace } from '../limits/host-pace.ts';
import type { Receiver } from './receivers.ts';
import type { StreamDeps } from './share-streams.ts';

export type ShareDeps = StreamDeps & {
  readonly engine: SipEngine;
  readonly mayReach: (address: string) => boolean;
  readonly mayCall: (uri: string) => boolean;
  readonly mayDial?: (uri: string) => boolean;
  /** Absent: no names are looked up. */
  readonly locator?: SipLocator;
  readonly mayName?: (host: string) => boolean;
  /** Why calls for it could not be distinguished from those of another run; null: they can be. */
  readonly conflictOf?: (share: Receiver) => string | null;
  readonly hostPace: Pick<HostPace, 'take'>;
  /** Calls that could only start later than this after their instant are dropped. */
  readonly latestStartMs: number;
  readonly minutes?: Pick<DayMinutes, 'spend' | 'obstacle'>;
};
