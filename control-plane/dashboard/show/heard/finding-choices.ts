/** The findings that forms and filters offer. Pure. */
import { FINDING_KINDS, type FindingKind, isFault } from '@carillon/proto/words/findings.ts';
import { titleOf } from './finding-words.ts';

const choice = (kind: FindingKind) => ({ value: kind, label: titleOf(kind) });
/** Every kind of finding, as a choice. */
export const FINDING_CHOICES = [
  { group: 'Faults', items: FINDING_KINDS.filter(isFault).map(choice) },
  { group: 'Notes', items: FINDING_KINDS.filter((kind) => !isFault(kind)).map(choice) },
];
/** The findings that a group may tolerate. */
export const FAULT_CHOICES = FINDING_KINDS.filter(isFault).map(choice);
