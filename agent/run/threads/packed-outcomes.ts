/**
 * Outcomes on their way from a signalling thread to the main thread: as rows of numbers, and each text once. As objects
 * they would be cloned with the names of all their fields, which was a third of the main thread's work for a call.
 */
import { FIGURE_NAMES } from '@carillon/proto/figures/call-figures.ts';
import type { CallEvidence, OutcomeFact, ShareFacts } from '../report/facts.ts';

/** Fields that differ from the template of a row, and are not a number, flag or text. */
type Other = { readonly row: number; readonly outcome: Partial<OutcomeFact>; readonly evidence: Partial<CallEvidence> };

export type PackedOutcomes = {
  readonly count: number;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly words: readonly string[];
  readonly others: readonly Other[];
};

export type PackedFacts = Omit<ShareFacts, 'outcomes'> & { readonly outcomes: PackedOutcomes };

const OUTCOME = {
  numbers: [
    'endpoint',
    'sipStatus',
    'finalStatus',
    'plannedAtMs',
    'awaitedMs',
    'absentMs',
    'pausedMs',
    ...FIGURE_NAMES,
  ],
  flags: ['attempted', 'rang', 'unreported'],
  words: [
    ...(['outcome', 'cause', 'causeText', 'callResult', 'finalReason', 'calleeUri', 'callerUri', 'callId'] as const),
    ...(['tls', 'endedBy'] as const),
  ],
} as const;
const EVIDENCE = {
  numbers: ['talkMs', 'byeStatus', 'sentAgain', 'cameAgain', 'unacknowledged', 'streams'],
  flags: ['hasReferred'],
  words: ['endedBy', 'unansweredBye', 'peerAddress'],
} as const;

type Columns = Readonly<Record<'numbers' | 'flags' | 'words', readonly string[]>>;
type Fields = Record<string, unknown>;

/** The template of all rows, so that V8 gives their objects one shape. */
function templateOf<C extends Columns>({ numbers, flags, words }: C): Record<C[keyof Columns][number], unknown> {
  const fields: Fields = {};
  for (const name of numbers) fields[name] = Number.NaN;
  for (const name of flags) fields[name] = false;
  for (const name of words) fields[name] = '';
  return fields as Record<C[keyof Columns][number], unknown>;
}
/** All fields: a new one must be in a list above, or here if it is rarely set. */
const OUTCOME_TEMPLATE: Record<keyof OutcomeFact, unknown> = {
  ...templateOf(OUTCOME),
  peer: null,
  refreshes: null,
  explanation: null,
  evidence: null,
  findings: null,
};
const EVIDENCE_TEMPLATE: Record<keyof CallEvidence, unknown> = {
  ...templateOf(EVIDENCE),
  q850: null,
  transfer: null,
};

const widthOf = ({ numbers, flags, words }: Columns): number => numbers.length + flags.length + words.length;
/** The first number of a row says whether it has evidence. */
const WIDTH = 1 + widthOf(OUTCOME) + widthOf(EVIDENCE);
/** Stands in place of a text that is null. */
const NULL = -1;

export const packedFacts = (facts: ShareFacts): PackedFacts => ({ ...facts, outcomes: packed(facts.outcomes) });
export const unpackedFacts = (facts: PackedFacts): ShareFacts => ({ ...facts, outcomes: unpacked(facts.outcomes) });

function packed(outcomes: readonly OutcomeFact[]): PackedOutcomes {
  const numbers = new Float64Array(outcomes.length * WIDTH);
  const words: string[] = [];
  const wordOf = new Map<string, number>();
  const others: Other[] = [];
  let at = 0;
  const put = (from: Fields, columns: Columns): void => {
    for (const name of columns.numbers) numbers[at++] = from[name] as number;
    for (const name of columns.flags) numbers[at++] = from[name] === true ? 1 : 0;
    for (const name of columns.words) {
      const text = from[name] as string | null;
      let word = text === null ? NULL : wordOf.get(text);
      if (word === undefined) {
        word = words.push(text as string) - 1;
        wordOf.set(text as string, word);
      }
      numbers[at++] = word;
    }
  };
  for (const [row, outcome] of outcomes.entries()) {
    const { evidence, peer, refreshes, explanation, findings } = outcome;
    const { q850, transfer } = evidence ?? { q850: null, transfer: null };
    at = row * WIDTH;
    numbers[at++] = evidence === null ? 0 : 1;
    put(outcome, OUTCOME);
    if (evidence !== null) put(evidence, EVIDENCE);
    const isUsual = peer === null && refreshes === null && explanation === null && findings.length === 0;
    if (!isUsual || q850 !== null || transfer !== null)
      others.push({ row, outcome: { peer, refreshes, explanation, findings }, evidence: { q850, transfer } });
  }
  return { count: outcomes.length, numbers, words, others };
}

function unpacked({ count, numbers, words, others }: PackedOutcomes): OutcomeFact[] {
  let at = 0;
  const get = (to: Fields, columns: Columns): void => {
    for (const name of columns.numbers) to[name] = numbers[at++];
    for (const name of columns.flags) to[name] = numbers[at++] === 1;
    for (const name of columns.words) {
      const word = numbers[at++] as number;
      to[name] = word === NULL ? null : words[word];
    }
  };
  const outcomes = Array.from({ length: count }, (_, row) => {
    at = row * WIDTH;
    const hasEvidence = numbers[at++] === 1;
    const outcome: Fields = { ...OUTCOME_TEMPLATE, findings: [] };
    get(outcome, OUTCOME);
    if (!hasEvidence) return outcome;
    const evidence: Fields = { ...EVIDENCE_TEMPLATE };
    get(evidence, EVIDENCE);
    outcome['evidence'] = evidence;
    return outcome;
  });
  for (const { row, outcome, evidence } of others) {
    const fields = outcomes[row] as Fields;
    Object.assign(fields, outcome);
    if (fields['evidence'] !== null) Object.assign(fields['evidence'] as Fields, evidence);
  }
  return outcomes as OutcomeFact[];
}
