/** Calls that move to another party by REFER: what counts of which call, and the limits of the host. */
import t from 'tap';
import { CALL_MS } from '../../../testing/run/pair.ts';
import { act, call, keys, on, refer, type ScenarioGroup } from '../../../testing/run/scenario-plans.ts';
import { HostPace } from '../../limits/host-pace.ts';
import type { StepPlan } from '../../plan.ts';

/** After REFER, the callee (1) calls the third party (2). */
async function moved(
  callee: ScenarioGroup = {},
  caller: ScenarioGroup = { actions: [act(on('ANSWERED', 1000), refer)] },
) {
  const world = await call(caller, callee);
  world.go(1500);
  return { world, before: world.calls[0], after: world.calls[1] };
}

t.test('a referred call counts in every way, and the one before no more', async (t) => {
  const { world, after } = await moved({ actions: [act(on('REFRESH'), keys('1', 'INFO'))] });
  after?.tell((e) => e.onSessionRefreshed?.('REMOTE', 1500, true));
  world.go(1600);
  t.match(world.actions, [/REFER/, /^1 SEND_DTMF 1 by INFO, on REFRESH$/]);
  after?.tell((e) => e.onSessionExpired?.(1600));
  world.go(CALL_MS + 100);
  t.match(world.outcomes[1], { endpoint: 1, cause: 'SESSION_EXPIRED' });
});

t.test('the call before steers the streams no more', async (t) => {
  const { world } = await moved();
  const before = world.calls[0]?.peer;
  const [events, port] = [before?.events, world.streams.get(20_000)?.remote?.rtpPort];
  t.equal(port, 20_002);
  const offer = world.calls[0]?.body as string;
  events?.onSessionChanged?.(world.answers[0] as string, offer, 'REMOTE', 1500, 'PEER');
  events?.onSessionExpired?.(1500);
  t.equal(world.streams.get(20_000)?.remote?.rtpPort, port);
  world.go(CALL_MS + 100);
  t.equal(world.outcomes[1]?.cause, null);
});

t.test('a REFER that came to nothing does not stand in the way of another; a referred call moves on', async (t) => {
  const gone: StepPlan = { do: 'REFER', target: 'sip:gone@127.0.0.1' };
  const { world, after } = await moved(
    {},
    { actions: [act(on('ANSWERED', 200), gone), act(on('ANSWERED', 1000), refer)] },
  );
  t.match(world.actions, [/failed: REFER to sip:gone.*: 404/, /^0 REFER to sip:e2/]);
  t.equal(after?.isOver, true);
  const third = world.calls[2];
  t.equal(third?.isOver, false);
  t.equal(third?.events?.onRefer?.('sip:e0@127.0.0.1', 1500), true);
});

t.test('a referred call whose target settled the session before the answer', async (t) => {
  const world = await call({ actions: [act(on('ANSWERED', 1000), refer)] });
  world.reliable = true;
  world.go(1500);
  t.equal(world.streams.get(20_000)?.remote?.rtpPort, 20_002);
  t.match(world.actions, [/^0 REFER/]);
});

const inline = (sdp: string): string[] => [...sdp.matchAll(/inline:(\S+)/g)].map((match) => match[1] as string);

t.test('a target that changes the session before it answers gets the keys of its own call', async (t) => {
  const world = await call({ encryption: 'SDES' }, { encryption: 'SDES' });
  world.go(500);
  world.calls[0]?.events?.onRefer?.('sip:e0@127.0.0.1', world.nowMs);
  world.go(501);
  const placed = world.calls[1] as (typeof world.calls)[0];
  const update = placed.body.replace(/^o=.*$/m, 'o=peer 7 1 IN IP4 127.0.0.1');
  const answer = placed.events?.onSessionOffer?.(placed.body, update);
  if (typeof answer !== 'string') throw new Error('the UPDATE was not answered');
  const keys = inline(answer);
  t.ok(keys.length > 0 && keys.every((key) => inline(placed.body).includes(key)), 'those of the INVITE');
  t.notOk(keys.some((key) => inline(world.calls[0]?.body ?? '').includes(key)));
});

