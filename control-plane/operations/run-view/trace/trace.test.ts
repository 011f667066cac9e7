/** Events and messages of a run: filtered lists, texts, a search that reports how far it got, counts. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { PHASES } from '../../../contract/run/words.ts';
import { everyPage, inChunksOfMany, list, openReading, type ReadQuery, single } from '../../../testing/reading.ts';
import { allocationFacts, inOneChunk, messageChunk } from '../../../testing/world.ts';
import { retain } from '../../retain.ts';
import { MAX_MESSAGES } from './message-search.ts';

const CALLS = 40;
const { world, agents, begin, report } = await openReading(t, CALLS);
const { db } = world.database;
const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const run = await begin();
const baseMs = Math.floor(Date.now() / 1000) * 1000;
const texts = (n: number) => [
  `INVITE sip:bob@example.org SIP/2.0\r\nCall-ID: call-${n}\r\nSubject: Grüße ${n % 7}\r\n\r\n`,
  `SIP/2.0 ${n % 3 === 0 ? '486 Busy Here' : '200 OK'}\r\nCall-ID: call-${n}\r\nX-Number: <${n}>\r\n\r\n`,
  Buffer.from(`BYE sip:bob@example.org SIP/2.0\r\nX-Bytes: \xff\xfe${n}\r\n\r\n`, 'latin1'),
];
const deeds = (n: number) => ({
  phases: [2, 5, PHASES.indexOf('CLOSED')].map((phase, i) => [phase, baseMs + n * 10 + i] as const),
  outcome: {},
  messages: [
    messageChunk(n, texts(n), {
      // Some of different endpoints at the same instant.
      unixMs: [0, 1, 2].map((i) => baseMs + ((n * 37) % 40) * 100 + i * 30),
      sent: [true, false, true],
      method: ['INVITE', 'INVITE', 'BYE'],
      status: [0, n % 3 === 0 ? 486 : 200, 0],
      callId: texts(n).map(() => `call-${n}`),
    }),
  ],
});
await report(run, deeds, true, inChunksOfMany);
const endpoints = await everyPage(run, 'listTestRunEndpoints');
const numbers = new Map(endpoints.map((e, n) => [e.id, n]));
/** Every n-th instant of a list. */
const instants = (rows: readonly { at: string }[], every: number) =>
  rows.filter((_, i) => i % every === 0).map((r) => r.at);
/** Filters whose span does not end before it starts. */
const spans = <T extends { from?: string | undefined; to?: string | undefined }>(
  filters: {
    [K in keyof T]: fc.Arbitrary<T[K]>;
  },
): fc.Arbitrary<T> => fc.record(filters).filter(({ from, to }) => from === undefined || to === undefined || from <= to);

t.test('events by filter, in order of time', async (t) => {
  const all = await everyPage(run, 'listTestRunEvents');
  t.equal(all.length, 4 + 3 * 2 * CALLS, 'statuses of the run, phases of its endpoints');
  t.same(
    all.map((e) => e.at),
    all.map((e) => e.at).sort(),
  );
  const filters = spans({
    endpoint_id: optional(endpoints.slice(0, 3).map((e) => e.id)),
    kind: optional(['STATUS', 'PHASE']),
    text: optional(['call', 'CLOSED', 'ing', '%', '_', 'nowhere']),
    from: optional(instants(all, 50)),
    to: optional(instants(all.slice(25), 50)),
  });
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 7, max: 100 }), async (filter, perPage) => {
      const { endpoint_id, kind, text, from, to } = filter;
      const expected = all.filter(
        (e) =>
          (endpoint_id === undefined || e.endpointId === endpoint_id) &&
          (kind === undefined || e.kind === kind) &&
          (text === undefined || e.detail.toLowerCase().includes(text.toLowerCase())) &&
          (from === undefined || e.at >= from) &&
          (to === undefined || e.at < to),
      );
      const given = JSON.parse(JSON.stringify(filter)) as ReadQuery;
      t.same(await everyPage(run, 'listTestRunEvents', given, perPage), expected, JSON.stringify(filter));
    }),
    { numRuns: 40 },
  );
  await t.rejects(list(run, 'listTestRunEvents', { endpoint_id: randomUUID() }), { code: 'NOT_FOUND' });
  for (const bad of [
    { kind: 'X' },
    { from: 'yesterday' },
    { to: '2026-02-30T00:00:00Z' },
    { text: '' },
    { text: 'x\0y' },
  ]) {
    await t.rejects(list(run, 'listTestRunEvents', bad as unknown as ReadQuery), JSON.stringify(bad));
  }
});

