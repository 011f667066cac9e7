/** Messages between the agent's main thread and a signalling thread. */

import type { Secret } from '@carillon/proto/secret.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MediaConnection } from '../../rtp/threads/media-commands.ts';
import type { Announced } from '../../sip/engine.ts';
import type { DrachtioServerOptions } from '../../sip/engines/engines.ts';
import type { DnsOptions } from '../../sip/locate/open-locator.ts';
import type { ShareOrder } from '../order/share-order.ts';
import type { SharePlan } from '../plan.ts';
import type { SignallingNoise } from '../report/noise.ts';
import type { PackedFacts } from './packed-outcomes.ts';

export type SignallingThreadData = {
  readonly address: string;
  /** As peers know that address; null: as it is. */
  readonly announced?: Announced | null;
  /** 0: any free port. */
  readonly port: number;
  readonly adapter: 'auto' | 'ffi' | 'dgram';
  readonly userAgentName: string;
  /** Of the TLS listener, opened when an allocation needs it; PEM. */
  readonly tls: { readonly port: number; readonly certificate?: string; readonly key?: Secret };
  /** Null: the own core. */
  readonly drachtio: DrachtioServerOptions | null;
  readonly policy: Policy;
  /** Of the agent's HostPace. */
  readonly paceMemory: SharedArrayBuffer;
  /** Of the agent's DayMinutes. */
  readonly minutesMemory: SharedArrayBuffer;
  readonly dns: DnsOptions;
  /** Calls that could only start later than this after their instant are dropped. */
  readonly latestStartMs: number;
  /** First makes calls in memory, see warm-up.ts. */
  readonly warmUp: boolean;
  /** Memory of the thread's doorbell, which is rung after every message. */
  readonly doorbell: SharedArrayBuffer;
  /** One a media thread; their ports are in the worker's transfer list. */
  readonly media: readonly MediaConnection[];
};

export type ToSignalling =
  | ShareOrder
  | { readonly op: 'policy'; readonly policy: Policy; readonly paceMemory: SharedArrayBuffer }
  | { readonly op: 'end' };

export type SignallingReady = {
  readonly op: 'ready';
  readonly address: string;
  readonly port: number;
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Why batched I/O is not used although requested; otherwise null. */
  readonly fallbackReason: string | null;
  /** Of the thread: -5 if the host permits that, otherwise that of the process. */
  readonly nice: number;
};

export type FromSignalling =
  | SignallingReady
  /** Its code is compiled, or was not to be. */
  | { readonly op: 'warm' }
  | SignallingNoise
  /** Facts of calls in memory. */
  | { readonly op: 'rehearsed'; readonly facts: PackedFacts; readonly plan: SharePlan }
  | { readonly op: 'facts'; readonly facts: readonly PackedFacts[] }
  /** A caught internal error. */
  | { readonly op: 'fault'; readonly message: string; readonly stack: string };
