/** Findings as they are told; what of them a call counts as. Pure. */
import { FINDINGS, type FindingKind, findingSentence, isFault, isUnheard } from '@carillon/proto/findings.ts';
import { q850Name } from '@carillon/proto/q850.ts';
import type { CallFinding } from '../../contract/run/findings.ts';
import type { Party } from '../../contract/words.ts';
import type { FindingFact } from '../run/facts.ts';

export type StoredFinding = {
  readonly kind: FindingKind;
  readonly stream: number | null;
  readonly atUnixMs: number | null;
  readonly lastedMs: number | null;
  readonly count: number;
  readonly of: number;
  readonly detail: string;
  readonly tolerated: boolean;
};

/** `party`: who is at fault. */
export const findingView = (f: StoredFinding, party: Party): CallFinding => ({
  finding: f.kind,
  title: FINDINGS[f.kind].title,
  severity: FINDINGS[f.kind].severity,
  party,
  tolerated: f.tolerated,
  stream: f.stream,
  at: f.atUnixMs === null ? null : new Date(f.atUnixMs).toISOString(),
  seconds: f.lastedMs === null ? null : Math.round(f.lastedMs) / 1000,
  message: findingSentence(f.kind, { lastedMs: f.lastedMs ?? Number.NaN, count: f.count, of: f.of, detail: f.detail }),
});

type Kinds = readonly Pick<FindingFact, 'kind'>[];
const has = (found: Kinds, kind: FindingKind): boolean => found.some((f) => f.kind === kind);

/** Somebody was not heard for a part of the call. */
export const isUnheardBy = (found: Kinds): boolean => found.some(({ kind }) => isUnheard(kind));

/** The call ended before its time, and not by the endpoint; a far end that vanished in the middle has ended it, too. */
export const isDroppedBy = (found: Kinds, cause: string | null): boolean =>
  cause === 'SESSION_EXPIRED' ||
  has(found, 'ENDED_EARLY') ||
  has(found, 'DIALOG_UNKNOWN') ||
  (has(found, 'BYE_UNANSWERED') && has(found, 'MEDIA_STOPPED'));

export type FailureWords = {
  readonly cause: string;
  readonly sipStatus: number | null;
  readonly reason: string;
  readonly q850: number | null;
  readonly reasonText: string | null;
  readonly warning: string | null;
  readonly retryAfterSeconds: number | null;
};

/** `503 Service Unavailable: No circuit available (Q.850 cause 34). Warning: 399 trunk group 7 full.` */
export function failureSentence(f: FailureWords, findings: readonly CallFinding[]): string {
  const found = findings.find((one) => one.finding === f.cause && !one.tolerated && isFault(one.finding));
  const what = found?.message.replace(/\.$/, '') ?? `${f.sipStatus ?? ''} ${f.reason || plain(f.cause)}`.trim();
  const why = f.reasonText ?? (f.q850 === null ? null : q850Name(f.q850));
  const because = why === null ? '' : `: ${why}`;
  const code = f.q850 === null ? '' : ` (Q.850 cause ${f.q850})`;
  const warning = f.warning === null ? '' : ` Warning: ${f.warning}.`;
  const retry = f.retryAfterSeconds === null ? '' : ` Retry after ${f.retryAfterSeconds} s.`;
  return `${what}${because}${code}.${warning}${retry}`;
}

/** `NO_ANSWER` -> `No answer` */
const plain = (word: string): string => {
  const text = word.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};
