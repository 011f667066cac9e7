/**
 * Findings: what a call revealed, one row per kind. Agents decide most of them when a call ends; the control plane decides those
 * that need both ends. Both report kind and values, and every reader gets the same sentence from here. This file has no imports,
 * because the dashboard uses it, too.
 */

/** The parties that may be at fault if a call failed. */
export const PARTIES = ['caller', 'callee', 'network', 'agent', 'unknown'] as const;
export type Party = (typeof PARTIES)[number];

/** The party that causes a finding, seen from the end that found it. */
export type FindingParty = 'far end' | 'network' | 'agent' | 'unknown';

/** FAULT: the caller did not get the call, and the endpoint fails. NOTE: the finding is only worth knowing. */
export type FindingSeverity = 'FAULT' | 'NOTE';

/** Values for a sentence. NaN, 0 or '': this kind does not use the value. */
export type FindingValues = {
  readonly lastedMs: number;
  readonly count: number;
  /** What `count` is a part of. */
  readonly of: number;
  /** A short text, such as a payload type, an address or digits. It may come from an untrusted peer. */
  readonly detail: string;
};

type Row = {
  readonly severity: FindingSeverity;
  readonly party: FindingParty;
  /** The title is the same for every call. Lists, clusters and alarms show it. */
  readonly title: string;
  /** The measurement that the finding is based on. */
  readonly restsOn: string;
  /** True: one party was not heard for at least a part of the call, so the call does not count as heard both ways throughout. */
  readonly unheard: boolean;
  readonly sentence: (v: FindingValues) => string;
};

