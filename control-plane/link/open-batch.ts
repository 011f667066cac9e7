/** Opens a batch of facts in steps: size, ownership, content. Data of other workers is not decoded. */
import {
  type FactsLimits,
  readFacts,
  type SurveyedAllocation,
  surveyFacts,
  unpackFacts,
  type wire,
  withoutAllocations,
} from '@carillon/proto';
import type { Facts } from '../domain/run/facts.ts';
import { checkTexts } from './check-texts.ts';
import { decodeFactsIn, type Instants } from './wire/decode-facts.ts';
import { toId } from './wire/identifiers.ts';

/** An agent carries some allocations at a time. A part of 3 MiB has 20,000 outcomes, or 50,000 streams of figures only. */
const LIMITS: FactsLimits = { allocations: 1000, fields: 100_000 };

/** Returns the allocations among these that belong to other workers. */
export type ForeignOf = (allocationIds: readonly string[]) => Promise<ReadonlySet<string>>;

export type OpenedBatch = {
  readonly facts: Facts;
  /** Allocations that were left out because they belong to other workers. */
  readonly foreign: number;
};

/** @throws FrameError */
export async function openBatch(
  batch: wire.agent.v1.Batch.$Properties,
  instants: Instants,
  foreignOf: ForeignOf,
): Promise<OpenedBatch> {
  const bytes = unpackFacts(batch);
  const survey = surveyFacts(bytes, LIMITS);
  const idOf = ({ id }: SurveyedAllocation): string => toId(id, 'allocation_id');
  const foreign = await foreignOf(survey.allocations.map(idOf));
  const own = foreign.size === 0 ? bytes : withoutAllocations(bytes, survey, (one) => foreign.has(idOf(one)));
  const facts = readFacts(own);
  await checkTexts(facts.allocations as wire.agent.v1.AllocationFacts[]);
  return { facts: decodeFactsIn(facts, instants), foreign: foreign.size };
}
