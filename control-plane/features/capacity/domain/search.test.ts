/** The search against thousands of simulated servers, and RFC 7502's steps against its pseudo-code, implemented literally. */
import t from 'tap';
import { seeded as seededRandom } from '../../../../scripts/peers/seeded.ts';
import fc from '../../../../scripts/test-run/properties.ts';
import { loadDistributions } from '../../../domain/statistics/distributions.ts';
import { judgeTrial, type TrialRun } from './judge.ts';
import { nextStep } from './rfc7502.ts';
import { nextTrial, type SearchRules, type TriedLevel } from './search.ts';

await loadDistributions();

const RULES: SearchRules = {
  least: 1,
  most: 10_000,
  start: 10,
  grain: 0.1,
  precision: 0.03,
  confirmations: 1,
  mostTrials: 60,
};
const LIMITS = {
  method: 'BISECT',
  slos: [{ metricKey: 'successShare', limit: 99 }],
  backgroundFailureShare: 0.0005,
} as const;

const runOf = (calls: number, failed: number, more: Partial<TrialRun> = {}): TrialRun => ({
  status: 'COMPLETED',
  error: null,
  verdict: 'VALID',
  due: calls,
  heldBack: 0,
  noFreeEndpoint: 0,
  calls,
  failed,
  figures: { successShare: { value: calls > 0 ? ((calls - failed) / calls) * 100 : 0, count: calls } },
  ...more,
});

function binomial(trials: number, share: number, random: () => number): number {
  let hits = 0;
  // By the geometric gaps between hits.
  for (let at = 0; share > 0; hits++) {
    at += Math.floor(Math.log(1 - random()) / Math.log(1 - share)) + 1;
    if (at > trials) break;
  }
  return hits;
}

type Server = {
  readonly ceiling: number;
  readonly background: number;
  readonly seconds: number;
  /** The share of void trials. */
  readonly voids: number;
  readonly seed: number;
};

/** It accepts `ceiling` calls in each second, refuses the others, and fails some at any load. */
function searched(server: Server, rules = RULES) {
  const random = seededRandom(server.seed);
  const trials: TriedLevel[] = [];
  for (;;) {
    const next = nextTrial(rules, trials);
    if (next.kind === 'DONE') return { answer: next.answer, trials };
    const calls = Math.round(next.level * server.seconds);
    const refused = Math.max(0, calls - Math.round(server.ceiling * server.seconds));
    const failed = refused + binomial(calls - refused, server.background, random);
    const { result } = judgeTrial(runOf(calls, failed, random() < server.voids ? { verdict: 'VOID' } : {}), LIMITS);
    trials.push({ level: next.level, result: result ?? 'VOID' });
  }
}

t.test('of 3,000 servers the ceiling is found within 5 %, whatever fails at any load', (t) => {
  const servers = fc.record({
    ceiling: fc.double({ min: 20, max: 5000, noNaN: true }),
    background: fc.constantFrom(0, 1e-5, 1e-4, 5e-4),
    seconds: fc.integer({ min: 30, max: 60 }),
    voids: fc.constantFrom(0, 0, 0.05),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(servers, (server) => {
      const { answer, trials } = searched(server);
      const off = (answer.level ?? 0) / server.ceiling - 1;
      // Three void trials in a row count as the generator's limit: then the capacity is at least that.
      const isVoid = server.voids > 0 && answer.found === 'GENERATOR_LIMIT' && off <= 0.05;
      return isVoid || (answer.found === 'CEILING' && Math.abs(off) <= 0.05 && trials.length <= RULES.mostTrials);
    }),
    { numRuns: 3000 },
  );
  t.end();
});

t.test('the interval holds the ceiling, as far as the SLO lets it pass', (t) => {
  const servers = fc.record({
    ceiling: fc.double({ min: 20, max: 5000, noNaN: true }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(servers, ({ ceiling, seed }) => {
      const { answer } = searched({ ceiling, seed, background: 1e-4, seconds: 60, voids: 0 });
      // 99 % of the offered load is enough: the ceiling is up to 1 % above the rate that is carried, and chance adds a little.
      return (answer.from ?? Infinity) <= ceiling * 1.025 && (answer.to ?? 0) >= ceiling;
    }),
    { numRuns: 500 },
  );
  t.end();
});

t.test('whatever trials come to, a search ends, and tries nothing outside of its bounds', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('PASSED', 'FAILED', 'VOID', 'LIMITED' as const), { minLength: 60, maxLength: 60 }),
      fc.constantFrom(1, 0.1),
      (results, grain) => {
        const rules = { ...RULES, grain, most: 500, least: 2 };
        const trials: TriedLevel[] = [];
        for (const result of results) {
          const next = nextTrial(rules, trials);
          if (next.kind === 'DONE') return true;
          if (next.level < rules.least || next.level > rules.most) return false;
          trials.push({ level: next.level, result: result as TriedLevel['result'] });
        }
        return nextTrial(rules, trials).kind === 'DONE';
      },
    ),
    { numRuns: 2000 },
  );
  t.end();
});

