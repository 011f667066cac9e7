/** Findings of calls: a row of the table for each way not to be heard, and for each similar case that is good. */
import {
  FAULT_KINDS,
  FINDING_KINDS,
  FINDINGS,
  type FindingKind,
  findingSentence,
} from '@carillon/proto/words/findings.ts';
import t from 'tap';
import { isPrivateAddress } from '../../policy/private-address.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { ActionPlan, GroupPlan } from '../plan.ts';
import type { CallEvidence, OutcomeFact } from '../report/facts.ts';
import { type EndedCall, findingsOf } from './call-findings.ts';
import { settleCall } from './settle-call.ts';

type Absence = StreamRecord['absence'];
type More = Partial<Omit<StreamRecord, 'absence'>> & { readonly absence?: Partial<Absence> };

const WHOLE: Absence = {
  awaitedMs: 10_000,
  absentMs: 0,
  pausedMs: 0,
  sparseMs: 0,
  unevenSteps: 0,
  headMs: 0,
  gaps: 0,
  gapLost: 0,
  longestMs: Number.NaN,
  longestAtMs: Number.NaN,
  tailMs: 0,
  pauses: 0,
  longestPauseMs: Number.NaN,
  longestPauseAtMs: Number.NaN,
};

/** A good audio stream of a call of 10 s. */
const stream = ({ absence, ...more }: More = {}): StreamRecord =>
  ({
    stream: 0,
    video: null,
    closedAtMs: 110_000,
    firstPacketAtMs: 100_010,
    packetMs: 20,
    remoteAddress: '203.0.113.9',
    remotePort: 4000,
    packetsSent: 500,
    sendsSkipped: 0,
    packetsReceived: 500,
    numbered: 500,
    lost: 0,
    lateDiscarded: 0,
    unexpectedPayloadTypes: 0,
    eventPackets: 0,
    foreign: 0,
    malformed: 0,
    followed: 0,
    elsewhere: 0,
    unreachable: 0,
    receiveDrops: 0,
    hearing: 'HEARD',
    unheardReports: 0,
    unnamedReports: 0,
    security: 'NONE',
    srtpAuthFailed: 0,
    audio: { instants: 20, frames: 40, levelDbov: -13, silentShare: 0, clippedShare: 0 },
    ...more,
    absence: { ...WHOLE, ...absence },
  }) as StreamRecord;

/** No packet came. */
const deaf = (more: More = {}): StreamRecord =>
  stream({
    packetsReceived: 0,
    firstPacketAtMs: Number.NaN,
    hearing: 'UNKNOWN',
    audio: null,
    ...more,
    absence: { absentMs: 10_000, headMs: 10_000, ...more.absence },
  });
const silence = (instants = 20) => ({
  audio: { instants, frames: 2 * instants, levelDbov: null, silentShare: 1, clippedShare: 0 },
});
const video = (more: More = {}) => stream({ stream: 1, video: {} as StreamRecord['video'], audio: null, ...more });

const GROUP = { farEndHangsUp: false, farEndMayPause: false, silenceExpected: false, tolerated: [], actions: [] };
const EVIDENCE: CallEvidence = {
  talkMs: 10_000,
  endedBy: 'LOCAL',
  unansweredBye: '',
  byeStatus: 200,
  q850: null,
  hasReferred: false,
  transfer: null,
  sentAgain: 0,
  cameAgain: 0,
  unacknowledged: 0,
  peerAddress: '203.0.113.9',
  streams: 1,
};
const call = (
  records: readonly StreamRecord[],
  evidence: Partial<CallEvidence> = {},
  more: Partial<Omit<EndedCall, 'group'>> & { readonly group?: Partial<EndedCall['group']> } = {},
): EndedCall => ({
  role: 'CALLER',
  plannedMs: 10_000,
  timeToFirstMediaMs: 10,
  ...more,
  records,
  evidence: { ...EVIDENCE, ...evidence },
  group: { ...GROUP, ...more.group },
});
const ended = (talkMs: number, more: Partial<CallEvidence> = {}): Partial<CallEvidence> => ({
  ...{ talkMs, endedBy: 'REMOTE', byeStatus: 0 },
  ...more,
});
const refer = [{ step: { do: 'REFER', target: 'sip:9@127.0.0.1' } }] as unknown as ActionPlan[];

const PAUSED = { pausedMs: 3500, pauses: 2, longestPauseMs: 2000, longestPauseAtMs: 103_000 };
const MAY_PAUSE = { group: { farEndMayPause: true }, timeToFirstMediaMs: 4000 };

