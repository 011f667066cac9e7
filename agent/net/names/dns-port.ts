/** What is asked of the DNS and what it answers, by turns: the caller polls for the answers. */

export type Naptr = {
  readonly order: number;
  readonly preference: number;
  readonly flags: string;
  readonly service: string;
  readonly replacement: string;
};

export type Srv = { readonly priority: number; readonly weight: number; readonly port: number; readonly name: string };

/** What a record of each type holds; A and AAAA hold their address. */
export type Records = { readonly NAPTR: Naptr; readonly SRV: Srv; readonly A: string; readonly AAAA: string };
export type RecordType = keyof Records;

export type Query = { readonly type: RecordType; readonly name: string };

/**
 * No records and no failure: the name has none of that type, or does not exist (RFC 2308). A failure says in some words why
 * nothing is known: SERVFAIL, REFUSED, no answer in time.
 */
export type DnsAnswer<T extends RecordType = RecordType> = {
  readonly records: readonly Records[T][];
  readonly failure: string | null;
};

/** `ttlSeconds` null: the resolver does not tell how long the answer holds. */
export type TakeAnswer = (query: Query, answer: DnsAnswer, ttlSeconds: number | null) => void;

export interface DnsPort {
  /** Asks. Each question is answered once, by a later `poll`; a resolver that is silent fails it within its patience. */
  ask(query: Query): void;
  /** Hands over what has come since. */
  poll(take: TakeAnswer): void;
  /** Nothing more is answered. */
  close(): void;
}
