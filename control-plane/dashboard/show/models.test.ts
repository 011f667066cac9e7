/** What pages compute before they are drawn: accounts from CSV, both legs of a call, SDP against its offer, tests as YAML. */

import { LOAD_SHAPES } from '@carillon/proto/load/shapes/shapes.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { RequestFailed } from '../../contract/call.ts';
import type { Timeline } from '../../contract/run/timeline.ts';
import { Load as LoadSchema } from '../../contract/test-settings/load.ts';
import type { RunStatus } from '../../contract/words.ts';
import { shownUnit } from './basics/figures.ts';
import { type CallEnding, calledWords, endingWords } from './call/call-words.ts';
import { listQueryOf, neighboursOf, pagesAround, placedQueryOf, placeOf } from './call/endpoint-search.ts';
import { clockBounds, type LadderMessage, ladderOf, offerOf } from './call/ladder-model.ts';
import { clockWords, pairWords } from './call/pair-words.ts';
import { sdpDifference, sdpOf } from './call/sdp.ts';
import { causeWords } from './heard/finding-words.ts';
import { callIdIn, foundEntries, idIn, numberIn, type PaletteEntry } from './palette/palette-model.ts';
import { foundWords, type RunSeen, resultTextOf } from './run/result/run-result.ts';
import { isShownFirst, marksOf } from './run/timeline/timeline.ts';
import { readAccounts } from './sip-accounts/csv.ts';
import { inShape, readLoad, withLength } from './test-form/drafts/load-draft.ts';
import { type Draft, EMPTY } from './test-form/drafts/test-draft.ts';
import { FIRST_VIDEO } from './test-form/drafts/track-draft.ts';
import { curveOf } from './test-form/preview/load-curve.ts';
import { type LoadEstimate, planOf } from './test-form/preview/plan.ts';
import { asTest, faultsOf, type Names, readTest, yamlOf } from './test-form/test-yaml.ts';

t.test('a chart of a fraction is in percent, and says so', async (t) => {
  t.same(['fraction', '%', 'ms', 'packets/s', 'MOS', 'R'].map(shownUnit), [
    { unit: '%', factor: 100 },
    { unit: '%', factor: 1 },
    { unit: 'ms', factor: 1 },
    { unit: 'packets/s', factor: 1 },
    { unit: '', factor: 1 },
    { unit: '', factor: 1 },
  ]);
});

t.test('every line of a CSV file is an account or a fault', async (t) => {
  const field = fc.string({ minLength: 1, maxLength: 12 }).filter((s) => s.trim() === s && !s.includes('\r'));
  const user = fc.stringMatching(/^[a-z0-9.]{1,10}$/).filter((s) => !/^(user|login|account|extension)$/.test(s));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ user, password: field }), { selector: (r) => r.user, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      (rows, separator, end) => {
        const text = rows.map((r) => `${quoted(r.user)}${separator}${quoted(r.password)}${end}`).join('');
        const read = readAccounts(text);
        t.same(read.faults, []);
        t.same(
          read.accounts.map((a) => [a.username, a.password]),
          rows.map((r) => [r.user, r.password]),
        );
      },
    ),
    { numRuns: 50 },
  );
  const told = (text: string) => readAccounts(text).faults.map((f) => f.line);
  const cases: [string, number, number[]][] = [
    ['1001,a\n1002,b', 2, []],
    ['\uFEFFUsername,Password\n1001,a', 1, []],
    ['password;user\nx;1001', 1, []],
    ['1001,a\n\n1001,b\n', 1, [3]],
    ['1001,"a\n1002,b', 1, [1]],
    ['1001,"a"x\n1002,b', 1, [1]],
    ['1001,"two\nlines"\n1002', 1, [3]],
    [',a\n10 01,b', 0, [1, 2]],
    ['', 0, []],
  ];
  for (const [text, accounts, faults] of cases) {
    t.equal(readAccounts(text).accounts.length, accounts, JSON.stringify(text));
    t.same(told(text), faults, JSON.stringify(text));
  }
});

