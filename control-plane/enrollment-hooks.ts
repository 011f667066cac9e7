/** What a feature adds to greetings: which agents enroll themselves by its tokens, and which it does not let in. */
import type { WorkerHello, WorkerRow } from './store/agents/workers.ts';
import type { Tx } from './store/db.ts';

/** The agent of a worker that greets. `tokenHash`: the SHA-256 of the token that it shows; null: it shows none. */
export type ReturningAgent = {
  readonly tokenHash: Buffer | null;
  readonly bootId: string;
  readonly hello: WorkerHello;
};
export type NewAgent = {
  readonly tokenHash: Buffer;
  readonly publicKey: Buffer;
  /** The name that it wants for its worker; '': any. */
  readonly wantedName: string;
  readonly isDisposable: boolean;
  readonly hello: WorkerHello;
};

/** Why a feature does not let an agent in. Without `retryAfterMs` somebody has to act before it may come again. */
export type EntryRefusal = {
  readonly code: string;
  readonly message: string;
  readonly reason: 'JOIN_TOKEN_EXPIRED' | 'JOIN_TOKEN_REVOKED' | 'JOIN_TOKEN_FULL' | 'POLICY_TOO_WIDE' | 'KEY_COPIED';
  readonly retryAfterMs?: number;
  /** The organization whose audit log says it, and of what; the core knows these of agents that have a worker. */
  readonly concerns?: { readonly organizationId: string; readonly target: Readonly<Record<string, string>> };
};

/** Tokens of a feature by which agents enroll themselves, each as a new worker. */
export type EnrollmentHooks<Ports> = {
  /** It is asked in the transaction of a greeting with a key of no worker and a token of no worker. Null: the token is not the feature's. */
  readonly join: (
    ports: Ports,
    tx: Tx,
    agent: NewAgent,
  ) => Promise<{ readonly workerId: string } | EntryRefusal | null>;
  /** It is asked in the transaction of each greeting of the agent of a worker, which is locked. Null: the agent may come in. */
  readonly objection: (ports: Ports, tx: Tx, worker: WorkerRow, agent: ReturningAgent) => Promise<EntryRefusal | null>;
};
