/**
 * Findings of a call: one rule per kind, with the names of proto/words/findings.ts. Computed once, when the call and its
 * streams have ended. Pure. The control plane computes those that need both ends of a call (CODEC_ASYMMETRY,
 * DIGITS_LOST).
 */
import { FINDING_KINDS, type FindingKind } from '@carillon/proto';
import { isPrivateAddress } from '../../policy/private-address.ts';
import { HEARD_ENOUGH } from '../../rtp/figures/audio-meter.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { EndpointRole, GroupPlan } from '../plan.ts';
import type { CallEvidence, FindingFact, TransferFailure } from '../report/facts.ts';

export type EndedCall = {
  readonly evidence: CallEvidence;
  readonly records: readonly StreamRecord[];
  readonly role: EndpointRole;
  /** Planned duration of the call; NaN: not planned. */
  readonly plannedMs: number;
  readonly timeToFirstMediaMs: number;
  readonly group: Pick<GroupPlan, 'farEndHangsUp' | 'farEndMayPause' | 'silenceExpected' | 'tolerated' | 'actions'>;
};

type Values = Partial<Omit<FindingFact, 'kind'>>;
/** One finding for each returned value. */
type Rule = (call: EndedCall) => readonly Values[];
type PairKind = 'CODEC_ASYMMETRY' | 'DIGITS_LOST';

/** Fewer packets of a wrong kind are not significant. */
const ENOUGH_PACKETS = 10;
/** One report may have crossed our first packet. */
const ENOUGH_REPORTS = 2;
/** One lost datagram causes one or two retransmissions; more is a pattern. */
const RETRANSMISSIONS = 3;
/** After this time people have said "hello?" twice. */
const FIRST_MEDIA_LATE_MS = 1000;
/** A call without media for this long before the first packet has a gap. */
const HEAD_GAP_MS = 3000;
/** Shares of late packets above this are reported. */
const LATE_SHARE = 0.01;
/** A far end that hangs up by the same plan as we do may be a little early. */
const EARLY_SHARE = 0.1;
const EARLY_MS = 250;
const KEYED: readonly string[] = ['NONE', 'SDES', 'DTLS'];

/** In less time, the presence of audio cannot be judged. */
const ENOUGH_MS = 400;
/** Loss outside of gaps, or packets too short for their distance: above this share speech is unintelligible. */
const MOSTLY = 0.5;
const ENOUGH_EXPECTED = 50;
/** The causes of a normal end: any other one in a BYE says that the call was cut (ITU-T Q.850). */
const NORMAL_CLEARING: readonly (number | null)[] = [null, 16, 31];

const isAudio = (r: StreamRecord): boolean => r.video === null;
const isAwaited = (r: StreamRecord): boolean => r.absence.awaitedMs >= ENOUGH_MS;
const isDeaf = (r: StreamRecord): boolean => isAwaited(r) && r.packetsReceived === 0;
const lacksKeys = (r: StreamRecord): boolean =>
  !KEYED.includes(r.security) && (r.security !== 'HANDSHAKE' || isAwaited(r));
const isUndecryptable = (r: StreamRecord): boolean => isDeaf(r) && !lacksKeys(r) && r.srtpAuthFailed >= ENOUGH_PACKETS;
/** Half of the missing packets arrived, but in a form that cannot be played. */
const isWrongPayload = (r: StreamRecord): boolean =>
  r.unexpectedPayloadTypes >= ENOUGH_PACKETS &&
  2 * r.unexpectedPayloadTypes * r.packetMs >= r.absence.absentMs &&
  isHoled(r);
const isHoled = ({ absence: a }: StreamRecord): boolean => a.headMs > 0 || a.gaps > 0 || a.tailMs > 0;
const isExplained = (r: StreamRecord): boolean => lacksKeys(r) || isUndecryptable(r) || isWrongPayload(r);
const isUnheardThere = (r: StreamRecord): boolean => r.hearing === 'UNHEARD';

/** Most rules find nothing in most calls: that allocates nothing. */
const NOTHING: readonly Values[] = [];

const ofAny =
  (isSo: (r: StreamRecord, call: EndedCall) => boolean, values: (r: StreamRecord) => Values): Rule =>
  (call) =>
    call.records.some((r) => isSo(r, call))
      ? call.records.filter((r) => isSo(r, call)).map((r) => ({ stream: r.stream, ...values(r) }))
      : NOTHING;
/** The rule for each audio stream to which it applies. */
const ofAudio = (isSo: (r: StreamRecord, call: EndedCall) => boolean, values: (r: StreamRecord) => Values): Rule =>
  ofAny((r, call) => isAudio(r) && isSo(r, call), values);