t.test('columns of a CSV file are what its first line names, and the others are values', async (t) => {
  const [first, second] = readAccounts(
    'Auth Name;user;Caller ID;display name;the pin;ha1;empty\na1;1001;+49;Zoë;"4;7";0123456789abcdef0123456789abcdef;\n;1002;;;;;x\n',
  ).accounts;
  const ha1 = '0123456789abcdef0123456789abcdef';
  const whole = {
    username: '1001',
    authName: 'a1',
    number: '+49',
    displayName: 'Zoë',
    ha1,
    values: { 'the pin': '4;7' },
  };
  t.same(first, { line: 2, ...whole });
  t.same(second, { line: 3, username: '1002', values: { empty: 'x' } }, 'what is empty is not there');
  t.same(readAccounts('SEQUENTIAL\n1001;p;+49;12\n').accounts, [
    { line: 2, username: '1001', password: 'p', values: { field2: '+49', field3: '12' } },
  ]);
  const faults = (text: string) => readAccounts(text).faults.map(({ line, message }) => `${line} ${message}`);
  t.match(faults('user,password,9th\n1001,p,x'), [/2 the column "9th" needs a name/]);
  t.match(faults('user,pin\n1001,1,2'), [/2 has 3 fields, but the first line names 2/]);
  t.match(faults('user,password,pin\n1001'), [/2 has no password/]);
  t.same(faults('user,pin\n1001,1'), [], 'over a trunk a password is not always needed');
  t.same(faults('user,password,number,Caller ID\n1001,p,+1,+2'), [
    '1 "number" and "Caller ID" are both the number: leave one out',
  ]);
  t.same(faults('user,password,pin,pin\n1001,p,1,2'), ['1 two columns are called "pin": give each a different name']);
  t.same(readAccounts('user,password,pin,pin\n1001,p,1,2').accounts, [], 'of which column is not guessed');
  t.same(readAccounts('user,password,,\n1001,p,,\n').accounts.length, 1, 'columns without name and content are none');
  t.match(faults('user,password,__proto__\n1001,p,x'), [/2 the column "__proto__" needs a name/]);
  t.equal(
    readAccounts('\uFEFFSEQUENTIAL\n1001;p;+49\n').accounts[0]?.username,
    '1001',
    'SIPp, by way of a spreadsheet',
  );
  t.match(faults('SEQUENTIAL,PRINTF=9\n1%03d;p\n'), [/1 PRINTF: SIPp makes rows of such a file/]);
  t.same(
    readAccounts('user,password\r1001,p\r1002,q\r').accounts.map((a) => a.username),
    ['1001', '1002'],
    'lines may end with CR',
  );
});

let n = 0;
const message = (
  endpointId: string,
  direction: 'SENT' | 'RECEIVED',
  what: string,
  more: Partial<LadderMessage> = {},
) => {
  const [method = '', status] = what.split(' ');
  n++;
  return {
    id: String(n),
    at: new Date(n * 10).toISOString(),
    endpointId,
    direction,
    method,
    statusCode: status === undefined ? null : Number(status),
    retransmission: false,
    peer: '192.0.2.1:5060',
    callId: 'c',
    lengthBytes: 500,
    ...more,
  } satisfies LadderMessage;
};

