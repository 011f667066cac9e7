/** The agent's book over signalling threads that only record their orders, and orders and facts for it. */
import { wire } from '@carillon/proto';
import { reachPredicate } from '../../policy/judge.ts';
import { readPolicy } from '../../policy/policy.ts';
import { abilitiesOf } from '../../rtp/abilities.ts';
import type { MediaMemory } from '../../rtp/figures/stream-memory.ts';
import { Book } from '../../run/allocation/book.ts';
import type { MediaHolder } from '../../run/allocation/held-allocation.ts';
import type { OutcomeFact, ReportedState, ShareFacts } from '../../run/report/facts.ts';
import type { SignallingThread } from '../../run/threads/signalling-host.ts';
import type { ToSignalling } from '../../run/threads/thread-messages.ts';

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as never;

export const policy = await readPolicy(null);

const { Allocation, Role } = wire.agent.v1;

/** A book over signalling threads that only record their orders. */
export function openBook(
  listeners: number,
  library?: MediaHolder,
  owner = { policy },
  memories: readonly MediaMemory[] = [],
  onOutcome: (outcome: OutcomeFact) => void = () => undefined,
) {
  const told: ToSignalling[][] = Array.from({ length: listeners }, () => []);
  const threads = told.map((log): SignallingThread => ({ tell: (m: ToSignalling) => log.push(m) }) as never);
  const limits = () => ({
    policy: owner.policy,
    mayReach: reachPredicate(owner.policy),
    room: 1000,
    streamRoom: 1000,
    abilities: abilitiesOf({ fingerprint: null }),
  });
  const none = () => undefined;
  const book = new Book({
    threads,
    memories,
    limits,
    log: quiet,
    events: { onOutcome, onSip: none, onSamples: none, onStream: none },
    library,
  });
  return { book, told, words: (listener: number) => told[listener]?.map((m) => m.op) };
}

export const allocation = (endpoints: number, listeners: number, more: object = {}) => {
  const each = <T>(value: (i: number) => T) => Array.from({ length: endpoints }, (_, i) => value(i));
  const columns = {
    number: each((i) => i),
    listener: each((i) => i % listeners),
    registerAtMs: each(() => 0),
    callAtMs: each((i) => i * 100),
    user: each((i) => `e${i}`),
    accountUser: each(() => ''),
    accountPassword: each(() => ''),
    targetUri: each(() => 'sip:9@127.0.0.1:5070'),
  };
  const words = { role: Role.CALLER, callDurationMs: 5000, group: { audioCodecs: ['PCMU'] }, endpoints: columns };
  return Allocation.decode(Allocation.encode({ ...words, ...more }).finish()) as wire.agent.v1.Allocation;
};

/** Of an allocation of which nothing is new. */
export const NO_FACTS = {
  phases: { endpoint: [], phase: [], atMs: [] },
  progress: { endpoint: [], phase: [], atMs: [] },
  outcomes: [],
  registrations: [],
  sipCounts: [],
  messages: [],
  withheldMessages: [],
  actions: { endpoint: [], failed: [], detail: [], atMs: [] },
  withheldActions: { endpoint: [], failed: [], detail: [], atMs: [] },
  breaches: [],
  strangers: [],
  tally: null,
} as const satisfies Partial<ShareFacts>;

export const stateFacts = (owner: number, state: ReportedState): ShareFacts => ({
  owner,
  ...NO_FACTS,
  startNoise: null,
  state,
  reasonCode: 'CODE',
  reason: 'why',
});
