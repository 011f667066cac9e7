/** Messages between the agent's main thread and a signalling thread. */

import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MediaConnection } from '../../rtp/threads/media-commands.ts';
import type { Announced } from '../../sip/engine.ts';
import type { DrachtioServerOptions } from '../../sip/engines/engines.ts';
import type { DnsOptions } from '../../sip/locate/open-locator.ts';
import type { ShareOrder } from '../order/share-order.ts';
import type { SignallingNoise } from '../report/noise.ts';
import type { PackedFacts } from './packed-outcomes.ts';

export type SignallingThreadData = {
  readonly address: string;
  /** The address as peers know it; null: they know it as it is. */
  readonly announced?: Announced | null;
  /** 0: any free port. */
  readonly port: number;
  readonly adapter: 'auto' | 'ffi' | 'dgram';
  readonly userAgentName: string;
  /** Options of the TLS listener, which is opened when an allocation needs it; PEM. */
  readonly tls: { readonly port: number; readonly certificate?: string; readonly key?: Secret };
  /** Null: the agent's own SIP core is used. */
  readonly drachtio: DrachtioServerOptions | null;
  readonly policy: Policy;
  /** The memory of the agent's HostPace. */
  readonly paceMemory: SharedArrayBuffer;
  /** The memory of the agent's DayMinutes. */
  readonly minutesMemory: SharedArrayBuffer;
  readonly dns: DnsOptions;
  /** Calls that could only start later than this after their instant are dropped. */
  readonly latestStartMs: number;
  /** Memory of the thread's doorbell, which is rung after every message. */
  readonly doorbell: SharedArrayBuffer;
  /** One connection for each media thread; their ports are in the worker's transfer list. */
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
  /** Why batched I/O is not used although it was requested; otherwise null. */
  readonly fallbackReason: string | null;
  /** The nice value of the thread: -5 if the host permits that, otherwise that of the process. */
  readonly nice: number;
};

export type FromSignalling =
  | SignallingReady
  | SignallingNoise
  | { readonly op: 'facts'; readonly facts: readonly PackedFacts[] }
  /** A caught internal error. */
  | { readonly op: 'fault'; readonly message: string; readonly stack: string };