function seconds(ms: number): string {
  if (Number.isNaN(ms)) return 'an unknown time';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
const packets = (n: number): string => `${n} packet${n === 1 ? '' : 's'}`;
const messages = (n: number): string => `${n} message${n === 1 ? '' : 's'}`;
function noVideo({ lastedMs, count, detail }: FindingValues): string {
  if (detail === 'TAIL') return `No video packet came in the last ${seconds(lastedMs)} of the call.`;
  if (detail === 'HEAD') return `No video packet came in the first ${seconds(lastedMs)} of the call.`;
  if (detail === 'GAP')
    return `Video was missing ${count === 1 ? 'once' : `${count} times`}, for up to ${seconds(lastedMs)}.`;
  return `No video packet came in ${seconds(lastedMs)} of the call.`;
}
const more = (detail: string): string => (detail === '' ? '' : ` ${detail}`);

const kind =
  <S extends FindingSeverity>(severity: S, unheard: boolean) =>
  (party: FindingParty, title: string, restsOn: string, sentence: Row['sentence']): Row & { readonly severity: S } => ({
    severity,
    unheard,
    party,
    title,
    restsOn,
    sentence,
  });
const unheard = kind('FAULT', true);
const fault = kind('FAULT', false);
const note = kind('NOTE', false);
const unheardNote = kind('NOTE', true);

/** What the reports of each kind had (media/rtcp/hearing.ts). */
const UNNAMED_WORDS: Readonly<Record<string, string>> = {
  NO_BLOCKS: 'they had no blocks',
  OTHER_SSRC: 'their blocks name another SSRC',
  ZEROS: 'their blocks about us are zeros',
};

/** The kinds are in the order of what explains most: the first fault of a call is the cause of its failure. */
export const FINDINGS = {
  NOT_ENCRYPTED: unheard(
    'far end',
    'The agreed encryption was not established',
    'state of the SRTP keys at the end of the call',
    (v) => `Encryption was agreed on, but not active at the end of the call (${v.detail}).`,
  ),
  UNDECRYPTABLE_MEDIA: unheard(
    'far end',
    'No received packet could be decrypted',
    'SRTP packets that failed authentication, against packets that passed',
    (v) => `${packets(v.count)} arrived, and none was encrypted with the agreed keys.`,
  ),
  WRONG_PAYLOAD: unheard(
    'far end',
    'The far end sent a codec that was not agreed on',
    'payload types of the received packets (RFC 3264, 6.1)',
    (v) => `${packets(v.count)} came instead of audio, with a payload type that was not agreed on.`,
  ),
  NO_MEDIA: unheard(
    'network',
    'No audio came',
    'packets received while the far end was expected to send',
    (v) => `No audio packet came in ${seconds(v.lastedMs)} of the call.${more(v.detail)}`,
  ),
  ONE_WAY_AUDIO: unheard(
    'network',
    'Audio went one way only',
    "packets received here, and the far end's RTCP reports on what it received (RFC 3550, 6.4)",
    (v) => v.detail,
  ),
  MOSTLY_LOST: unheard(
    'network',
    'Most of the audio was lost',
    'missing sequence numbers, not counting gaps of a second or more: more than half',
    (v) => `${v.count} of ${packets(v.of)} were lost.`,
  ),
  MEDIA_SPARSE: unheard(
    'far end',
    'The packets held less audio than the time between them',
    'duration of the payloads (RFC 3551, 4.5.14; RFC 6716, 3.1), against timestamps and arrivals: less than half',
    (v) =>
      `Of ${seconds(v.of)}, ${seconds(v.lastedMs)} were without audio: packets were shorter than the time to the next.`,
  ),
  SILENT_AUDIO: unheard(
    'far end',
    'Only silence came',
    'level of decoded packets: below -55 dBov in every one',
    (v) => `${packets(v.of)} were decoded over the call, and all of them were silent.`,
  ),
  ENDED_EARLY: fault(
    'far end',
    'The far end hung up early',
    "instant of the far end's BYE, against the planned length of the call",
    (v) => `The far end hung up after ${seconds(v.lastedMs)} of a call of ${seconds(v.of)}.${more(v.detail)}`,
  ),
  MEDIA_STOPPED: unheard(
    'network',
    'Audio stopped before the call ended',
    'time from the last packet to the end of the call, while not on hold: a second or more',
    (v) => `The last audio packet came ${seconds(v.lastedMs)} before the call ended.${more(v.detail)}`,
  ),
  MEDIA_GAP: unheard(
    'network',
    'Audio was interrupted',
    'time between two packets, while not on hold, that no pause of the far end explains: a second or more',
    (v) =>
      v.detail === 'HEAD'
        ? `No audio packet came in the first ${seconds(v.lastedMs)} of the call.`
        : `No audio packet came for ${seconds(v.lastedMs)}${v.count > 1 ? `; ${v.count} gaps of 1 s or more` : ''}.`,
  ),
  BYE_UNANSWERED: fault(
    'network',
    'The far end did not answer BYE',
    'final response to our BYE (RFC 3261, 15)',
    (v) => `Our BYE was not answered${v.detail === '' ? '' : `: ${v.detail}`}.`,
  ),
  DIALOG_UNKNOWN: fault(
    'far end',
    'The far end no longer knew the call',
    'final response to our BYE: 481 (RFC 3261, 12.2.2)',
    () => 'The far end answered our BYE with 481: it no longer knew the call, although it had not ended it.',
  ),
  CONSULTATION_FAILED: fault(
    'unknown',
    'The consultation call of a transfer was not answered',
    'final response to the INVITE of the consultation call (RFC 5589, 7)',
    (v) => `The call was not transferred, because the consultation call before it was not answered: ${v.detail}.`,
  ),
  TRANSFER_REFUSED: fault(
    'far end',
    'The far end refused to be transferred',
    'final response to REFER (RFC 3515, 2.4.2)',
    (v) => `The far end refused REFER: ${v.detail}.`,
  ),
  TRANSFER_FAILED: fault(
    'unknown',
    'The far end was not connected to the target of a transfer',
    'status line in the last NOTIFY of the REFER (RFC 3515, 2.4.5)',
    (v) => `The far end accepted REFER, but its call to the target failed: ${v.detail}.`,
  ),
  TRANSFER_UNTOLD: fault(
    'far end',
    'The far end did not report the result of a transfer',
    'no NOTIFY with a final status after REFER (RFC 3515, 2.4.4)',
    (v) => `The far end accepted REFER, but did not report the result of its call to the target: ${v.detail}.`,
  ),

  BYE_REFUSED: note(
    'far end',
    'The far end refused BYE',
    'final response to our BYE: neither 2xx nor 481 nor 408',
    (v) => `The far end answered our BYE with ${v.count}.`,
  ),
  MISSING_ACK: note(
    'unknown',
    'An answer to INVITE was not acknowledged',
    'messages of the dialog (RFC 3261, 13.2.2.4 and 13.3.1.4)',
    (v) =>
      v.detail === 'SENT'
        ? `Our ${v.count} to INVITE was not acknowledged.`
        : `The far end's ${v.count} to INVITE was not acknowledged by us.`,
  ),
  SIP_RETRANSMISSIONS: note(
    'network',
    'SIP messages were sent again',
    'retransmissions in either direction: three and more',
    (v) =>
      `We sent ${messages(v.count)} again, and received ${messages(v.of)} again: messages are lost on the way, or answered late.`,
  ),
  FIRST_MEDIA_LATE: unheardNote(
    'unknown',
    'The first audio packet came late',
    'time from the 200 OK to the first packet: more than a second',
    (v) => `The first packet came ${seconds(v.lastedMs)} after the answer.`,
  ),
  SENDER_PAUSED: unheardNote(
    'far end',
    'The far end sent no audio for a while',
    'number and timestamp, or marker, of the packet after a second or more without one (RFC 3550, 5.1; RFC 3551, 4.1)',
    (v) =>
      `The far end sent no audio for ${seconds(v.lastedMs)}, in ${v.count} pause${v.count === 1 ? '' : 's'} of 1 s or more.${more(v.detail)}`,
  ),
  UNNAMED_IN_REPORTS: note(
    'far end',
    "The far end's reports do not name our stream",
    "blocks of the far end's RTCP reports (RFC 3550, 6.4.1): none has a number of our stream, and none advances",
    (v) =>
      `In ${v.count} reports the far end did not say what it received of our stream (${UNNAMED_WORDS[v.detail] ?? v.detail}), so it is not known whether it heard us.`,
  ),
  NO_VIDEO: note(
    'unknown',
    'No video came, or it did not last',
    'packets received while the far end was expected to send video: none, none for the last second or more or the first three, or a gap of a second',
    (v) => noVideo(v),
  ),
  CODEC_ASYMMETRY: note(
    'network',
    'The two ends used different codecs',
    'codecs of both ends of the call',
    (v) => `This end and the other used different codecs (${v.detail}): something between them transcodes.`,
  ),
  NAT_MISMATCH: note(
    'far end',
    'Media were sent to a private address',
    'media address of the far end, against the address of its signalling',
    (v) => `Media went to ${v.detail}, a private address, while signalling went to a public one.`,
  ),
  DIGITS_LOST: note(
    'network',
    'Pressed keys did not arrive',
    'digits sent by one end and received by the other (RFC 4733)',
    (v) => `Not all of the pressed keys arrived: ${v.detail}.`,
  ),
  SRTP_AUTHENTICATION_FAILED: note(
    'unknown',
    'Packets failed SRTP authentication',
    'SRTP packets that failed authentication',
    (v) => `${packets(v.count)} were not encrypted with the agreed keys and were dropped.`,
  ),
  LATE_MEDIA: note(
    'network',
    'Packets came too late to be played',
    'packets later than a jitter buffer of 60 ms allows: more than 1 %',
    (v) => `${v.count} of ${packets(v.of)} came too late for a jitter buffer of 60 ms.`,
  ),
  TIMESTAMP_MISMATCH: note(
    'far end',
    'Timestamps do not go by the audio in the packets',
    'steps between timestamps of neighbours, against the duration of the payload (RFC 3551, 4.1): more than 1 % differ',
    (v) => `${packets(v.count)} of ${v.of} have timestamps that are not as far apart as their audio lasts.`,
  ),
  UNEXPECTED_PAYLOAD_TYPE: note(
    'far end',
    'Packets of a payload type that was not agreed on',
    'payload types of the received packets',
    (v) => `${packets(v.count)} came with a payload type that was not agreed on.`,
  ),
  SECOND_SOURCE: note(
    'far end',
    'A second source came beside the audio',
    'SSRCs of the received packets (RFC 3550, 8.2)',
    (v) => `${packets(v.count)} had another SSRC than the ${v.of} of the stream, and were not judged.`,
  ),
  NAT_FOLLOWED: note(
    'far end',
    'Media came from another address than described',
    'source address of the received packets (RFC 4961)',
    (v) =>
      v.detail === ''
        ? `${packets(v.count)} of the stream came from another address than the one in the SDP; ours still went to that.`
        : `Media came from another address than the one in the SDP; our media then went to ${v.detail}.`,
  ),
  PORT_UNREACHABLE: note(
    'far end',
    "The far end's media port was closed",
    'ICMP errors for our packets',
    (v) => `${v.count} of our packets were refused: the far end's media port was closed.`,
  ),
  RECEIVE_DROPS: note(
    'agent',
    "The agent's host dropped packets",
    'packets that the kernel dropped before the agent read them',
    (v) => `The agent's own host dropped ${packets(v.count)}; they are among the lost ones.`,
  ),
} as const satisfies Record<string, Row>;

export type FindingKind = keyof typeof FINDINGS;
/** The kinds that make a call fail. */
export type FaultKind = {
  [K in FindingKind]: (typeof FINDINGS)[K]['severity'] extends 'FAULT' ? K : never;
}[FindingKind];

export const FINDING_KINDS = Object.keys(FINDINGS) as [FindingKind, ...FindingKind[]];
export const FAULT_KINDS = FINDING_KINDS.filter((kind) => FINDINGS[kind].severity === 'FAULT') as [
  FaultKind,
  ...FaultKind[],
];

export const isFindingKind = (text: string): text is FindingKind => Object.hasOwn(FINDINGS, text);
export const isFault = (kind: FindingKind): kind is FaultKind => FINDINGS[kind].severity === 'FAULT';
/** True: a call with such a finding was not heard both ways throughout. */
export const isUnheard = (kind: FindingKind): boolean => FINDINGS[kind].unheard;

export const findingSentence = (kind: FindingKind, values: FindingValues): string => FINDINGS[kind].sentence(values);

/** The party at fault, from the finding and the end that found it. */
export function partyOfFinding(kind: FindingKind, end: 'CALLER' | 'CALLEE'): Party {
  const { party }: Row = FINDINGS[kind];
  if (party === 'far end') return end === 'CALLER' ? 'callee' : 'caller';
  return party;
}
