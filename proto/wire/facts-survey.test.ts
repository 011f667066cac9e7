/** The contents of a batch are known before it is built; a few hundred bytes must not become millions of objects. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { surveyFacts, withoutAllocations } from './facts-survey.ts';
import { FrameError, factsBytes, readFacts } from './frame.ts';

const LIMITS = { allocations: 10, fields: 1000 };
const idOf = (n: number): Uint8Array => Buffer.alloc(16, n);
const many = (n: number): object[] => Array.from({ length: n }, () => ({}));

t.test('allocations are found, with their ids', async (t) => {
  const facts = { allocations: [1, 2, 3].map((n) => ({ allocationId: idOf(n), reason: 'r'.repeat(n) })), noise: [{}] };
  const bytes = factsBytes(facts);
  const survey = surveyFacts(bytes, LIMITS);
  t.same(
    survey.allocations.map(({ id }) => id[0]),
    [1, 2, 3],
  );
  t.equal(survey.fields, 7, 'an id and a reason each, and the noise');
  fc.assert(
    fc.property(fc.subarray([1, 2, 3]), (out) => {
      const left = readFacts(withoutAllocations(bytes, survey, ({ id }) => out.includes(id[0] as number)));
      const expected = [1, 2, 3].filter((n) => !out.includes(n));
      t.same(
        left.allocations.map((a) => a.allocationId?.[0]),
        expected,
      );
      t.equal(left.noise.length, 1);
    }),
  );
  t.equal(
    withoutAllocations(bytes, survey, () => false),
    bytes,
    'the very bytes where nothing is left out',
  );
});

t.test('more than is taken is refused', async (t) => {
  const outcomes = (n: number) => ({ allocations: [{ outcomes: many(n) }] });
  const findings = (n: number) => ({ allocations: [{ outcomes: [{ findings: many(n) }] }] });
  const rows: readonly [string, object, RegExp | null][] = [
    ['allocations', { allocations: many(11) }, /more than 10 allocations/],
    ['as many allocations as are taken', { allocations: many(10) }, null],
    ['outcomes', outcomes(1001), /more than 1000 facts/],
    ['as many outcomes as are taken', outcomes(1000), null],
    ['findings of one outcome', findings(1100), /more than 1000 facts/],
    ['a few findings', findings(900), null],
    ['noise', { noise: many(1001) }, /more than 1000 facts/],
  ];
  for (const [what, facts, message] of rows) {
    const survey = () => surveyFacts(factsBytes(facts), LIMITS);
    if (message === null) t.doesNotThrow(survey, what);
    else t.throws(survey, { name: 'FrameError', message }, what);
  }
});

t.test('bytes that are no facts are a FrameError', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        surveyFacts(bytes, LIMITS);
      } catch (error) {
        return error instanceof FrameError;
      }
      return true;
    }),
    { numRuns: 2000 },
  );
});
