/** Findings in rows and lanes, with short names and durations. Pure. */
import type { FindingKind } from '@carillon/proto/words/findings.ts';
import { seconds } from '../basics/figures.ts';

/** The names of marks in a row. On hover, the title is shown. */
export const SHORT: Readonly<Record<FindingKind, string>> = {
  NOT_ENCRYPTED: 'Not encrypted',
  UNDECRYPTABLE_MEDIA: 'Not decryptable',
  WRONG_PAYLOAD: 'Wrong codec',
  NO_MEDIA: 'No audio',
  ONE_WAY_AUDIO: 'One way',
  MOSTLY_LOST: 'Mostly lost',
  MEDIA_SPARSE: 'Sparse audio',
  SILENT_AUDIO: 'Silence',
  ENDED_EARLY: 'Ended early',
  MEDIA_STOPPED: 'Audio stopped',
  MEDIA_GAP: 'Audio gap',
  BYE_UNANSWERED: 'BYE unanswered',
  DIALOG_UNKNOWN: '481 to BYE',
  CONSULTATION_FAILED: 'No consultation',
  TRANSFER_REFUSED: 'Transfer refused',
  TRANSFER_FAILED: 'Transfer failed',
  TRANSFER_UNTOLD: 'Transfer unclear',
  BYE_REFUSED: 'BYE refused',
  MISSING_ACK: 'ACK missing',
  SIP_RETRANSMISSIONS: 'SIP resent',
  FIRST_MEDIA_LATE: 'Audio late',
  SENDER_PAUSED: 'Far end paused',
  UNNAMED_IN_REPORTS: 'Not in reports',
  NO_VIDEO: 'No video',
  CODEC_ASYMMETRY: 'Two codecs',
  NAT_MISMATCH: 'Private address',
  DIGITS_LOST: 'Digits lost',
  SRTP_AUTHENTICATION_FAILED: 'SRTP failed',
  LATE_MEDIA: 'Packets late',
  TIMESTAMP_MISMATCH: 'Timestamps off',
  UNEXPECTED_PAYLOAD_TYPE: 'Other payload',
  SECOND_SOURCE: 'Second source',
  NAT_FOLLOWED: 'Address changed',
  PORT_UNREACHABLE: 'Port closed',
  RECEIVE_DROPS: 'Host drops',
};

/** The length of these findings is the time before them. */
const AFTER: ReadonlySet<FindingKind> = new Set<FindingKind>(['ENDED_EARLY', 'FIRST_MEDIA_LATE']);

/** `for 4 s`; null: the finding has no length. */
export const lengthWords = (f: { readonly finding: FindingKind; readonly seconds: number | null }): string | null =>
  f.seconds === null ? null : `${AFTER.has(f.finding) ? 'after' : 'for'} ${seconds(f.seconds)}`;
