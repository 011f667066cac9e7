/** Findings that need both ends of a call: found once for each end, with the right text, however often the run is settled. */
import t from 'tap';
import { NO_DETAILS, type StreamDetails } from '../../contract/run/stream-details.ts';
import type { ReportedOutcome, StreamFact } from '../../domain/run/facts.ts';
import { insertStreams } from '../../store/measured/streams.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { everyPage, openReading, type Run, single, streamFact } from '../../testing/reading.ts';
import { acme, callsTest } from '../../testing/world.ts';
import { pairCalls } from './pair-calls.ts';

const { world, begin, report } = await openReading(t, 12);

const finding = { stream: 0, atUnixMs: Number.NaN, lastedMs: 5000, count: 0, of: 0, detail: '', tolerated: false };
const NO_MEDIA = { ...finding, kind: 'NO_MEDIA' } as const;
const HEARD = { awaitedMs: 5000, absentMs: 0 };
const FAILED = { outcome: 'CALL_FAILED', cause: 'NO_MEDIA', causeText: 'No audio came' } as const;
const DEAF = { ...FAILED, awaitedMs: 5000, absentMs: 5000, findings: [NO_MEDIA] };
const keys = (sent: string, received: string): Partial<StreamFact> => ({
  details: { ...NO_DETAILS, digits: sent || received ? { sent, received } : null } as StreamDetails,
});
/** Its agent reports no details. */
const OLD: Partial<StreamFact> = { details: null };

type End = { readonly outcome?: Partial<ReportedOutcome>; readonly stream?: Partial<StreamFact> };
type Found = readonly (readonly [finding: string, tolerated: boolean, message: string])[];
type Row = {
  readonly what: string;
  readonly caller?: End;
  readonly callee?: End;
  /** The callee does not know which call it has. */
  readonly strangers?: boolean;
  readonly found: readonly [caller: Found, callee: Found];
  /** Causes of failure; null: a good end. */
  readonly cause: readonly [caller: string | null, callee: string | null];
};

const codecs = (here: string, there: string): Found => [
  [
    'CODEC_ASYMMETRY',
    false,
    `This end and the other used different codecs (${here} here, ${there} there): something between them transcodes.`,
  ],
];
const lost = (sent: string, arrived: string): Found => [
  ['DIGITS_LOST', false, `Not all of the pressed keys arrived: ${sent} was sent, ${arrived} arrived.`],
];
const noMedia: Found = [['NO_MEDIA', false, 'No audio packet came in 5.0 s of the call.']];
const unheard = (tolerated = false, why = 'No audio came'): Found => [
  ['ONE_WAY_AUDIO', tolerated, `This end heard the other, and was not heard by it: ${why}.`],
];
const GOOD = [null, null] as const;

