/** Findings for answers, and their effect on a call. Pure. */
import { FINDINGS, type FindingKind, findingSentence, isFault, isUnheard } from '@carillon/proto/words/findings.ts';
import { Q850 } from '@carillon/proto/words/q850.ts';
import { plain } from '../../contract/plain.ts';
import type { CallFinding } from '../../contract/run/findings.ts';
import type { Pairing } from '../../contract/run/words.ts';
import type { Party } from '../../contract/run-status.ts';
import type { ReportedFinding } from '../run/facts.ts';

export type StoredFinding = {
  readonly kind: FindingKind;
  readonly stream: number | null;
  readonly atUnixMs: number | null;
  readonly lastedMs: number | null;
  readonly count: number;
  readonly of: number;
  readonly detail: string;
  readonly tolerated: boolean;
  readonly pairing: Pairing | null;
};

const OTHER_END_DEDUCED = 'The other end of the call was deduced: no SIP message names it.';

/** `party`: which side is at fault. */
export const findingView = (f: StoredFinding, party: Party): CallFinding => ({
  finding: f.kind,
  title: FINDINGS[f.kind].title,
  severity: FINDINGS[f.kind].severity,
  party,
  tolerated: f.tolerated,
  stream: f.stream,
  at: f.atUnixMs === null ? null : new Date(f.atUnixMs).toISOString(),
  seconds: f.lastedMs === null ? null : Math.round(f.lastedMs) / 1000,
  message:
    findingSentence(f.kind, { lastedMs: f.lastedMs ?? Number.NaN, count: f.count, of: f.of, detail: f.detail }) +
    (f.pairing === 'DEDUCED' ? ` ${OTHER_END_DEDUCED}` : ''),
  pairing: f.pairing,
});

type Kinds = readonly Pick<ReportedFinding, 'kind' | 'tolerated'>[];
const has = (found: Kinds, kind: FindingKind): boolean => found.some((f) => f.kind === kind);

/** One party was not heard for a part of the call. This does not count if the group expects a far end that pauses. */
export const isUnheardBy = (found: Kinds): boolean =>
  found.some(({ kind, tolerated }) => isUnheard(kind) && !(tolerated && kind === 'SENDER_PAUSED'));

/** The call ended early, and the endpoint did not end it; a far end that vanished during the call has ended it as well. */
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
  const what = bare(found?.message ?? `${f.sipStatus ?? ''} ${f.reason || plain(f.cause)}`.trim());
  const why = releaseText(f);
  // The far end's reason for hanging up does not explain earlier silence.
  const because = found === undefined || found.finding === 'ENDED_EARLY' ? `: ${why}` : `. The far end hung up: ${why}`;
  const warning = f.warning === null ? '' : ` Warning: ${bare(f.warning)}.`;
  const retry = f.retryAfterSeconds === null ? '' : ` Retry after ${f.retryAfterSeconds} s.`;
  return capital(`${what}${why === null ? '' : because}.${warning}${retry}`);
}

/** An example is `No circuit available (Q.850 cause 34)`; null: the far end gave no reason. */
function releaseText({ reasonText, q850 }: FailureWords): string | null {
  if (q850 === null) return reasonText === null ? null : bare(reasonText);
  const why = reasonText ?? Q850[q850]?.name;
  return why === undefined ? `Q.850 cause ${q850}` : `${bare(why)} (Q.850 cause ${q850})`;
}

/** The enclosing sentence has its own full stop. */
const bare = (text: string): string => text.replace(/(?<![\s.])[\s.]+$/, '');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
