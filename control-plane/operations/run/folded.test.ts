/**
 * A folded run gives the same answers as the same run with all rows: both receive the same calls, in randomly divided batches that
 * are gathered meanwhile, and all answers are compared field by field, during the run and afterwards.
 */
import { sql } from 'kysely';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { ENDPOINT_TYPES, type EndpointType } from '../../contract/test-settings/words.ts';
import type { ReportedFinding, ReportedOutcome } from '../../domain/run/facts.ts';
import { RELATIVE_ERROR } from '../../domain/sums/spread.ts';
import { everyPage, type Run, single, streamFact } from '../../testing/reading.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  openWorld,
  outcomeFact,
  runningRun,
  runRow,
  TOKENS,
} from '../../testing/world.ts';
import { loseInstances } from '../agents/lose.ts';
import { recentFigures } from '../run-view/recent-figures.ts';
import { gatherRun } from './gather.ts';

const ENDPOINTS = 4;
const SECONDS = 5;
const RATE = 20;
const BATCHES = 6;
const [CALLING, RINGING, INCALL, DISCONNECTING, CLOSED] = [2, 3, 5, 6, 7];

const world = await openWorld(t);
const { db } = world.database;
const [organization] = acme().organizations;
const target = { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1:5070' };
const placement = { mode: 'REGION', region: 'local' };
const group = { name: 'callers', registrar: 'cloud', callee: target, placement };
const lasting = {
  slug: 'lasting',
  name: 'Lasting',
  durationSeconds: 1,
  load: { shape: 'RATE', callsPerSecond: RATE, seconds: SECONDS },
  groups: [{ ...group, subPopulations: [{ name: 'all', role: 'CALLER', endpoints: ENDPOINTS, calls: null }] }],
};
const subPopulation = { name: 'all', endpoints: ENDPOINTS, calls: null };
const TESTS = {
  CALLER: lasting,
  /** Of strangers. */
  CALLEE: {
    ...{ slug: 'lasting', name: 'Lasting', durationSeconds: 1, buildup: SECONDS },
    groups: [
      {
        ...group,
        callee: { mode: 'RECEIVE' },
        callsFrom: 'ANYBODY',
        subPopulations: [{ ...subPopulation, role: 'CALLEE' }],
      },
    ],
  },
} as const;
const provision = (role: EndpointType) =>
  world.provision({
    organizations: [{ ...organization, projects: [{ slug: 'lab', name: 'Lab', tests: [TESTS[role]] }] }],
  });
await provision('CALLER');
const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
for (const [i, agent] of agents.entries()) {
  agent.sipAbilities = ['LOAD', 'CALL_AFTER_CALL'];
  await agent.greet(TOKENS[i]);
}
world.hold();
const startedMs = Math.floor(world.ports.now().getTime() / 1000) * 1000 - 60_000;

async function begin(exactCalls: number): Promise<Run> {
  Object.assign(world.ports.settings, { exactCalls });
  const run = await runningRun(world, agents);
  await sql`update test_runs set started_at = ${new Date(startedMs)} where id = ${run.runId}::uuid`.execute(db);
  return run;
}

type Call = {
  readonly number: number;
  readonly outcome: ReportedOutcome;
  readonly phases: readonly (readonly [phase: number, unixMs: number])[];
  /** The number reported before the end. */
  readonly before: number;
  readonly streams: number;
  readonly mos: number;
  /** Of the batches: that of the first phases, and that of the end. */
  readonly batches: readonly [number, number];
};

/** Their batches from..until, as one. `tells`: agents that are there. */
async function tell(run: Run, calls: readonly Call[], from: number, until: number, tells = [0, 1]): Promise<void> {
  const isIn = (batch: number): boolean => batch >= from && batch < until;
  for (const [i, agent] of agents.entries()) {
    if (!tells.includes(i)) continue;
    const allocations = (run.orders[i] ?? []).map(({ allocationId, endpoints }) => {
      const own = calls.filter(({ number }) => endpoints.number.includes(number % ENDPOINTS));
      const ending = own.filter(({ batches }) => isIn(batches[1]));
      const phases = own.flatMap(({ number, phases, before, batches: [begun, ended] }) =>
        phases.flatMap(([phase, unixMs], p) => (isIn(p < before ? begun : ended) ? [{ number, phase, unixMs }] : [])),
      );
      return allocationFacts(allocationId, {
        phases: {
          endpoint: phases.map((p) => p.number),
          phase: phases.map((p) => p.phase),
          unixMs: phases.map((p) => p.unixMs),
        },
        outcomes: ending.map(({ outcome }) => outcome),
        streams: ending.flatMap(({ number, streams, mos }) =>
          Array.from({ length: streams }, (_, s) =>
            streamFact(number, s, { mos, rFactor: mos * 20, lost: number % 7, jitterMaxMs: mos, scale: 'nb' }),
          ),
        ),
      });
    });
    await agent.send({ allocations });
  }
}

const ms = fc.oneof(
  fc.constant(Number.NaN),
  fc.double({ min: 0, max: 30_000, noNaN: true }).map(Math.fround),
  fc.double({ min: -4, max: 4, noNaN: true }).map((power) => Math.fround(10 ** power)),
);
const finding = (kind: ReportedFinding['kind']) =>
  fc.boolean().map(
    (tolerated): ReportedFinding => ({
      ...{ kind, stream: 0, atUnixMs: startedMs, lastedMs: 1, count: 1, of: 2, detail: '', tolerated },
    }),
  );
const findings = fc
  .subarray(['NO_MEDIA', 'ENDED_EARLY', 'LATE_MEDIA', 'MISSING_ACK'] as const)
  .chain((kinds) => fc.tuple(...kinds.map(finding)));

const ANSWERED = { finalStatus: 200, callResult: 'SUCCESS' } as const;
const FAILED = { outcome: 'CALL_FAILED', finalReason: null } as const;
const failed = (more: Partial<ReportedOutcome>): Partial<ReportedOutcome> => ({ ...FAILED, ...more });
const ENDS: readonly Partial<ReportedOutcome>[] = [
  ANSWERED,
  ANSWERED,
  failed({ ...ANSWERED, cause: 'NO_MEDIA', causeText: 'No audio came' }),
  failed({ cause: 'BUSY', causeText: 'Busy Here', callResult: 'REJECTED', finalStatus: 486, causeStatus: 486 }),
  ...['12', '1.7:3', 'cafe01', '0a1b2c3d-0000-4000-8000-00000000cafe'].map((which) =>
    failed({ cause: 'SERVER_FAILURE', causeText: `No trunk ${which} free`, callResult: 'ERROR', finalStatus: 503 }),
  ),
  failed({ cause: 'NO_ANSWER', callResult: 'TIMEOUT', finalStatus: 487 }),
  failed({ cause: 'TIMEOUT', causeText: 'Timer B', callResult: 'TIMEOUT', finalStatus: 0, rang: false }),
  failed({ cause: 'NOT_STARTED', attempted: false, callResult: null, finalStatus: 0 }),
  {
    ...FAILED,
    outcome: 'REGISTRATION_FAILED',
    cause: 'AUTH_FAILED',
    attempted: false,
    callResult: null,
    finalStatus: 0,
  },
];

const oneOf = (ends: readonly Partial<ReportedOutcome>[]) =>
  fc.record({
    end: fc.constantFrom(...ends),
    kept: fc.boolean(),
    findings,
    figures: fc.record({
      callSetupMs: ms,
      pddMs: ms,
      registerRttMs: ms,
      callDurationMs: ms,
      inviteLateMs: ms,
      ringDurationMs: ms,
    }),
    rang: fc.boolean(),
    q850: fc.constantFrom(0, 16, 34),
    said: fc.constantFrom(null, 'No circuit', 'Please try later'),
    uri: fc.constantFrom(null, 'sip:4930123@Example.com:5060', 'sip:493@example.com;transport=tcp', 'sip:[::1]:5070'),
    awaitedMs: fc.constantFrom(0, 300, 1000.5, 60_000),
    tellsPhases: fc.boolean(),
    startMs: fc.integer({ min: 0, max: 20_000 }),
    setUpMs: fc.integer({ min: 0, max: 3000 }),
    talkMs: fc.integer({ min: 0, max: 9000 }),
    before: fc.integer({ min: 0, max: 5 }),
    streams: fc.integer({ min: 0, max: 2 }),
    mos: fc.double({ min: 1, max: 4.5, noNaN: true }).map(Math.fround),
    begun: fc.integer({ min: 0, max: BATCHES - 1 }),
    more: fc.integer({ min: 0, max: BATCHES - 1 }),
  });
const isPlaced = ({ attempted }: Partial<ReportedOutcome>): boolean => attempted !== false;
/** Of callees only those that were called. */
const callsOf = (role: EndpointType) =>
  fc.array(oneOf(role === 'CALLER' ? ENDS : ENDS.filter(isPlaced)), { minLength: 1, maxLength: 60 }).map((all) =>
    all.map((c, number): Call => {
      const { figures, kept, rang, q850, findings, awaitedMs } = c;
      const at = startedMs + c.startMs;
      const isAnswered = c.end.finalStatus === 200;
      const up = at + c.setUpMs;
      const over = up + c.talkMs;
      const placed = [...(role === 'CALLER' ? [[CALLING, at] as const] : []), [RINGING, at + c.setUpMs / 2] as const];
      const answered = isAnswered ? [[INCALL, up] as const] : [];
      return {
        number,
        outcome: outcomeFact(number, {
          ...figures,
          ...{ kept, rang, q850, findings, awaitedMs, absentMs: awaitedMs / 3, reasonText: c.said, calleeUri: c.uri },
          ...(number < ENDPOINTS && {
            refreshes: 1,
            refreshFailures: 2,
            refreshLapses: 0,
            refreshRecoveries: 1,
          }),
          plannedUnixMs: at,
          ...c.end,
        }),
        phases: c.tellsPhases
          ? [
              ...(isPlaced(c.end) ? [...placed, ...answered, [DISCONNECTING, over] as const] : []),
              [CLOSED, over] as const,
            ]
          : [],
        before: c.before,
        streams: c.streams,
        mos: c.mos,
        batches: [c.begun, Math.min(BATCHES - 1, c.begun + c.more)],
      };
    }),
  );

/** Values that differ between runs. */
const OWN = new Set([
  'id',
  'submittedAt',
  'endedAt',
  'subPopulationInstances',
  'counts',
  'figures',
  'exampleEndpointIds',
]);
/** Of the first agent: it stays, is lost, or is lost and comes back after the run's end. */
const FATES = ['THERE', 'LOST', 'BACK'] as const;

const PERCENTILES = new Set(['p50', 'p95', 'p99']);

/** The run is part of a callee's address. */
const OWN_NUMBER = /failureClusters\.\d+\.number: "e\d-/;

/** The differing fields. */
function differences(exact: unknown, folded: unknown, path: string, isPercentile = false): string[] {
  if (typeof exact === 'number' && typeof folded === 'number') {
    const most = isPercentile ? RELATIVE_ERROR * Math.abs(exact) + 0.002 : 1e-6 * Math.max(1, Math.abs(exact));
    return Math.abs(exact - folded) <= most ? [] : [`${path}: ${exact}, folded ${folded}`];
  }
  if (exact === null || folded === null || typeof exact !== 'object' || typeof folded !== 'object')
    return exact === folded ? [] : [`${path}: ${JSON.stringify(exact)}, folded ${JSON.stringify(folded)}`];
  const keys = new Set([...Object.keys(exact), ...Object.keys(folded)]);
  return [...keys]
    .filter((key) => !OWN.has(key))
    .flatMap((key) =>
      differences(
        (exact as Record<string, unknown>)[key],
        (folded as Record<string, unknown>)[key],
        `${path}.${key}`,
        isPercentile || (PERCENTILES.has(key) && !path.includes('.mos')),
      ),
    );
}

async function compared(exact: Run, folded: Run): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['getTestRun', 'getTestRunTimeline', 'getTestRunHistograms'] as const)
    found.push(...differences(await single(exact, name), await single(folded, name), name));
  for (const seconds of [0, 3, 12]) {
    const since = new Date(startedMs + seconds * 1000);
    const [rows, sums] = await Promise.all(
      [exact, folded].map((run) => recentFigures(db, { id: run.runId, isFolded: run === folded }, since)),
    );
    found.push(
      ...differences(rows?.callSetup, sums?.callSetup, 'callSetup', true),
      ...differences({ ...rows, callSetup: 0 }, { ...sums, callSetup: 0 }, 'recent'),
    );
  }
  return found.filter((difference) => !OWN_NUMBER.test(difference));
}

