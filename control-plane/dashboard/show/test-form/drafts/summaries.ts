/** What the folded parts of a form say: what is set there, in one line. Pure. */
import { duration, plural, seconds } from '../../basics/figures.ts';
import type { DraftGroup, DraftScenario } from './group-draft.ts';
import { mediaPathOf, stunServerOf } from './ice-draft.ts';
import { callsOwn, type Draft, doingOf } from './test-draft.ts';
import type { DraftTrack } from './track-draft.ts';
import type { Doing } from './used-settings.ts';

export type Words = readonly (string | false | null | undefined)[];

const SOURCES = { TONE: 'a tone', SPEECH: 'artificial speech', SILENCE: 'silence', FILE: 'a media file' };
const ENCRYPTIONS = { NONE: 'no encryption', SDES: 'SRTP by SDES', DTLS: 'SRTP by DTLS' };
const DIRECTIONS = { BOTH: false, SEND: 'sent only', RECEIVE: 'received only' } as const;

/** Makes a sentence without a full stop. */
export const line = (...words: Words): string => {
  const text = words.filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
/** What callees do is told apart. */
const ofCallees = (words: Words): string | false => {
  const told = words.filter(Boolean);
  return told.length > 0 && `callees: ${told.join(', ')}`;
};

/** The addresses that are offered for media. */
export const transportWords = (group: Pick<DraftGroup, 'ice' | 'rtcpMux'>): Words => [
  { NONE: null, HOST: 'ICE', STUN: `ICE by ${stunServerOf(group.ice)}` }[mediaPathOf(group.ice)],
  group.rtcpMux && 'RTP and RTCP on one port',
];
const trackWords = ({ direction, dscp, deferred }: DraftTrack): Words => [
  DIRECTIONS[direction],
  dscp !== null && `DSCP ${dscp}`,
  deferred && 'added later',
];
const streamWords = ({ dtmf, impairment, rtpTrace }: DraftScenario): Words => [
  dtmf && `digits ${dtmf.digits}`,
  impairment && 'impaired network',
  rtpTrace && 'RTP headers kept',
];

/** The summary of the media of a test's calls. */
export function mediaSummary(draft: Draft): string {
  const { source, group, track, video } = draft;
  const codecs = group.audioCodecs.join(' or ');
  if (source === null)
    return line(
      'signalling only',
      ...(group.sdp === 'NONE'
        ? ['no session description']
        : [
            `${codecs} on an inactive line`,
            group.encryption !== 'NONE' && ENCRYPTIONS[group.encryption],
            group.feedbackProfile === 'AVPF' && 'AVPF',
            group.rtcpMux && 'RTP and RTCP on one port',
          ]),
    );
  return line(
    SOURCES[source],
    codecs,
    `${group.packetMs} ms`,
    ENCRYPTIONS[group.encryption],
    group.feedbackProfile === 'AVPF' && 'AVPF',
    ...transportWords(group),
    ...trackWords(track),
    video && ['video', video.codecs.join(' or '), ...trackWords(video)].filter(Boolean).join(' '),
    ...streamWords(group),
    callsOwn(draft) && ofCallees(streamWords(draft.answering)),
  );
}

/** How endpoints name themselves, and what their requests carry beside that. */
export const identityWords = (
  group: Pick<DraftGroup, 'callerNumber' | 'displayName' | 'assertedIdentity' | 'privacy' | 'diversion' | 'headers'>,
  { asks, calls, registers, side }: Doing,
): Words => {
  const { callerNumber, displayName, assertedIdentity, privacy, diversion, headers } = group;
  const isCaller = calls && side === 'CALLER';
  const said = [
    (asks || isCaller) && callerNumber !== null && `number ${callerNumber}`,
    (asks || isCaller) && displayName !== null && `name ${displayName}`,
    isCaller && assertedIdentity !== null && `asserted as ${assertedIdentity}`,
    isCaller && privacy.length > 0 && `privacy ${privacy.join(' and ').toLowerCase()}`,
    isCaller && diversion !== null && `diverted by ${diversion.uri}`,
  ].filter(Boolean);
  return [
    ...(said.length === 0 && (asks || isCaller) ? ['number and name of the account'] : said),
    (calls || registers) &&
      (headers.length === 0
        ? 'no header fields'
        : `header field${headers.length === 1 ? '' : 's'} ${namesOf(headers)}`),
  ];
};
const namesOf = (headers: DraftGroup['headers']): string => headers.map(({ name }) => name || '?').join(' and ');

/** `any agent in eu`, `agents in eu and us, 2 to 1` */
const placeWords = ({ region, regions, workerIds }: Draft): string => {
  if (workerIds !== null) return plural(workerIds.length, 'chosen agent');
  if (regions === null) return `any agent in ${region}`;
  return `agents in ${Object.keys(regions).join(' and ')}, ${Object.values(regions).join(' to ')}`;
};

export const callerSummary = (draft: Draft): string =>
  line(
    placeWords(draft),
    !callsOwn(draft) && draft.sipAccountIds !== null && plural(draft.sipAccountIds.length, 'chosen SIP account'),
    ...identityWords(draft.group, doingOf(draft)),
  );

/** What each side of a call does beyond calling and answering. */
const sideWords = ({ signalling: s, actions }: DraftScenario): Words => [
  { NONE: null, SUPPORTED: '100rel', REQUIRED: '100rel required' }[s.reliableProvisional],
  s.maxRedirects > 0 && plural(s.maxRedirects, 'redirect'),
  s.delayedOffer && 'INVITE without SDP',
  !s.correlate && 'no X-Carillon-Call',
  s.provisional === 183 && '183 with SDP',
  s.answerDelaySeconds > 0 && `first response after ${seconds(s.answerDelaySeconds)}`,
  s.ringSeconds > 0 && `ringing for ${seconds(s.ringSeconds)}`,
  s.rejectStatus !== null && `refused with ${s.rejectStatus}`,
  actions.length > 0 && plural(actions.length, 'action'),
];

type Signalled = Pick<DraftGroup, 'engine' | 'registerExpiresSeconds' | 'registerRetry' | 'signalling'>;

/** `registers`: the server wants them to. */
export const requestWords = (group: Signalled, { calls }: Doing, registers: boolean): Words => {
  const { engine, registerExpiresSeconds, registerRetry, signalling } = group;
  return [
    engine === 'SIPJS' && 'SIP.js',
    registers && `registered for ${duration(registerExpiresSeconds)} at a time`,
    registers && (registerRetry ? `tried again for ${duration(registerRetry.withinSeconds)}` : 'not tried again'),
    registers && signalling.instanceId === 'ACCOUNT' && 'outbound flow',
    calls &&
      (signalling.sessionTimer
        ? `session timer ${duration(signalling.sessionTimer.expiresSeconds)}`
        : 'no session timer'),
  ];
};

export function signallingSummary(draft: Draft, registers: boolean): string {
  const { group, answering } = draft;
  const doing = doingOf(draft);
  return line(
    ...requestWords(group, doing, registers),
    ...(doing.calls ? sideWords(group) : []),
    doing.calls && group.actions.length === 0 && 'no actions',
    callsOwn(draft) && ofCallees(sideWords(answering)),
  );
}

export function limitsSummary({ does, group, breaker, abortOn, maxExecutionSeconds }: Draft): string {
  return line(
    does === 'CALL' && `unanswered after ${duration(group.answerTimeoutSeconds)}`,
    does !== 'RECEIVE' && (breaker ? `breaker at ${breaker.failurePercent} % failures` : 'no breaker'),
    abortOn && `ends on ${abortOn}`,
    maxExecutionSeconds === null ? 'no maximum run time' : `run time ${duration(maxExecutionSeconds)} at most`,
  );
}
