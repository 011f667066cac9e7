/** Facts as messages to the main thread. */
import { memoryOf } from '../../capture/message-block.ts';
import type { SharePlan } from '../plan.ts';
import type { ShareFacts } from '../report/facts.ts';
import { type PackedFacts, packedFacts } from './packed-outcomes.ts';
import type { FromSignalling } from './thread-messages.ts';

/** `memory` is transferred, not copied. */
export type Tell = (message: FromSignalling, memory?: ArrayBuffer[]) => void;

export function tellFacts(tell: Tell, facts: readonly ShareFacts[]): void {
  const packed = facts.map(packedFacts);
  tell({ op: 'facts', facts: packed }, packed.flatMap(memoryOfFacts));
}

export function tellRehearsed(tell: Tell, facts: ShareFacts, plan: SharePlan): void {
  const packed = packedFacts(facts);
  tell({ op: 'rehearsed', facts: packed, plan }, memoryOfFacts(packed));
}

const memoryOfFacts = ({ messages, withheldMessages, outcomes }: PackedFacts): ArrayBuffer[] => [
  ...[...messages, ...withheldMessages].flatMap(memoryOf),
  outcomes.numbers.buffer,
];