t.test('a change that is under way when the call moves does not block later ones', async (t) => {
  const hold = act(on('ANSWERED', 890), { do: 'HOLD' });
  const later = act(on('ANSWERED', 2000), { do: 'REINVITE' });
  const info = act(on('ANSWERED', 890), keys('12', 'INFO'));
  const world = await call({ actions: [act(on('ANSWERED', 900), refer)] }, { actions: [hold, info, later] });
  world.go(800);
  const callee = world.calls[0]?.peer as (typeof world.calls)[0];
  // The caller no longer receives: requests of the callee get no answer.
  callee.changeSession = () => undefined;
  callee.sendInfo = () => undefined;
  world.go(3000);
  t.match(
    world.actions.filter((text) => text.startsWith('1')),
    [
      /^1 failed: SEND_DTMF 12 by INFO.*the call was moved/,
      /^1 failed: HOLD.*the call was moved before the action/,
      /^1 REINVITE/,
    ],
  );
  world.go(CALL_MS + 2000);
  t.equal(world.outcomes[1]?.cause, null, 'and fails no call');
});

t.test('a call that replaces the present one has its streams, and its end is the endpoint’s', async (t) => {
  for (const delayed of [false, true]) {
    const world = await call({}, { actions: [act(on('INFO'), keys('1', 'INFO'))] });
    world.go(500);
    const [first] = world.calls;
    const replaced = first?.peer as NonNullable<typeof first>;
    const moved = world.replace(replaced, delayed ? '' : (first as NonNullable<typeof first>).body);
    world.go(600);
    t.equal(replaced.isOver, true, 'the one before is hung up');
    t.equal(first?.isOver, true);
    t.equal(world.streams.get(20_000)?.association, 1);
    moved.sendInfo('application/dtmf-relay', 'Signal=7');
    world.go(700);
    t.match(world.actions.at(-1), /^1 .*INFO/, 'and is heard');
    moved.hangUp();
    world.go(800);
    t.same([world.outcomes[1]?.cause, world.outcomes[1]?.endedBy], [null, 'REMOTE']);
  }
  const world = await call({});
  world.go(500);
  const stranger = world.replace(world.calls[0] as (typeof world.calls)[0], '', 'e1');
  world.go(600);
  t.same([stranger.isOver, world.calls[0]?.isOver], [true, false], 'a call that is not the endpoint’s own');
});

/** The caller (0) refers the callee (1) to a target (2), and hangs up 0.2 s later. */
async function blind(target: ScenarioGroup['answering']) {
  const caller = { actions: [act(on('ANSWERED', 1000), refer)] };
  const later = act(on('ANSWERED', 1500), keys('1', 'INFO'));
  const world = await call(caller, { actions: [later] }, {}, target === undefined ? {} : { answering: target });
  world.go(1200);
  world.calls[0]?.hangUp();
  world.go(1300);
  return world;
}

const RINGS = { delayMs: 0, ringMs: 1000, provisional: 180, rejectStatus: null } as const;
const [CALLEE_PORT, TARGET_PORT] = [20_000, 20_002];

t.test(
  'a far end that refers this end and hangs up at once has its call placed all the same (RFC 5057, 4.1)',
  async (t) => {
    const world = await blind(RINGS);
    t.equal(world.streams.get(CALLEE_PORT)?.remote, null, 'nothing is sent to a far end that has left');
    t.equal(world.calls[1]?.isOver, false, 'the target rings on');
    world.go(1900);
    t.same(world.actions, [], 'what is due in between waits for the next call');
    world.go(3000);
    t.equal(world.streams.get(CALLEE_PORT)?.remote?.rtpPort, TARGET_PORT);
    t.same(world.actions.sort(), [
      '0 REFER to sip:e2@127.0.0.1:5060, 1 s after ANSWERED',
      '1 SEND_DTMF 1 by INFO, 1.5 s after ANSWERED',
    ]);
    t.ok(Math.abs((world.outcomes[0]?.callDurationMs ?? 0) - 1199) <= 2, 'the call of the referrer ended with its BYE');
    world.go(CALL_MS + 3000);
    t.same(
      world.outcomes.map(({ endpoint, cause }) => [endpoint, cause]),
      [0, 1, 2].map((number) => [number, null]),
    );
    t.ok(world.calls.every(({ isOver }) => isOver));
  },
);