for (const role of ENDPOINT_TYPES)
  t.test(`what a folded run says is what its calls say: of a ${role.toLowerCase()}`, async (t) => {
    await provision(role);
    await fc.assert(
      fc.asyncProperty(callsOf(role), fc.constantFrom(...FATES), async (all, fate) => {
        const isLost = fate !== 'THERE';
        const there = isLost ? [1] : [0, 1];
        const exact = await begin(100_000);
        const folded = await begin(1);
        t.same([(await runRow(world, exact.runId)).folded, (await runRow(world, folded.runId)).folded], [false, true]);
        const half = BATCHES / 2;
        await tell(exact, all, 0, half);
        for (let b = 0; b < half; b++) {
          await tell(folded, all, b, b + 1);
          await gatherRun(world.ports, folded.runId);
        }
        t.same(await compared(exact, folded), [], 'while they go on');

        for (const run of [exact, folded]) {
          const gone = isLost ? (run.orders[0] ?? []).map((o) => ({ runId: run.runId, id: o.allocationId })) : [];
          await loseInstances(world.ports, gone, 'The host is gone.');
        }
        await tell(exact, all, half, BATCHES, there);
        for (let b = half; b < BATCHES; b++) {
          await tell(folded, all, b, b + 1, there);
          await gatherRun(world.ports, folded.runId);
        }
        const end = async (by: readonly number[]) => {
          for (const { orders } of [exact, folded])
            for (const i of by)
              await agents[i]?.send({
                allocations: (orders[i] ?? []).map((o) => allocationFacts(o.allocationId, { state: 'DONE' })),
              });
          await world.work();
        };
        await end(there);
        t.same(await compared(exact, folded), [], 'when they have ended');
        if (fate === 'BACK') {
          await tell(exact, all, half, BATCHES, [0]);
          for (let b = half; b < BATCHES; b++) await tell(folded, all, b, b + 1, [0]);
          await end([0]);
          for (const run of [exact, folded]) t.ok((await single(run, 'getTestRun')).revisedAt, 'revised');
          t.same(await compared(exact, folded), [], 'when the share that was given up has come after all');
        }

        const quality = (await single(exact, 'getTestRun')).callQuality;
        const endpoints = (await everyPage(exact, 'listTestRunEndpoints')).flatMap(({ calls }) => calls ?? []);
        for (const [of, key] of [
          ['calls', 'total'],
          ['successful', 'successful'],
          ['failed', 'failed'],
          ['answered', 'answered'],
          ['dropped', 'dropped'],
          // Callees that were not called had no call, and count among a run's calls that were not placed.
          ...(role === 'CALLER' ? ([['notPlaced', 'notPlaced']] as const) : []),
        ] as const)
          t.equal(
            endpoints.reduce((sum, calls) => sum + (calls[key] ?? Number.NaN), 0),
            quality[of],
            `${of} of all endpoints`,
          );
        const rows = await everyPage(folded, 'listTestRunCalls');
        const ofSums = (await everyPage(folded, 'listTestRunEndpoints')).flatMap(({ calls }) => calls ?? []);
        t.same([ofSums.length, new Set(ofSums.map(({ total }) => total))], [ENDPOINTS, new Set([null])]);
        t.equal(
          ofSums.reduce((sum, { listed }) => sum + listed, 0),
          rows.length,
          'those that have rows',
        );
        const told = all.filter(({ batches: [, ended] }) => fate !== 'LOST' || ended < half);
        const kept = told
          .filter(({ number, outcome }) => number < ENDPOINTS || outcome.kept)
          .map(({ number }) => number);
        const others = told.map(({ number }) => number).filter((number) => !kept.includes(number));
        const listed = new Set(rows.map(({ number }) => number));
        t.ok(
          kept.every((number) => listed.has(number)),
          'every call that is kept has its row',
        );
        t.notOk(
          others.some((number) => fate === 'THERE' && listed.has(number)),
          'and no other',
        );
        const { failureClusters, findings, figures } = await single(folded, 'getTestRun');
        t.same(figures, { from: 'SUMS', relativeError: RELATIVE_ERROR });
        // Callees that were not called before their host was lost are no calls.
        const ids = new Set([...rows, ...(await everyPage(folded, 'listTestRunEndpoints'))].map(({ id }) => id));
        const examples = [...failureClusters, ...findings].flatMap((c) => c.exampleEndpointIds);
        t.ok(
          examples.every((id) => ids.has(id)),
          'examples can be opened',
        );
      }),
      { numRuns: role === 'CALLER' ? 8 : 4 },
    );
  });