const ofCall =
  (isSo: (call: EndedCall) => boolean, values: (call: EndedCall) => Values = () => ({})): Rule =>
  (call) =>
    isSo(call) ? [values(call)] : NOTHING;

const ofTransfer = (kind: TransferFailure): Rule =>
  ofCall(
    ({ evidence }) => evidence.transfer?.failure === kind,
    ({ evidence }) => ({ detail: evidence.transfer?.detail ?? '' }),
  );

const isEarly = ({ evidence, role, plannedMs, group }: EndedCall): boolean => {
  if (role !== 'CALLER' || evidence.endedBy !== 'REMOTE' || group.farEndHangsUp) return false;
  // A far end that we have referred elsewhere hangs up early.
  if (evidence.hasReferred) return false;
  const missingMs = plannedMs - evidence.talkMs;
  const isCut = !NORMAL_CLEARING.includes(evidence.q850);
  return missingMs > EARLY_MS && (isCut || missingMs > plannedMs * EARLY_SHARE);
};

const RULES: Readonly<Record<Exclude<FindingKind, PairKind>, Rule>> = {
  NOT_ENCRYPTED: ofAny(lacksKeys, (r) => ({ detail: r.security })),
  UNDECRYPTABLE_MEDIA: ofAny(isUndecryptable, (r) => ({ count: r.srtpAuthFailed })),
  WRONG_PAYLOAD: ofAudio(
    (r) => isWrongPayload(r) && !lacksKeys(r),
    (r) => ({ count: r.unexpectedPayloadTypes, lastedMs: r.absence.absentMs }),
  ),
  NO_MEDIA: ofAudio(
    (r) => isDeaf(r) && !isExplained(r) && !isHeardThere(r),
    (r) => ({ lastedMs: r.absence.awaitedMs, detail: receivedInstead(r) }),
  ),
  ONE_WAY_AUDIO: ofAudio(
    (r) => (isDeaf(r) && !isExplained(r) && isHeardThere(r)) || (r.packetsReceived > 0 && isUnheardThere(r)),
    (r) => ({ detail: r.packetsReceived > 0 ? unheardThere(r) : HEARD_THERE_ONLY }),
  ),
  MOSTLY_LOST: ofAudio(
    (r) => besideHoles(r).expected >= ENOUGH_EXPECTED && besideHoles(r).lost > MOSTLY * besideHoles(r).expected,
    (r) => ({ count: besideHoles(r).lost, of: besideHoles(r).expected }),
  ),
  MEDIA_SPARSE: ofAudio(
    (r) => r.absence.sparseMs > MOSTLY * (r.absence.awaitedMs - r.absence.pausedMs) && isAwaited(r),
    (r) => ({ lastedMs: r.absence.sparseMs, of: r.absence.awaitedMs }),
  ),
  SILENT_AUDIO: ofAudio(
    (r, { group }) => !group.silenceExpected && isSilent(r),
    (r) => ({ count: r.audio?.frames ?? 0, of: r.audio?.frames ?? 0 }),
  ),
  ENDED_EARLY: ofCall(isEarly, ({ evidence, plannedMs }) => ({ lastedMs: evidence.talkMs, of: plannedMs })),
  MEDIA_STOPPED: ofAudio(
    (r, { group }) => r.absence.tailMs > 0 && !group.farEndMayPause && !isExplained(r),
    (r) => ({ lastedMs: r.absence.tailMs, atMs: r.closedAtMs - r.absence.tailMs, detail: fromElsewhere(r) }),
  ),
  MEDIA_GAP: ofAudio(
    (r, { group }) =>
      r.packetsReceived > 0 &&
      !isExplained(r) &&
      (r.absence.gaps > 0 || (r.absence.headMs >= HEAD_GAP_MS && !group.farEndMayPause)),
    (r) =>
      r.absence.gaps > 0
        ? { lastedMs: r.absence.longestMs, atMs: r.absence.longestAtMs, count: r.absence.gaps }
        : { lastedMs: r.absence.headMs, atMs: r.firstPacketAtMs - r.absence.headMs, detail: 'HEAD' },
  ),
  BYE_UNANSWERED: ofCall(
    ({ evidence }) => evidence.unansweredBye !== '' || evidence.byeStatus === 408,
    // A proxy reports with 408 that the server that it asked was silent (RFC 3261, 15.1.1).
    ({ evidence }) => ({ detail: evidence.unansweredBye || '408 Request Timeout' }),
  ),
  DIALOG_UNKNOWN: ofCall(({ evidence }) => evidence.byeStatus === 481),
  CONSULTATION_FAILED: ofTransfer('CONSULTATION_FAILED'),
  TRANSFER_REFUSED: ofTransfer('TRANSFER_REFUSED'),
  TRANSFER_FAILED: ofTransfer('TRANSFER_FAILED'),
  TRANSFER_UNTOLD: ofTransfer('TRANSFER_UNTOLD'),

  BYE_REFUSED: ofCall(
    ({ evidence: { byeStatus } }) => byeStatus >= 300 && byeStatus !== 408 && byeStatus !== 481,
    ({ evidence }) => ({ count: evidence.byeStatus }),
  ),
  MISSING_ACK: ofCall(
    ({ evidence }) => evidence.unacknowledged !== 0,
    ({ evidence }) => ({
      count: Math.abs(evidence.unacknowledged),
      detail: evidence.unacknowledged > 0 ? 'SENT' : 'RECEIVED',
    }),
  ),
  SIP_RETRANSMISSIONS: ofCall(
    ({ evidence }) => evidence.sentAgain + evidence.cameAgain >= RETRANSMISSIONS,
    ({ evidence }) => ({ count: evidence.sentAgain, of: evidence.cameAgain }),
  ),
  FIRST_MEDIA_LATE: ofCall(
    ({ timeToFirstMediaMs, group }) => timeToFirstMediaMs > FIRST_MEDIA_LATE_MS && !group.farEndMayPause,
    ({ timeToFirstMediaMs }) => ({ lastedMs: timeToFirstMediaMs }),
  ),
  SENDER_PAUSED: (call) => {
    const { farEndMayPause } = call.group;
    const paused = ofAudio(
      (r) => silences(r, farEndMayPause) > 0,
      (r) => pauseOf(r, farEndMayPause),
    )(call);
    return farEndMayPause ? paused.map((values) => ({ ...values, tolerated: true })) : paused;
  },
  UNNAMED_IN_REPORTS: ofAudio(
    (r) => r.hearing === 'UNKNOWN' && r.unnamedReports >= ENOUGH_REPORTS && r.packetsReceived > 0,
    (r) => ({ count: r.unnamedReports, detail: r.unnamedAs }),
  ),
  NO_VIDEO: ofAny(
    (r, { group }) => !isAudio(r) && isAwaited(r) && !lacksKeys(r) && lacksVideo(r, group.farEndMayPause),
    videoHole,
  ),
  NAT_MISMATCH: ({ records, evidence }) => {
    if (evidence.peerAddress === '' || isPrivateAddress(evidence.peerAddress)) return NOTHING;
    const inside = records.find((r) => isPrivateAddress(r.remoteAddress));
    return inside ? [{ detail: `${inside.remoteAddress} port ${inside.remotePort}` }] : NOTHING;
  },
  SRTP_AUTHENTICATION_FAILED: ofAny(
    (r) => r.srtpAuthFailed > 0 && !isUndecryptable(r),
    (r) => ({ count: r.srtpAuthFailed }),
  ),
  LATE_MEDIA: ofAudio(
    (r) => r.numbered > 0 && r.lateDiscarded / r.numbered > LATE_SHARE && !isMistimed(r),
    (r) => ({ count: r.lateDiscarded, of: r.numbered }),
  ),
  TIMESTAMP_MISMATCH: ofAudio(
    (r) => unevenStepsOf(r) >= ENOUGH_PACKETS && unevenStepsOf(r) > LATE_SHARE * r.numbered,
    (r) => ({ count: unevenStepsOf(r), of: r.packetsReceived }),
  ),
  UNEXPECTED_PAYLOAD_TYPE: ofAny(
    (r) => r.unexpectedPayloadTypes > 0 && !isWrongPayload(r),
    (r) => ({ count: r.unexpectedPayloadTypes }),
  ),
  SECOND_SOURCE: ofAudio(
    (r) => r.otherSources >= ENOUGH_PACKETS,
    (r) => ({ count: r.otherSources, of: r.packetsReceived }),
  ),
  NAT_FOLLOWED: ofAny(
    (r) => r.followed > 0 || r.elsewhere >= ENOUGH_PACKETS,
    (r) => ({ count: r.elsewhere, detail: r.followed > 0 ? `${r.remoteAddress} port ${r.remotePort}` : '' }),
  ),
  PORT_UNREACHABLE: ofAny(
    (r) => r.unreachable >= ENOUGH_PACKETS,
    (r) => ({ count: r.unreachable }),
  ),
  RECEIVE_DROPS: ofAny(
    (r) => r.receiveDrops > 0,
    (r) => ({ count: r.receiveDrops }),
  ),
};

