/** What the folded parts of a test's form say. */
import t from 'tap';
import { FIRST_PARTS, FIRST_TIMER } from './drafts/group-draft.ts';
import { callerSummary, limitsSummary, mediaSummary, signallingSummary } from './drafts/summaries.ts';
import { type Draft, EMPTY } from './drafts/test-draft.ts';
import { FIRST_VIDEO } from './drafts/track-draft.ts';

type Change = Partial<Omit<Draft, 'group'>> & {
  readonly group?: Partial<Draft['group']>;
  readonly signalling?: Partial<Draft['group']['signalling']>;
};
const draft = ({ group, signalling, ...change }: Change): Draft => ({
  ...EMPTY,
  ...change,
  group: { ...EMPTY.group, ...group, signalling: { ...EMPTY.group.signalling, ...signalling } },
});
const OUT = { registrarId: 'r1', uri: 'sip:9@pbx.example' };

t.test('media', async (t) => {
  const rows: [Change, string][] = [
    [{}, 'A tone, PCMU, 20 ms, no encryption'],
    [
      { source: 'SPEECH', group: { audioCodecs: ['OPUS', 'PCMU'], packetMs: 40, encryption: 'DTLS', ice: 'HOST' } },
      'Artificial speech, OPUS or PCMU, 40 ms, SRTP by DTLS, ICE',
    ],
    [{ source: 'FILE', group: { encryption: 'SDES' } }, 'A media file, PCMU, 20 ms, SRTP by SDES'],
    [
      { group: { ice: 'stun:stun.example:3478', feedbackProfile: 'AVPF', rtcpMux: true } },
      'A tone, PCMU, 20 ms, no encryption, AVPF, ICE by stun.example:3478, RTP and RTCP on one port',
    ],
    [
      { track: { direction: 'SEND', dscp: 46, deferred: true }, video: { ...FIRST_VIDEO, deferred: true } },
      'A tone, PCMU, 20 ms, no encryption, sent only, DSCP 46, added later, video VP8 added later',
    ],
    [
      { group: { dtmf: FIRST_PARTS.dtmf, impairment: FIRST_PARTS.impairment, rtpTrace: FIRST_PARTS.rtpTrace } },
      'A tone, PCMU, 20 ms, no encryption, digits 1, impaired network, RTP headers kept',
    ],
    [
      { answering: { ...EMPTY.answering, dtmf: FIRST_PARTS.dtmf } },
      'A tone, PCMU, 20 ms, no encryption, callees: digits 1',
    ],
    [{ ...OUT, answering: { ...EMPTY.answering, dtmf: FIRST_PARTS.dtmf } }, 'A tone, PCMU, 20 ms, no encryption'],
    [{ source: null, group: { encryption: 'SDES' } }, 'Signalling only, PCMU on an inactive line, SRTP by SDES'],
    [{ source: null, group: { sdp: 'NONE' } }, 'Signalling only, no session description'],
  ];
  for (const [change, says] of rows) t.equal(mediaSummary(draft(change)), says);
});

t.test('the caller', async (t) => {
  const header = { methods: ['INVITE' as const], name: 'X-Desk', value: '12' };
  const rows: [Change, string][] = [
    [{}, 'Any agent in local, number and name of the account, no header fields'],
    [{ regions: { eu: 2, us: 1 } }, 'Agents in eu and us, 2 to 1, number and name of the account, no header fields'],
    [
      { ...OUT, workerIds: ['w1', 'w2'], sipAccountIds: ['a1'] },
      '2 chosen agents, 1 chosen SIP account, number and name of the account, no header fields',
    ],
    [
      {
        ...OUT,
        group: { callerNumber: '0{{number}}', displayName: 'Zoë', headers: [header, { ...header, name: '' }] },
      },
      'Any agent in local, number 0{{number}}, name Zoë, header fields X-Desk and ?',
    ],
    [
      {
        ...OUT,
        group: {
          ...{ assertedIdentity: 'tel:+4930', privacy: ['ID', 'HEADER'], headers: [header] },
          diversion: { ...FIRST_PARTS.diversion, uri: 'sip:100@b.example' },
        },
      },
      'Any agent in local, asserted as tel:+4930, privacy id and header, diverted by sip:100@b.example, header field X-Desk',
    ],
    [{ ...OUT, does: 'RECEIVE', group: { callerNumber: '1' } }, 'Any agent in local, no header fields'],
    [{ ...OUT, does: 'REGISTER', group: { callerNumber: '1' } }, 'Any agent in local, no header fields'],
    [
      { ...OUT, does: 'OPTIONS', group: { callerNumber: '1', assertedIdentity: 'tel:2', headers: [header] } },
      'Any agent in local, number 1',
    ],
  ];
  for (const [change, says] of rows) t.equal(callerSummary(draft(change)), says);
});

t.test('signalling', async (t) => {
  const action = { trigger: { on: 'ANSWERED' as const, afterSeconds: 1 }, action: { do: 'HANG_UP' as const } };
  const ringing = { ...EMPTY.answering.signalling, ringSeconds: 1.5, provisional: 183 as const };
  const rows: [Change, registers: boolean, string][] = [
    [{}, false, 'No session timer, no actions'],
    [
      { ...OUT, group: { engine: 'SIPJS', registerExpiresSeconds: 90 } },
      true,
      'SIP.js, registered for 1 min 30 s at a time, not tried again, no session timer, no actions',
    ],
    [
      {
        ...OUT,
        group: { registerRetry: FIRST_PARTS.registerRetry, actions: [action] },
        signalling: { sessionTimer: FIRST_TIMER, instanceId: 'ACCOUNT', reliableProvisional: 'REQUIRED' },
      },
      true,
      'Registered for 1 h at a time, tried again for 30 s, outbound flow, session timer 30 min, 100rel required, 1 action',
    ],
    [
      { signalling: { maxRedirects: 2, delayedOffer: true, correlate: false } },
      false,
      'No session timer, 2 redirects, INVITE without SDP, no X-Carillon-Call, no actions',
    ],
    [
      { answering: { ...EMPTY.answering, signalling: ringing, actions: [action] } },
      false,
      'No session timer, no actions, callees: 183 with SDP, ringing for 1.5 s, 1 action',
    ],
    [
      { ...OUT, does: 'RECEIVE', signalling: { rejectStatus: 486, answerDelaySeconds: 0.2 } },
      false,
      'No session timer, first response after 0.2 s, refused with 486, no actions',
    ],
    [{ ...OUT, does: 'REGISTER' }, true, 'Registered for 1 h at a time, not tried again'],
    [{ ...OUT, does: 'OPTIONS' }, false, ''],
  ];
  for (const [change, registers, says] of rows) t.equal(signallingSummary(draft(change), registers), says);
});

t.test('limits', async (t) => {
  const rows: [Change, string][] = [
    [{}, 'Unanswered after 1 min, breaker at 50 % failures, no maximum run time'],
    [
      { group: { answerTimeoutSeconds: 20 }, breaker: null, maxExecutionSeconds: 90 },
      'Unanswered after 20 s, no breaker, run time 1 min 30 s at most',
    ],
    [{ does: 'REGISTER' }, 'Breaker at 50 % failures, no maximum run time'],
    [{ does: 'RECEIVE' }, 'No maximum run time'],
  ];
  for (const [change, says] of rows) t.equal(limitsSummary(draft(change)), says);
});
