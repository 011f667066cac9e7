/** Outcomes that have gone to another thread are the same as before. */
import { isDeepStrictEqual } from 'node:util';
import { FIGURE_NAMES } from '@carillon/proto/figures/call-figures.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { CallEvidence, OutcomeFact } from '../report/facts.ts';
import { FactsBuffer } from '../report/facts-buffer.ts';
import { packedFacts, unpackedFacts } from './packed-outcomes.ts';

const number = fc.oneof(fc.constant(Number.NaN), fc.nat(), fc.double({ noNaN: true }), fc.constant(-1));
const text = fc.oneof(fc.constant(''), fc.constant('SUCCESS'), fc.string(), fc.constant('näher'));
/** Of plain objects. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const figures = Object.fromEntries(FIGURE_NAMES.map((name) => [name, number])) as Record<
  (typeof FIGURE_NAMES)[number],
  typeof number
>;

const evidence = record<Record<keyof CallEvidence, unknown>>({
  ...{ talkMs: number, endedBy: text, unansweredBye: text, byeStatus: number, q850: nullable(fc.nat()) },
  ...{ hasReferred: fc.boolean(), transfer: nullable(record({ failure: text, detail: text })), sentAgain: number },
  ...{ cameAgain: number, unacknowledged: number, peerAddress: text, streams: number },
});
const outcome = record<Record<keyof OutcomeFact, unknown>>({
  ...figures,
  ...{ endpoint: fc.nat(), outcome: text, cause: nullable(text), causeText: text, sipStatus: fc.nat() },
  ...{ attempted: fc.boolean(), callResult: nullable(text), finalStatus: fc.nat(), finalReason: text },
  ...{ rang: fc.boolean(), calleeUri: text, callerUri: text, callId: text, peer: nullable(fc.nat()), tls: text },
  ...{ refreshes: nullable(record({ granted: fc.nat(), failed: fc.nat() })), plannedAtMs: number, endedBy: text },
  ...{ explanation: nullable(record({ q850: fc.nat(), reason: text })), evidence: nullable(evidence) },
  ...{ findings: fc.array(record({ kind: text, atMs: number }), { maxLength: 2 }) },
  ...{ awaitedMs: number, absentMs: number, pausedMs: number, unreported: fc.boolean() },
}) as fc.Arbitrary<unknown> as fc.Arbitrary<OutcomeFact>;

t.test('outcomes are the same on the other side', async (t) => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 20 }), (outcomes) => {
      const buffer = new FactsBuffer(7);
      buffer.state('READY');
      for (const one of outcomes) buffer.outcome(one);
      const facts = buffer.take(0);
      if (facts === null) throw new Error('no facts');
      const crossed = unpackedFacts(structuredClone(packedFacts(facts)));
      if (!isDeepStrictEqual(crossed, facts)) throw new Error(`${JSON.stringify(crossed)} of ${JSON.stringify(facts)}`);
    }),
    { numRuns: 200 },
  );
  t.pass('200 reports');
});
