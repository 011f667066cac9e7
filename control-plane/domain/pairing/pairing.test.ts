/** Which ends belong to one call: a table of single cases, and many simulated calls in which a wrong pair is worse than none. */
import t from 'tap';
import { seeded } from '../../../scripts/peers/seeded.ts';
import { madeUpCalls } from '../../testing/made-up-calls.ts';
import { type DeducedPair, deducePairs } from './deduced-pairs.ts';
import { calledNames, type LooseEnd, partyName } from './loose-end.ts';

const NONE = Number.NaN;

const caller = (number: number, more: Partial<LooseEnd> = {}): LooseEnd => ({
  ...{ number, workerId: 'a', names: [`10${number}`], other: '200', beganAtMs: 0, answeredAtMs: 1000, endedAtMs: 6000 },
  ...{ isCancelled: false, ssrcSent: null, ssrcReceived: null },
  ...more,
});
const callee = (number: number, more: Partial<LooseEnd> = {}): LooseEnd => ({
  ...caller(number),
  ...{ names: ['200'], other: 'pbx', beganAtMs: 10, answeredAtMs: 990, endedAtMs: 6005 },
  ...more,
});
const later = (end: LooseEnd, ms: number, more: Partial<LooseEnd> = {}): LooseEnd => ({
  ...end,
  ...{ beganAtMs: end.beganAtMs + ms, answeredAtMs: end.answeredAtMs + ms, endedAtMs: end.endedAtMs + ms },
  ...more,
});
const unanswered = { answeredAtMs: NONE };
const BY_TIME = ['CALLED_NUMBER', 'TIME'];
const BY_NUMBER = ['CALLED_NUMBER', 'CALLER_NUMBER', 'TIME'];

type Case = {
  readonly what: string;
  readonly callers: readonly LooseEnd[];
  readonly callees: readonly LooseEnd[];
  readonly pairs: readonly (readonly [caller: number, callee: number, grounds: readonly string[]])[];
  readonly undecided?: number;
};

const CASES: readonly Case[] = [
  { what: 'one call', callers: [caller(1)], callees: [callee(2)], pairs: [[1, 2, BY_TIME]] },
  {
    what: 'its number is seen',
    callers: [caller(1)],
    callees: [callee(2, { other: '101' })],
    pairs: [[1, 2, BY_NUMBER]],
  },
  {
    what: 'another caller of the run is seen',
    callers: [caller(1), caller(3, { other: '300' })],
    callees: [callee(2, { other: '103' })],
    pairs: [],
  },
  {
    what: 'another account was called',
    callers: [caller(1)],
    callees: [callee(2, { names: ['201'], other: '101' })],
    pairs: [],
  },
  {
    what: 'two that called one account at once, with their numbers',
    callers: [caller(1), caller(3)],
    callees: [callee(2, { other: '103' }), callee(4, { other: '101' })],
    pairs: [
      [3, 2, BY_NUMBER],
      [1, 4, BY_NUMBER],
    ],
  },
  {
    what: 'without their numbers',
    callers: [caller(1), caller(3)],
    callees: [callee(2), callee(4)],
    pairs: [],
    undecided: 2,
  },
  { what: 'two callers, one end', callers: [caller(1), caller(3)], callees: [callee(2)], pairs: [], undecided: 1 },
  {
    what: 'of two, only one was as long',
    callers: [caller(1), caller(3, { endedAtMs: 7500 })],
    callees: [callee(2), callee(4, { endedAtMs: 7510 })],
    pairs: [
      [1, 2, [...BY_TIME, 'LENGTH']],
      [3, 4, [...BY_TIME, 'LENGTH']],
    ],
  },
  {
    what: 'of two, each hears one',
    callers: [caller(1, { ssrcSent: 7 }), caller(3, { ssrcSent: 8 })],
    callees: [callee(2, { ssrcReceived: 8 }), callee(4, { ssrcReceived: 7 })],
    pairs: [
      [3, 2, ['SSRC', ...BY_TIME]],
      [1, 4, ['SSRC', ...BY_TIME]],
    ],
  },
  {
    what: 'they hear each other, and another account was called',
    callers: [caller(1, { ssrcSent: 7, ssrcReceived: 9 })],
    callees: [callee(2, { names: ['201'], ssrcReceived: 7, ssrcSent: 9 })],
    pairs: [[1, 2, ['SSRC']]],
  },
  {
    what: 'busy, and once more',
    callers: [caller(1, { ...unanswered, endedAtMs: 100 }), later(caller(1), 3000, { number: 3 })],
    callees: [callee(2, { ...unanswered, endedAtMs: 95, other: '101' }), later(callee(4), 3000, { other: '101' })],
    pairs: [
      [1, 2, BY_NUMBER],
      [3, 4, BY_NUMBER],
    ],
  },
  {
    what: 'busy, and nobody is named: the server may have tried for another',
    callers: [caller(1, { ...unanswered, endedAtMs: 100 })],
    callees: [callee(2, { ...unanswered, endedAtMs: 95 })],
    pairs: [],
    undecided: 1,
  },
  {
    what: 'cancelled at one end, refused at the other',
    callers: [caller(1, { ...unanswered, endedAtMs: 100 })],
    callees: [callee(2, { ...unanswered, endedAtMs: 95, other: '101', isCancelled: true })],
    pairs: [],
  },
  {
    what: 'busy, and the server itself tries once more',
    callers: [caller(1)],
    callees: [callee(2, { ...unanswered, endedAtMs: 95 }), callee(4, { beganAtMs: 500 })],
    pairs: [[1, 4, BY_TIME]],
  },
  {
    what: 'it rang, and somebody else answered',
    callers: [caller(1)],
    callees: [callee(2, { ...unanswered, endedAtMs: 1010 })],
    pairs: [],
  },
  {
    what: 'the server answers before it calls, and says who calls',
    callers: [caller(1, { answeredAtMs: 20, endedAtMs: 20_000 })],
    callees: [callee(2, { beganAtMs: 8000, answeredAtMs: 9000, endedAtMs: 20_010, other: '101' })],
    pairs: [[1, 2, BY_NUMBER]],
  },
  {
    what: 'the server answers before it calls, and does not say who calls',
    callers: [caller(1, { answeredAtMs: 20, endedAtMs: 20_000 })],
    callees: [callee(2, { beganAtMs: 8000, answeredAtMs: 9000, endedAtMs: 20_010 })],
    pairs: [],
    undecided: 1,
  },
  {
    what: 'a stranger calls an account, where callers are shown by their numbers',
    callers: [caller(1), caller(3, { other: '201' })],
    callees: [callee(2), callee(4, { names: ['201'], other: '103' })],
    pairs: [[3, 4, BY_NUMBER]],
    undecided: 1,
  },
  {
    what: 'one ended long before the other',
    callers: [caller(1, { endedAtMs: 9000 })],
    callees: [callee(2)],
    pairs: [],
  },
  {
    what: 'called before anybody had called',
    callers: [caller(1)],
    callees: [callee(2, { beganAtMs: -60 })],
    pairs: [],
  },
  {
    what: 'by the clock of another agent',
    callers: [caller(1)],
    callees: [callee(2, { workerId: 'b', beganAtMs: -400 })],
    pairs: [[1, 2, BY_TIME]],
  },
  { what: 'nobody was dialled', callers: [caller(1, { other: null })], callees: [callee(2)], pairs: [] },
];