t.test('messages by filter and by text, in order of time', async (t) => {
  const all = await everyPage(run, 'listTestRunMessages');
  t.equal(all.length, 3 * 2 * CALLS);
  t.same(
    all.map((m) => m.at),
    all.map((m) => m.at).sort(),
  );
  const textOf = (m: Output<'listTestRunMessages'>): string => {
    const text = texts(numbers.get(m.endpointId ?? '') as number)[Number(m.id.split('-')[1])] as string | Buffer;
    return typeof text === 'string' ? text : text.toString('latin1');
  };
  const filters = spans({
    endpoint_id: optional(endpoints.slice(0, 3).map((e) => e.id)),
    call_id: optional(['call-0', 'call-1', 'call-2', 'call']),
    method: optional(['INVITE', 'BYE', 'FOO']),
    status: optional(['486', '4xx', '2XX', '200', '5xx']),
    direction: optional(['SENT', 'RECEIVED']),
    text: optional(['sip/2.0', 'Busy', 'GRÜSSE 3', 'grüße 3', '<7', 'ÿþ', 'nowhere']),
    from: optional(instants(all, 80)),
    to: optional(instants(all.slice(40), 80)),
  });
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 7, max: 100 }), async (filter, perPage) => {
      const { endpoint_id, call_id, method, status, direction, text, from, to } = filter;
      const expected = all.filter(
        (m) =>
          (endpoint_id === undefined || m.endpointId === endpoint_id) &&
          (call_id === undefined || m.callId === call_id) &&
          (method === undefined || m.method === method) &&
          (status === undefined || new RegExp(`^${status.replace(/x/gi, '\\d')}$`).test(String(m.statusCode))) &&
          (direction === undefined || m.direction === direction) &&
          (text === undefined || textOf(m).toLowerCase().includes(text.toLowerCase())) &&
          (from === undefined || m.at >= from) &&
          (to === undefined || m.at < to),
      );
      const given = JSON.parse(JSON.stringify(filter)) as ReadQuery;
      t.same(await everyPage(run, 'listTestRunMessages', given, perPage), expected, JSON.stringify(filter));
    }),
    { numRuns: 100 },
  );
  for (const bad of [
    { status: '7xx' },
    { status: '48x' },
    { direction: 'IN' },
    { text: 'x'.repeat(201) },
    { text: '\0' },
    { call_id: 'x\0' },
  ]) {
    await t.rejects(list(run, 'listTestRunMessages', bad as unknown as ReadQuery), JSON.stringify(bad));
  }

  await t.test('one with its text', async (t) => {
    for (const m of all.filter((_, i) => i % 17 === 0)) {
      const one = await single(run, 'getTestRunMessage', { messageId: m.id });
      t.match(one, m);
      t.same([one.text, one.encoding], [textOf(m), m.method === 'BYE' ? 'latin1' : 'utf8']);
    }
    for (const messageId of ['0-99', '99999999-0', 'x', '0', '-1-0', '9999999999-0', '0-0\0']) {
      await t.rejects(single(run, 'getTestRunMessage', { messageId }), { code: 'NOT_FOUND' }, messageId);
    }
  });
});

t.test('what was stored by endpoint reads as before', async (t) => {
  const textsOf = async (of: typeof run) => {
    const all = await everyPage(of, 'listTestRunMessages');
    return Promise.all(
      all.map(async ({ id }) => [id, (await single(of, 'getTestRunMessage', { messageId: id })).text]),
    );
  };
  const before = await begin();
  await report(before, deeds);
  await db.updateTable('sip_messages').set({ chunk_endpoint: null }).where('run_id', '=', before.runId).execute();
  t.same(await textsOf(before), await textsOf(run));
  const asked = { text: 'grüße 3' };
  const { rows } = await list(before, 'listTestRunMessages', asked);
  t.same(
    rows.map((m) => m.id),
    (await list(run, 'listTestRunMessages', asked)).rows.map((m) => m.id),
  );
  const chunks = (of: typeof run) =>
    db.selectFrom('sip_chunks').where('run_id', '=', of.runId).select('endpoint_number').execute();
  t.equal((await chunks(before)).length, 2 * CALLS);
  const own = (await chunks(run)).length;
  t.ok(own < CALLS, `${own} chunks of many`);
});

t.test('what cannot be unpacked is said, and is no obstacle', async (t) => {
  const run = await begin();
  const invite = 'INVITE sip:a@b SIP/2.0\r\n\r\n';
  const chunks = [
    messageChunk(0, [invite], { text: Buffer.from('no zstd at all') }),
    messageChunk(1, [invite + 'x'.repeat(2 * 1024 * 1024)]),
    messageChunk(2, [invite]),
    messageChunk(3, ['INVITE'], { length: [4_000_000] }),
  ];
  await report(run, (n) => ({ outcome: {}, messages: chunks.filter((c) => c.endpoint[0] === n) }));
  const unpacked = [];
  for (const n of [0, 1, 2, 3]) unpacked.push((await single(run, 'getTestRunMessage', { messageId: `${n}-0` })).text);
  t.same(unpacked, [null, null, invite, 'INVITE']);
  const found = await list(run, 'listTestRunMessages', { text: 'invite' });
  t.equal(found.total, 2);
  t.same(found.search, { scanned: 4, limit: MAX_MESSAGES, complete: true, until: null });
});