t.test('both legs of a call in one ladder', async (t) => {
  const direct = [
    message('a', 'SENT', 'INVITE', { peer: 'b:1' }),
    message('b', 'RECEIVED', 'INVITE', { peer: 'a:1' }),
    message('b', 'SENT', 'INVITE 200', { peer: 'a:1' }),
    message('a', 'RECEIVED', 'INVITE 200', { peer: 'b:1' }),
    message('a', 'SENT', 'ACK', { peer: 'b:1' }),
  ];
  const two = ladderOf(direct, { caller: 'a', callee: 'b' });
  t.same(
    two.columns.map((c) => c.title),
    ['Caller', 'Callee'],
  );
  t.same(
    two.rungs.map((r) => [r.message.method, r.from, r.to, r.seen !== null, r.deltaMs]),
    [
      ['INVITE', 0, 1, true, null],
      ['INVITE', 1, 0, true, 20],
      ['ACK', 0, 1, false, 20],
    ],
    'one rung for what both saw',
  );
  const proxied = direct.map((m, i) => ({ ...m, peer: 'pbx:5060', lengthBytes: 500 + i }));
  const three = ladderOf(proxied, { caller: 'a', callee: 'b' });
  t.same(
    three.columns.map((c) => c.title),
    ['Caller', 'pbx:5060', 'Callee'],
  );
  t.same(
    three.rungs.map((r) => [r.from, r.to]),
    [
      [0, 1],
      [1, 2],
      [2, 1],
      [1, 0],
      [0, 1],
    ],
  );
  const apart = direct.map((m, i) => ({ ...m, lengthBytes: i, callId: m.endpointId ?? '' }));
  t.equal(ladderOf(apart, { caller: 'a', callee: 'b' }).columns.length, 4, 'a back-to-back agent with two addresses');
  const alone = ladderOf(
    direct.filter((m) => m.endpointId === 'b'),
    { caller: null, callee: 'b' },
  );
  t.same(
    alone.rungs.map((r) => [r.from, r.to]),
    [
      [0, 1],
      [1, 0],
    ],
  );
  t.equal(offerOf(direct[3] as LadderMessage, direct)?.id, direct[0]?.id, 'the INVITE of a 200');
  t.equal(offerOf(direct[4] as LadderMessage, direct)?.id, direct[3]?.id, 'the 200 of an ACK');
  t.equal(offerOf(direct[0] as LadderMessage, direct), null);
});

t.test('how far two clocks differ, as far as the messages of a call tell', async (t) => {
  type Row = readonly [endpoint: string, ms: number, direction: 'SENT' | 'RECEIVED', method: string, status?: number];
  const bounds = (rows: readonly Row[]) =>
    clockBounds(
      rows.map(([endpointId, ms, direction, method, statusCode = null], i) => ({
        ...{ id: String(i), at: new Date(ms).toISOString(), endpointId, direction, method, statusCode },
        ...{ retransmission: false, peer: 'pbx', callId: endpointId, lengthBytes: 1 },
      })),
      { caller: 'a', callee: 'b' },
    );
  const called: Row[] = [
    ['a', 1000, 'SENT', 'INVITE'],
    ['b', 1030, 'RECEIVED', 'INVITE'],
  ];
  const answered: Row[] = [
    ['b', 1100, 'SENT', 'INVITE', 200],
    ['a', 1110, 'RECEIVED', 'INVITE', 200],
  ];
  t.same(bounds([...called, ...answered]), { leastMs: -10, mostMs: 30 });
  const ended: Row[] = [
    ['a', 2000, 'SENT', 'BYE'],
    ['b', 2005, 'RECEIVED', 'BYE'],
  ];
  t.same(bounds([...called, ...answered, ...ended]), { leastMs: -10, mostMs: 5 }, 'each message narrows it');
  t.equal(bounds(called), null);
  t.equal(
    bounds([...called, ['a', 1020, 'RECEIVED', 'INVITE', 200], ['b', 1100, 'SENT', 'INVITE', 200]]),
    null,
    'the server answered by itself',
  );
  t.match(clockWords({ leastMs: -10, mostMs: 5 }), 'between −10 ms and +5 ms');
  t.match(clockWords(null), 'do not show');
  t.match(pairWords({ grounds: ['CALLED_NUMBER', 'TIME'] }), /^Deduced.*number that the caller dialed; both/);
});

t.test('SDP compared with its offer', async (t) => {
  const body = 'v=0\r\no=- 1\r\nm=audio 1\r\n';
  t.same(sdpOf(`INVITE sip:b SIP/2.0\r\nTo: b\r\n\r\n${body}`), ['v=0', 'o=- 1', 'm=audio 1']);
  t.equal(sdpOf('BYE sip:b SIP/2.0\r\n\r\n'), null);
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (offer, answer) => {
      const difference = sdpDifference(offer, answer);
      const of = (is: string) => difference.filter((l) => l.is === 'SAME' || l.is === is).map((l) => l.text);
      t.same([of('OFFER'), of('ANSWER')], [offer, answer], 'both can be read off it');
    }),
    { numRuns: 100 },
  );
});

