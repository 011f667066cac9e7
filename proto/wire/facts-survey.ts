/**
 * Counts the contents of a batch of facts before they are decoded, because a few bytes can decode to millions of objects. It
 * reads only tags and lengths (protobuf encoding: protobuf.dev/programming-guides/encoding).
 */
import { FrameError } from './frame.ts';
import protobuf from './plain-numbers.ts';

/** Field numbers of facts.proto. */
const ALLOCATIONS = 1;
const ALLOCATION_ID = 1;
const OUTCOMES = 4;
/** The wire type of messages, texts, bytes and packed columns. */
const DELIMITED = 2;

/** A longer outcome may be a list of empty findings, so its fields are counted, too. */
const LONG_OUTCOME_BYTES = 2048;

/** One of `Facts.allocations`. */
export type SurveyedAllocation = {
  /** The id as it was sent; empty: no id was sent. */
  readonly id: Uint8Array;
  /** The range of its bytes within the facts, with tag and length. */
  readonly from: number;
  readonly to: number;
};

export type Survey = {
  readonly allocations: readonly SurveyedAllocation[];
  /** The number of fields in all allocations: outcomes, streams, tables and so on. */
  readonly fields: number;
};

export type FactsLimits = { readonly allocations: number; readonly fields: number };

/** Counts allocations and fields, and stops above `most`. @throws FrameError if it is not a message, or exceeds a limit */
export function surveyFacts(facts: Uint8Array, most: FactsLimits): Survey {
  try {
    return survey(facts, most);
  } catch (error) {
    throw new FrameError(`facts of ${facts.length} bytes: ${(error as Error).message}`, { cause: error });
  }
}

function survey(facts: Uint8Array, most: FactsLimits): Survey {
  const reader = protobuf.Reader.create(facts);
  const allocations: SurveyedAllocation[] = [];
  let fields = 0;
  const count = (): void => {
    if (++fields > most.fields) throw new Error(`it has more than ${most.fields} facts`);
  };
  const countTo = (end: number): void => {
    while (reader.pos < end) {
      reader.skipType(reader.uint32() & 7);
      count();
    }
  };
  const end = (): number => {
    const to = reader.uint32() + reader.pos;
    if (to > reader.len) throw new Error('it is cut off');
    return to;
  };
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const tag = reader.uint32();
    if (tag >>> 3 !== ALLOCATIONS || (tag & 7) !== DELIMITED) {
      reader.skipType(tag & 7);
      count();
      continue;
    }
    if (allocations.length === most.allocations) throw new Error(`it is of more than ${most.allocations} allocations`);
    const to = end();
    let id: Uint8Array = new Uint8Array();
    while (reader.pos < to) {
      const inner = reader.uint32();
      const isDelimited = (inner & 7) === DELIMITED;
      count();
      if (isDelimited && inner >>> 3 === ALLOCATION_ID) id = reader.bytes();
      else if (isDelimited && inner >>> 3 === OUTCOMES) {
        const outcomeEnd = end();
        if (outcomeEnd - reader.pos > LONG_OUTCOME_BYTES) countTo(outcomeEnd);
        reader.pos = outcomeEnd;
      } else reader.skipType(inner & 7);
    }
    if (reader.pos > to) throw new Error('an allocation is longer than it says');
    allocations.push({ id, from, to });
  }
  return { allocations, fields };
}

/** Returns the facts without those allocations of the survey that `isOut` selects. */
export function withoutAllocations(
  facts: Uint8Array,
  { allocations }: Survey,
  isOut: (allocation: SurveyedAllocation) => boolean,
): Uint8Array {
  const kept: Uint8Array[] = [];
  let at = 0;
  for (const allocation of allocations) {
    if (!isOut(allocation)) continue;
    kept.push(facts.subarray(at, allocation.from));
    at = allocation.to;
  }
  return kept.length === 0 ? facts : Buffer.concat([...kept, facts.subarray(at)]);
}
