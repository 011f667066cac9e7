/** Ends of calls wait for the records of their streams: in whatever order both arrive, each end is reported once, with all records. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import { sharePlan } from '../../testing/run/pair.ts';
import { type Phase, phaseIndex } from '../phases.ts';
import type { CallEvidence, Closed, OutcomeFact, ShareFacts } from '../report/facts.ts';
import { OpenEnds } from './open-ends.ts';

const PLAN = sharePlan('CALLER', {});
const NO_ABSENCE = {
  absentMs: 0,
  pausedMs: 0,
  sparseMs: 0,
  unevenSteps: 0,
  gapLost: 0,
  pauses: 0,
  headMs: 0,
  gaps: 0,
  longestMs: Number.NaN,
  longestAtMs: Number.NaN,
  tailMs: 0,
};

/** Of a stream that was owed `awaitedMs` of audio and got all of it: the sum shows with which records an end was settled. */
const record = (owner: number, endpointNumber: number, stream: number, awaitedMs: number): StreamRecord =>
  ({
    ...{
      owner,
      endpointNumber,
      stream,
      video: null,
      security: 'NONE',
      packetMs: 20,
      packetsReceived: 500,
      expected: 500,
    },
    ...{
      unexpectedPayloadTypes: 0,
      hearing: 'UNKNOWN',
      unheardReports: 0,
      unnamedReports: 0,
      lateDiscarded: 0,
      followed: 0,
      unreachable: 0,
      receiveDrops: 0,
    },
    ...{ hasFeedback: false, srtpAuthFailed: 0, audio: null, remoteAddress: '127.0.0.1', remotePort: 4000 },
    absence: { ...NO_ABSENCE, awaitedMs },
  }) as unknown as StreamRecord;

const evidence = (streams: number): CallEvidence => ({
  ...{
    talkMs: 10_000,
    endedBy: 'LOCAL',
    unansweredBye: '',
    byeStatus: 200,
    q850: null,
    hasReferred: false,
    transfer: null,
    sentAgain: 0,
    cameAgain: 0,
  },
  ...{ unacknowledged: 0, peerAddress: '127.0.0.1', streams },
});

/** `streams` null: the call was never established. */
const outcome = (endpoint: number, streams: number | null): OutcomeFact =>
  ({
    ...{ endpoint, outcome: 'SUCCESS', cause: null, causeText: '', findings: [], timeToFirstMediaMs: 10 },
    ...{ awaitedMs: Number.NaN, absentMs: Number.NaN, pausedMs: Number.NaN },
    evidence: streams === null ? null : evidence(streams),
  }) as unknown as OutcomeFact;

const factsOf = (owner: number, outcomes: readonly OutcomeFact[], phases: readonly [number, Phase, number][] = []) =>
  ({
    owner,
    outcomes: [...outcomes],
    phases: {
      endpoint: phases.map(([endpoint]) => endpoint),
      phase: phases.map(([, phase]) => phaseIndex(phase)),
      atMs: phases.map(([, , atMs]) => atMs),
    },
    progress: { endpoint: [], phase: [], atMs: [] },
  }) as unknown as ShareFacts;

type Call = {
  readonly owner: number;
  readonly endpoint: number;
  readonly streams: number | null;
  readonly come: number;
};
type Step = { readonly closes: Call } | { readonly record: StreamRecord; readonly of: Call };

const OWNERS = [1, 2, 3];

/** Calls of three allocations; each started a number of streams, of which a number of records arrive. */
const calls = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...OWNERS), fc.nat({ max: 5 })), {
    minLength: 1,
    maxLength: 12,
    selector: ([owner, endpoint]) => `${owner} ${endpoint}`,
  })
  .chain((names) =>
    fc.tuple(
      ...names.map(([owner, endpoint]) =>
        fc
          .tuple(fc.constantFrom(null, 0, 1, 2, 3), fc.nat({ max: 3 }))
          .map(([streams, come]): Call => ({ owner, endpoint, streams, come: Math.min(come, streams ?? come) })),
      ),
    ),
  );
const interleaved = calls.chain((all) => {
  const steps = all.flatMap((call): Step[] => [
    { closes: call },
    ...Array.from({ length: call.come }, (_, i) => ({
      record: record(call.owner, call.endpoint, i, 2 ** i),
      of: call,
    })),
  ]);
  return fc.tuple(fc.constant(all), fc.shuffledSubarray(steps, { minLength: steps.length }));
});

const nameOf = (owner: number, endpoint: number): string => `${owner}/${endpoint}`;
/** Sum of the awaited time of its first `n` records. */
const sumOf = (n: number): number => 2 ** n - 1;

