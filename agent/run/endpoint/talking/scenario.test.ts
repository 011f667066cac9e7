/** Actions of a scenario: what triggers them, what each does, what the far end refuses. */
import { signalledDigit } from '@carillon/media/dtmf/signalled-digits.ts';
import t from 'tap';
import type { CallEvents } from '../../../sip/engine.ts';
import { AUDIO, CALL_MS, type PairWorld, VIDEO } from '../../../testing/run/pair.ts';
import { act, call, DEFERRED_VIDEO, keys, on, refer } from '../../../testing/run/scenario-plans.ts';
import type { ActionPlan, StepPlan, TriggerPlan } from '../../plan.ts';

/** What the caller does to cause the trigger at the callee. */
const CAUSES: { readonly [word in TriggerPlan['on']]: readonly ActionPlan[] } = {
  ANSWERED: [],
  HOLD: [act(on('ANSWERED', 500), { do: 'HOLD' })],
  RESUME: [act(on('ANSWERED', 500), { do: 'HOLD' }), act(on('ANSWERED', 1000), { do: 'RESUME' })],
  INFO: [act(on('ANSWERED', 500), keys('7', 'INFO'))],
  DTMF: [act(on('ANSWERED', 500), keys('42', 'RFC4733'))],
  REFRESH: [act(on('ANSWERED', 500), { do: 'UPDATE' })],
};

const STEPS: readonly StepPlan[] = [
  keys('12#', 'RFC4733'),
  keys('12#', 'INFO'),
  { do: 'HOLD' },
  { do: 'RESUME' },
  { do: 'ACTIVATE_TRACK', track: 'VIDEO' },
  { do: 'REINVITE' },
  { do: 'UPDATE' },
  refer,
  { do: 'ATTENDED_TRANSFER', target: 'sip:e2@127.0.0.1:5060' },
  { do: 'HANG_UP' },
];

t.test('every trigger starts every action, once, and the call is a good one', async (t) => {
  for (const word of Object.keys(CAUSES) as TriggerPlan['on'][]) {
    for (const step of STEPS) {
      // An end on hold may send nothing, including events.
      if (word === 'HOLD' && step.do === 'SEND_DTMF' && step.by === 'RFC4733') continue;
      const what = `${step.do}${'by' in step ? ` by ${step.by}` : ''} on ${word}`;
      const world = await call(
        { actions: CAUSES[word], tracks: [AUDIO, VIDEO] },
        { actions: [act(on(word, 200), step)], tracks: DEFERRED_VIDEO },
      );
      world.go(CALL_MS + 100);
      const told = world.actions.filter((line) => line.startsWith('1 '));
      t.equal(told.length, 1, `${what}: ${told}`);
      t.match(told[0], new RegExp(`^1 ${step.do}.*, 0.2 s after ${word}$`), what);
      t.same(
        world.outcomes.filter(({ endpoint, cause }) => endpoint < 2 && cause !== null),
        [],
        what,
      );
    }
  }
});

t.test('seconds count from the trigger', async (t) => {
  const world = await call({ actions: [act(on('ANSWERED', 3000), { do: 'HANG_UP' })] });
  world.go(2990);
  t.same(world.actions, []);
  world.go(3100);
  t.same(world.actions, ['0 HANG_UP, 3 s after ANSWERED']);
  const [caller] = world.outcomes;
  t.equal(caller?.cause, null);
  t.ok(Math.abs((caller?.callDurationMs ?? 0) - 3000) <= 2, String(caller?.callDurationMs));
});