t.test('a test as YAML, and back', async (t) => {
  const names: Names = {
    registrars: new Map([['r1', 'pbx']]),
    workers: new Map([['w1', 'berlin-1']]),
    accounts: new Map(),
    mediaFiles: new Map([['m1', 'greeting.wav']]),
  };
  const text = `name: Calls
durationSeconds: 5
groups:
  - name: callers
    registrar: pbx
    callee: { mode: EXTERNAL_URI, uri: "sip:1@b.example" }
    placement: { mode: WORKERS, workers: [berlin-1] }
    mediaTracks: [{ kind: AUDIO, source: FILE, mediaFile: greeting.wav }]
    signalling: { correlate: false, ringSeconds: 2 }
    subPopulations: [{ name: all, role: CALLER, endpoints: 2, sipAccountIds: [x] }]
`;
  const read = readTest(text, names);
  t.notOk('faults' in read);
  if ('faults' in read) return;
  const [group] = read.body.groups;
  t.match(group, { registrarId: 'r1', placement: { workerIds: ['w1'] }, mediaTracks: [{ mediaFileId: 'm1' }] });
  const again = readTest(yamlOf(asTest(read.body, null), names), names);
  t.match(again, { body: { ...read.body, groups: [{ ...group }] } }, 'what is written is read the same');
  const refused = new RequestFailed(422, 'VALIDATION_ERROR', '', [
    { path: 'groups[0].registrarId', message: 'a' },
    { path: 'groups[0].mediaTracks[0].source', message: 'b' },
    { path: 'groups[0].dtmf.digits', message: 'c' },
  ]);
  t.same(
    faultsOf(refused, read.yaml).map((f) => [f.line, f.path]),
    [
      [5, 'groups[0].registrar'],
      [8, 'groups[0].mediaTracks[0].source'],
      [4, 'groups[0].dtmf.digits'],
    ],
  );
  const lines = (text: string) => {
    const found = readTest(text, names);
    return 'faults' in found ? found.faults.map((f) => f.line) : [];
  };
  t.same(lines('a: [1\nb: 2'), [2].slice(0, lines('a: [1\nb: 2').length));
  t.same(lines('groups:\n  - registrar: nowhere'), [2]);
  t.same(lines('- 1'), [1]);
});