/** Expected and lost packets, except those in holes. */
const besideHoles = ({ numbered, lost, absence: { gapLost } }: StreamRecord): { expected: number; lost: number } => ({
  expected: numbered - gapLost,
  lost: Math.max(0, lost - gapLost),
});

/** An echo returns our own packets, so a step over one that this host was too late to send is not the far end's. */
const unevenStepsOf = ({ absence, sendsSkipped }: StreamRecord): number =>
  Math.max(0, absence.unevenSteps - sendsSkipped);

/** Packets count as late because of timestamps that do not say when they were due. */
const isMistimed = (r: StreamRecord): boolean => unevenStepsOf(r) > MOSTLY * r.numbered;

/** Pauses of a second and more that are excused: proved ones and, if the group expects them, those that nothing proves. */
const silences = ({ absence: a, packetsReceived }: StreamRecord, isExpected: boolean): number =>
  a.pauses + (isExpected && packetsReceived > 0 ? Number(a.headMs > 0) + Number(a.tailMs > 0) : 0);

function pauseOf(r: StreamRecord, isExpected: boolean): Values {
  const { pausedMs, headMs, tailMs, pauses, longestPauseAtMs } = r.absence;
  const count = silences(r, isExpected);
  const lastedMs = pausedMs + (isExpected ? headMs + tailMs : 0);
  const said = { lastedMs, count, atMs: pauses > 0 ? longestPauseAtMs : Number.NaN };
  if (count === pauses) return said;
  const ends = [...(headMs > 0 ? ['before the first packet'] : []), ...(tailMs > 0 ? ['after the last one'] : [])];
  return { ...said, detail: `Nothing proves it ${ends.join(' and ')}, where the group expects it.` };
}

