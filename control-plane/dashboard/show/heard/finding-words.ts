/** Findings as pages tell them: titles, short names for rows, how grave each is, and causes of failures in the same words. Pure. */
import { FINDING_KINDS, FINDINGS, type FindingKind, isFault, isFindingKind } from '@carillon/proto/findings.ts';
import { seconds } from '../basics/figures.ts';
import { plain, type Tone } from '../basics/tones.ts';

/** For a mark in a row; its title stands beside it on hover. */
export const SHORT: Readonly<Record<FindingKind, string>> = {
  NOT_ENCRYPTED: 'Not encrypted',
  UNDECRYPTABLE_MEDIA: 'Not decryptable',
  WRONG_PAYLOAD: 'Wrong codec',
  NO_MEDIA: 'No audio',
  ONE_WAY_AUDIO: 'One way',
  MOSTLY_LOST: 'Mostly lost',
  SILENT_AUDIO: 'Silence',
  ENDED_EARLY: 'Ended early',
  MEDIA_STOPPED: 'Audio stopped',
  MEDIA_GAP: 'Audio gap',
  BYE_UNANSWERED: 'BYE unanswered',
  DIALOG_UNKNOWN: '481 to BYE',
  CONSULTATION_FAILED: 'No consultation',
  TRANSFER_REFUSED: 'Transfer refused',
  TRANSFER_FAILED: 'Transfer failed',
  TRANSFER_UNTOLD: 'Transfer untold',
  BYE_REFUSED: 'BYE refused',
  MISSING_ACK: 'ACK missing',
  SIP_RETRANSMISSIONS: 'SIP resent',
  FIRST_MEDIA_LATE: 'Audio late',
  NO_VIDEO: 'No video',
  CODEC_ASYMMETRY: 'Two codecs',
  NAT_MISMATCH: 'Private address',
  DIGITS_LOST: 'Keys lost',
  SRTP_AUTHENTICATION_FAILED: 'SRTP failed',
  LATE_MEDIA: 'Packets late',
  UNEXPECTED_PAYLOAD_TYPE: 'Other payload',
  NAT_FOLLOWED: 'Address changed',
  PORT_UNREACHABLE: 'Port closed',
  RECEIVE_DROPS: 'Host drops',
};

export const titleOf = (kind: FindingKind): string => FINDINGS[kind].title;

/** Why an endpoint failed: by its finding's title, else the cause in plain words. */
export const causeWords = (cause: string): string => (isFindingKind(cause) ? titleOf(cause) : plain(cause));

const choice = (kind: FindingKind) => ({ value: kind, label: titleOf(kind) });
/** Every kind, to be chosen from. */
export const FINDING_CHOICES = [
  { group: 'Faults', items: FINDING_KINDS.filter(isFault).map(choice) },
  { group: 'Notes', items: FINDING_KINDS.filter((kind) => !isFault(kind)).map(choice) },
];
/** What a group may tolerate. */
export const FAULT_CHOICES = FINDING_KINDS.filter(isFault).map(choice);

type Weighed = { readonly severity: 'FAULT' | 'NOTE'; readonly tolerated: boolean };

/** A call fails by a fault, unless its group tolerates it. */
export const weightOf = ({ severity, tolerated }: Weighed): readonly [Tone, string] =>
  severity === 'NOTE' ? ['warn', 'Note'] : tolerated ? ['none', 'Tolerated'] : ['bad', 'Fault'];

/** `network` -> `caused by the network` */
export const causedBy = (party: string): string => (party === 'unknown' ? 'cause unknown' : `caused by the ${party}`);

/** Their length is the time before them. */
const AFTER: ReadonlySet<FindingKind> = new Set<FindingKind>(['ENDED_EARLY', 'FIRST_MEDIA_LATE']);

/** `for 4 s`; null: it is of no length. */
export const lengthWords = (f: { readonly finding: FindingKind; readonly seconds: number | null }): string | null =>
  f.seconds === null ? null : `${AFTER.has(f.finding) ? 'after' : 'for'} ${seconds(f.seconds)}`;
