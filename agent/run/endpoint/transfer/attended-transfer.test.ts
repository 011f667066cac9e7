/** Attended transfer (RFC 5589, 7) on virtual time: the results at all three ends, and each way in which it fails. */
import t from 'tap';
import { CALL_MS, endpoint, PairWorld, sharePlan } from '../../../testing/run/pair.ts';
import { HostPace } from '../../limits/host-pace.ts';
import type { ActionPlan, AnswerPlan, GroupPlan } from '../../plan.ts';

const TARGET = 'sip:e2@127.0.0.1:5060';
const transfer = (target = TARGET, afterMs = 500): ActionPlan => ({
  trigger: { on: 'ANSWERED', afterMs, heard: '' },
  step: { do: 'ATTENDED_TRANSFER', target },
});
const TRANSFEROR = { actions: [transfer()] };
/** In the order of opening: the transferee's, the target's, the transferor's. */
const [TRANSFEREE_PORT, TARGET_PORT, TRANSFEROR_PORT] = [20_000, 20_002, 20_004];
const answering = (more: Partial<AnswerPlan>): Partial<GroupPlan> => ({
  answering: { delayMs: 0, ringMs: 0, provisional: 180, rejectStatus: null, ...more },
});

async function world(
  transferor: Partial<GroupPlan>,
  target: Partial<GroupPlan> = {},
  prepare: (made: PairWorld) => void = () => undefined,
) {
  const made = new PairWorld();
  prepare(made);
  await made.open(sharePlan('CALLEE', {}));
  await made.open(sharePlan('CALLEE', target, { owner: 3, endpoints: [endpoint(2)], receiveWindowMs: 20_000 }));
  await made.open(sharePlan('CALLER', transferor));
  made.start();
  return made;
}

t.test('the far end talks to the target, the transferor has left, and both of its calls have ended', async (t) => {
  const made = await world(TRANSFEROR, answering({ ringMs: 400 }));
  made.go(700);
  t.equal(made.streams.get(TRANSFEROR_PORT)?.direction, 'SEND', 'the far end is held while the target rings');
  t.match(made.calls[1]?.body, /m=audio 9 .*a=inactive/s, 'the consultation call is signalling only');
  t.same(made.actions, []);
  made.go(1500);
  t.same(made.actions, [`0 ATTENDED_TRANSFER to ${TARGET}, 0.5 s after ANSWERED`]);
  t.equal(made.streams.get(TRANSFEREE_PORT)?.remote?.rtpPort, TARGET_PORT);
  t.equal(made.streams.get(TARGET_PORT)?.remote?.rtpPort, TRANSFEREE_PORT);
  t.same(
    made.calls.map(({ isOver }) => isOver),
    [true, true, false],
    'the call, the consultation call, and the one that took its place',
  );
  made.go(CALL_MS + 2000);
  t.same(
    made.outcomes.map(({ endpoint, cause }) => [endpoint, cause]),
    [0, 1, 2].map((number) => [number, null]),
  );
  t.match(made.outcomes[0]?.evidence, { transfer: null, hasReferred: true });
});

type Failing = {
  readonly name: string;
  readonly target?: Partial<GroupPlan>;
  readonly uri?: string;
  readonly prepare?: (world: PairWorld) => void;
  readonly failure: string;
  readonly detail: string;
};

const FAILING: readonly Failing[] = [
  {
    name: 'the target is busy',
    target: answering({ rejectStatus: 486 }),
    failure: 'CONSULTATION_FAILED',
    detail: '486 Busy Here',
  },
  {
    name: 'the target does not exist',
    uri: 'sip:nobody@127.0.0.1',
    failure: 'CONSULTATION_FAILED',
    detail: '404 Nobody',
  },
  {
    name: 'the target rings for longer than callers wait',
    target: answering({ ringMs: 6000 }),
    failure: 'CONSULTATION_FAILED',
    detail: 'not answered within 3 s',
  },
  {
    name: 'the far end refuses REFER',
    prepare: ({ refusals }) => Object.assign(refusals, { refer: 603 }),
    failure: 'TRANSFER_REFUSED',
    detail: '603 Decline',
  },
  {
    name: 'the far end tells that its call failed',
    prepare: (made) => tellReferrer(made, (told) => told(486, 'Busy Here', true)),
    failure: 'TRANSFER_FAILED',
    detail: '486 Busy Here',
  },
  {
    name: 'the far end tells nothing, as the engine says after its time',
    prepare: (made) => tellReferrer(made, (told) => told(0, 'the peer stopped sending NOTIFY', true)),
    failure: 'TRANSFER_UNTOLD',
    detail: 'the peer stopped sending NOTIFY',
  },
  {
    name: 'the call ends before the far end has told',
    prepare: (made) => tellReferrer(made, () => undefined),
    failure: 'TRANSFER_UNTOLD',
    detail: 'the call ended before, and no report came after it',
  },
];

