/**
 * Calls that failed in the same way, together: the same as store/run/views/failures.ts computes from rows, added up as
 * calls end. Pure.
 */

import type { Outcome } from '../../contract/run/words.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import { type Example, type FoldedCall, firstExamples } from './folded-call.ts';

export type ClusterRow = {
  readonly reached: number;
  readonly outcome: Outcome;
  readonly cause: string | null;
  readonly status: number | null;
  readonly q850: number | null;
  readonly endpointType: EndpointType;
  readonly reason: string | null;
  readonly explanation: string | null;
  readonly target: string;
  /** The common pattern of the dialled numbers, with shortest and longest length; null: nothing was dialled. */
  readonly firstNumber: string | null;
  readonly lastNumber: string | null;
  readonly shortest: number | null;
  readonly longest: number | null;
  readonly n: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly examples: string[];
  /** The failures of all clusters, including those beyond `most`. */
  readonly failures: number;
};

type Key = Pick<ClusterRow, 'reached' | 'outcome' | 'cause' | 'status' | 'q850' | 'endpointType' | 'target'> & {
  readonly pattern: string | null;
};

/** Texts of far ends, each with its count. */
type Explanations = (readonly [string, number])[];

type Cluster = {
  n: number;
  firstMs: number | null;
  lastMs: number | null;
  /** The common text; null if they differ, or have none. */
  reason: string | null;
  explanations: Explanations;
  firstNumber: string | null;
  lastNumber: string | null;
  shortest: number | null;
  longest: number | null;
  examples: Example[];
};

/** Plain data for storage: clusters by key, and the count of failures beyond the maximum of kinds. */
export type FailureSums = { clusters: Record<string, Cluster>; others: number };

/** Four times the number in an answer: a far end that invents reasons must not control the stored size. */
const MAX_CLUSTERS_KEPT = 200;
const MAX_EXPLANATIONS = 20;

export const noFailures = (): FailureSums => ({ clusters: {}, others: 0 });

const WORD = '[\\p{L}\\p{N}_]';
const TOKENS = new RegExp(
  `(?<!${WORD})(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[0-9a-f]*[0-9])[0-9a-f]{6,})(?!${WORD})`,
  'giu',
);
/**
 * The reason without parts that differ from call to call: UUIDs, words of six or more hexadecimal digits, numbers with
 * dots and colons.
 */
export const maskedReason = (text: string): string => text.replace(TOKENS, '#').replace(/[0-9]+(?:[.:][0-9]+)*/g, '#');

const HOST = /^[^:]+:(?:[^@]*@)?(\[[^\]]*\](?::[0-9]+)?|[^;?>]*)/;
const NUMBER = /^[^:]+:([^@;?>]*)(?:;[^@]*)?@/;
/** 0 means none. */
const orNone = (value: number): number | null => value || null;

function keyOf({ outcome, phases, endpointType, calleeUri, registrarUri }: FoldedCall): Key {
  const isRegistration = outcome.outcome === 'REGISTRATION_FAILED';
  return {
    reached: phases.reached,
    outcome: outcome.outcome as Key['outcome'],
    cause: outcome.cause,
    status: orNone(outcome.causeStatus),
    q850: orNone(outcome.q850),
    endpointType,
    target: isRegistration ? registrarUri : (HOST.exec(calleeUri)?.[1] ?? '').toLowerCase(),
    pattern: outcome.causeText === null ? null : maskedReason(outcome.causeText),
  };
}

export function addFailure(sums: FailureSums, call: FoldedCall): void {
  const { outcome, phases, id } = call;
  if (outcome.outcome === 'SUCCESS') return;
  const explanation = outcome.reasonText ?? outcome.warning;
  const dialled = outcome.outcome === 'REGISTRATION_FAILED' ? null : NUMBER.exec(call.calleeUri)?.[1] || null;
  const length = dialled === null ? null : [...dialled].length;
  const atMs = Number.isNaN(phases.closedUnixMs) ? null : phases.closedUnixMs;
  addCluster(sums, JSON.stringify(keyOf(call)), {
    n: 1,
    firstMs: atMs,
    lastMs: atMs,
    reason: outcome.causeText,
    explanations: explanation === null ? [] : [[explanation, 1]],
    firstNumber: dialled,
    lastNumber: dialled,
    shortest: length,
    longest: length,
    examples: id === null ? [] : [{ id, atMs: atMs ?? 0, number: outcome.number }],
  });
}

export function addFailures(sums: FailureSums, from: FailureSums): void {
  sums.others += from.others;
  for (const [key, cluster] of Object.entries(from.clusters)) addCluster(sums, key, cluster);
}

function addCluster(sums: FailureSums, key: string, one: Cluster): void {
  const known = sums.clusters[key];
  if (known !== undefined) sums.clusters[key] = joined(known, one);
  else if (Object.keys(sums.clusters).length < MAX_CLUSTERS_KEPT) sums.clusters[key] = one;
  else sums.others += one.n;
}

const lesser = <T extends string | number>(a: T | null, b: T | null): T | null =>
  a === null || (b !== null && b < a) ? b : a;
const greater = <T extends string | number>(a: T | null, b: T | null): T | null =>
  a === null || (b !== null && b > a) ? b : a;

const joined = (a: Cluster, b: Cluster): Cluster => ({
  n: a.n + b.n,
  firstMs: lesser(a.firstMs, b.firstMs),
  lastMs: greater(a.lastMs, b.lastMs),
  reason: a.reason === b.reason ? a.reason : null,
  explanations: joinedCounts(a.explanations, b.explanations),
  firstNumber: lesser(a.firstNumber, b.firstNumber),
  lastNumber: greater(a.lastNumber, b.lastNumber),
  shortest: lesser(a.shortest, b.shortest),
  longest: greater(a.longest, b.longest),
  examples: firstExamples([...a.examples, ...b.examples]),
});

function joinedCounts(a: Explanations, b: Explanations): Explanations {
  const counts = new Map(a);
  for (const [text, n] of b)
    if (counts.has(text) || counts.size < MAX_EXPLANATIONS) counts.set(text, (counts.get(text) ?? 0) + n);
  return [...counts];
}

/** The `most` largest clusters, as the statement over rows has them. */
export function clusterRows({ clusters, others }: FailureSums, most: number): ClusterRow[] {
  const all = Object.entries(clusters);
  const failures = all.reduce((n, [, cluster]) => n + cluster.n, others);
  return all
    .sort(([keyA, a], [keyB, b]) => b.n - a.n || (a.firstMs ?? 0) - (b.firstMs ?? 0) || (keyA < keyB ? -1 : 1))
    .slice(0, most)
    .map(([key, c]) => {
      const { pattern, ...known } = JSON.parse(key) as Key;
      return {
        ...known,
        reason: c.reason ?? pattern,
        explanation: explanationOf(c.explanations),
        firstNumber: c.firstNumber,
        lastNumber: c.lastNumber,
        shortest: c.shortest,
        longest: c.longest,
        n: c.n,
        firstAt: c.firstMs === null ? null : new Date(c.firstMs),
        lastAt: c.lastMs === null ? null : new Date(c.lastMs),
        examples: c.examples.map(({ id }) => id),
        failures,
      };
    });
}

/** The common explanation, or the most frequent one. */
function explanationOf(explanations: Explanations): string | null {
  const [first, second] = [...explanations].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (first === undefined) return null;
  return second === undefined ? first[0] : `${first[0]} (and others)`;
}