const ROWS: readonly Row[] = [
  { what: 'all is well', found: [[], []], cause: GOOD },
  {
    what: 'something transcodes',
    callee: { stream: { codec: 'OPUS' } },
    found: [codecs('PCMU', 'OPUS'), codecs('OPUS', 'PCMU')],
    cause: GOOD,
  },
  {
    what: 'a key is lost',
    caller: { stream: keys('12#', '') },
    callee: { stream: keys('', '1#') },
    found: [lost('12#', '1#'), []],
    cause: GOOD,
  },
  {
    what: 'all keys are lost',
    caller: { stream: keys('12#', '') },
    callee: { stream: keys('', '') },
    found: [lost('12#', 'nothing'), []],
    cause: GOOD,
  },
  {
    what: 'keys both ways, one lost each way',
    caller: { stream: keys('12', '3') },
    callee: { stream: keys('34', '1') },
    found: [lost('12', '1'), lost('34', '3')],
    cause: GOOD,
  },
  {
    what: 'all keys arrive',
    caller: { stream: keys('12#', '7') },
    callee: { stream: keys('7', '12#') },
    found: [[], []],
    cause: GOOD,
  },
  {
    what: 'an agent that tells no keys',
    caller: { stream: keys('12#', '') },
    callee: { stream: OLD },
    found: [[], []],
    cause: GOOD,
  },
  {
    what: 'the callee hears nothing',
    callee: { outcome: DEAF },
    found: [unheard(), noMedia],
    cause: ['ONE_WAY_AUDIO', 'NO_MEDIA'],
  },
  {
    what: 'it hears nothing, and tolerates that',
    callee: { outcome: { ...HEARD, absentMs: 5000, findings: [{ ...NO_MEDIA, tolerated: true }] } },
    found: [[], [['NO_MEDIA', true, noMedia[0]?.[2] ?? '']]],
    cause: GOOD,
  },
  {
    what: 'neither hears',
    caller: { outcome: DEAF },
    callee: { outcome: DEAF },
    found: [noMedia, noMedia],
    cause: ['NO_MEDIA', 'NO_MEDIA'],
  },
  {
    what: 'the callee fails by something else',
    callee: { outcome: { outcome: 'CALL_FAILED', cause: 'ACK_MISSING', callResult: 'ERROR' } },
    found: [[], []],
    cause: [null, 'ACK_MISSING'],
  },
  {
    what: 'nobody knows which calls belong together',
    strangers: true,
    callee: { outcome: DEAF, stream: { codec: 'OPUS' } },
    found: [[], noMedia],
    cause: [null, 'NO_MEDIA'],
  },
];

async function prepared(more: object = {}) {
  const [organization] = acme(ROWS.length, 1000).organizations;
  const test = callsTest(ROWS.length);
  const [callers, callees] = test.groups;
  const tests = [{ ...test, groups: [{ ...callers, ...more }, callees] }];
  await world.provision({ organizations: [{ ...organization, projects: [{ slug: 'lab', name: 'Lab', tests }] }] });
  const run = await begin();
  const rows = await everyPage(run, 'listTestRunEndpoints');
  const numbers = (type: string) => rows.filter((e) => e.endpointType === type).map((e) => e.number);
  return { run, callers: numbers('CALLER'), callees: numbers('CALLEE') };
}

/** Of the row, its two ends: every end reports, including its streams. */
async function reported(more: object = {}, end = true) {
  const { run, callers, callees } = await prepared(more);
  const ends = new Map<number, { end: End; peer: number | null }>();
  ROWS.forEach((row, i) => {
    ends.set(callers[i] as number, { end: row.caller ?? {}, peer: null });
    ends.set(callees[i] as number, { end: row.callee ?? {}, peer: row.strangers ? null : (callers[i] as number) });
  });
  await report(
    run,
    (n) => ({ outcome: { ...HEARD, peer: ends.get(n)?.peer ?? null, ...ends.get(n)?.end.outcome } }),
    false,
  );
  await insertStreams(
    world.database.db,
    run.runId,
    [...ends].map(([n, { end }]) => streamFact(n, 0, { ...keys('', ''), ...end.stream })),
  );
  if (end) await report(run, () => ({}));
  return { run, callers, callees };
}

const shown = async (run: Run, number: number) => {
  const endpoints = await everyPage(run, 'listTestRunEndpoints');
  const id = endpoints.find((e) => e.number === number)?.id ?? '';
  const { findings, failure, outcome } = await single(run, 'getTestRunEndpoint', { endpointId: id });
  return { findings: findings.map((f) => [f.finding, f.tolerated, f.message]), cause: failure?.cause ?? null, outcome };
};