type Case = readonly [what: string, call: EndedCall, found: readonly FindingKind[]];
const CASES: readonly Case[] = [
  ['all is well', call([stream()]), []],
  ['a call without streams', call([]), []],

  ['no RTP at all', call([deaf()]), ['NO_MEDIA']],
  ['no RTP, and the port is closed', call([deaf({ unreachable: 400 })]), ['NO_MEDIA', 'PORT_UNREACHABLE']],
  ['only telephone events', call([deaf({ eventPackets: 40 })]), ['NO_MEDIA']],
  ['media from a stranger that may not be followed', call([deaf({ foreign: 500 })]), ['NO_MEDIA']],
  [
    'nobody asked for audio: a speaker, a held call',
    call([deaf({ absence: { awaitedMs: 0, absentMs: 0, headMs: 0 } })]),
    [],
  ],
  ['a short call without RTP', call([deaf({ absence: { awaitedMs: 499, absentMs: 0, headMs: 0 } })]), ['NO_MEDIA']],
  ['over before anything could come', call([deaf({ absence: { awaitedMs: 399, absentMs: 0, headMs: 0 } })]), []],

  ['nothing comes, and they report that they hear us', call([deaf({ hearing: 'HEARD' })]), ['ONE_WAY_AUDIO']],
  ['nothing comes, and they report that they do not', call([deaf({ hearing: 'UNHEARD' })]), ['NO_MEDIA']],
  [
    'they are heard, and report that we are not',
    call([stream({ hearing: 'UNHEARD', unheardReports: 2 })]),
    ['ONE_WAY_AUDIO'],
  ],
  ['they do not report', call([stream({ hearing: 'UNKNOWN' })]), []],
  ...(['NO_BLOCKS', 'OTHER_SSRC', 'ZEROS'] as const).map(
    (unnamedAs): Case => [
      `their reports do not name us: ${unnamedAs}`,
      call([stream({ hearing: 'UNKNOWN', unnamedReports: 2, unnamedAs })]),
      ['UNNAMED_IN_REPORTS'],
    ],
  ),
  [
    'one report may have crossed our first packet',
    call([stream({ hearing: 'UNKNOWN', unnamedReports: 1, unnamedAs: 'NO_BLOCKS' })]),
    [],
  ],

  ['silence', call([stream(silence())]), ['SILENT_AUDIO']],
  ['silence where silence is sent', call([stream(silence())], {}, { group: { silenceExpected: true } }), []],
  ['too little was decoded', call([stream(silence(11))]), []],

  ['it stops in the middle', call([stream({ absence: { absentMs: 5000, tailMs: 5000 } })]), ['MEDIA_STOPPED']],
  [
    'a gap of two seconds',
    call([stream({ absence: { absentMs: 2000, gaps: 1, longestMs: 2000, longestAtMs: 104_000 } })]),
    ['MEDIA_GAP'],
  ],
  ['the first three seconds are dead', call([stream({ absence: { absentMs: 3000, headMs: 3000 } })]), ['MEDIA_GAP']],
  ['the first two seconds are dead', call([stream({ absence: { absentMs: 2000, headMs: 2000 } })]), []],
  ['and it is said', call([stream()], {}, { timeToFirstMediaMs: 1001 }), ['FIRST_MEDIA_LATE']],

  ['two pauses of the far end', call([stream({ absence: PAUSED })]), ['SENDER_PAUSED']],
  [
    'a pause, and then it stops',
    call([stream({ absence: { ...PAUSED, absentMs: 5000, tailMs: 5000 } })]),
    ['MEDIA_STOPPED', 'SENDER_PAUSED'],
  ],
  [
    'a far end that may pause: at the start, in the middle, at the end',
    call([stream({ absence: { ...PAUSED, absentMs: 9000, headMs: 4000, tailMs: 5000 } })], {}, MAY_PAUSE),
    ['SENDER_PAUSED'],
  ],
  [
    'and that pauses only at the start',
    call([stream({ absence: { headMs: 2000 } })], {}, MAY_PAUSE),
    ['SENDER_PAUSED'],
  ],
  ['is to send something all the same', call([deaf()], {}, MAY_PAUSE), ['NO_MEDIA']],
  [
    'and to lose nothing',
    call([stream({ absence: { absentMs: 2000, gaps: 1, longestMs: 2000, longestAtMs: 1 } })], {}, MAY_PAUSE),
    ['MEDIA_GAP'],
  ],
  ['pauses of less than a second', call([stream({ absence: { pausedMs: 4000 } })]), []],

  ['a quarter of the audio', call([stream({ absence: { absentMs: 7500, sparseMs: 7500 } })]), ['MEDIA_SPARSE']],
  ['a half of it', call([stream({ absence: { absentMs: 5000, sparseMs: 5000 } })]), []],
  ['a half of what was not paused', call([stream({ absence: { pausedMs: 5000, sparseMs: 2600 } })]), ['MEDIA_SPARSE']],
  [
    'timestamps that go by half the audio',
    call([stream({ lateDiscarded: 300, absence: { unevenSteps: 499 } })]),
    ['TIMESTAMP_MISMATCH'],
  ],
  [
    'timestamps that step over what this host was too late to send, which an echo returns',
    call([stream({ sendsSkipped: 14, absence: { unevenSteps: 14 } })]),
    [],
  ],
  [
    'some of them, and some packets late',
    call([stream({ lateDiscarded: 30, absence: { unevenSteps: 40 } })]),
    ['LATE_MEDIA', 'TIMESTAMP_MISMATCH'],
  ],

  ['a codec that was not agreed on', call([deaf({ unexpectedPayloadTypes: 500 })]), ['WRONG_PAYLOAD']],
  [
    'that codec from the middle on',
    call([stream({ unexpectedPayloadTypes: 250, absence: { absentMs: 5000, tailMs: 5000 } })]),
    ['WRONG_PAYLOAD'],
  ],
  ['some packets of it', call([stream({ unexpectedPayloadTypes: 3 })]), ['UNEXPECTED_PAYLOAD_TYPE']],
  [
    'some packets of it, and a stop that they do not explain',
    call([stream({ unexpectedPayloadTypes: 12, absence: { absentMs: 5000, tailMs: 5000 } })]),
    ['MEDIA_STOPPED', 'UNEXPECTED_PAYLOAD_TYPE'],
  ],

  ['no keys', call([deaf({ security: 'HANDSHAKE_FAILED' })]), ['NOT_ENCRYPTED']],
  [
    'no keys yet, and the call is over',
    call([deaf({ security: 'HANDSHAKE', absence: { awaitedMs: 300, absentMs: 0, headMs: 0 } })]),
    [],
  ],
  ['keys', call([stream({ security: 'DTLS' })]), []],
  ['other keys', call([deaf({ security: 'SDES', srtpAuthFailed: 500 })]), ['UNDECRYPTABLE_MEDIA']],
  [
    'some packets with other keys',
    call([stream({ security: 'SDES', srtpAuthFailed: 3 })]),
    ['SRTP_AUTHENTICATION_FAILED'],
  ],

  [
    'dropped after 10 ms',
    call([deaf({ absence: { awaitedMs: 10, absentMs: 0, headMs: 0 } })], ended(10)),
    ['ENDED_EARLY'],
  ],
  [
    'dropped after 1 s, unheard',
    call([deaf({ absence: { awaitedMs: 1000, absentMs: 1000, headMs: 1000 } })], ended(1000)),
    ['NO_MEDIA', 'ENDED_EARLY'],
  ],
  ['dropped half-way', call([stream()], ended(5000)), ['ENDED_EARLY']],
  ['a little before its time', call([stream()], ended(9100)), []],
  ['a short call a little before its time', call([stream()], ended(800), { plannedMs: 1000 }), []],
  ['by a far end that is to hang up', call([stream()], ended(5000), { group: { farEndHangsUp: true } }), []],
  ['by one that we have referred', call([stream()], ended(5000, { hasReferred: true })), []],
  ['before the planned REFER', call([stream()], ended(5000), { group: { actions: refer } }), ['ENDED_EARLY']],
  ['cut a little before its time', call([stream()], ended(9100, { q850: 38 })), ['ENDED_EARLY']],
  ['cleared a little before its time', call([stream()], ended(9100, { q850: 16 })), []],
  ['by its caller', call([stream()], ended(5000), { role: 'CALLEE' }), []],
  ['by ourselves', call([stream()], { talkMs: 5000 }), []],

  [
    'nobody answers BYE',
    call([stream()], { unansweredBye: 'no final response to BYE within 32 s', byeStatus: 0 }),
    ['BYE_UNANSWERED'],
  ],
  [
    'a server that was killed in the middle',
    call([stream({ absence: { absentMs: 6000, tailMs: 6000 } })], { unansweredBye: 'ECONNREFUSED', byeStatus: 0 }),
    ['MEDIA_STOPPED', 'BYE_UNANSWERED'],
  ],
  ['a proxy that nobody answers', call([stream()], { byeStatus: 408 }), ['BYE_UNANSWERED']],
  ['BYE refused, by any server', call([stream()], { byeStatus: 500 }), ['BYE_REFUSED']],
  ['four fifths lost', call([stream({ lost: 400, packetsReceived: 100 })]), ['MOSTLY_LOST']],
  ['all of it in one gap', call([stream({ lost: 400, absence: { gaps: 1, gapLost: 400 } })]), ['MEDIA_GAP']],
  ['half lost', call([stream({ lost: 250, packetsReceived: 250 })]), []],
  ['one that was started again', call([stream()], { byeStatus: 481 }), ['DIALOG_UNKNOWN']],
  ...(['CONSULTATION_FAILED', 'TRANSFER_REFUSED', 'TRANSFER_FAILED', 'TRANSFER_UNTOLD'] as const).map(
    (failure): Case => ['a transfer', call([stream()], { transfer: { failure, detail: '603 Decline' } }), [failure]],
  ),

  ['our 200 has no ACK', call([stream()], { unacknowledged: 200 }), ['MISSING_ACK']],
  ['theirs has none', call([stream()], { unacknowledged: -200 }), ['MISSING_ACK']],
  ['two messages again', call([stream()], { sentAgain: 1, cameAgain: 1 }), []],
  ['three messages again', call([stream()], { sentAgain: 2, cameAgain: 1 }), ['SIP_RETRANSMISSIONS']],
  ['too late to be played', call([stream({ lateDiscarded: 6 })]), ['LATE_MEDIA']],
  ['nearly', call([stream({ lateDiscarded: 5 })]), []],
  ['media to a private address', call([stream({ remoteAddress: '192.168.1.4' })]), ['NAT_MISMATCH']],
  ['all of it private', call([stream({ remoteAddress: '192.168.1.4' })], { peerAddress: '10.0.0.9' }), []],
  ['of IPv6', call([stream({ remoteAddress: 'fd00::4' })], { peerAddress: '2001:db8::1' }), ['NAT_MISMATCH']],
  ['a few of another SSRC', call([stream({ otherSources: 9 })]), []],
  ['two sources at once', call([stream({ otherSources: 10 })]), ['SECOND_SOURCE']],
  ['followed', call([stream({ followed: 1 })]), ['NAT_FOLLOWED']],
  ['moved, and not followed', call([stream({ elsewhere: 200 })]), ['NAT_FOLLOWED']],
  ['dropped by our own host', call([stream({ receiveDrops: 1 })]), ['RECEIVE_DROPS']],
  ['no video beside good audio', call([stream(), video({ packetsReceived: 0 })]), ['NO_VIDEO']],
  ['video that stops', call([stream(), video({ absence: { absentMs: 5000, tailMs: 5000 } })]), ['NO_VIDEO']],
  ['video that begins late', call([stream(), video({ absence: { absentMs: 3000, headMs: 3000 } })]), ['NO_VIDEO']],
  ['a little late', call([stream(), video({ absence: { absentMs: 2900, headMs: 2900 } })]), []],
  [
    'video with a gap',
    call([stream(), video({ absence: { absentMs: 2000, gaps: 1, longestMs: 2000, longestAtMs: 104_000 } })]),
    ['NO_VIDEO'],
  ],
  ['video that may pause', call([stream(), video({ absence: { absentMs: 5000, tailMs: 5000 } })], {}, MAY_PAUSE), []],
];

