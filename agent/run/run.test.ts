/** Callers, callees and registrations of an allocation on virtual time: measurements and outcomes. */
import { Secret } from '@carillon/proto/secret.ts';
import t from 'tap';
import type { ByeDetails, CallEvents, Explanation, SipFailure } from '../sip/engine.ts';
import {
  always,
  answerSdp,
  endpoint,
  engine,
  failure,
  incoming,
  open,
  plan,
  started,
  theCall,
} from '../testing/run/share-world.ts';
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
      { outcome: 'NEGOTIATION_FAILED', cause: 'ANSWER_UNUSABLE', finalStatus: 200 },
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

t.test('registration', async (t) => {
  const registered = plan(
    {
      endpoints: [
        endpoint(0, 0, {
          callAtMs: 1000,
          account: { username: '1001', credentials: { username: '1001', password: new Secret('p') } },
        }),
      ],
    },
    { register: true },
  );
  await t.test('first, then the call, then un-register', async (t) => {
    const { share, go, outcomes, phases } = await open(registered);
    share.start(0);
    go(20);
    engine.agents[0]?.registration?.onRegistered(20, 3600);
    go(1001);
    theCall().events.onAnswered(1001, 200, 'OK', answerSdp());
    theCall().events.onEnded('REMOTE', 1500, 1500);
    go(1501);
    t.equal(engine.agents[0]?.unregistered, 1);
    t.ok(engine.agents[0]?.closed);
    t.equal(phases()[0], 'REGISTERED');
    t.match(outcomes(), [{ outcome: 'SUCCESS', registerRttMs: 19 }]);
  });
  await t.test('a slow registrar makes the call wait, and is not the agent’s lateness', async (t) => {
    const { share, go, noise, outcomes } = await open(registered);
    share.start(0);
    go(1700);
    t.equal(engine.agents[0]?.call, null);
    engine.agents[0]?.registration?.onRegistered(1700, 3600);
    go(1702);
    t.ok(engine.agents[0]?.call);
    t.match(noise().at(-1), { started: 1, notStarted: 0 });
    t.ok((noise().at(-1)?.inviteLateMs.max ?? 99) <= 1);
    theCall().events.onAnswered(1750, 200, 'OK', answerSdp());
    theCall().events.onEnded('REMOTE', 1800, 1800);
    go(1801);
    t.match(outcomes(), [{ plannedAtMs: 1000, callSetupMs: 750, inviteLateMs: 701 }], 't0 is the planned instant');
  });
  await t.test('a registrar that answers all at once makes no bunch of calls', async (t) => {
    const many = Array.from({ length: 40 }, (_, i) => endpoint(i, i * 100));
    const { share, go, noise } = await open(plan({ endpoints: many }, { register: true }));
    share.start(0);
    go(2001);
    for (const agent of engine.agents.slice(0, 20)) agent.registration?.onRegistered(2001, 3600);
    let most = 0;
    for (let atMs = 2002; atMs <= 5000; atMs++) {
      const before = engine.agents.filter((a) => a.call).length;
      go(atMs);
      for (const agent of engine.agents)
        if (agent.registration && !agent.call) agent.registration.onRegistered(atMs, 3600);
      most = Math.max(most, engine.agents.filter((a) => a.call).length - before);
    }
    t.ok(most <= 2, `${most} in a millisecond`);
    const late = noise().map((n) => n.inviteLateMs.max);
    t.ok(Math.max(...late) <= 60, 'nor lateness of the agent');
    t.equal(
      noise().reduce((n, x) => n + x.notStarted, 0),
      0,
    );
  });
  await t.test('under way when the run is stopped: removed once it is there', async (t) => {
    const { share, go, states } = await open(registered);
    share.start(0);
    go(5);
    share.stop('a user stopped the run');
    t.equal(engine.agents[0]?.unregistered, 1);
    go(6);
    t.same(states(), ['READY', 'DONE']);
  });
  await t.test('refused', async (t) => {
    const { share, go, outcomes, states } = await open(registered);
    share.start(0);
    go(5);
    engine.agents[0]?.registration?.onRegistrationFailed(failure('STATUS', 403, 'Forbidden'));
    go(2000);
    t.match(outcomes(), [
      {
        outcome: 'REGISTRATION_FAILED',
        cause: 'REGISTRATION_DENIED',
        sipStatus: 403,
        attempted: false,
        callResult: null,
      },
    ]);
    t.equal(engine.agents[0]?.call, null);
    t.same(states(), ['READY', 'DONE']);
  });
  await t.test('a registrar that cannot be reached, and one that we cannot send to', async (t) => {
    const explanation: Explanation = { q850: 38, reason: '', warning: '399 down', retryAfterSeconds: 5 };
    const rows: [SipFailure, Partial<OutcomeFact>][] = [
      [failure('TRANSPORT', null, 'ECONNREFUSED'), { cause: 'REGISTRATION_UNREACHABLE' }],
      [failure('TRANSPORT', null, 'send EAFNOSUPPORT'), { cause: 'REGISTRATION_NOT_SENT' }],
      [failure('TIMEOUT'), { cause: 'REGISTRATION_TIMEOUT' }],
      [
        { ...failure('STATUS', 503), explanation },
        { cause: 'REGISTRATION_REJECTED', explanation },
      ],
    ];
    for (const [why, expected] of rows) {
      const { share, go, outcomes } = await open(registered);
      share.start(0);
      go(5);
      engine.agents[0]?.registration?.onRegistrationFailed(why);
      go(2000);
      t.match(outcomes(), [{ ...expected, outcome: 'REGISTRATION_FAILED', callResult: null, evidence: null }]);
    }
  });
  await t.test('receivers register before they are ready', async (t) => {
    const { share, go, states } = await open(
      plan({ role: 'CALLEE', endpoints: [endpoint(0, 0), endpoint(1, 0)] }, { register: true }),
    );
    go(5);
    t.equal(share.state, 'PREPARING');
    engine.agents[0]?.registration?.onRegistered(5, 3600);
    engine.agents[1]?.registration?.onRegistrationFailed(failure('TIMEOUT'));
    go(6);
    t.same(states(), ['READY'], 'one that cannot does not hold up the rest');
  });
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

t.test('callees', async (t) => {
  const callee = plan({ role: 'CALLEE' });
  await t.test('ring, answer, let the caller hang up', async (t) => {
    const { share, go, outcomes, phases } = await open(callee);
    share.start(0);
    go(10);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.onIncomingCall(call);
    t.same(call.log, ['ring', 'answer']);
    events?.onAnswered(12, 200, 'OK', '');
    const second = incoming(answerSdp());
    engine.agents[0]?.options.onIncomingCall(second);
    t.same(second.log, ['reject 486'], 'one call each');
    events?.onEnded('REMOTE', 900, 900);
    go(901);
    t.same(phases(), ['RINGING', 'NEGOTIATING', 'INCALL', 'CLOSED']);
    t.match(outcomes(), [{ outcome: 'SUCCESS', callDurationMs: 888, callSetupMs: Number.NaN, pddMs: Number.NaN }]);
  });
  await t.test('a caller that never hangs up: the owner’s limit ends the call', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(10);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.onIncomingCall(call);
    events?.onAnswered(12, 200, 'OK', '');
    go(30_011);
    t.notOk(call.log.includes('hangUp'));
    go(30_012);
    t.ok(call.log.includes('hangUp'));
    events?.onEnded('LOCAL', 30_012, 30_013);
    go(30_014);
    t.match(outcomes(), [{ outcome: 'SUCCESS', endedBy: 'LOCAL', callDurationMs: 30_000 }]);
  });
  await t.test('an offer that cannot be used', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(1);
    const call = incoming('v=0\r\nno sdp');
    const events = engine.agents[0]?.options.onIncomingCall(call);
    t.same(call.log, ['reject 488']);
    events?.onFailed(failure('STATUS', 488));
    go(2);
    t.match(outcomes(), [{ outcome: 'NEGOTIATION_FAILED', cause: 'OFFER_UNUSABLE' }]);
  });
  await t.test('an offer that media cannot be sent to is refused before it rings, and takes no ports', async (t) => {
    const rows: [string, string, string][] = [
      ['c=IN IP4 127.0.0.1\r\n', '', 'OFFER_UNUSABLE'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 1234', 'OFFER_UNUSABLE'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 media.example', 'OFFER_UNUSABLE'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 224.2.36.42/127', 'OFFER_UNUSABLE'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 255.255.255.255', 'OFFER_UNUSABLE'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 203.0.113.9', 'TARGET_NOT_ALLOWED'],
    ];
    for (const [from, to, cause] of rows) {
      let asked = 0;
      // Ports that never become available: a ringing call has not requested one.
      const { share, go, outcomes } = await open(plan({ role: 'CALLEE' }), { ...always, request: () => void asked++ });
      share.start(0);
      go(1);
      const call = incoming(answerSdp().replace(from, to));
      const events = engine.agents[0]?.options.onIncomingCall(call);
      t.same(call.log, ['reject 488'], to);
      t.equal(asked, 0);
      events?.onFailed(failure('STATUS', 488));
      go(2);
      t.match(outcomes(), [{ cause, attempted: true }]);
      t.ok(Number.isNaN(outcomes()[0]?.callSetupMs), 'never answered');
    }
  });
  await t.test('told to say 408 as if nobody answered: both ends say so', async (t) => {
    const answering = { delayMs: 0, ringMs: 100, provisional: 180 as const, rejectStatus: 408 };
    const { share, go, outcomes } = await open(plan({ role: 'CALLEE' }, { answering }));
    share.start(0);
    go(1);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.onIncomingCall(call);
    go(200);
    t.same(call.log, ['ring', 'reject 408']);
    events?.onFailed(failure('STATUS', 408));
    go(201);
    t.match(outcomes(), [{ cause: 'NO_ANSWER', finalStatus: 408 }]);
  });
  await t.test('nobody calls: the window ends, or the run says so', async (t) => {
    const first = await open(callee);
    first.share.start(0);
    first.go(5001);
    t.match(first.outcomes(), [{ cause: 'NO_CALL_RECEIVED', attempted: false }]);
    const second = await open(callee);
    second.share.start(0);
    second.go(10);
    second.share.finish();
    second.go(11);
    t.same(second.states(), ['READY', 'DONE']);
  });
  await t.test('an ACK that never comes', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(1);
    const events = engine.agents[0]?.options.onIncomingCall(incoming(answerSdp()));
    events?.onFailed(failure('TIMEOUT'));
    go(2);
    t.match(outcomes(), [{ cause: 'ACK_MISSING', callResult: 'ERROR' }]);
  });
  await t.test('any number, where the group takes it', async (t) => {
    const { share, go } = await open(
      plan({ role: 'CALLEE', endpoints: [endpoint(0, 0), endpoint(1, 0)] }, { takesAnyCall: true }),
    );
    share.start(0);
    go(1);
    t.equal(share.takeAnyCall(), engine.agents[0]);
    engine.agents[0]?.options.onIncomingCall(incoming(answerSdp()));
    t.equal(share.takeAnyCall(), engine.agents[1], 'the next free one');
    t.equal((await open(plan({ role: 'CALLEE' }))).share.takeAnyCall(), null);
  });
});