t.test('each end is told once, as soon as all of its records are there, and never before', async () => {
  fc.assert(
    fc.property(interleaved, fc.constantFrom(...OWNERS), ([all, steps], forgotten) => {
      const ends = new OpenEnds();
      const told = new Map<string, Closed>();
      const tell = (closed: Closed | null, when: string): void => {
        if (closed === null) return;
        const name = nameOf(closed.owner, closed.outcome.endpoint);
        if (told.has(name)) throw new Error(`${name} is told twice, ${when}`);
        told.set(name, closed);
      };
      const arrived = new Map<string, number>();
      const left = new Set<string>();
      for (const step of steps) {
        const call = 'closes' in step ? step.closes : step.of;
        const name = nameOf(call.owner, call.endpoint);
        if ('closes' in step) {
          left.add(name);
          const facts = factsOf(call.owner, [outcome(call.endpoint, call.streams)], [[call.endpoint, 'CLOSED', 5]]);
          const taken = ends.take(facts, PLAN);
          if (taken.facts.outcomes.length + taken.facts.phases.phase.length > 0)
            throw new Error('it stays in the facts');
          for (const closed of taken.closed) tell(closed, 'at its end');
        } else {
          arrived.set(name, (arrived.get(name) ?? 0) + 1);
          tell(ends.add(step.record), 'with a record');
        }
        const isDue = left.has(name) && (arrived.get(name) ?? 0) >= (call.streams ?? 0);
        if (told.has(name) !== isDue) throw new Error(`${name} is ${isDue ? 'not told' : 'told too early'}`);
      }
      const waiting = all.filter(({ owner, endpoint }) => !told.has(nameOf(owner, endpoint)));
      if (ends.isWaiting !== waiting.length > 0) throw new Error(`${waiting.length} wait`);
      ends.forget(forgotten);
      if (ends.flush(forgotten).length > 0) throw new Error('told of an allocation that nobody wants to know of');
      for (const owner of OWNERS) {
        for (const closed of ends.flush(owner)) tell(closed, 'when no more come');
        if (ends.flush(owner).length > 0) throw new Error('flushed twice');
      }
      if (ends.isWaiting) throw new Error('somebody waits for ever');
      for (const { owner, endpoint, streams, come } of all) {
        const closed = told.get(nameOf(owner, endpoint));
        const isWanted = owner !== forgotten || come >= (streams ?? 0);
        if ((closed !== undefined) !== isWanted) throw new Error(`${nameOf(owner, endpoint)} is lost, or told in vain`);
        if (closed === undefined) continue;
        if (closed.closedAtMs !== 5) throw new Error('not when it closed');
        const { awaitedMs } = closed.outcome;
        const isSettled = streams !== null && streams > 0 && come > 0;
        if (isSettled ? awaitedMs !== sumOf(come) : !Number.isNaN(awaitedMs))
          throw new Error(`${nameOf(owner, endpoint)}: ${awaitedMs} of ${come} records`);
      }
    }),
    { numRuns: 1000 },
  );
});

t.test('phases of other endpoints go on with the facts; CLOSED comes with the outcome', async (t) => {
  const ends = new OpenEnds();
  const facts = factsOf(
    1,
    [outcome(0, 1), outcome(1, 0)],
    [
      [0, 'DISCONNECTING', 10],
      [2, 'INCALL', 11],
      [0, 'CLOSED', 12],
      [1, 'CLOSED', 13],
    ],
  );
  const { facts: left, closed } = ends.take(facts, PLAN);
  t.same(left.phases, {
    endpoint: [0, 2],
    phase: [phaseIndex('DISCONNECTING'), phaseIndex('INCALL')],
    atMs: [10, 11],
  });
  t.match(closed, [{ owner: 1, outcome: { endpoint: 1 }, closedAtMs: 13 }]);
  t.match(ends.add(record(1, 0, 0, 8)), { owner: 1, outcome: { endpoint: 0, awaitedMs: 8 }, closedAtMs: 12 });
  const none = factsOf(1, [], [[2, 'INCALL', 11]]);
  t.equal(ends.take(none, PLAN).facts, none, 'facts without an end are as they were');
});

t.test('the group of the share that an end belongs to judges it', async (t) => {
  const ends = new OpenEnds();
  const deaf = { ...record(1, 0, 0, 10_000), packetsReceived: 0 };
  const dead = { ...deaf, absence: { ...deaf.absence, absentMs: 10_000, headMs: 10_000 } };
  ends.take(factsOf(1, [outcome(0, 1)]), sharePlan('CALLER', {}, { owner: 1 }));
  ends.take(factsOf(2, [outcome(0, 1)]), sharePlan('CALLER', { tolerated: ['NO_MEDIA'] }, { owner: 2 }));
  t.match(ends.add(dead)?.outcome, { outcome: 'CALL_FAILED', cause: 'NO_MEDIA' });
  t.match(ends.add({ ...dead, owner: 2 })?.outcome, {
    outcome: 'SUCCESS',
    findings: [{ kind: 'NO_MEDIA', tolerated: true }],
  });
});