t.test('each finding by what gives it away', async (t) => {
  for (const [what, ended, kinds] of CASES) {
    const found = findingsOf(ended);
    t.same(
      found.map((f) => f.kind),
      kinds,
      what,
    );
    for (const f of found)
      t.match(findingSentence(f.kind, f), /^[A-Z0-9].*\.$/, `${what}: ${findingSentence(f.kind, f)}`);
    for (const f of found) t.notMatch(findingSentence(f.kind, f), /undefined|null|NaN/, what);
  }
  const pairs: readonly FindingKind[] = ['CODEC_ASYMMETRY', 'DIGITS_LOST'];
  const shown = new Set(CASES.flatMap(([, , kinds]) => kinds));
  t.same(
    FINDING_KINDS.filter((kind) => !shown.has(kind)),
    pairs,
    'every kind that an agent decides has a case',
  );
});

t.test('a finding names its stream and its instant', async (t) => {
  const at = (...[records, evidence]: [StreamRecord[], Partial<CallEvidence>?]) => findingsOf(call(records, evidence));
  t.match(at([stream({ absence: { absentMs: 5000, tailMs: 5000 } })]), [
    { stream: 0, atMs: 105_000, lastedMs: 5000, tolerated: false },
  ]);
  t.match(at([stream({ foreign: 250, absence: { absentMs: 5000, tailMs: 5000 } })]), [
    { kind: 'MEDIA_STOPPED', detail: '250 packets came from another address than was agreed on.' },
  ]);
  t.match(at([stream({ absence: { absentMs: 2000, gaps: 2, longestMs: 1500, longestAtMs: 104_000 } })]), [
    { atMs: 104_000, lastedMs: 1500, count: 2 },
  ]);
  t.match(at([stream({ absence: PAUSED })]), [{ atMs: 103_000, lastedMs: 3500, count: 2, tolerated: false }]);
  const paused = { ...PAUSED, absentMs: 9000, headMs: 4000, tailMs: 5000 };
  const [expected] = findingsOf(call([stream({ absence: paused })], {}, MAY_PAUSE));
  t.match(expected, { lastedMs: 12_500, count: 4, tolerated: true });
  t.equal(
    findingSentence('SENDER_PAUSED', expected!),
    'The far end sent no audio for 12.5 s, in 4 pauses of 1 s or more. Nothing proves it before the first packet and ' +
      'after the last one, where the group expects it.',
  );
  t.match(at([stream()], ended(5000)), [{ stream: null, lastedMs: 5000, of: 10_000 }]);
  t.match(at([stream(), video({ security: 'HANDSHAKE_FAILED' })]), [{ kind: 'NOT_ENCRYPTED', stream: 1 }]);
});

