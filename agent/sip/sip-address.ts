/** The places to which messages go, and how peers know ours. */
import type { SipTransport } from '@carillon/proto/words/word-lists.ts';

export type SipAddress = { readonly address: string; readonly port: number };

/**
 * A destination, as RFC 3263 derives it from a URI. `serverName`: the requested domain, for the TLS handshake (SNI) and certificate verification (RFC
 * 5922, 4); absent: the address.
 */
export type SipTarget = {
  readonly transport: SipTransport;
  readonly address: string;
  readonly port: number;
  readonly serverName?: string;
  /** Our own port of a connection. */
  readonly localPort?: number;
  /** How long a connection may take to open where there is another way; absent: the usual time. */
  readonly connectLimitMs?: number;
};

/** `host`: in Via, Contact and addresses of record, a name or a numeric address; `mediaAddress`: numeric, in session descriptions, '' the own one. */
export type Announced = { readonly host: string; readonly mediaAddress: string };