/** A far end that accepts REFER and calls no one. */
function tellReferrer(
  made: PairWorld,
  then: (told: (status: number, reason: string, final: boolean) => void) => void,
): void {
  made.takesRefer = (call) => {
    const told = (status: number, reason: string, final: boolean): void =>
      call.tell((e) => e.onReferProgress?.(status, reason, final, made.nowMs));
    told(202, 'Accepted', false);
    then(told);
  };
}

t.test('what fails is named, the far end is taken off hold, and the call goes on to its end', async (t) => {
  for (const { name, target, uri, prepare, failure, detail } of FAILING) {
    const made = await world({ actions: [transfer(uri)] }, target, prepare);
    made.go(CALL_MS - 500);
    const lasts = detail.startsWith('the call ended before');
    if (!lasts) t.equal(made.streams.get(TRANSFEROR_PORT)?.direction, 'BOTH', `${name}: off hold`);
    made.go(CALL_MS + 10_000);
    t.match(made.outcomes[0]?.evidence?.transfer, { failure, detail }, name);
    t.equal(made.outcomes[0]?.cause, null, `${name}: the finding says why`);
    t.ok(Math.abs((made.outcomes[0]?.callDurationMs ?? 0) - CALL_MS) <= 2, `${name}: its planned length`);
    t.match(made.actions, [
      `0 failed: ATTENDED_TRANSFER to ${uri ?? TARGET}, 0.5 s after ANSWERED: ${failure}: ${detail}`,
    ]);
    t.ok(
      made.calls.every(({ isOver }) => isOver),
      `${name}: every call has ended`,
    );
  }
});

t.test('what this end may not do, or cannot, is no finding of the far end', async (t) => {
  const forbidden = await world({ actions: [transfer('sip:forbidden@127.0.0.1')] });
  forbidden.go(CALL_MS + 100);
  t.match(forbidden.outcomes[0], { cause: 'TARGET_NOT_ALLOWED', evidence: { transfer: null } });
  const paced = await world(TRANSFEROR, {}, (made) => {
    made.hostPace = new HostPace(1);
  });
  paced.go(400);
  while (paced.hostPace.take(paced.nowMs));
  paced.go(CALL_MS + 100);
  t.match(paced.outcomes[0], { cause: 'ACTION_FAILED', causeText: /allows no more calls in this second/ });
  const held = await world(TRANSFEROR, {}, ({ refusals }) => Object.assign(refusals, { changeSession: 488 }));
  held.go(CALL_MS + 100);
  t.match(held.outcomes[0], { cause: 'ACTION_FAILED', causeText: /488 Not Acceptable Here/ });
  t.equal(held.calls.length, 1, 'nobody is consulted');
});

t.test('a call that ends during the consultation ends that, too, and nothing is found', async (t) => {
  const made = await world({ actions: [transfer(TARGET, CALL_MS - 500)] }, answering({ ringMs: 5000 }));
  made.go(CALL_MS + 6000);
  t.match(made.outcomes[0], { cause: null, evidence: { transfer: null } });
  t.match(made.actions, [/the call ended before the action$/]);
  t.ok(made.calls.every(({ isOver }) => isOver));
});

t.test(
  'a far end that hangs up before it has told is waited for: its word, or the end of the consultation call',
  async (t) => {
    for (const way of ['told', 'replaced'] as const) {
      const made = await world(TRANSFEROR, {}, (one) => {
        one.takesRefer = (call) => {
          call.tell((e) => e.onReferProgress?.(202, 'Accepted', false, one.nowMs));
          one.soon(() => one.soon(() => call.peer?.hangUp()));
        };
      });
      made.go(1500);
      t.same([made.actions, made.calls[1]?.isOver], [[], false], 'the consultation call is there to be taken over');
      if (way === 'told') made.calls[0]?.tell((e) => e.onReferProgress?.(200, 'OK', true, 1500), true);
      else made.calls[1]?.peer?.hangUp();
      made.go(2000);
      t.same(made.actions, [`0 ATTENDED_TRANSFER to ${TARGET}, 0.5 s after ANSWERED`], way);
      t.match(made.outcomes[0]?.evidence, { transfer: null, hasReferred: true });
      t.equal(made.calls[1]?.isOver, true);
    }
  },
);

t.test('a far end that hangs up once the target was told to take its call is one that was transferred', async (t) => {
  const made = await world(TRANSFEROR, {}, (one) => {
    one.takesRefer = (call) => {
      call.tell((e) => e.onReferProgress?.(202, 'Accepted', false, one.nowMs));
      // The target ends the consultation call, and then the far end the call in which it was transferred.
      const later = (turns: number, what: () => void): void =>
        one.soon(() => (turns > 0 ? later(turns - 1, what) : what()));
      later(2, () => one.calls[1]?.peer?.hangUp());
      later(5, () => call.peer?.hangUp());
    };
  });
  made.go(2000);
  t.same(made.actions, [`0 ATTENDED_TRANSFER to ${TARGET}, 0.5 s after ANSWERED`]);
  t.match(made.outcomes[0], { cause: null, evidence: { transfer: null, hasReferred: true } });
});
