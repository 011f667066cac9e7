/** Callers of an allocation on virtual time: measurements and outcomes. */
import t from 'tap';
import type { ByeDetails, CallEvents, Explanation, SipFailure } from '../sip/engine.ts';
import { answerSdp, endpoint, engine, failure, open, plan, started, theCall } from '../testing/run/share-world.ts';
import type { OutcomeFact } from './report/facts.ts';

t.test('a good call, measured from its planned instant', async (t) => {
  const { share, go, outcomes, states, phases } = await open(plan({ endpoints: [endpoint(0, 100)] }));
  t.equal(share.state, 'READY');
  share.start(10);
  go(110);
  const { events } = theCall();
  events.onProvisional(100, 'Trying', 111, '');
  events.onProvisional(180, 'Ringing', 130, '');
  go(150);
  events.onAnswered(150, 200, 'OK', answerSdp());
  t.same(started, ['127.0.0.1:30000']);
  go(1149);
  t.notOk(theCall().hungUp);
  go(1150);
  t.ok(theCall().hungUp, 'hung up after the call’s duration');
  events.onEnded('LOCAL', 1150, 1153);
  go(1160);
  t.same(states(), ['READY', 'DONE']);
  t.same(phases(), ['CALLING', 'RINGING', 'NEGOTIATING', 'INCALL', 'DISCONNECTING', 'CLOSED']);
  t.match(outcomes(), [
    {
      outcome: 'SUCCESS',
      cause: null,
      callResult: 'SUCCESS',
      finalStatus: 200,
      timeToTryingMs: 1,
      timeToRingingMs: 20,
      pddMs: 20,
      callSetupMs: 40,
      callDurationMs: 1000,
      byeRttMs: 3,
      inviteLateMs: 0,
      endedBy: 'LOCAL',
    },
  ]);
});

t.test(
  'servers that failed are counted, the attempt is one; names within the dialog are no DNS time of the call',
  async (t) => {
    const { share, go, outcomes } = await open(plan({ endpoints: [endpoint(0, 100)] }));
    share.start(10);
    go(110);
    const { events } = theCall();
    const at = (port: number) => ({ transport: 'UDP', address: '127.0.0.1', port }) as const;
    events.onFailover?.('INVITE', at(1), at(2), '503', 420);
    events.onAnswered(450, 200, 'OK', answerSdp());
    events.onLocated?.(7);
    events.onEnded('REMOTE', 500, 500);
    go(501);
    t.match(outcomes(), [{ outcome: 'SUCCESS', failovers: 1, callSetupMs: 340, inviteLateMs: 0 }]);
    t.ok(Number.isNaN(outcomes()[0]?.dnsMs));
  },
);

t.test('a video that is refused is offered once more, over the other profile: one attempt of one call', async (t) => {
  const tracks = [
    { kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20, source: 'TONE', direction: 'BOTH', dscp: 0, deferred: false },
    { kind: 'VIDEO', codecs: ['VP8'], source: 'PATTERN', direction: 'BOTH', dscp: 0, deferred: false, h264: null },
  ] as const;
  const profiles = () => theCall().offer.match(/^m=\S+ \d+ \S+/gm);
  const rows: [feedbackProfile: string, first: string, second: string][] = [
    ['', 'RTP/AVP', 'RTP/AVPF'],
    ['AVPF', 'RTP/AVPF', 'RTP/AVP'],
  ];
  for (const [feedbackProfile, first, second] of rows) {
    const { share, go, outcomes } = await open(plan({ endpoints: [endpoint(0, 100)] }, { tracks, feedbackProfile }));
    share.start(10);
    go(110);
    t.same(profiles(), [`m=audio 20000 ${first}`, `m=video 20000 ${first}`]);
    theCall().events.onFailed(failure('STATUS', 488, 'Not Acceptable Here'));
    go(150);
    t.same(profiles(), [`m=audio 20000 ${second}`, `m=video 20000 ${second}`]);
    theCall().events.onFailed(failure('STATUS', 488, 'Not Acceptable Here'));
    go(151);
    t.match(outcomes(), [{ cause: 'MEDIA_NOT_ACCEPTED', finalStatus: 488, attempted: true, inviteLateMs: 0 }]);
  }
});