t.test(
  'hold stops what the far end sends, resume lets it again; a deferred stream starts when it is activated',
  async (t) => {
    const actions = [
      act(on('ANSWERED', 1000), { do: 'HOLD' }),
      act(on('ANSWERED', 2000), { do: 'RESUME' }),
      act(on('ANSWERED', 3000), { do: 'ACTIVATE_TRACK', track: 'VIDEO' }),
    ];
    const world = await call({ actions, tracks: DEFERRED_VIDEO }, { tracks: [AUDIO, VIDEO] });
    // Ports in the order of opening: callee's audio and video, the third party's audio, the caller's.
    const [heldAudio, heldVideo, holderAudio, holderVideo] = [20_000, 20_002, 20_006, 20_008];
    const direction = (port: number) => world.streams.get(port)?.direction;
    world.go(900);
    t.same([direction(holderAudio), direction(heldAudio)], ['BOTH', 'BOTH']);
    t.same([direction(holderVideo), direction(heldVideo)], [undefined, undefined], 'not started');
    world.go(1500);
    t.same([direction(holderAudio), direction(heldAudio)], ['SEND', 'RECEIVE']);
    world.go(2500);
    t.same([direction(holderAudio), direction(heldAudio)], ['BOTH', 'BOTH']);
    world.go(3500);
    t.same([direction(holderVideo), direction(heldVideo)], ['BOTH', 'BOTH']);
    t.equal(world.streams.get(holderVideo)?.remote?.rtpPort, heldVideo);
  },
);

t.test('what the far end refuses is told, leaves the session as it was, and fails the call', async (t) => {
  const cases: [StepPlan, PairWorld['refusals'], RegExp][] = [
    [{ do: 'HOLD' }, { changeSession: 488 }, /^0 failed: HOLD, 0.5 s after ANSWERED: 488 Not Acceptable Here$/],
    [{ do: 'UPDATE' }, { changeSession: 405 }, /: 405 /],
    [keys('12', 'INFO'), { info: 415 }, /SEND_DTMF 12 by INFO, .*: INFO was answered with 415$/],
    [refer, { refer: 603 }, /REFER to sip:e2@127.0.0.1:5060, .*: 603 Decline$/],
    [{ do: 'REFER', target: 'sip:forbidden@127.0.0.1' }, {}, /: 603 Decline$/],
    [{ do: 'REFER', target: 'sip:gone@127.0.0.1' }, {}, /: 404 Nobody$/],
  ];
  for (const [step, refusals, expected] of cases) {
    const world = await call({ actions: [act(on('ANSWERED', 500), step)] }, {}, refusals);
    world.go(CALL_MS + 100);
    t.equal(world.actions.length, 1, String(world.actions));
    t.match(world.actions[0], expected);
    t.match(world.outcomes[0], { outcome: 'CALL_FAILED', cause: 'ACTION_FAILED' });
    t.ok(Math.abs((world.outcomes[0]?.callDurationMs ?? 0) - CALL_MS) <= 2, 'it goes on to its end');
  }
  const silent = await call(
    { actions: [act(on('ANSWERED'), keys('1', 'RFC4733'))], telephoneEvent: false },
    { telephoneEvent: false },
  );
  silent.go(100);
  t.match(silent.actions, [/peer does not accept telephone-event/]);
  const single = await call({
    actions: [act(on('ANSWERED'), { do: 'ACTIVATE_TRACK', track: 'VIDEO' })],
    tracks: DEFERRED_VIDEO,
  });
  single.go(100);
  t.match(single.actions, [/^0 failed: ACTIVATE_TRACK VIDEO, on ANSWERED: the far end did not accept the stream$/]);
});

t.test('changes of the session wait for each other', async (t) => {
  const at = on('ANSWERED', 500);
  const all = (['HOLD', 'REINVITE', 'RESUME', 'UPDATE'] as const).map((word) => act(at, { do: word }));
  const world = await call({ actions: all });
  world.go(1000);
  t.same(
    world.actions.map((line) => line.split(',')[0]),
    ['0 HOLD', '0 REINVITE', '0 RESUME', '0 UPDATE'],
  );
});