t.test('what a load comes to, and in another shape', async (t) => {
  const lasting = { ...EMPTY, endpoints: 40, callsEach: null, durationSeconds: 10, ownCallees: false };
  const held = (length: object) => ({ shape: 'CONCURRENCY' as const, callsPerSecond: 50, ...length });
  const steps = [
    { callsPerSecond: 2, seconds: 30 },
    { callsPerSecond: 8, seconds: 30 },
  ];
  const cases: [Partial<Draft>, Partial<LoadEstimate>][] = [
    [
      { callsEach: 1, endpoints: 10 },
      { calls: 10, isAbout: false, seconds: 5, concurrentCalls: 10, lastsSeconds: 15 },
    ],
    [
      { load: { shape: 'RATE', callsPerSecond: 2, seconds: 600 } },
      { calls: 1200, isAbout: false, concurrentCalls: 20, droppedPercent: 0, lastsSeconds: 610 },
    ],
    [
      { load: { shape: 'RATE', callsPerSecond: 20, seconds: 600 } },
      { calls: 12_000, concurrentCalls: 40, neededAtOnce: 200, droppedPercent: 80 },
    ],
    [{ load: { shape: 'POISSON', callsPerSecond: 4, seconds: 60, seed: 1 } }, { calls: 240, isAbout: true }],
    [{ load: { shape: 'STEPS', steps } }, { calls: 300, seconds: 60, perSecond: 8, droppedPercent: 50 }],
    [{ load: held({ seconds: 600 }) }, { calls: 2400, isAbout: true, seconds: 600, concurrentCalls: 40 }],
    [{ load: held({ calls: 400 }) }, { calls: 400, isAbout: false, seconds: 100, droppedPercent: 0 }],
    [
      { load: held({}), callsEach: 3 },
      { calls: 120, isAbout: false, seconds: 30 },
    ],
    [{ load: { shape: 'RATE', callsPerSecond: 4 } }, { calls: null, lastsSeconds: null, atMostSeconds: null }],
    [{ load: { shape: 'RATE', callsPerSecond: 4 }, maxExecutionSeconds: 90 }, { atMostSeconds: 90 }],
    [
      { callsEach: 1, group: { ...EMPTY.group, answerTimeoutSeconds: 20 } },
      { lastsSeconds: 15, atMostSeconds: 95 },
    ],
    [
      { callsEach: 1, video: FIRST_VIDEO },
      { concurrentCalls: 40, ports: 160 },
    ],
    [{ callsEach: 1, group: { ...EMPTY.group, rtcpMux: true } }, { ports: 40 }],
  ];
  for (const [draft, told] of cases) t.match(planOf({ ...lasting, ...draft }), told, JSON.stringify(draft));

  for (const shape of ['RATE', 'POISSON', 'STEPS', 'CONCURRENCY'] as const) {
    const many = inShape(EMPTY, shape);
    t.match(many, { load: { shape }, callsEach: null });
    t.equal(planOf({ ...lasting, ...EMPTY, ...many }).droppedPercent, 0, `${shape}: enough endpoints are suggested`);
    t.match(inShape({ ...lasting, ...many }, 'BUILDUP'), { load: { shape: 'BUILDUP' }, callsEach: 1 });
  }
  const rate = { shape: 'RATE' as const, callsPerSecond: 5 };
  t.same(withLength({ ...rate, seconds: 20 }, 'CALLS'), { ...rate, calls: 100 });
  t.same(withLength({ ...rate, calls: 100 }, 'SECONDS'), { ...rate, seconds: 20 });
  t.same(withLength({ ...rate, calls: 100 }, 'ENDPOINTS'), rate);
  t.equal(readLoad({ shape: 'STEPS', steps: [{ seconds: 1 }] } as never), null, 'somebody wrote half of one');
});

t.test('what a form suggests for a shape is a load that the API takes, whose calls have an end', async (t) => {
  for (const from of LOAD_SHAPES)
    for (const shape of LOAD_SHAPES) {
      const draft = { ...EMPTY, ...inShape({ ...EMPTY, ...inShape(EMPTY, from) }, shape) };
      t.ok(LoadSchema.safeParse(draft.load).success, `${from} to ${shape}`);
      t.same(readLoad(draft.load), draft.load);
      t.ok((curveOf(draft)?.atOnce.length ?? 0) > 1, shape);
    }
});

t.test('the curve of a long wave does not hide its crests', async (t) => {
  const load = { shape: 'SINE', fromCallsPerSecond: 10, toCallsPerSecond: 20, periodSeconds: 60 } as const;
  const of = (seconds: number) =>
    curveOf({ ...EMPTY, load: { ...load, seconds }, endpoints: 150, durationSeconds: 10, callsEach: null });
  for (const seconds of [240, 14_390]) {
    const curve = of(seconds);
    t.ok(Math.abs((curve?.lacking ?? 0) - 47) < 1, `${seconds} s: ${curve?.lacking} endpoints are lacking`);
  }
  const long = of(14_390)?.perSecond.slice(0, -3) ?? [];
  t.ok(
    long.every((rate) => Math.abs(rate - 15) < 0.01),
    'a wave finer than the drawing is drawn as its mean',
  );
});

