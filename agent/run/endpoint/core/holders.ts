/** The interfaces of stream holders and call holders. */
import type { Cause } from '@carillon/proto';
import type { EndpointTraffic } from '../../../capture/endpoint-traffic.ts';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import type { UserAgent } from '../../../sip/engine.ts';
import type { EndpointPlan } from '../../plan.ts';
import type { EndpointBinding } from '../account/binding.ts';

/** An endpoint, as far as its streams go. */
export interface StreamHolder {
  readonly plan: EndpointPlan;
  /** Its call is in the future, and it has no streams for it. */
  readonly wantsStreams: boolean;
  /** One for each track. An error: there are none. Null: the joint request failed; it may request its own. */
  onStreams(streams: readonly MediaStream[] | Error | null): void;
}

/** The endpoint of which a call is one of many (lasting-endpoint.ts), as the call knows it. */
export interface CallHolder {
  readonly plan: EndpointPlan;
  readonly userAgent: UserAgent;
  /** Of the endpoint and its first call. */
  readonly traffic: EndpointTraffic;
  readonly binding: EndpointBinding;
  /** The call that was waited for has come. */
  onCalled(): void;
  /** It is over. */
  released(call: object): void;
}

export type StunFailure = { readonly cause: Cause; readonly text: string };

/** It can ask the STUN server of its group, for one of its endpoints. */
export interface StunRequests {
  /** null: the server answered. */
  askStun(number: number): Promise<StunFailure | null>;
}
