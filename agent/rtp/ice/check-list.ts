/** The pairs of a stream, best first, and their checks (RFC 8445, 6.1.2 and 6.1.4.2). */
import { type Candidate, pairPriority, priorityOf } from '@carillon/media/ice/candidate.ts';
import { takeStep } from '../../steps.ts';
import { PAIR, type PairEvent, type PairState } from './ice-tables.ts';

type Address = { readonly address: string; readonly port: number };

type Check = {
  readonly transaction: string;
  readonly request: Uint8Array;
  /** Whether it has USE-CANDIDATE. */
  readonly nominating: boolean;
  /** Our role when it was sent. */
  readonly controlling: boolean;
};

export type CandidatePair = {
  remote: Candidate;
  state: PairState;
  priority: bigint;
  /** The check that is not answered yet, and still retransmitted. */
  check: Check | null;
  sends: number;
  dueAtMs: number;
  /** Our address as the peer sees it; null: never reported. */
  mapped: Address | null;
  /** Whether the controlling peer has nominated the pair. */
  wanted: boolean;
  nominated: boolean;
};

/** The default limit of RFC 8445, 6.1.2.5. */
const MAX_PAIRS = 100;

export class CheckList {
  /** The pairs, best first. */
  readonly pairs: CandidatePair[] = [];
  #controlling: boolean;
  #triggered: CandidatePair[] = [];
  /** Checks by transaction, including those that were restarted. */
  readonly #begun = new Map<string, { readonly pair: CandidatePair; readonly check: Check }>();

  constructor(remote: readonly Candidate[], controlling: boolean) {
    this.#controlling = controlling;
    for (const one of remote.slice(0, MAX_PAIRS)) if (this.from(one) === null) this.#add(one);
    this.#sort();
  }

  #add(remote: Candidate): CandidatePair {
    const fresh = { state: PAIR.initial, priority: 0n, check: null, sends: 0, dueAtMs: 0 };
    const pair: CandidatePair = { remote, ...fresh, mapped: null, wanted: false, nominated: false };
    this.pairs.push(pair);
    return pair;
  }

  /** The role has changed, and with it the priorities. */
  order(controlling: boolean): void {
    this.#controlling = controlling;
    this.#sort();
  }

  #sort(): void {
    // The priority of the host's own candidate: reflexive ones have the same base (6.1.2.4).
    const ours = priorityOf('host');
    for (const pair of this.pairs) {
      const theirs = pair.remote.priority;
      pair.priority = this.#controlling ? pairPriority(ours, theirs) : pairPriority(theirs, ours);
    }
    this.pairs.sort((a, b) => Number(b.priority > a.priority) - Number(b.priority < a.priority));
  }

  get isEmpty(): boolean {
    return this.pairs.length === 0;
  }

  get isExhausted(): boolean {
    return this.pairs.every(({ state }) => state === 'FAILED');
  }

  get isNominating(): boolean {
    return this.pairs.some(({ check }) => check?.nominating === true);
  }

  from({ address, port }: Address): CandidatePair | null {
    return this.pairs.find(({ remote }) => remote.address === address && remote.port === port) ?? null;
  }

  /** Adds a peer-reflexive candidate (7.3.1.3); null: there are too many pairs. */
  learn({ address, port }: Address, priority: number): CandidatePair | null {
    if (this.pairs.length >= MAX_PAIRS) return null;
    const remote = { component: 1, transport: 'udp', type: 'prflx', related: null } as const;
    const pair = this.#add({ ...remote, foundation: `p${this.pairs.length}`, priority, address, port });
    this.#sort();
    return pair;
  }

  trigger(pair: CandidatePair): void {
    this.#move(pair, 'TRIGGER');
    // A check in progress is not retransmitted, but its answer still counts (7.3.1.4).
    pair.check = null;
    if (!this.#triggered.includes(pair)) this.#triggered.push(pair);
  }

  /** The pair whose check is due; null: no check is due. */
  next(): CandidatePair | null {
    for (let pair = this.#triggered.shift(); pair !== undefined; pair = this.#triggered.shift())
      if (pair.state === 'WAITING') return pair;
    return this.pairs.find(({ state }) => state === 'WAITING') ?? null;
  }

  begin(pair: CandidatePair, check: Check): void {
    this.#move(pair, 'CHECK');
    pair.check = check;
    this.#begun.set(check.transaction, { pair, check });
  }

  of(transaction: string): CandidatePair | null {
    return this.#begun.get(transaction)?.pair ?? null;
  }

  /** The check was answered, with this result. */
  end(pair: CandidatePair, transaction: string): Check {
    const { check } = this.#begun.get(transaction)!;
    this.#begun.delete(transaction);
    if (pair.check === check) pair.check = null;
    return check;
  }

  succeed(pair: CandidatePair, mapped: Address): void {
    this.#move(pair, 'SUCCESS');
    pair.mapped = mapped;
    pair.check = null;
    this.#triggered = this.#triggered.filter((one) => one !== pair);
  }

  fail(pair: CandidatePair): void {
    pair.check = null;
    if (pair.state !== 'WAITING') this.#move(pair, 'FAILURE');
    pair.nominated = false;
  }

  bestValid(): CandidatePair | null {
    return this.pairs.find(({ state }) => state === 'SUCCEEDED') ?? null;
  }

  bestNominated(): CandidatePair | null {
    return this.pairs.find(({ state, nominated }) => state === 'SUCCEEDED' && nominated) ?? null;
  }

  /** Whether a better pair than this one may still become valid. */
  mayBetter(than: CandidatePair): boolean {
    return this.pairs.some(
      ({ state, priority }) => priority > than.priority && (state === 'WAITING' || state === 'IN_PROGRESS'),
    );
  }

  #move(pair: CandidatePair, event: PairEvent): void {
    pair.state = takeStep('candidate pair', PAIR.transitions, pair.state, event) ?? pair.state;
  }
}