t.test('the call that a far end asked for before it hung up comes to nothing, and says why', async (t) => {
  for (const [what, answering, expected] of [
    ['busy', { ...RINGS, rejectStatus: 486 }, /: 486 Busy Here$/],
    ['rings on', { ...RINGS, ringMs: 20_000 }, /: 487 Request Terminated$/],
  ] as const) {
    const world = await blind(answering);
    world.go(5000);
    world.stop();
    world.go(CALL_MS);
    const [referrer, referred] = world.outcomes;
    t.match(
      world.actions.find((line) => line.startsWith('1 failed: the call to sip:e2@127.0.0.1')),
      expected,
      what,
    );
    t.ok(Math.abs((referred?.callDurationMs ?? 0) - 1199) <= 2, `${what}: ${referred?.callDurationMs}`);
    t.equal(referred?.endedBy, 'REMOTE');
    if (what === 'busy') t.match(referrer, { cause: 'ACTION_FAILED', causeText: /486 Busy Here/ });
    else t.match(world.actions, [/^0 failed: REFER.*: the call ended, and the result was not reported$/, /^1 /, /^1 /]);
    t.ok(
      world.calls.every(({ isOver }) => isOver),
      what,
    );
  }
});

t.test(
  'the result of a REFER is waited for after the end of the call, by either end, but not after a stop',
  async (t) => {
    for (const who of ['referrer', 'referred'] as const) {
      const world = await call({ actions: [act(on('ANSWERED', 1000), refer)] });
      world.takesRefer = (one) => one.tell((e) => e.onReferProgress?.(202, 'Accepted', false, world.nowMs));
      world.go(1200);
      const [first] = world.calls;
      (who === 'referrer' ? first : first?.peer)?.hangUp();
      world.go(1300);
      t.notOk(
        world.outcomes.some(({ endpoint }) => endpoint === 0),
        who,
      );
      t.same(world.actions, [], who);
      first?.tell((e) => e.onReferProgress?.(200, 'OK', true, 1300), true);
      world.go(1400);
      t.match(world.actions.at(-1), /^0 REFER to sip:e2/);
      t.match(world.outcomes[0], { endpoint: 0, cause: null, endedBy: who === 'referrer' ? 'LOCAL' : 'REMOTE' });
    }
    const untold = await blind({ ...RINGS, ringMs: 20_000 });
    untold.go(1200 + 2900);
    t.same(untold.actions, []);
    untold.go(1200 + 3100);
    t.match(untold.actions, [/^0 failed: REFER.*: the call ended, and the result was not reported$/]);
    const stopped = await blind(RINGS);
    stopped.stop();
    stopped.go(1400);
    t.ok(stopped.outcomes.some(({ endpoint }) => endpoint === 0));
  },
);

t.test('peers have no more calls placed than the host allows', async (t) => {
  const world = await call({});
  world.go(500);
  const theirs = world.calls[0] as (typeof world.calls)[0];
  let taken = 0;
  for (let i = 0; i < 104; i++) {
    if (theirs.events?.onRefer?.('sip:gone@127.0.0.1', world.nowMs)) taken++;
    world.go(world.nowMs + 5);
  }
  t.equal(taken, 50, '49 beside the planned one, and one more when its second is over');
});

t.test('the limit of the host holds for all threads, plans and REFERs together', async (t) => {
  const one = new HostPace(50);
  const other = new HostPace(50, one.memory);
  const placedAtMs: number[] = [];
  for (let atMs = 0; atMs < 5000; atMs++) {
    for (const pace of [one, other]) while (pace.take(atMs)) placedAtMs.push(atMs);
  }
  t.equal(placedAtMs.length, 50 * 6, 'a second of them at once, then as many a second, 0.5 % of slack');
  for (const [i, atMs] of placedAtMs.entries()) if (i >= 50) t.ok(atMs - (placedAtMs[i - 50] as number) >= 995);
  const lock = new Int32Array(one.memory, 0, 1);
  Atomics.store(lock, 0, 1);
  t.notOk(one.take(9000), 'a thread died with the lock: better no call than too many');
  Atomics.store(lock, 0, 0);
  t.ok(one.take(9000));
  const slow = new HostPace(0.5);
  t.same(
    [slow.take(0), slow.take(1000), slow.take(1989), slow.take(1990)],
    [true, false, false, true],
    'one in two seconds',
  );
  let latestMs = 0;
  const even = new HostPace(50);
  for (let atMs = 0, next = 0; next < 50 * 3600; atMs += 1 + (atMs % 1009 === 0 ? 10 : atMs % 3)) {
    for (; next * 20 <= atMs && even.take(atMs); next++) latestMs = Math.max(latestMs, atMs - next * 20);
  }
  t.ok(latestMs < 30, `a plan at the limit, of an hour, is up to ${latestMs} ms late, with turns up to 11 ms apart`);
});
