/**
 * Properties of sums: the same result however calls are divided and in whatever order, also after storage; percentiles within
 * their stated error.
 */
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { outcomeFact } from '../../testing/world.ts';
import { noPhases } from '../run/reached-phases.ts';
import { addCall, countedKinds, merged, noCalls, type RunSums, timingSpreads } from './call-sums.ts';
import { clusterRows, maskedReason } from './failure-sums.ts';
import { foundKinds } from './finding-sums.ts';
import type { FoldedCall } from './folded-call.ts';
import { addSpread, addValue, chartBuckets, noValues, RELATIVE_ERROR, spreadOf, type ValueSpread } from './spread.ts';

const power = fc.double({ min: -5, max: 7, noNaN: true }).map((x) => 10 ** x);
const value = fc.oneof(power, fc.constantFrom(0, 0.0005, 0.001, 1, 10, 1000, Number.NaN));
const spreadFrom = (values: readonly number[]): ValueSpread => {
  const spread = noValues();
  for (const one of values) addValue(spread, one);
  return spread;
};

t.test('percentiles are within 1 % of the value of their rank, the rest is exact', (t) => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), (values) => {
      const known = values.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
      const { percentiles, min, max, count, avg } = spreadOf(spreadFrom(values));
      t.same([count, min, max], [known.length, known[0] ?? null, known.at(-1) ?? null]);
      if (known.length === 0) t.same([percentiles, avg], [null, null]);
      if (percentiles === null || avg === null) return;
      const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
      t.ok(Math.abs(avg - mean) <= 1e-9 * Math.max(1, mean));
      for (const [i, q] of [0.5, 0.95, 0.99].entries()) {
        const exact = known[Math.ceil(q * known.length) - 1] as number;
        const off = Math.abs((percentiles[i] as number) - exact);
        t.ok(off <= Math.max(RELATIVE_ERROR * exact, 0.001), `${percentiles[i]} for ${exact}`);
      }
    }),
  );
  t.end();
});

t.test('a chart has the buckets that it would have of the values', (t) => {
  fc.assert(
    fc.property(fc.array(power, { maxLength: 100 }), fc.constantFrom(4, 8), (values, aDecade) => {
      const wanted = new Map<number, number>();
      for (const ms of values) {
        const bucket = Math.max(-1, Math.floor(Math.log10(Math.max(ms, 0.001)) * aDecade));
        wanted.set(bucket, (wanted.get(bucket) ?? 0) + 1);
      }
      t.same(
        chartBuckets(spreadFrom(values), aDecade).map(({ bucket, count }) => [bucket, count]),
        [...wanted].sort(([a], [b]) => a - b),
      );
    }),
  );
  t.end();
});

const call = fc
  .record({
    number: fc.nat(1000),
    cause: fc.constantFrom(null, 'BUSY', 'SERVER_FAILURE'),
    text: fc.constantFrom('Busy Here', 'No trunk 17 free', 'No trunk 18 free'),
    warning: fc.constantFrom(null, 'group full', 'try later'),
    q850: fc.constantFrom(0, 16, 34),
    setupMs: power,
    uri: fc.constantFrom('sip:1234@a.example', 'sip:12999@A.example', 'sip:b.example'),
    atMs: fc.nat(10),
    found: fc.boolean(),
    tolerated: fc.boolean(),
    hasRow: fc.boolean(),
  })
  .map(
    (c): FoldedCall => ({
      outcome: outcomeFact(c.number, {
        ...readFigures(() => undefined),
        callSetupMs: c.setupMs,
        plannedUnixMs: 0,
        ...(c.cause !== null && { outcome: 'CALL_FAILED', cause: c.cause, causeText: c.text, callResult: 'ERROR' }),
        warning: c.warning,
        q850: c.q850,
        findings: c.found
          ? [
              {
                kind: 'NO_MEDIA',
                stream: 0,
                atUnixMs: 0,
                lastedMs: 0,
                count: 1,
                of: 1,
                detail: '',
                tolerated: c.tolerated,
              },
            ]
          : [],
      }),
      phases: { ...noPhases(c.number), reached: 2, closedUnixMs: c.atMs },
      answered: c.cause === null,
      endpointType: 'CALLER',
      countsAsCall: true,
      calleeUri: c.uri,
      registrarUri: 'sip:registrar',
      id: c.hasRow ? `row-${c.number}` : null,
    }),
  );

const added = (calls: readonly FoldedCall[]): RunSums => {
  const sums = noCalls();
  for (const one of calls) addCall(sums, one);
  return sums;
};
const stored = (sums: RunSums): RunSums => JSON.parse(JSON.stringify(sums)) as RunSums;
const inOrder = <T>(rows: readonly T[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
/** All figures that are computed from them; sums of floats except for rounding by the order of addition. */
const drawn = (sums: RunSums) => ({
  kinds: inOrder(countedKinds(sums)),
  timings: Object.entries(timingSpreads(sums)).map(([key, { avg, ...spread }]) => [key, avg?.toPrecision(9), spread]),
  clusters: clusterRows(sums.failures, 50),
  findings: inOrder(foundKinds(sums.findings)),
});

t.test('parted in any way, in any order, stored in between: it comes to the same', (t) => {
  const numbered = fc.uniqueArray(call, { maxLength: 40, selector: ({ outcome }) => outcome.number });
  fc.assert(
    fc.property(numbered, fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }), fc.boolean(), (calls, parts, back) => {
      const groups = [0, 1, 2, 3].map((part) => added(calls.filter((_, i) => parts[i] === part)));
      const ordered = back ? groups.toReversed() : groups;
      t.same(drawn(stored(merged(ordered.map(stored)))), drawn(added(calls)));
    }),
  );
  t.end();
});

t.test('spreads merge with what is below and above', (t) => {
  fc.assert(
    fc.property(fc.array(value), fc.array(value), (a, b) => {
      const both = spreadFrom(a);
      addSpread(both, spreadFrom(b));
      const { sum: _, ...all } = spreadFrom([...a, ...b]);
      t.match(both, all);
    }),
  );
  t.end();
});

t.test('a far end that invents reasons does not choose how much is stored', (t) => {
  const word = (i: number): string => String.fromCodePoint(...[...String(i)].map((digit) => 97 + Number(digit) + 16));
  const calls = Array.from({ length: 1000 }, (_, i): FoldedCall => {
    const failure = { outcome: 'CALL_FAILED', cause: 'SERVER_FAILURE', causeText: `Reason ${word(i)}` };
    const base = fc.sample(call, 1)[0] as FoldedCall;
    return { ...base, outcome: outcomeFact(i, failure) };
  });
  const { failures } = added(calls);
  const [first] = clusterRows(failures, 50);
  t.equal(first?.failures, 1000, 'each of them is counted');
  t.ok(JSON.stringify(failures).length < 100_000);
  t.end();
});

t.test('what varies from call to call is masked', (t) => {
  for (const [text, masked] of [
    ['Trunk 17 is full', 'Trunk # is full'],
    ['No route to 10.1.2.3:5060', 'No route to #'],
    ['id 0a1b2c3d-0000-4000-8000-00000000cafe', 'id #'],
    ['tag deadbeef1 and facade', 'tag # and facade'],
    ['Grüße4711', 'Grüße#'],
  ] as const)
    t.equal(maskedReason(text), masked);
  t.end();
});