const outcome = (more: Partial<OutcomeFact> = {}): OutcomeFact =>
  ({
    endpoint: 0,
    outcome: 'SUCCESS',
    cause: null,
    causeText: '',
    callResult: 'SUCCESS',
    finalStatus: 200,
    timeToFirstMediaMs: 10,
    evidence: EVIDENCE,
    ...more,
  }) as OutcomeFact;
const plan = (group: Partial<GroupPlan> = {}) => ({
  role: 'CALLER' as const,
  callDurationMs: 10_000,
  group: { ...GROUP, ...group } as unknown as GroupPlan,
});

t.test('what they make of the outcome', async (t) => {
  const dead = [deaf()];
  t.match(
    settleCall(outcome(), dead, plan()),
    { outcome: 'CALL_FAILED', cause: 'NO_MEDIA', causeText: 'No audio came', callResult: 'SUCCESS', finalStatus: 200 },
    'signalling says what it said',
  );
  t.match(
    settleCall(outcome(), dead, plan({ tolerated: ['NO_MEDIA'] })),
    { outcome: 'SUCCESS', cause: null, findings: [{ kind: 'NO_MEDIA', tolerated: true }] },
    'found all the same',
  );
  const failed = { outcome: 'CALL_FAILED', cause: 'ACTION_FAILED', causeText: 'HOLD: 488' } as const;
  t.match(settleCall(outcome(failed), dead, plan()), failed, 'the first cause stands');
  t.match(
    settleCall(outcome(), [stream({ lateDiscarded: 50 })], plan()),
    { outcome: 'SUCCESS', cause: null },
    'a note',
  );
  t.match(settleCall(outcome({ evidence: null }), [], plan()), { outcome: 'SUCCESS' }, 'it was never up');
});

