/** The interfaces of stream holders and call holders. */
import type { Cause } from '@carillon/proto';
import type { EndpointTraffic } from '../../../capture/endpoint-traffic.ts';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import type { UserAgent } from '../../../sip/engine.ts';
import type { EndpointPlan } from '../../plan.ts';
import type { EndpointBinding } from '../account/binding.ts';

/** An endpoint, as far as its streams are concerned. */
export interface StreamHolder {
  readonly plan: EndpointPlan;
  /** Its call is in the future, and has no streams yet. */
  readonly wantsStreams: boolean;
  /**
   * One stream for each track. An error: the streams cannot be opened. Null: the joint request failed; the holder may
   * request its own.
   */
  onStreams(streams: readonly MediaStream[] | Error | null): void;
}

/** The endpoint as one of its many calls (lasting-endpoint.ts) knows it. */
export interface CallHolder {
  readonly plan: EndpointPlan;
  readonly userAgent: UserAgent;
  /** The traffic of the endpoint and its first call. */
  readonly traffic: EndpointTraffic;
  readonly binding: EndpointBinding;
  /** The expected call has arrived. */
  onCalled(): void;
  /** The call is over. */
  released(call: object): void;
}

export type StunFailure = { readonly cause: Cause; readonly text: string };

/** Asks the STUN server of a group for one of its endpoints. */
export interface StunRequests {
  /** Null: the server answered. */
  askStun(number: number): Promise<StunFailure | null>;
}
