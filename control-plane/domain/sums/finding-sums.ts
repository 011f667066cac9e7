/** Endpoints with each finding, by type: the same as store/run/findings.ts counts from rows, added up as calls end. Pure. */
import type { FindingKind } from '@carillon/proto/words/findings.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import { agreed, type Example, type FoldedCall, firstExamples } from './folded-call.ts';

type FindingSum = { n: number; tolerated: number; q850: number | null; examples: Example[] };
/** Plain data, as it is stored: by kind and type of endpoint. */
export type FindingSums = Record<string, FindingSum>;

type FoundKind = {
  readonly kind: FindingKind;
  readonly endpointType: EndpointType;
  readonly n: number;
  readonly tolerated: number;
  readonly examples: string[];
  /** The far end's explanation of these calls, if all are equal; null: none, or different. */
  readonly q850: number | null;
};

/** `answered`: endpoints of the type whose call was answered. */
export type FindingCount = FoundKind & { readonly answered: number };

export function addFound(sums: FindingSums, { outcome, endpointType, id }: FoldedCall): void {
  for (const [kind, found] of Map.groupBy(outcome.findings, (f) => f.kind)) {
    // The examples are the first ones by their numbers.
    const example = { id: id ?? '', atMs: 0, number: outcome.number };
    addKind(sums, `${kind} ${endpointType}`, {
      n: 1,
      tolerated: Number(found.every((f) => f.tolerated)),
      q850: outcome.q850 || null,
      examples: id === null ? [] : [example],
    });
  }
}

export function addFindings(sums: FindingSums, from: FindingSums): void {
  for (const [key, found] of Object.entries(from)) addKind(sums, key, found);
}

function addKind(sums: FindingSums, key: string, one: FindingSum): void {
  const known = sums[key];
  sums[key] =
    known === undefined
      ? one
      : {
          n: known.n + one.n,
          tolerated: known.tolerated + one.tolerated,
          q850: agreed(known.q850, one.q850),
          examples: firstExamples([...known.examples, ...one.examples]),
        };
}

export const foundKinds = (sums: FindingSums): FoundKind[] =>
  Object.entries(sums).map(([key, { examples, ...found }]) => {
    const [kind, endpointType] = key.split(' ') as [FindingKind, EndpointType];
    return { kind, endpointType, ...found, examples: examples.map(({ id }) => id) };
  });
