/** Sends facts as messages to the main thread. */
import { memoryOf } from '../../capture/message-block.ts';
import type { ShareFacts } from '../report/facts.ts';
import { type PackedFacts, packedFacts } from './packed-outcomes.ts';
import type { FromSignalling } from './thread-messages.ts';

/** `memory` is transferred, not copied. */
export type Tell = (message: FromSignalling, memory?: ArrayBuffer[]) => void;

export function tellFacts(tell: Tell, facts: readonly ShareFacts[]): void {
  const packed = facts.map(packedFacts);
  tell({ op: 'facts', facts: packed }, packed.flatMap(memoryOfFacts));
}

const memoryOfFacts = ({ messages, withheldMessages, outcomes }: PackedFacts): ArrayBuffer[] => [
  ...[...messages, ...withheldMessages].flatMap(memoryOf),
  outcomes.numbers.buffer,
];