t.test('what a run came to is told by what happened in it, not by that it ended', async (t) => {
  const of = (more: object): NonNullable<RunSeen['result']> => ({
    calls: 40,
    successful: 40,
    failed: 0,
    answeredFailed: 0,
    failures: 0,
    findings: [],
    verdict: 'VALID',
    passed: null,
    health: null,
    ...more,
  });
  const cases: [RunStatus, ReturnType<typeof of> | null, string, string | null][] = [
    ['COMPLETED', of({}), 'good', '40 of 40 calls good'],
    ['COMPLETED', of({ successful: 39, failed: 1, failures: 1 }), 'warn', '39 of 40 calls good'],
    ['COMPLETED', of({ successful: 20, failed: 20, failures: 20 }), 'bad', '20 of 40 calls good'],
    ['COMPLETED', of({ successful: 0, failed: 40, failures: 40 }), 'bad', '0 of 40 calls good'],
    [
      'COMPLETED',
      of({ successful: 30, failed: 10, answeredFailed: 7, failures: 10 }),
      'warn',
      '30 of 40 calls good, 7 answered, but with a fault, 3 not answered',
    ],
    // Whether it passed is shown beside it, in a separate mark.
    ['COMPLETED', of({ passed: true }), 'good', '40 of 40 calls good'],
    ['COMPLETED', of({ passed: false }), 'bad', '40 of 40 calls good'],
    ['COMPLETED', of({ verdict: 'SUSPECT' }), 'warn', '40 of 40 calls good, figures suspect'],
    ['COMPLETED', of({ verdict: 'VOID' }), 'bad', '40 of 40 calls good, figures void'],
    [
      'COMPLETED',
      of({ calls: 10, successful: 10, failures: 30 }),
      'bad',
      '10 of 10 calls good, 30 endpoints never called',
    ],
    ['COMPLETED', of({ calls: 0, successful: 0, failures: 40 }), 'bad', '40 endpoints never called'],
    ['COMPLETED', of({ calls: 0, successful: 0 }), 'none', 'no call'],
    // A probe's thresholds know more: a call with bad audio, a refusal that was expected.
    ['COMPLETED', of({ calls: 1, successful: 1, health: 'UNHEALTHY' }), 'bad', '1 of 1 call good, unhealthy'],
    ['COMPLETED', of({ calls: 0, successful: 0, health: 'HEALTHY' }), 'good', 'healthy'],
    ['COMPLETED', null, 'none', null],
    ['FAILED', of({ successful: 12, failed: 28, failures: 28 }), 'bad', '12 of 40 calls good'],
    ['CANCELLED', of({ successful: 12, failed: 28 }), 'none', '12 of 40 calls good'],
    ['RUNNING', null, 'accent', null],
  ];
  for (const [status, result, tone, words] of cases)
    t.same(resultTextOf({ status, result, endpoints: 40 }), { tone, words }, `${status} ${JSON.stringify(result)}`);

  const found = (findings: NonNullable<RunSeen['result']>['findings']) =>
    foundWords({ status: 'COMPLETED', result: of({ findings }), endpoints: 40 });
  t.equal(found([]), null);
  t.equal(found([{ finding: 'NO_MEDIA', count: 12 }]), 'No audio came (12)');
  t.equal(
    found([
      { finding: 'NO_MEDIA', count: 12 },
      { finding: 'MEDIA_GAP', count: 3 },
      { finding: 'ENDED_EARLY', count: 1 },
    ]),
    'No audio came (12) · Audio was interrupted (3) · 1 other fault',
  );
});

t.test('a called address is a number at a host', async (t) => {
  const cases: readonly (readonly [uri: string, number: string, host: string])[] = [
    ['sip:+49301@pbx.example', '+49301', 'pbx.example'],
    ['sips:+49301@pbx.example:5061;transport=tls', '+49301', 'pbx.example:5061'],
    ['sip:+49301;phone-context=x@192.0.2.1', '+49301', '192.0.2.1'],
    ['SIP:a@b@[2001:db8::1]:5060?subject=x', 'a@b', '[2001:db8::1]:5060'],
    ['sip:pbx.example;lr', 'pbx.example', ''],
    ['tel:+49301;ext=7', '+49301', ''],
    ['', '', ''],
  ];
  for (const [uri, number, host] of cases) t.same(calledWords(uri), { number, host }, uri);
});

