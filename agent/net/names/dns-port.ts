/** DNS queries and answers by polling: the caller polls for the answers. */

export type Naptr = {
  readonly order: number;
  readonly preference: number;
  readonly flags: string;
  readonly service: string;
  readonly replacement: string;
};

export type Srv = { readonly priority: number; readonly weight: number; readonly port: number; readonly name: string };

/** The content of the records of each type; that of A and AAAA is their address. */
export type Records = { readonly NAPTR: Naptr; readonly SRV: Srv; readonly A: string; readonly AAAA: string };
export type RecordType = keyof Records;

export type Query = { readonly type: RecordType; readonly name: string };

/**
 * Neither records nor a failure: the name has no records of that type, or does not exist (RFC 2308). A failure gives
 * the reason in a few words: SERVFAIL, REFUSED, no answer in time.
 */
export type DnsAnswer<T extends RecordType = RecordType> = {
  readonly records: readonly Records[T][];
  readonly failure: string | null;
};

/** `ttlSeconds` null: the resolver does not give the time to live. */
export type TakeAnswer = (query: Query, answer: DnsAnswer, ttlSeconds: number | null) => void;

export interface DnsPort {
  /**
   * Sends a query. Each query is answered once, by a later `poll`; if the resolver does not answer it fails after the
   * timeout.
   */
  ask(query: Query): void;
  /** Delivers the answers since the last call. */
  poll(take: TakeAnswer): void;
  /** Stops the delivery of answers. */
  close(): void;
}
