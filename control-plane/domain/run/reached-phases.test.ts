/** One row per endpoint says the same as its single phases. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { reachedPhases } from './reached-phases.ts';

const fact = fc.record({ endpoint: fc.nat(3), phase: fc.nat(7), unixMs: fc.nat(1000) });

t.test('the highest phases, and the first instant of each kind', (t) => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 20 }), (facts) => {
      const half = facts.length >> 1;
      const rows = reachedPhases(
        [facts.slice(0, half), facts.slice(half)].map((told) => ({
          endpoint: told.map((f) => f.endpoint),
          phase: told.map((f) => f.phase),
          unixMs: told.map((f) => f.unixMs),
        })),
      );
      t.same([...rows.keys()], [...new Set(facts.map((f) => f.endpoint))]);
      for (const [number, row] of rows) {
        const own = facts.filter((f) => f.endpoint === number);
        const first = (is: (phase: number) => boolean) => {
          const instants = own.filter((f) => is(f.phase)).map((f) => f.unixMs);
          return instants.length > 0 ? Math.min(...instants) : Number.NaN;
        };
        t.same(row, {
          number,
          phase: Math.max(...own.map((f) => f.phase)),
          reached: Math.max(0, ...own.filter((f) => f.phase < 6).map((f) => f.phase)),
          calledUnixMs: first((phase) => phase >= 2 && phase <= 5),
          answeredUnixMs: first((phase) => phase === 5),
          leftUnixMs: first((phase) => phase >= 6),
          closedUnixMs: first((phase) => phase === 7),
        });
      }
    }),
    { numRuns: 200 },
  );
  t.end();
});
