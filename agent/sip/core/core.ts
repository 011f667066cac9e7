/** Shared state of the engine's parts: created once by engine.ts, passed to user agents and the request router. */
import type { BaseCall } from '../dialog/base-call.ts';
import type { SipAddress, TlsSettings } from '../engine.ts';
import type { Identifiers } from '../identifiers.ts';
import type { TextTable } from '../text-table.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';
import type { Vias } from '../transport/readdress.ts';

/** `A`: its user agents. */
export type Core<A = unknown> = {
  readonly layer: TransactionLayer;
  readonly identifiers: Identifiers;
  readonly local: SipAddress;
  /** In Via and Contact: `local`'s address, or another that peers know. */
  readonly host: string;
  /** In Via and Contact over WebSockets, where nobody can connect to us (RFC 7118, 5.2.2): unique, under `.invalid`. */
  readonly webSocketHost: string;
  /** `Via: SIP/2.0/UDP host:port;rport;branch=` */
  readonly via: Vias;
  /** 0 while there is no TLS listener. */
  tlsPort: number;
  /**
   * TLS settings in use, by a hash of their content: user agents with equal settings share connections. Keys must not
   * outlive them.
   */
  readonly tls: Map<string, WeakRef<TlsSettings>>;
  readonly userAgentName: string;
  /** The host's policy on URIs that peers name. */
  readonly mayCall: (uri: string) => boolean;
  readonly mayDial: (uri: string) => boolean;
  /** The user agents by the user part of their Contact. */
  readonly userAgents: TextTable<A>;
  /** Calls with a dialog, by our tag. */
  readonly calls: TextTable<BaseCall>;
  /** Speaks for all that have closed; null: none has. */
  closedAgent: A | null;
  /** Calls that have not ended. */
  openCalls: number;
};