t.test('a call in a list says what became of it, and why', async (t) => {
  const none = { outcome: null, failure: null, finalStatus: null };
  const failure = {
    cause: 'REJECTED',
    party: 'network',
    sipStatus: 503,
    reason: 'Service Unavailable',
    q850: 34,
  } as const;
  const cases: readonly (readonly [CallEnding, string, string, string])[] = [
    [{ ...none, outcome: 'SUCCESS', finalStatus: 200, finalReason: 'OK' }, 'good', 'Success', '200 OK'],
    [{ ...none, outcome: 'SUCCESS' }, 'good', 'Success', ''],
    [{ ...none, phase: 'RINGING', finalStatus: null }, 'accent', 'Ringing', ''],
    [
      { outcome: 'CALL_FAILED', failure, finalStatus: 503 },
      'bad',
      '503 Service Unavailable',
      'Q.850 cause 34: No circuit available · caused by the network',
    ],
    [
      {
        outcome: 'CALL_FAILED',
        failure: { ...failure, sipStatus: null, q850: null, cause: 'TIMEOUT' },
        finalStatus: null,
      },
      'bad',
      causeWords('TIMEOUT'),
      'caused by the network',
    ],
    [
      {
        outcome: 'CALL_FAILED',
        failure: { ...failure, sipStatus: null, q850: null, cause: 'NO_AUDIO' },
        finalStatus: 200,
        finalReason: 'OK',
      },
      'bad',
      causeWords('NO_AUDIO'),
      '200 OK · caused by the network',
    ],
  ];
  for (const [ending, tone, title, why] of cases) t.same(endingWords(ending), { tone, title, why }, title);
});

t.test('a call has its neighbours of the list, by its place or where the list has moved it', async (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: -1, max: 1 }),
      (ids, any, perPage, moved) => {
        const n = any % ids.length;
        const at = Math.max(0, n + moved);
        const pages = pagesAround(at, perPage);
        t.ok(pages.length <= 3 && pages.every((page) => page >= 0));
        const within = pages.flatMap((page) => Array.from({ length: perPage }, (_, i) => page * perPage + i));
        const rowAt = (i: number) => {
          const id = within.includes(i) ? ids[i] : undefined;
          return id === undefined ? undefined : { id };
        };
        const found = neighboursOf(rowAt, { at, id: ids[n] as string, within });
        t.equal(found?.at, n);
        // A moved call may be at the edge of what is known; one at its place knows both neighbours.
        if (moved !== 0) return;
        t.same([found?.previous?.id, found?.next?.id], [ids[n - 1], ids[n + 1]]);
      },
    ),
  );
  t.equal(
    neighboursOf(() => undefined, { at: 3, id: 'a', within: [2, 3, 4] }),
    null,
    'it has left the list',
  );
  const places: readonly (readonly [string | undefined, number | null])[] = [
    ['0', 0],
    ['17', 17],
    ['-1', null],
    ['x', null],
    ['', null],
    [undefined, null],
  ];
  for (const [text, place] of places) t.equal(placeOf({ at: text }), place);
  t.equal(listQueryOf({ at: '3', in: 'project', number: '+49 1', callId: undefined }), '?number=%2B49+1');
  t.equal(listQueryOf({ at: '3' }), '');
  t.equal(placedQueryOf({ in: 'project', at: '3', type: 'CALLER' }, 0), '?in=project&at=0&type=CALLER');
});