t.test('a call that ends before its actions tells of them, and is a good one', async (t) => {
  const world = await call(
    { actions: [act(on('ANSWERED', 5000), { do: 'HOLD' })] },
    { actions: [act(on('ANSWERED', 1000), { do: 'HANG_UP' })] },
  );
  world.go(CALL_MS);
  t.same(world.actions.sort(), [
    '0 failed: HOLD, 5 s after ANSWERED: the call ended before the action',
    '1 HANG_UP, 1 s after ANSWERED',
  ]);
  t.equal(world.outcomes[0]?.cause, null);
});

t.test('digits are heard in order, by RTP and by INFO', async (t) => {
  for (const by of ['RFC4733', 'INFO'] as const) {
    const world = await call(
      { actions: [act(on('ANSWERED', 500), keys('4', by)), act(on('ANSWERED', 1500), keys('2', by))] },
      { actions: [act(on('DTMF', 0, '42'), { do: 'HANG_UP' }), act(on('DTMF', 0, '24'), { do: 'UPDATE' })] },
    );
    world.go(1400);
    t.same(
      world.actions.filter((line) => line.startsWith('1')),
      [],
      by,
    );
    world.go(2000);
    t.match(
      world.actions.filter((line) => line.startsWith('1')),
      [/^1 HANG_UP, on DTMF 42$/],
      by,
    );
  }
  t.equal(signalledDigit('application/dtmf-relay', 'Signal= 5\r\nDuration=160\r\n')?.digit ?? null, '5');
  t.equal(signalledDigit('application/dtmf', '#')?.digit ?? null, '#');
  t.equal(signalledDigit('application/dtmf-relay', 'Signal=flash')?.digit ?? null, null);
  t.equal(signalledDigit('text/plain', '5')?.digit ?? null, null);
});

t.test('REFER moves the call: the referred end talks to the target, the referrer leaves', async (t) => {
  const world = await call({ actions: [act(on('ANSWERED', 1000), refer)] });
  world.go(1500);
  const [callee, target] = [20_000, 20_002];
  t.equal(world.streams.get(callee)?.remote?.rtpPort, target, 'its media follow');
  t.equal(world.streams.get(target)?.remote?.rtpPort, callee);
  t.equal(world.streams.get(callee)?.association, 1, 'in a handshake of their own');
  t.ok(
    world.outcomes.some(({ endpoint, cause }) => endpoint === 0 && cause === null),
    'the caller has left',
  );
  world.go(CALL_MS + 100);
  t.same(
    world.outcomes.map(({ endpoint, cause }) => [endpoint, cause]),
    [
      [0, null],
      [1, null],
      [2, null],
    ],
  );
  t.same(world.actions, ['0 REFER to sip:e2@127.0.0.1:5060, 1 s after ANSWERED']);
});

t.test('callees ring, take their time, send media before the answer, and reject', async (t) => {
  const answering = { delayMs: 200, ringMs: 1000, provisional: 183, rejectStatus: null } as const;
  const world = await call({}, { answering });
  world.go(100);
  t.same([...world.streams.keys()], []);
  world.go(500);
  t.same([...world.streams.keys()].sort(), [20_000, 20_004], 'both ends, before the answer');
  world.go(CALL_MS + 2000);
  const [caller, callee] = world.outcomes;
  t.match([caller, callee], [{ cause: null }, { cause: null }]);
  t.ok(Math.abs((caller?.callSetupMs ?? 0) - 1200) < 10, String(caller?.callSetupMs));
  t.ok(Math.abs((caller?.pddMs ?? 0) - 200) < 10, String(caller?.pddMs));

  const busy = await call({}, { answering: { ...answering, rejectStatus: 486 } });
  busy.go(2000);
  t.match(busy.outcomes.slice(0, 2), [
    { cause: 'BUSY', finalStatus: 486, rang: true },
    { cause: 'BUSY', finalStatus: 486, finalReason: 'Busy Here', callResult: 'REJECTED' },
  ]);
});

