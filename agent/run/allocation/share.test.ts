/** A whole share on virtual time: stalled, stopped, without a control plane, at its end; a session that changes. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { takeRefused } from '../../steps.ts';
import { AUDIO } from '../../testing/run/pair.ts';
import {
  always,
  answerSdp,
  changed,
  endpoint,
  engine,
  failure,
  open,
  plan,
  sipEngine,
  started,
  theCall,
} from '../../testing/run/share-world.ts';
import { HostPace } from '../limits/host-pace.ts';
import { StartPace } from '../limits/start-pace.ts';
import { AllocationShare } from './share.ts';

t.test('an agent that is held up starts late, never in a bunch, and says so', async (t) => {
  const calls = Array.from({ length: 100 }, (_, i) => endpoint(i, i * 50));
  const { share, go, noise, outcomes } = await open(plan({ endpoints: calls }));
  share.start(0);
  go(100);
  const before = engine.agents.filter((a) => a.call).length;
  engine.nowMs = 4000;
  share.turn(4000);
  const after = engine.agents.filter((a) => a.call).length;
  t.equal(after - before, 1, 'the oldest are too late to be of use');
  for (let i = 1; i <= 1000; i++) {
    engine.nowMs += 1;
    share.turn(engine.nowMs);
    const began = engine.agents.filter((a) => a.call).length - after;
    t.ok(began <= 1 + i / 25, `${began} in ${i} ms: twice the planned 20 a second`);
  }
  t.ok(engine.agents.filter((a) => a.call).length - after >= 40);
  go(8000);
  const total = noise().reduce(
    (n, x) => ({ planned: n.planned + x.planned, started: n.started + x.started, not: n.not + x.notStarted }),
    { planned: 0, started: 0, not: 0 },
  );
  t.equal(total.planned, 100);
  t.equal(total.started + total.not, 100, 'every call is accounted for');
  t.ok(total.not > 30);
  t.ok(outcomes().every((o) => o.cause === 'NOT_STARTED' && !o.attempted));
});

t.test('one that may start its calls late starts them all, not in a bunch either', async (t) => {
  const calls = Array.from({ length: 100 }, (_, i) => endpoint(i, i * 50));
  const { share, go, noise } = await open(plan({ endpoints: calls }), always, 4000);
  share.start(0);
  engine.nowMs = 4000;
  share.turn(4000);
  t.equal(engine.agents.filter((a) => a.call).length, 1);
  go(8000);
  t.equal(
    noise().reduce((sum, { started, notStarted }) => sum + started - notStarted, 0),
    100,
  );
});

t.test('endpoints show the name of their group', async (t) => {
  await open(plan({}, { displayName: 'Zoë' }));
  t.same(
    engine.agents.map(({ options }) => options.displayName),
    ['Zoë'],
  );
});

t.test('a stop ends calls and cancels planned ones', async (t) => {
  const three = plan({ endpoints: [endpoint(0, 0), endpoint(1, 0), endpoint(2, 5000)] });
  const { share, go, outcomes, states } = await open(three);
  share.start(0);
  go(2);
  theCall(0).events.onAnswered(2, 200, 'OK', answerSdp());
  go(50);
  share.stop('a user stopped the run');
  t.ok(theCall(0).hungUp, 'a call is ended by BYE');
  t.ok(theCall(1).hungUp, 'one that rings by CANCEL');
  theCall(0).events.onEnded('LOCAL', 50, 51);
  theCall(1).events.onFailed(failure('CANCELLED', 487));
  go(60);
  t.same(states(), ['READY', 'DONE']);
  const by = new Map(outcomes().map((o) => [o.endpoint, o]));
  t.match(by.get(0), { outcome: 'SUCCESS' });
  t.match(by.get(1), { cause: 'STOPPED', attempted: true });
  t.match(by.get(2), { cause: 'STOPPED', attempted: false });

  await t.test('and a peer that never answers', async (t) => {
    const silent = await open(plan());
    silent.share.start(0);
    silent.go(2);
    silent.share.stop('a user stopped the run');
    silent.go(4003);
    t.same(silent.states(), ['READY', 'DONE'], 'within four seconds');
    t.ok(engine.agents[0]?.closed);
  });
});

t.test('without a control plane nothing new is begun', async (t) => {
  const { share, go, outcomes, noise } = await open(plan({ endpoints: [endpoint(0, 0), endpoint(1, 100)] }));
  share.start(0);
  go(2);
  share.hold(true);
  go(200);
  t.equal(engine.agents[1]?.call, null);
  t.match(outcomes(), [{ endpoint: 1, cause: 'NOT_STARTED' }]);
  t.match(noise().at(-1), { planned: 1, started: 0, notStarted: 1 });

  await t.test('not even a call that waited for its registrar', async (t) => {
    const waiting = await open(plan({}, { register: true }));
    waiting.share.start(0);
    waiting.go(5);
    waiting.share.hold(true);
    engine.agents[0]?.registration?.onRegistered(10, 3600);
    waiting.go(20);
    t.equal(engine.agents[0]?.call, null);
    t.match(waiting.outcomes(), [{ cause: 'NOT_STARTED', attempted: false }]);
  });
});

function take(pace: StartPace, atMs: number): boolean {
  if (!pace.allows(atMs)) return false;
  pace.spend();
  return true;
}

t.test('the plan sets the pace', async (t) => {
  const law = fc.property(
    fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 200 }),
    (startsAtMs) => {
      const pace = StartPace.of(startsAtMs);
      return [...startsAtMs].sort((a, b) => a - b).every((atMs) => take(pace, atMs));
    },
  );
  fc.assert(law);
  t.pass('a plan is never delayed, whatever its shape');
  const pace = StartPace.of(Array.from({ length: 100 }, (_, i) => i * 10));
  let began = 0;
  for (let atMs = 60_000; atMs < 61_000; atMs++) while (take(pace, atMs)) began++;
  t.ok(began >= 199 && began <= 201, `${began}: 200 a second at most`);
});

t.test('a session that is changed', async (t) => {
  const ours = () => theCall().events;
  const incall = async (direction: 'BOTH' | 'RECEIVE' = 'BOTH') => {
    const opened = await open(plan({}, { tracks: [{ ...AUDIO, direction }] }));
    opened.share.start(0);
    opened.go(2);
    ours().onAnswered(5, 200, 'OK', answerSdp());
    return opened;
  };
  /** How the engine handles a re-INVITE. */
  const offer = (sdp: string): string => {
    const answer = ours().onSessionOffer?.(theCall().offer, sdp);
    if (typeof answer !== 'string') return answer?.reason ?? '';
    ours().onSessionChanged?.(answer, sdp, 'REMOTE', engine.nowMs, 'PEER');
    return answer;
  };
  await incall();
  offer(answerSdp());
  t.same(changed, [], 'a refresh changes nothing');
  t.match(offer(answerSdp('127.0.0.1', 'sendonly')), /a=recvonly/);
  offer(answerSdp('127.0.0.1', 'inactive'));
  offer(answerSdp('127.0.0.1', 'sendrecv', 30_100));
  offer(answerSdp('0.0.0.0'));
  t.same(changed, [
    '127.0.0.1:30000 20 RECEIVE',
    '127.0.0.1:30000 20 NONE',
    '127.0.0.1:30100 20 BOTH',
    'undefined:undefined 20 RECEIVE',
  ]);
  t.match(offer(answerSdp('8.8.8.8')), /policy of this host forbids media to 8.8.8.8/);
  t.equal(changed.length, 4, 'the session stays as it was');

  await incall('RECEIVE');
  t.match(offer(answerSdp()), /a=recvonly/, 'a receive-only endpoint stays receive-only');
  t.match(ours().onSessionOffer?.(theCall().offer, ''), /a=recvonly/);

  const delayed = await incall();
  ours().onSessionChanged?.(theCall().offer, answerSdp('8.8.8.8'), 'LOCAL', engine.nowMs, 'PEER');
  t.ok(theCall().hungUp, 'an answer in an ACK cannot be refused otherwise');
  ours().onEnded('LOCAL', 8, Number.NaN);
  delayed.go(10);
  t.match(delayed.outcomes(), [{ cause: 'TARGET_NOT_ALLOWED', byeRttMs: Number.NaN, callDurationMs: 3 }]);

  const held = await open(plan());
  held.share.start(0);
  held.go(2);
  ours().onAnswered(5, 200, 'OK', answerSdp('0.0.0.0'));
  t.same(started, ['RECEIVE'], 'held from the answer on: no matter of policy');
  t.notOk(theCall().hungUp);
  const inactive = await open(plan());
  inactive.share.start(0);
  inactive.go(2);
  ours().onAnswered(5, 200, 'OK', answerSdp('127.0.0.1', 'inactive'));
  t.same(started, []);
  offer(answerSdp());
  t.same([started, changed], [['127.0.0.1:30000'], []], 'what was not started is started');
});