t.test('how a call ends decides its outcome', async (t) => {
  type Act = (events: CallEvents, go: (ms: number) => void) => void;
  const rows: [string, Act, Partial<OutcomeFact>][] = [
    [
      'busy',
      (e) => e.onFailed(failure('STATUS', 486, 'Busy Here')),
      { outcome: 'CALL_FAILED', cause: 'BUSY', callResult: 'REJECTED', finalStatus: 486, finalReason: 'Busy Here' },
    ],
    [
      'nothing',
      (e) => e.onFailed(failure('TIMEOUT')),
      { outcome: 'CALL_FAILED', cause: 'CALL_TIMEOUT', callResult: 'TIMEOUT', finalStatus: 0 },
    ],
    ['transport', (e) => e.onFailed(failure('TRANSPORT')), { cause: 'TRANSPORT_ERROR', callResult: 'ERROR' }],
    ['policy', (e) => e.onFailed(failure('POLICY')), { cause: 'TARGET_NOT_ALLOWED', callResult: 'ERROR' }],
    ['488', (e) => e.onFailed(failure('STATUS', 488)), { outcome: 'NEGOTIATION_FAILED', cause: 'MEDIA_NOT_ACCEPTED' }],
    [
      'no SDP in the answer',
      (e) => {
        e.onAnswered(5, 200, 'OK', '');
        e.onEnded('LOCAL', 6, 7);
      },
      {
        ...{ outcome: 'NEGOTIATION_FAILED', cause: 'ANSWER_UNUSABLE', finalStatus: 200 },
        causeText: 'the 200 had no session description (RFC 3261, 13.2.1)',
      },
    ],
    [
      'no SDP in the answer, after one in a 183 that was not reliable',
      (e) => {
        e.onProvisional(183, 'Session Progress', 3, answerSdp());
        e.onEarlyMedia?.(theCall().offer, answerSdp(), false, 3);
        e.onAnswered(5, 200, 'OK', '');
        e.onEnded('LOCAL', 6, 7);
      },
      { cause: 'ANSWER_UNUSABLE', causeText: 'the 200 had no session description (RFC 3261, 13.2.1)' },
    ],
    [
      'media where the policy forbids it',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp('8.8.8.8'));
        e.onEnded('LOCAL', 6, 7);
      },
      {
        outcome: 'CALL_FAILED',
        cause: 'TARGET_NOT_ALLOWED',
        causeText: 'the policy of this host forbids media to 8.8.8.8',
      },
    ],
    [
      'the callee hangs up',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp());
        e.onEnded('REMOTE', 400, 401);
      },
      { outcome: 'SUCCESS', endedBy: 'REMOTE', callDurationMs: 395, byeRttMs: Number.NaN },
    ],
    [
      'rings for ever',
      (e, go) => {
        e.onProvisional(180, 'Ringing', 5, '');
        go(3001);
        e.onFailed(failure('CANCELLED', 487, 'Request Terminated'));
      },
      { cause: 'NO_ANSWER', callResult: 'TIMEOUT', rang: true, finalStatus: 487 },
    ],
    [
      'trying for ever',
      (e, go) => {
        e.onProvisional(100, 'Trying', 5, '');
        go(3001);
        e.onFailed(failure('CANCELLED', 487, 'Request Terminated'));
      },
      { cause: 'CALL_TIMEOUT', callResult: 'TIMEOUT', rang: false },
    ],
    [
      '408 from a proxy',
      (e) => e.onFailed(failure('STATUS', 408, 'Request Timeout')),
      { cause: 'CALL_TIMEOUT', callResult: 'TIMEOUT', rang: false, finalStatus: 408 },
    ],
    [
      '408 from a proxy, having rung',
      (e) => {
        e.onProvisional(180, 'Ringing', 5, '');
        e.onFailed(failure('STATUS', 408, 'Request Timeout'));
      },
      { cause: 'NO_ANSWER', callResult: 'TIMEOUT', rang: true, finalStatus: 408 },
    ],
    [
      '408, and a fork that ended before',
      (e) => {
        e.onProvisional(199, 'Early Dialog Terminated', 5, '');
        e.onFailed(failure('STATUS', 408, 'Request Timeout'));
      },
      { cause: 'CALL_TIMEOUT', rang: false },
    ],
    [
      'what cannot be sent from here',
      (e) => e.onFailed(failure('TRANSPORT', null, 'send EAFNOSUPPORT')),
      { cause: 'NOT_SENT', callResult: 'ERROR', sipStatus: 0 },
    ],
  ];
  for (const [what, act, expected] of rows) {
    const { share, go, outcomes, states } = await open(plan());
    share.start(0);
    go(2);
    act(theCall().events, go);
    go(engine.nowMs + 1);
    t.match(outcomes(), [expected], what);
    t.same(states(), ['READY', 'DONE'], `${what}: done`);
  }
});