t.test('marks of a run are those of its time, numbered, and one where several happened together', async (t) => {
  const from = '2026-11-28T20:00:00.000Z';
  const mark = (at: string, kind: 'LOAD' | 'BREAKER' | 'WORKER', detail: string) => ({ at, kind, detail });
  const timeline = { from, steps: 12, resolutionSeconds: 5 } as Timeline;
  const words = (marks: Timeline['marks']) =>
    marksOf({ ...timeline, marks }).map(({ label, at, words }) => [
      label,
      Math.round(at * 1000) - Date.parse(from),
      words,
    ]);
  t.same(
    words([
      mark('2026-11-28T19:59:59.999Z', 'WORKER', 'a is there'),
      mark('2026-11-28T20:00:10.500Z', 'LOAD', '5 calls/s'),
      mark('2026-11-28T20:00:20.100Z', 'WORKER', 'a went away'),
      mark('2026-11-28T20:00:20.200Z', 'BREAKER', 'half failed: no more calls'),
      mark('2026-11-28T20:00:20.900Z', 'WORKER', 'b went away'),
      mark('2026-11-28T20:00:20.950Z', 'WORKER', 'b went away'),
      mark('2026-11-28T20:01:00.000Z', 'LOAD', 'paused'),
      mark('2026-11-28T20:01:00.001Z', 'LOAD', '6 calls/s'),
    ]),
    [
      ['1', 10_500, 'Load changed: 5 calls/s'],
      ['2', 20_100, 'Agent: a went away; b went away'],
      ['3', 20_200, 'Breaker: half failed: no more calls'],
      ['4', 60_000, 'Load changed: paused'],
    ],
  );
  t.same(marksOf({ ...timeline, from: null, marks: [mark(from, 'LOAD', 'x')] }), [], 'nothing has happened yet');
});

t.test('the charts that are shown at once', async (t) => {
  const none = [0, null, 0];
  const answers = { '2xx': [1], '3xx': none, '4xx': none, '5xx': none, '6xx': none, none };
  const of = (more: object) => {
    const timeline = { answers: { ...answers, ...more } } as unknown as Timeline;
    const titles = [
      'Calls',
      'Calls at once',
      'Free endpoints',
      'Calls dropped',
      'Final responses',
      'Set-up',
      'MOS',
      'MOS (NB)',
    ];
    return [...titles, 'Packet loss'].filter((title) => !isShownFirst(title, timeline));
  };
  t.same(of({}), ['Final responses', 'Packet loss']);
  for (const refused of ['3xx', '4xx', '5xx', '6xx', 'none'])
    t.same(of({ [refused]: [0, 2] }), ['Packet loss'], refused);
});

t.test('the palette finds what has every word, the better ones first', async (t) => {
  const entry = (kind: PaletteEntry['kind'], label: string, detail = ''): PaletteEntry => ({
    kind,
    label,
    detail,
    to: label,
  });
  const all = [
    entry('Documentation', 'Findings'),
    entry('Tests', 'Night load'),
    entry('Tests', 'Load of the front door'),
    entry('Tests', 'Download'),
    entry('Runs', 'Front door', 'Completed · branch=load'),
    entry('Projects', 'Berlin'),
    entry('Pages', 'Runs'),
  ];
  const labels = (text: string) => foundEntries(all, text).map(({ label }) => label);
  t.same(labels('load'), ['Load of the front door', 'Night load', 'Download', 'Front door']);
  t.same(labels('  LOAD  front '), ['Load of the front door', 'Front door']);
  t.same(labels('door night'), []);
  t.same(labels(''), ['Runs', 'Berlin'], 'pages and projects at first');
  const many = Array.from({ length: 50 }, (_, n) => entry('Tests', `Test ${n}`));
  t.equal(foundEntries(many, 'test').length, 6);
  const found = { ...entry('Calls', '+4930, 503 Service Unavailable'), isFound: true as const };
  t.same(foundEntries([found], 'id-7@pbx'), [found], 'the server has compared it');
});

t.test('what a text asks for among calls', async (t) => {
  const cases: readonly (readonly [text: string, number: string | null, callId: string | null])[] = [
    ['+49 (30) 1234-5', '+493012345', null],
    ['110', '110', null],
    ['12', null, null],
    ['4930901820', '4930901820', '4930901820'],
    [' t53x8vCtZ4Id2@192.0.2.1 ', null, 't53x8vCtZ4Id2@192.0.2.1'],
    ['front door', null, null],
    ['Findings', null, null],
    ['', null, null],
  ];
  for (const [text, number, callId] of cases) t.same([numberIn(text), callIdIn(text)], [number, callId], text);
  t.equal(idIn(' 01A223BF-a435-7275-a9cb-9a908c584650'), '01a223bf-a435-7275-a9cb-9a908c584650');
  t.equal(idIn('01a223bf'), null);
});