const through = (verdict: (level: number) => TriedLevel['result'], rules = RULES) => {
  const trials: TriedLevel[] = [];
  for (;;) {
    const next = nextTrial(rules, trials);
    if (next.kind === 'DONE') return { ...next.answer, trials };
    trials.push({ level: next.level, result: verdict(next.level) });
  }
};

t.test('the generator ends first: at least what passed', (t) => {
  const limited = through((level) => (level > 300 ? 'LIMITED' : 'PASSED'));
  t.match(limited, { found: 'GENERATOR_LIMIT', to: null });
  t.ok((limited.level ?? 0) > 290 && (limited.level ?? 0) <= 300);
  t.match(
    through((level) => (level > 300 ? 'VOID' : 'PASSED')),
    { found: 'GENERATOR_LIMIT', to: null },
    'repeated VOID trials are the same',
  );
  t.match(
    through(() => 'PASSED'),
    { found: 'UPPER_BOUND', level: 10_000 },
  );
  t.match(
    through(() => 'FAILED'),
    { found: 'BELOW_LOWER_BOUND', level: null, to: 1 },
  );
  t.match(
    through(() => 'LIMITED'),
    { found: 'GENERATOR_LIMIT', level: null },
  );
  t.end();
});

t.test('calls at once are whole numbers', (t) => {
  const { level, trials } = through((n) => (n > 37 ? 'FAILED' : 'PASSED'), { ...RULES, grain: 1 });
  t.equal(level, 37);
  t.ok(trials.every((trial) => Number.isInteger(trial.level)));
  t.end();
});

t.test('what a trial says', (t) => {
  const judged = (run: TrialRun, more: object = {}) => judgeTrial(run, { ...LIMITS, ...more });
  t.equal(judged(runOf(1000, 10)).result, 'PASSED');
  t.equal(judged(runOf(1000, 50)).result, 'FAILED');
  t.match(judged(runOf(1000, 50)).reasons, [/Successful calls: 95 % of 1000 values, asked at least 99 %/]);
  t.equal(judged(runOf(10_000, 3), { slos: [{ metricKey: 'successShare', limit: 100 }] }).result, 'PASSED');
  t.equal(judged(runOf(10_000, 30), { slos: [{ metricKey: 'successShare', limit: 100 }] }).result, 'FAILED');
  t.equal(judged(runOf(10_000, 1), { method: 'RFC7502_STRICT' }).result, 'FAILED', 'the RFC tolerates none');
  t.equal(judged(runOf(10, 0, { verdict: 'VOID' })).result, 'VOID');
  t.equal(judged(runOf(10, 0, { heldBack: 3 })).result, 'FAILED');
  t.equal(judged(runOf(100, 0, { noFreeEndpoint: 5 })).result, 'FAILED');
  t.equal(judged(runOf(10, 0, { figures: {} })).result, 'VOID');
  const refused = (code: 'INSUFFICIENT_CAPACITY' | 'REGISTRAR_MISSING') =>
    judged(runOf(0, 0, { status: 'CANNOT_RUN_FOR_NOW', error: { code, message: 'why' } })).result;
  t.equal(refused('INSUFFICIENT_CAPACITY'), 'LIMITED');
  t.equal(refused('REGISTRAR_MISSING'), null);
  t.end();
});

/** The pseudo-code of RFC 7502, 4.10, line by line. */
function maxSps(r0: number, w0: number, n: number, send: (r: number) => number, most: number) {
  const rates: number[] = [];
  let [old_r, h, count, r, w] = [0, 0, 0, r0, w0];
  let d = Math.max(0.1, w / 2);
  while (rates.length < most) {
    rates.push(r);
    const s = send(r);
    if (s === n) {
      if (r > old_r) {
        old_r = r;
      } else {
        count = count + 1;
        if (count >= 10) {
          h = Math.max(r, old_r);
          break;
        }
      }
      r = Math.floor(r + w * r + 1e-9);
    } else {
      r = Math.floor(r - d * r + 1e-9);
      d = Math.max(0.1, d / 2);
      w = Math.max(0.1, w / 2);
    }
  }
  return { rates, h };
}

t.test("strict: RFC 7502's steps, one by one", (t) => {
  const cases = fc.record({
    start: fc.integer({ min: 10, max: 500 }),
    window: fc.constantFrom(0.1, 0.25, 0.5, 1),
    ceiling: fc.integer({ min: 12, max: 2000 }),
  });
  fc.assert(
    fc.property(cases, ({ start, window, ceiling }) => {
      const wanted = maxSps(start, window, 1, (r) => (r <= ceiling ? 1 : 0), 150);
      const trials: TriedLevel[] = [];
      for (;;) {
        const next = nextStep({ start, window, mostTrials: 150 }, trials);
        if (next.kind === 'DONE') {
          const rates = trials.map(({ level }) => level);
          if (next.answer.found !== 'CEILING') return wanted.h === 0 && rates.length <= 150;
          return next.answer.level === wanted.h && JSON.stringify(rates) === JSON.stringify(wanted.rates);
        }
        trials.push({ level: next.level, result: next.level <= ceiling ? 'PASSED' : 'FAILED' });
      }
    }),
    { numRuns: 1000 },
  );
  t.end();
});