t.test('each end by what the other knows', async (t) => {
  const { run, callers, callees } = await reported();
  for (const [i, { what, found, cause }] of ROWS.entries()) {
    const ends = [await shown(run, callers[i] as number), await shown(run, callees[i] as number)];
    t.same(
      ends.map((e) => e.findings),
      found,
      what,
    );
    t.same(
      ends.map((e) => e.cause),
      cause,
      what,
    );
    t.same(
      ends.map((e) => e.outcome !== 'SUCCESS'),
      cause.map((one) => one !== null),
      what,
    );
  }
  const before = await single(run, 'getTestRun');
  const deaf = ROWS.filter(({ cause }) => cause[0] !== null).length;
  t.match(before.callQuality, {
    calls: ROWS.length,
    successful: ROWS.length - deaf,
    failed: deaf,
    answeredFailed: deaf,
  });
  t.equal(before.callTiming.successCount, ROWS.length, 'signalling is what it was');
  t.match(
    before.findings.filter((f) => f.finding === 'ONE_WAY_AUDIO'),
    [{ endpointType: 'CALLER', count: 1, tolerated: 0, party: 'network' }],
  );

  await t.test('and once, however often the run is settled', async (t) => {
    const read = async () => {
      const db = world.database.db;
      const findings = await db
        .selectFrom('findings')
        .where('run_id', '=', run.runId)
        .selectAll()
        .orderBy('endpoint_number')
        .orderBy('place')
        .execute();
      const endpoints = await db
        .selectFrom('endpoints')
        .where('run_id', '=', run.runId)
        .selectAll()
        .orderBy('number')
        .execute();
      return { findings, endpoints };
    };
    const first = await read();
    for (let n = 0; n < 2; n++)
      await world.database.transaction(async (tx) => {
        const locked = await lockRun(tx, run.runId);
        if (locked === undefined) throw new Error('no run');
        await pairCalls(world.ports, tx, locked);
      });
    t.same(await read(), first);
    await report(run, () => ({}));
    t.same(await read(), first, 'a report of a run that is over');
    t.same(await single(run, 'getTestRun'), before);
  });
});

t.test('a group that tolerates to be unheard: found all the same, and no failure', async (t) => {
  const { run, callers } = await reported({ expectations: { toleratedFindings: ['ONE_WAY_AUDIO'] } });
  const at = ROWS.findIndex(({ what }) => what === 'the callee hears nothing');
  t.same(await shown(run, callers[at] as number), { findings: unheard(true), cause: null, outcome: 'SUCCESS' });
  const { callQuality, findings } = await single(run, 'getTestRun');
  t.match(
    callQuality,
    { successful: ROWS.length - 1, soundAsked: ROWS.length, heard: ROWS.length - 2 },
    'nobody says that it was heard',
  );
  t.match(
    findings.filter((f) => f.finding === 'ONE_WAY_AUDIO'),
    [{ count: 1, tolerated: 1 }],
  );
});

/** The findings of both ends if the run's groups were these. */
const pairedAs = ({ runId }: Run, change: (group: Group) => Group): Promise<void> =>
  world.database.transaction(async (tx) => {
    const locked = await lockRun(tx, runId);
    if (locked === undefined) throw new Error('no run');
    const config = { ...locked.config, groups: locked.config.groups.map(change) };
    await pairCalls(world.ports, tx, { ...locked, config });
  });
type Group = LockedRun['config']['groups'][number];

t.test('an end that refers the other to a third party does not learn the result', async (t) => {
  const { run, callers } = await reported({}, false);
  const [at] = ROWS.flatMap(({ what }, i) => (what === 'the callee hears nothing' ? [i] : []));
  const caller = callers[at ?? -1] as number;
  const refer: Group['actions'] = [
    { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'REFER', target: 'sip:9000@127.0.0.1:5070' } },
  ];
  await pairedAs(run, (group) => ({ ...group, actions: refer }));
  t.same(await shown(run, caller), { findings: [], cause: null, outcome: 'SUCCESS' });
  await pairedAs(run, (group) => group);
  t.same(await shown(run, caller), { findings: unheard(), cause: 'ONE_WAY_AUDIO', outcome: 'CALL_FAILED' });
  await report(run, () => ({}));
  t.same((await shown(run, caller)).findings, unheard(), 'nor twice, once the run is settled');
});

t.test('of calls to somebody outside one end is here', async (t) => {
  const { run, callers } = await reported({}, false);
  await pairedAs(run, (group) => ({ ...group, callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1' } }));
  for (const caller of callers)
    t.same(
      (await shown(run, caller)).findings.filter(([kind]) => kind !== 'NO_MEDIA'),
      [],
    );
  await report(run, () => ({}));
});