t.test('how long its audio was to come, and did not', async (t) => {
  const half = stream({ absence: { awaitedMs: 8000, absentMs: 3000, tailMs: 3000 } });
  t.match(settleCall(outcome(), [half, video()], plan()), { awaitedMs: 8000, absentMs: 3000 });
  const held = stream({ absence: { awaitedMs: 0 } });
  t.match(settleCall(outcome(), [held], plan()), { awaitedMs: Number.NaN, absentMs: Number.NaN }, 'none was asked for');
});

t.test('titles of findings have no numbers and no full stop', async (t) => {
  for (const kind of FINDING_KINDS) {
    const { title, restsOn, party } = FINDINGS[kind];
    t.match(title, /^[A-Z][^.]*[^.]$/, `${kind}: ${title}`);
    t.ok(restsOn.length > 10 && party.length > 0, kind);
    t.notMatch(title, /\d/, 'a title has no number that varies');
  }
  t.same(
    FAULT_KINDS,
    FINDING_KINDS.filter((kind) => FINDINGS[kind].severity === 'FAULT'),
  );
  t.same(FINDING_KINDS.slice(0, FAULT_KINDS.length), FAULT_KINDS, 'faults come first: they weigh most');
});

t.test('which addresses are private', async (t) => {
  const addresses = ['10.1.2.3', '172.32.0.1', '192.168.0.1', '8.8.8.8', 'fd00::1', '2001:db8::1', 'pbx.example', ''];
  t.same(addresses.filter(isPrivateAddress), ['10.1.2.3', '192.168.0.1', 'fd00::1']);
});