t.test('the hard end ends everything', async (t) => {
  const { share, go, states } = await open(plan({ hardEndMs: 500, callDurationMs: 100_000 }));
  share.start(0);
  go(2);
  theCall().events.onAnswered(2, 200, 'OK', answerSdp());
  go(501);
  t.ok(theCall().hungUp);
  go(5000);
  t.same(states(), ['READY', 'DONE']);
});

t.test('unavailable ports refuse the allocation', async (t) => {
  const share = new AllocationShare(
    plan(),
    {
      engine: sipEngine,
      mayReach: () => true,
      mayCall: () => true,
      hostPace: new HostPace(1000),
      latestStartMs: 2000,
      media: {
        ...always,
        open: () => Promise.reject(Object.assign(new Error('none left'), { name: 'MediaPortsExhausted' })),
      },
    },
    0,
  );
  await share.prepare();
  t.match(share.takeFacts(0), { state: 'REFUSED', reasonCode: 'MediaPortsExhausted', reason: 'none left' });
});

t.test('what the table of a share or of an endpoint refuses does nothing, and is counted', async (t) => {
  // Of other files in this process.
  takeRefused();
  const { share, go, states } = await open(plan({}, { register: true }));
  share.start(0);
  share.start(0);
  go(5);
  engine.agents[0]?.registration?.onRegistered(5, 3600);
  go(10);
  theCall().events.onAnswered(10, 200, 'OK', answerSdp());
  share.stop('enough');
  share.stop('enough');
  theCall().events.onEnded('LOCAL', 11, 12);
  go(20);
  t.same(states(), ['READY', 'DONE']);
  t.same(takeRefused(), {
    'share: started in RUNNING': 1,
    'share: stopped in STOPPING': 1,
    // Its BYE had already been sent when it un-registered.
    'endpoint: hangingUp in DISCONNECTING': 1,
  });
  t.same(takeRefused(), {}, 'told once');
});