for (const { what, callers, callees, pairs, undecided = 0 } of CASES)
  t.test(what, async (t) => {
    const names = new Map(callers.flatMap((end) => end.names.map((name) => [name, 1] as const)));
    const found = deducePairs(callers, callees, names);
    t.same(
      found.pairs.map((p) => [p.caller, p.callee, p.grounds]),
      pairs,
    );
    t.equal(found.undecided, undecided);
    t.same(deducePairs(callers.toReversed(), callees.toReversed(), names), found, 'in whatever order they come');
  });

t.test('numbers as servers rewrite them', async (t) => {
  const ROWS: [string | null, string | null][] = [
    ['+49 (30) 123-45', '493012345'],
    ['004930123456', '4930123456'],
    ['001', '001'],
    ['Alice%20B', 'alice b'],
    ['1001;phone-context=x', '1001'],
    ['%E0%A4%A', '%e0%a4%a'],
    ['', null],
    [null, null],
  ];
  for (const [user, name] of ROWS) t.equal(partyName(user), name, String(user));
  t.same(calledNames({ planned: ['e1-x', '+4930', 'bob'], requestUser: 'e1-x' }), ['e1-x', '4930', 'bob']);
  t.same(calledNames({ planned: ['e1-x', 'bob'], requestUser: '4989' }), ['4989'], 'it takes any number');
  t.same(calledNames({ planned: ['e1-x'], requestUser: null }), ['e1-x']);
});

/** `found`: the minimum share of calls with two ends. */
const MASSES = [
  { what: 'each caller has a number of its own, which arrives', callers: 1000, accounts: 1000, sees: 1, found: 0.97 },
  { what: 'many callers to few accounts, numbers arrive', callers: 1000, accounts: 50, sees: 1, found: 0.97 },
  { what: 'numbers are withheld, an account a caller', callers: 1000, accounts: 1000, sees: 0, found: 0.7 },
  { what: 'numbers are withheld, few accounts', callers: 300, accounts: 100, sees: 0, found: 0.7 },
  { what: 'some numbers arrive', callers: 500, accounts: 100, sees: 0.5, found: 0.4 },
];

for (const { what, found, ...mass } of MASSES)
  t.test(what, async (t) => {
    const sums = { truth: 0, found: 0, wrong: 0 };
    for (let seed = 1; seed <= 10; seed++) {
      const { callers, callees, truth, names } = madeUpCalls({ ...mass, callsEach: 5 }, seeded(seed));
      const { pairs } = deducePairs(callers, callees, names);
      const isRight = ({ caller, callee }: DeducedPair): boolean => truth.get(callee) === caller;
      sums.truth += truth.size;
      sums.found += pairs.filter(isRight).length;
      sums.wrong += pairs.filter((pair) => !isRight(pair)).length;
    }
    t.comment(`${sums.found} of ${sums.truth} pairs found, ${sums.wrong} wrong`);
    t.equal(sums.wrong, 0);
    t.ok(sums.found >= found * sums.truth, `${sums.found} of ${sums.truth}`);
  });