t.test('a delayed offer: the callee offers, and both have media', async (t) => {
  const world = await call({
    signalling: { reliableProvisional: 'NONE', sessionTimer: null, delayedOffer: true, maxRedirects: 0 },
  });
  world.go(500);
  t.equal(world.streams.get(20_000)?.remote?.rtpPort, 20_004);
  t.equal(world.streams.get(20_004)?.remote?.rtpPort, 20_000);
  world.go(CALL_MS + 100);
  t.match(world.outcomes.slice(0, 2), [{ cause: null }, { cause: null }]);
});

t.test('only the answer to what an action asked for is its answer', async (t) => {
  for (const askedBy of ['TIMER', 'PEER'] as const) {
    const world = await call({ actions: [act(on('ANSWERED', 500), { do: 'HOLD' })] }, {}, { changeSession: 488 });
    world.go(400);
    const caller = world.calls[0] as (typeof world.calls)[0];
    const change = caller.changeSession.bind(caller);
    caller.changeSession = (offer) => {
      // Another action that was in progress ends first.
      caller.tell((e) => e.onSessionChanged?.(caller.body, world.answers[0] as string, 'LOCAL', 500, askedBy));
      change(offer);
    };
    world.go(1000);
    t.match(world.actions, [/^0 failed: HOLD.*: 488/], askedBy);
  }
});

t.test('peers hold by a re-INVITE without an offer, too; what we refresh ourselves is no trigger', async (t) => {
  const world = await call({
    actions: [
      act(on('HOLD'), keys('1', 'INFO')),
      act(on('RESUME'), keys('2', 'INFO')),
      act(on('REFRESH'), keys('3', 'INFO')),
    ],
  });
  world.go(500);
  const [caller] = world.calls;
  const tell = (what: (events: CallEvents) => void) => {
    caller?.tell(what);
    world.go(world.nowMs + 200);
  };
  const answer = world.answers[0] as string;
  const ours = caller?.body as string;
  tell((e) => e.onSessionChanged?.(ours, answer, 'LOCAL', 500, 'TIMER'));
  tell((e) => e.onSessionRefreshed?.('LOCAL', 500, true));
  t.same(world.actions, []);
  tell((e) => e.onSessionRefreshed?.('REMOTE', 500, false));
  tell((e) => e.onSessionChanged?.(ours, answer.replace('sendrecv', 'sendonly'), 'LOCAL', 500, 'PEER'));
  tell((e) => e.onSessionChanged?.(ours, answer, 'LOCAL', 500, 'PEER'));
  tell((e) => e.onSessionRefreshed?.('REMOTE', 500, true));
  t.same(
    world.actions.map((line) => line.replace(/.* on /, '')),
    ['HOLD', 'RESUME', 'REFRESH'],
  );
});

t.test('what comes before the answer is no trigger, and loses no action', async (t) => {
  const answering = { delayMs: 0, ringMs: 500, provisional: 180, rejectStatus: null } as const;
  const world = await call({ actions: [act(on('INFO'), keys('1', 'INFO'))] }, { answering });
  world.go(100);
  world.calls[0]?.tell((e) => e.onInfo?.('text/plain', 'x', 100));
  world.go(1000);
  t.same(world.actions, []);
  world.calls[0]?.tell((e) => e.onInfo?.('text/plain', 'x', 1000));
  world.go(1100);
  t.match(world.actions, [/^0 SEND_DTMF 1 by INFO, on INFO$/]);
});

t.test('a digit by RTP just before one by INFO is heard, and heard first', async (t) => {
  const world = await call({}, { actions: [act(on('DTMF', 0, '42'), { do: 'HANG_UP' })] });
  world.go(501);
  world.heard.set(20_000, ['4']);
  world.calls[0]?.sendInfo('application/dtmf', '2');
  world.go(600);
  t.match(world.actions, [/^1 HANG_UP, on DTMF 42$/]);
});