t.test('an answer that crosses our CANCEL is one, although we hung up on it (RFC 6076, 4.7)', async (t) => {
  const crossing = (): SipFailure => ({ ...failure('CANCELLED', 200, 'answered when the CANCEL was under way') });
  const rows: [string, (world: Awaited<ReturnType<typeof open>>) => void, Partial<OutcomeFact>][] = [
    [
      'nobody answered in time',
      ({ go }) => go(3001),
      { outcome: 'CALL_FAILED', cause: 'NO_ANSWER', callResult: 'SUCCESS', callSetupMs: 3001 },
    ],
    [
      'the run was stopped',
      ({ share }) => share.stop('a user stopped the run'),
      { outcome: 'CALL_FAILED', cause: 'STOPPED', callResult: 'SUCCESS', callSetupMs: 20 },
    ],
  ];
  for (const [what, giveUp, expected] of rows) {
    const world = await open(plan());
    world.share.start(0);
    world.go(2);
    const { events } = theCall();
    events.onProvisional(180, 'Ringing', 5, '');
    world.go(20);
    giveUp(world);
    t.ok(theCall().hungUp, what);
    events.onFailed(crossing());
    world.go(engine.nowMs + 1);
    const [outcome] = world.outcomes();
    t.match(outcome, { ...expected, attempted: true, finalStatus: 200, rang: true, endedBy: '' }, what);
    t.equal(outcome?.evidence, null, 'it was never up: nothing is found of it');
    t.ok(Number.isNaN(outcome?.callDurationMs), 'and lasted for no time');
    t.notOk(world.phases().includes('INCALL'));
  }
});

t.test('the first words of the far end stand', async (t) => {
  const said = (q850: number): Explanation => ({ q850, reason: `said ${q850}`, warning: '', retryAfterSeconds: 0 });
  const bye = (explanation: Explanation | null, more: Partial<ByeDetails> = {}): ByeDetails => ({
    ...{ byeStatus: 0, unanswered: '', explanation },
    ...more,
  });
  const rows: [string, (events: CallEvents) => void, object][] = [
    ['refused', (e) => e.onFailed({ ...failure('STATUS', 503), explanation: said(34) }), { explanation: said(34) }],
    ['refused without a word', (e) => e.onFailed(failure('STATUS', 503)), { explanation: null }],
    [
      'hung up on',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp());
        e.onEnded('REMOTE', 400, 401, bye(said(38)));
      },
      {
        explanation: said(38),
        evidence: { endedBy: 'REMOTE', byeStatus: 0, unansweredBye: '', talkMs: 0, streams: 1 },
      },
    ],
    [
      'our BYE',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp());
        e.onEnded('LOCAL', 400, 401, bye(null, { byeStatus: 481 }));
      },
      { explanation: null, evidence: { endedBy: 'LOCAL', byeStatus: 481, unansweredBye: '' } },
    ],
    [
      'nobody answers it',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp());
        e.onEnded('LOCAL', 400, Number.NaN, bye(null, { unanswered: 'silence' }));
      },
      { byeRttMs: Number.NaN, evidence: { byeStatus: 0, unansweredBye: 'silence' } },
    ],
    [
      'an engine that tells nothing of it',
      (e) => {
        e.onAnswered(5, 200, 'OK', answerSdp());
        e.onEnded('LOCAL', 400, 401);
      },
      { explanation: null, evidence: { byeStatus: 0, unansweredBye: '' } },
    ],
  ];
  for (const [what, act, expected] of rows) {
    const { share, go, outcomes } = await open(plan());
    share.start(0);
    go(2);
    act(theCall().events);
    go(engine.nowMs + 1);
    t.match(outcomes(), [expected], what);
  }
});

t.test('media before the answer', async (t) => {
  for (const answered of [false, true]) {
    const { share, go, outcomes } = await open(plan({ callDurationMs: 100 }));
    share.start(0);
    go(20);
    const { events, offer } = theCall();
    events.onProvisional(183, 'Session Progress', 20, answerSdp());
    const before = started.length;
    events.onEarlyMedia?.(offer, answerSdp(), false, 20);
    t.equal(started.length, before + 1, 'the streams run');
    go(50);
    // The first packet of the stand-in streams is always 5 ms old.
    if (answered) events.onAnswered(40, 200, 'OK', answerSdp());
    else events.onFailed({ kind: 'STATUS', status: 486, reason: 'Busy Here', atMs: 50 });
    if (answered) events.onEnded('REMOTE', 50, 50);
    go(60);
    t.match(outcomes(), [{ timeToEarlyMediaMs: answered ? Number.NaN : 45 - (outcomes()[0]?.plannedAtMs ?? 0) }]);
  }
});
