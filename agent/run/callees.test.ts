/** Callees of an allocation on virtual time: which calls they answer, and what they measure. */
import t from 'tap';
import { always, answerSdp, endpoint, engine, failure, incoming, open, plan } from '../testing/run/share-world.ts';

t.test('callees', async (t) => {
  const callee = plan({ role: 'CALLEE' });
  await t.test('ring, answer, let the caller hang up', async (t) => {
    const { share, go, outcomes, phases } = await open(callee);
    share.start(0);
    go(10);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
    t.same(call.log, ['ring', 'answer']);
    events?.onAnswered(12, 200, 'OK', '');
    const second = incoming(answerSdp());
    engine.agents[0]?.options.owner.onIncomingCall(second);
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
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
    events?.onAnswered(12, 200, 'OK', '');
    go(30_011);
    t.notOk(call.log.includes('hangUp'));
    go(30_012);
    t.ok(call.log.includes('hangUp'));
    events?.onEnded('LOCAL', 30_012, 30_013);
    go(30_014);
    t.match(outcomes(), [{ outcome: 'SUCCESS', endedBy: 'LOCAL', callDurationMs: 30_000 }]);
  });
  await t.test('a caller that may have transferred the call and left: the planned length and a little', async (t) => {
    const { share, go } = await open(plan({ role: 'CALLEE', longestCallMs: 5000 }));
    share.start(0);
    go(10);
    const call = incoming(answerSdp());
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
    events?.onAnswered(12, 200, 'OK', '');
    go(5011);
    t.notOk(call.log.includes('hangUp'));
    go(5012);
    t.ok(call.log.includes('hangUp'));
  });
  await t.test('an offer that cannot be used', async (t) => {
    const { share, go, outcomes } = await open(callee);
    share.start(0);
    go(1);
    const call = incoming('v=0\r\nno sdp');
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
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
      const events = engine.agents[0]?.options.owner.onIncomingCall(call);
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
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
    go(200);
    t.same(call.log, ['ring', 'reject 408']);
    events?.onFailed(failure('STATUS', 408));
    go(201);
    t.match(outcomes(), [{ cause: 'NO_ANSWER', finalStatus: 408 }]);
  });
  await t.test('an ACK without the answer to our offer is the caller’s fault', async (t) => {
    const { share, go, outcomes } = await open(plan({ role: 'CALLEE' }));
    share.start(0);
    go(1);
    const call = incoming('');
    const events = engine.agents[0]?.options.owner.onIncomingCall(call);
    t.same(call.log, ['ring', 'answer']);
    events?.onAnswered(2, 200, 'OK', '');
    t.ok(call.log.includes('hangUp'));
    events?.onEnded('LOCAL', 3, 4);
    go(5);
    const causeText = 'the ACK had no session description (RFC 3261, 13.2.1)';
    t.match(outcomes(), [{ outcome: 'NEGOTIATION_FAILED', cause: 'ANSWER_UNUSABLE', causeText }]);
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
    const events = engine.agents[0]?.options.owner.onIncomingCall(incoming(answerSdp()));
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
    engine.agents[0]?.options.owner.onIncomingCall(incoming(answerSdp()));
    t.equal(share.takeAnyCall(), engine.agents[1], 'the next free one');
    t.equal((await open(plan({ role: 'CALLEE' }))).share.takeAnyCall(), null);
  });
});