t.test('a search stops at its bound, says so, and goes on from there', async (t) => {
  const run = await begin();
  await report(run, (n) => ({ outcome: {}, messages: n === 0 ? [messageChunk(0, ['needle', 'hay'])] : [] }));
  const more = 5000;
  // Every hundredth message matches; a millisecond apart.
  await sql`
    insert into sip_messages (run_id, endpoint_number, number, chunk, "offset", length, at, sent, method, status,
      retransmission, peer, call_id)
    select ${run.runId}::uuid, 0, 10 + i, 0, case when i % 100 = 0 then 0 else 6 end, case when i % 100 = 0 then 6 else 3 end,
      timestamptz '2026-01-01 00:00Z' + i * interval '1 ms', true, 'INFO', 0, false, '', 'many'
    from generate_series(0, ${MAX_MESSAGES + more - 1}) i`.execute(db);
  const search = (given: ReadQuery) => list(run, 'listTestRunMessages', { text: 'needle', call_id: 'many', ...given });
  const beganMs = performance.now();
  const first = await search({});
  t.comment(`${MAX_MESSAGES} messages searched in ${Math.round(performance.now() - beganMs)} ms`);
  t.equal(first.total, MAX_MESSAGES / 100);
  t.match(first.search, { scanned: MAX_MESSAGES, limit: MAX_MESSAGES, complete: false });
  const until = first.search?.until ?? '';
  t.equal(Date.parse(until), Date.UTC(2026, 0, 1) + MAX_MESSAGES - 1);
  const second = await search({ from: until });
  t.same([second.total, second.search?.complete, second.search?.scanned], [more / 100, true, more + 1]);
  t.same([(await search({ page: 8 })).rows.length, (await search({ page: 9 })).rows.length], [25, 0]);
});

t.test('counts of a run are the lengths of its lists, however often a batch comes, until the details go', async (t) => {
  const run = await begin();
  const agree = async (what: string) => {
    const { counts } = await single(run, 'getTestRun');
    const events = (await everyPage(run, 'listTestRunEvents')).length;
    const sipMessages = (await everyPage(run, 'listTestRunMessages')).length;
    t.same(counts, { events, sipMessages }, what);
    const since = { from: '2000-01-01T00:00:00+02:00' };
    t.equal((await list(run, 'listTestRunEvents', since)).total, events, `${what}: events counted one by one`);
    t.equal((await list(run, 'listTestRunMessages', since)).total, sipMessages, `${what}: messages counted one by one`);
    return counts;
  };
  await agree('at the start');
  const [order] = run.orders[0] ?? [];
  const [number = 0, other = 0] = order?.endpoints.number ?? [];
  const phases = { endpoint: [number, number], phase: [2, 3], unixMs: [Date.now(), Date.now()] };
  const messages = [inOneChunk([messageChunk(number, ['a', 'b']), messageChunk(other, ['c'])])];
  const facts = { allocations: [allocationFacts(order?.allocationId ?? '', { phases, messages })] };
  await agents[0].send(facts);
  const once = await agree('after a batch');
  await agents[0].send(facts);
  const twice = await agree('after the same messages in another batch');
  t.same([once.sipMessages, twice.sipMessages], [3, 3]);
  await report(run, () => ({ outcome: {} }));
  const ended = await agree('at the end');
  t.ok(ended.events > 0 && ended.sipMessages > 0);
  world.pass(40 * 86_400);
  await retain(world.ports);
  t.same(await agree('after the retention'), { events: 0, sipMessages: 0 });
  const { progress, callTiming } = await single(run, 'getTestRun');
  t.same([progress.phases.CLOSED, callTiming.totalCalls], [2 * CALLS, CALLS], 'figures stay');
});

t.test('windows of requests that are over go', async (t) => {
  const nowMs = world.ports.now().getTime();
  const key = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const windows = [0, 60_000, 300_000, 86_400_000].map((agoMs) => ({
    credential_id: key.id,
    window_start: new Date(nowMs - agoMs),
    requests: 1,
  }));
  await db.insertInto('rate_windows').values(windows).execute();
  await retain(world.ports);
  t.equal((await db.selectFrom('rate_windows').selectAll().execute()).length, 2);
});
