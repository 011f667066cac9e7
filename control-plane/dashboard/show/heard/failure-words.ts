/** Why endpoints failed, in the words of the end that refused or ended the call. Pure. */
import { q850Name } from '@carillon/proto/words/q850.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { plain } from '../basics/tones.ts';
import { causeWords } from './finding-words.ts';

type Cluster = Output<'getTestRun'>['failureClusters'][number];
type Endpoint = Output<'getTestRunEndpoint'>;
type Release = Endpoint['release'];

/** `Q.850 cause 34: No circuit available` */
export const q850Words = (cause: number): string => `Q.850 cause ${cause}: ${q850Name(cause)}`;

/** `503 Service Unavailable`; without a SIP status, the finding of the call. */
export const failureTitle = (f: {
  readonly cause: string;
  readonly sipStatus: number | null;
  readonly reason: string;
}) => (f.sipStatus === null ? causeWords(f.cause) : `${f.sipStatus} ${f.reason || causeWords(f.cause)}`);

/** `said` has the reasons given by the far end or the agent, one per line; `kind` is the kind of failure, as in filters. */
export function clusterWords(c: Cluster): { readonly title: string; readonly said: string[]; readonly kind: string } {
  const title = failureTitle(c);
  const cause = causeWords(c.cause);
  const said = [
    c.sipStatus === null ? c.reason : '',
    c.q850 === null ? '' : q850Words(c.q850),
    c.explanation === null || isNameOf(c.q850, c.explanation) ? '' : `“${c.explanation}”`,
  ];
  return {
    title,
    said: said.filter((line) => line !== '' && line !== title),
    kind: [...(cause === title ? [] : [cause]), ...(c.outcome === 'CALL_FAILED' ? [] : [plain(c.outcome)])].join(' · '),
  };
}

/** `number 4930#`; null: no number was dialled. */
export const numberWords = ({ number }: Pick<Cluster, 'number'>): string | null =>
  number === null ? null : number === '…' ? 'different numbers' : `number ${number}`;

/** True: the text of the far end is only the name that the table has. */
const isNameOf = (q850: number | null, text: string): boolean =>
  q850 !== null && q850Name(q850).toLowerCase() === text.toLowerCase();

/** The end that ended the call, and the far end's explanation, one per line. */
export function releaseWords({ endedBy, release }: Pick<Endpoint, 'endedBy' | 'release'>): string[] {
  const who = endedBy ? [`Ended by the ${endedBy === 'LOCAL' ? 'endpoint' : 'far end'}`] : [];
  return [...who, ...explanationLines(release)];
}

const explanationLines = (r: Release): string[] =>
  r === null
    ? []
    : [
        ...(r.q850 === null ? [] : [q850Words(r.q850)]),
        ...(r.reasonText === null || isNameOf(r.q850, r.reasonText) ? [] : [`Reason: ${r.reasonText}`]),
        ...(r.warning === null ? [] : [`Warning: ${r.warning}`]),
      ];
