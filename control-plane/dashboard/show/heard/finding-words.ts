/** Findings for pages: titles, severity, and causes of failures in the same words. Pure. */
import { FINDINGS, type FindingKind, isFindingKind } from '@carillon/proto/words/findings.ts';
import { plain, type Tone } from '../basics/tones.ts';

export const titleOf = (kind: FindingKind): string => FINDINGS[kind].title;

/** Why an endpoint failed: the title of its finding, otherwise the cause in plain language. */
export const causeWords = (cause: string): string => (isFindingKind(cause) ? titleOf(cause) : plain(cause));

type Weighed = { readonly severity: 'FAULT' | 'NOTE'; readonly tolerated: boolean };

/** A fault makes a call fail, unless its group tolerates the fault. */
export const weightOf = ({ severity, tolerated }: Weighed): readonly [Tone, string] =>
  severity === 'NOTE' ? ['warn', 'Note'] : tolerated ? ['none', 'Tolerated'] : ['bad', 'Fault'];

/** `network` -> `caused by the network` */
export const causedBy = (party: string): string => (party === 'unknown' ? 'cause unknown' : `caused by the ${party}`);