const lacksVideo = (r: StreamRecord, mayPause: boolean): boolean =>
  r.packetsReceived === 0 ||
  (!mayPause && (r.absence.tailMs > 0 || r.absence.gaps > 0 || r.absence.headMs >= HEAD_GAP_MS));

/** The hole that counts most; `detail` names its kind. */
function videoHole({ packetsReceived, firstPacketAtMs, closedAtMs, absence: a }: StreamRecord): Values {
  if (packetsReceived === 0) return { lastedMs: a.awaitedMs };
  if (a.tailMs > 0) return { lastedMs: a.tailMs, atMs: closedAtMs - a.tailMs, detail: 'TAIL' };
  if (a.gaps > 0) return { lastedMs: a.longestMs, atMs: a.longestAtMs, count: a.gaps, detail: 'GAP' };
  return { lastedMs: a.headMs, atMs: firstPacketAtMs - a.headMs, detail: 'HEAD' };
}

const isHeardThere = (r: StreamRecord): boolean => r.hearing === 'HEARD';
const HEARD_THERE_ONLY = 'No audio packet came, although the far end reports that it receives ours.';
const unheardThere = (r: StreamRecord): string =>
  `Audio came, but by the last ${r.unheardReports} reports of the far end nothing of ours arrived there.`;

const isSilent = ({ audio }: StreamRecord): boolean =>
  audio !== null && audio.instants >= HEARD_ENOUGH && audio.silentShare === 1;

const packets = (n: number): string => `${n} packet${n === 1 ? '' : 's'}`;

const fromStrangers = (r: StreamRecord): string =>
  `${packets(r.foreign)} came from another address than was agreed on.`;
/** Packets from elsewhere are another stream, perhaps that of the far end: the network need not have stopped the media. */
const fromElsewhere = (r: StreamRecord): string => (r.foreign >= ENOUGH_PACKETS ? fromStrangers(r) : '');

/** Packets that arrived instead of audio, if they explain its absence. */
function receivedInstead(r: StreamRecord): string {
  if (r.eventPackets > 0) return `Only telephone events came (${packets(r.eventPackets)}).`;
  if (r.comfortNoisePackets > 0) return `Only comfort noise came (${packets(r.comfortNoisePackets)}).`;
  if (r.unexpectedPayloadTypes > 0) return `Packets of another payload type came: ${r.unexpectedPayloadTypes}.`;
  if (r.foreign > 0) return fromStrangers(r);
  if (r.malformed > 0) return `${r.malformed} datagrams came that were no RTP.`;
  return r.unreachable > 0 ? "Ours were refused: the far end's media port was closed." : '';
}

/** The rules in the order of their weight. */
const ORDERED = FINDING_KINDS.flatMap((kind) =>
  kind in RULES ? [{ kind, rule: RULES[kind as Exclude<FindingKind, PairKind>] }] : [],
);

export function findingsOf(call: EndedCall): FindingFact[] {
  const findings: FindingFact[] = [];
  for (const { kind, rule } of ORDERED)
    for (const values of rule(call))
      findings.push({
        kind,
        stream: values.stream ?? null,
        atMs: values.atMs ?? Number.NaN,
        lastedMs: values.lastedMs ?? Number.NaN,
        count: values.count ?? 0,
        of: values.of ?? 0,
        detail: values.detail ?? '',
        tolerated: values.tolerated ?? call.group.tolerated.includes(kind),
      });
  return findings;
}
