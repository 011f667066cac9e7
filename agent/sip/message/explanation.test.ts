/** The far end's explanations: Reason (RFC 3326), Warning (RFC 3261, 20.43), Retry-After (20.33), as tables and as properties. */
import t, { type Test } from 'tap';
import fc, { anyText } from '../../../scripts/test-run/properties.ts';
import { collectedHeapBytes } from '../../testing/collected.ts';
import { growth, LINEAR } from '../../testing/growth.ts';
import { SipGarbage } from '../../testing/sip/garbage.ts';
import { requestOf, responseTo } from '../../testing/sip/virtual.ts';
import {
  type Explanation,
  explanationAfter,
  explanationOf,
  type ProvisionalWord,
  provisionalWord,
  retryAfterSecondsOf,
} from './explanation.ts';
import { parseMessage } from './parse.ts';
import type { SipMessage } from './sip-message.ts';

const INVITE = requestOf('INVITE');

/** As received from a socket: one character a byte, in one piece. */
function messageOf(text: string): SipMessage {
  const message = parseMessage(Buffer.from(text, 'utf8').toString('latin1'));
  if (message === null) throw new Error('not parsed');
  return message;
}

const saying = (...headers: string[]): Explanation | null =>
  explanationOf(messageOf(responseTo(INVITE, 503, 'Service Unavailable', { headers })));

const NOTHING: Explanation = { q850: 0, reason: '', warning: '', retryAfterSeconds: 0 };

/** Headers, and their meaning; null: none. */
const table =
  (rows: readonly [headers: string | string[], says: Partial<Explanation> | null][]) =>
  (t: Test): void => {
    for (const [headers, says] of rows) {
      t.same(saying(...[headers].flat()), says && { ...NOTHING, ...says }, String(headers));
    }
    t.end();
  };

t.test(
  'Reason',
  table([
    [[], null],
    ['Reason: Q.850;cause=34;text="No circuit available"', { q850: 34, reason: 'No circuit available' }],
    ['Reason: Q.850;cause=34', { q850: 34 }],
    ['Reason: Q.850;text="no circuit"', { reason: 'no circuit' }],
    ['Reason: q.850 ; CAUSE = 34 ; Text = "full"', { q850: 34, reason: 'full' }],
    ['REASON:Q.850;text="full";cause=034', { q850: 34, reason: 'full' }],
    ['Reason: Q.850;cause=34;text=full', { q850: 34, reason: 'full' }],
    ['Reason: Q.850;cause=34;text=""', { q850: 34 }],
    ['Reason: Q.850;cause=34;text', { q850: 34 }],
    ['Reason: SIP;cause=200;text="Call completed elsewhere"', { reason: 'SIP 200: Call completed elsewhere' }],
    ['Reason: SIP;cause=503', { reason: 'SIP 503' }],
    ['Reason: Preemption ;cause=1 ;text="UA Preemption"', { reason: 'UA Preemption' }],
    ['Reason: X.25;cause=34;text="not of Q.850"', { reason: 'not of Q.850' }],
    [
      'Reason: SIP;cause=486;text="busy, for now",Q.850;cause=17;text="User busy"',
      { q850: 17, reason: 'SIP 486: busy, for now; User busy' },
    ],
    [
      'Reason: Q.850;cause=17;text="User busy", SIP;cause=486;text="busy"',
      { q850: 17, reason: 'User busy; SIP 486: busy' },
    ],
    ['Reason: Q.850;cause=17, SIP;cause=486', { q850: 17, reason: 'SIP 486' }],
    [
      ['Reason: SIP;cause=503;text="upstream"', 'Reason: Q.850;cause=38;text="Network out of order"'],
      { q850: 38, reason: 'SIP 503: upstream; Network out of order' },
    ],
    ['Reason: Q.850;cause=3, Q.850;cause=38;text="second"', { q850: 3, reason: 'Q.850 38: second' }],
    ['Reason: Q.850;cause=34;text="full", X.int;text="full"', { q850: 34, reason: 'full' }],
    [
      ['Reason: X.int;reasoncode=0x0000030A;add-info=068C.0001', 'Reason: Q.850;cause=31;text="Normal, unspecified"'],
      { q850: 31, reason: 'Normal, unspecified' },
    ],
    [
      'Reason: Q.850;cause=16;text="a \\"quoted\\" word; cause=34, Q.850"',
      { q850: 16, reason: 'a "quoted" word; cause=34, Q.850' },
    ],
    ['Reason: Q.850\r\n ;cause=34\r\n\t;text="over\r\n  three lines"', { q850: 34, reason: 'over three lines' }],
    ['Reason: Q.850;cause=34;text="Größe"', { q850: 34, reason: Buffer.from('Größe').toString('latin1') }],
  ]),
);

t.test('what a provisional response has said before the final one (RFC 6432, 4)', async (t) => {
  const full = { ...NOTHING, q850: 34, reason: 'No circuit' };
  const rows: [Explanation | null, Explanation | null, Partial<Explanation> | null][] = [
    [null, null, null],
    [null, full, full],
    [full, null, { q850: 34, reason: 'in the 183 before: No circuit' }],
    [
      full,
      { ...NOTHING, q850: 31, reason: 'Normal, unspecified' },
      { q850: 34, reason: 'Q.850 31: Normal, unspecified; in the 183 before: No circuit' },
    ],
    [full, { ...NOTHING, q850: 16 }, { q850: 34, reason: 'Q.850 16; in the 183 before: No circuit' }],
    [
      full,
      { ...NOTHING, q850: 17, reason: 'User busy' },
      { q850: 17, reason: 'User busy; in the 183 before: Q.850 34: No circuit' },
    ],
    [
      full,
      { ...NOTHING, retryAfterSeconds: 5, warning: '399 x' },
      { q850: 34, retryAfterSeconds: 5, warning: '399 x' },
    ],
    [
      { ...NOTHING, q850: 34 },
      { ...NOTHING, q850: 34, reason: 'full' },
      { q850: 34, reason: 'full' },
    ],
  ];
  for (const [explanation, last, expected] of rows)
    t.match(explanationAfter(explanation && { status: 183, explanation }, last), expected);
});

t.test('several provisional responses: a later one takes nothing back', async (t) => {
  const full = 'Reason: Q.850;cause=34;text="No circuit"';
  const rows: [what: string, said: [status: number, header: string][], word: object | null][] = [
    ['none', [[180, 'x: y']], null],
    ['100 explains nothing', [[100, full]], null],
    [
      'without a reason',
      [
        [183, full],
        [180, 'x: y'],
      ],
      { status: 183, explanation: { q850: 34, reason: 'No circuit' } },
    ],
    [
      'with a general cause',
      [
        [183, full],
        [180, 'Reason: Q.850;cause=31;text="Normal"'],
      ],
      { status: 183, explanation: { q850: 34, reason: 'No circuit; Q.850 31: Normal' } },
    ],
    [
      'with a status of another leg, and a warning',
      [
        [183, full],
        [180, 'Reason: SIP;cause=503\r\nWarning: 399 gw "full"'],
      ],
      { status: 183, explanation: { q850: 34, reason: 'No circuit; SIP 503', warning: '399 full' } },
    ],
    [
      'with a cause of its own',
      [
        [183, full],
        [182, 'Reason: Q.850;cause=17;text="Busy"'],
      ],
      { status: 182, explanation: { q850: 17, reason: 'Q.850 34: No circuit; Busy' } },
    ],
    [
      'the same again',
      [
        [183, full],
        [183, full],
      ],
      { status: 183, explanation: { q850: 34, reason: 'No circuit' } },
    ],
  ];
  for (const [what, said, expected] of rows) {
    let word: ProvisionalWord | null = null;
    for (const [status, header] of said)
      word = provisionalWord(messageOf(responseTo(INVITE, status, 'Progress', { headers: [header] })), word);
    if (expected === null) t.equal(word, null, what);
    else t.match(word, expected, what);
  }
});

t.test('causes of three responses keep their own texts', async (t) => {
  const [first, second] = [1, 41].map((cause) =>
    responseTo(INVITE, 183, 'Progress', { headers: [`Reason: Q.850;cause=${cause}`] }),
  );
  const said = provisionalWord(messageOf(second as string), provisionalWord(messageOf(first as string), null));
  t.equal(explanationAfter(said, { ...NOTHING, q850: 34 })?.reason, 'in the 183 before: Q.850 41; Q.850 1');
});

t.test(
  'Reason of nonsense',
  table([
    ['Reason:', null],
    ['Reason: ,,', null],
    ['Reason: ;;;', null],
    ['Reason: Q.850', null],
    ['Reason: Q.850;cause=0', null],
    ['Reason: Q.850;cause=128', null],
    ['Reason: Q.850;cause=99999999999999999999999999', null],
    ['Reason: Q.850;cause=-34', null],
    ['Reason: Q.850;cause=3.4', null],
    ['Reason: Q.850;cause=0x22', null],
    ['Reason: Q.850;cause=34 35', null],
    ['Reason: Q.850;cause', null],
    ['Reason: Q.850;because=34', null],
    ['Reason: SIP;cause=99', null],
    ['Reason: SIP;cause=700', null],
    ['Reason: SIP;cause=1e9;text="words all the same"', { reason: 'words all the same' }],
    ['Reason: Q.850;cause=127', { q850: 127 }],
    ['Reason: Q.850;cause=999, Q.850;cause=41', { q850: 41 }],
    ['Reason: ;cause=34', null],
    ['Reason: Q.850;cause=34;text="no end', { q850: 34, reason: '"no end' }],
    ['Reason: Q.850;cause=34;text="\\', { q850: 34, reason: '"\\' }],
  ]),
);

t.test(
  'Warning',
  table([
    ['Warning: 399 gw2.example "trunk group 7 full"', { warning: '399 trunk group 7 full' }],
    ['Warning: 399 192.0.2.7:5060 "full"', { warning: '399 full' }],
    ['Warning: 399 [2001:db8::1]:5060 "full"', { warning: '399 full' }],
    ['warning:370 pseudonym "Insufficient bandwidth"', { warning: '370 Insufficient bandwidth' }],
    ['Warning: 399 "no agent"', { warning: '399 no agent' }],
    ['Warning: 399 gw "one, \\"two\\""', { warning: '399 one, "two"' }],
    ['Warning: 399 gw ""', { warning: '399' }],
    ['Warning: 399\r\n gw\r\n "folded"', { warning: '399 folded' }],
    ['Warning: 307 a "first", 399 b "second"', { warning: '307 first' }],
    [['Warning: 307 a "first"', 'Warning: 399 b "second"'], { warning: '307 first' }],
    ['Warning: , 399 gw "after nothing"', { warning: '399 after nothing' }],
    ['Warning:', null],
    ['Warning: trouble', { warning: 'trouble' }],
    ['Warning: 39 gw "two digits"', { warning: '39 gw "two digits"' }],
    ['Warning: 399 gw "no end', { warning: '399 gw "no end' }],
    ['Warning: 399', { warning: '399' }],
  ]),
);

t.test(
  'Retry-After',
  table([
    ['Retry-After: 120', { retryAfterSeconds: 120 }],
    ['Retry-After: 18000;duration=3600', { retryAfterSeconds: 18000 }],
    ['Retry-After: 120 (I am in a meeting)', { retryAfterSeconds: 120 }],
    ['Retry-After:\r\n  5', { retryAfterSeconds: 5 }],
    ['Retry-After: 0', null],
    ['Retry-After:', null],
    ['Retry-After: soon', null],
    ['Retry-After: -5', null],
    ['Retry-After: (5)', null],
    ['Retry-After: Fri, 27 Nov 2026 10:00:00 GMT', null],
    [['Retry-After: 7', 'Retry-After: 9'], { retryAfterSeconds: 7 }],
    ['Retry-After: 4294967296', { retryAfterSeconds: 999_999_999 }],
  ]),
);

t.test(
  'all three together, in requests as in responses',
  table([
    [
      ['Retry-After: 30', 'Warning: 399 gw "full"', 'Reason: Q.850;cause=42;text="congestion"'],
      { q850: 42, reason: 'congestion', warning: '399 full', retryAfterSeconds: 30 },
    ],
  ]),
);

t.test('what it says does not depend on who says it, on the case of names, or on the order of headers', async (t) => {
  const lines = ['Reason: Q.850;cause=42;text="congestion"', 'Warning: 399 gw "full"', 'Retry-After: 30'];
  const wanted = saying(...lines);
  const headers = fc.shuffledSubarray(lines, { minLength: 3 });
  const names = fc.constantFrom(
    (line: string) => line,
    (line: string) => line.replace(/^[^:]+/, (name) => name.toUpperCase()),
    (line: string) => line.replace(': ', ' :\r\n '),
  );
  fc.assert(
    fc.property(headers, names, fc.constantFrom('BYE', 'CANCEL', ''), (headers, name, method) => {
      const parts = { headers: headers.map(name) };
      const text = method === '' ? responseTo(INVITE, 486, 'Busy', parts) : requestOf(method, parts);
      t.same(explanationOf(messageOf(text)), wanted);
    }),
    { numRuns: 100 },
  );
});

const MAX_UNITS = 200 + '399 '.length + 'SIP 503: '.length;

/** Null: it is a valid Explanation. */
function unfit(text: string): string | null {
  const message = parseMessage(text);
  const said = message && explanationOf(message);
  if (message === null || said === null) return null;
  if (Object.values(said).every((value) => value === '' || value === 0)) return 'it says nothing, and is not null';
  if (!Number.isInteger(said.q850) || said.q850 < 0 || said.q850 > 127) return `cause ${said.q850}`;
  const { retryAfterSeconds } = said;
  if (!Number.isInteger(retryAfterSeconds) || retryAfterSeconds < 0 || retryAfterSeconds > 999_999_999)
    return `Retry-After of ${retryAfterSeconds}`;
  if (retryAfterSeconds !== retryAfterSecondsOf(message)) return 'two answers to one question';
  if (said.reason.length > MAX_UNITS) return `a reason of ${said.reason.length}`;
  return said.warning.length > MAX_UNITS ? `a warning of ${said.warning.length}` : null;
}

t.test('any text: no exception, and a bounded result', async (t) => {
  const piece = fc.constantFrom(
    ...[
      'Q.850',
      'SIP',
      ';',
      ',',
      '"',
      '\\',
      '=',
      'cause',
      'text',
      '34',
      '503',
      '399',
      ' ',
      '\r\n ',
      '<',
      '>',
      '(',
      '9',
    ],
  );
  const value = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    anyText(400),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const header = fc.tuple(fc.constantFrom('Reason', 'Warning', 'Retry-After', 'x'), value);
  fc.assert(
    fc.property(fc.array(header, { maxLength: 6 }), (headers) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}`);
      const problem = unfit(responseTo(INVITE, 503, 'Service Unavailable', { headers: lines }));
      if (problem !== null) throw new Error(problem);
    }),
    { numRuns: 4000 },
  );
  const garbage = new SipGarbage(3, [
    responseTo(INVITE, 503, 'Service Unavailable', {
      headers: ['Reason: Q.850;cause=34;text="x, y"', 'Warning: 399 gw "z"', 'Retry-After: 3 (c);duration=4'],
    }),
  ]);
  let said = 0;
  for (let i = 0; i < 3000; i++) {
    const text = garbage.next();
    const message = parseMessage(text);
    if (message !== null && explanationOf(message) !== null) said++;
    const problem = unfit(text);
    if (problem !== null) t.fail(`message ${i}: ${problem}`);
  }
  t.ok(said > 500, `${said} of them explain something still`);
});

t.test('a long text is cut, and never within a character', async (t) => {
  const cut = (text: string): string => {
    const { reason = '', warning = '' } = saying(`Reason: Q.850;cause=1;text="${text}"`, `Warning: ${text}`) ?? {};
    t.equal(reason, warning);
    return Buffer.from(reason, 'latin1').toString('utf8');
  };
  t.equal(cut('x'.repeat(200)), 'x'.repeat(200));
  t.equal(cut('x'.repeat(201)), 'x'.repeat(200));
  for (let before = 0; before < 4; before++) {
    for (const char of ['ü', '€', '😀']) {
      const text = 'x'.repeat(before) + char.repeat(200);
      const kept = cut(text);
      t.ok(text.startsWith(kept), `${before} bytes before ${char}: nothing but what was said`);
      const bytes = Buffer.byteLength(kept);
      t.ok(bytes <= 200 && bytes + Buffer.byteLength(char) > 200, `${before} bytes before ${char}: ${bytes} bytes`);
    }
  }
});

t.test('the largest messages of the worst kind cost what their length costs', async (t) => {
  const rowsOf = (fill: (piece: string) => string): Record<string, string[]> => ({
    commas: [`Reason: ${fill(',')}`, `Warning: ${fill(',')}`],
    'many members': [`Reason: ${fill('Q.850;cause=0,')}`],
    'many headers': fill('Reason: Q.850|').split('|').filter(Boolean),
    semicolons: [`Reason: Q.850${fill(';')}`],
    'quotes without end': [`Reason: ${fill('"')}"`, `Warning: ${fill('"')}"`],
    'backslashes in a text': [`Reason: Q.850;text="${fill('\\\\')}"`],
    'spaces before a cause': [`Reason: Q.850;cause${fill(' ')}=1`],
    'spaces in a warning': [`Warning: 399${fill(' ')}a${fill(' ')}b`],
    'an agent without a text': [`Warning: 399 ${fill('a')}`],
    'texts in a warning': [`Warning: 399 a ${fill('"b" ')}c`],
    digits: [`Reason: Q.850;cause=${fill('1')}`, `Retry-After: ${fill('1')}`],
    'spaces before digits': [`Retry-After: ${fill(' ')}x`],
    folds: [`Reason: Q.850${fill('\r\n ')};cause=1`],
    brackets: [`Reason: ${fill('<')}`],
  });
  const [large, small] = [60_000, 15_000].map((bytes) =>
    rowsOf((piece) => piece.repeat(Math.floor(bytes / piece.length))),
  ) as [Record<string, string[]>, Record<string, string[]>];
  for (const what of Object.keys(large)) {
    const [most, some] = [large, small].map((rows) =>
      messageOf(responseTo(INVITE, 503, 'Service Unavailable', { headers: rows[what] ?? [] })),
    ) as [ReturnType<typeof messageOf>, ReturnType<typeof messageOf>];
    const times = growth((share) => explanationOf(share === 1 ? most : some));
    t.ok(times <= LINEAR, `${what}: four times as many take ${times.toFixed(1)} times the CPU`);
  }
});

t.test('what is kept keeps no message', async (t) => {
  const CALLS = 200;
  const LONG = 'x'.repeat(60_000);
  const kept: (Explanation | null)[] = [];
  const before = collectedHeapBytes();
  for (let i = 0; i < CALLS; i++) {
    const reason = `Reason: SIP;cause=503;text="trunk group number ${i} is full", Q.850;cause=34`;
    kept.push(saying(reason, `Warning: 399 gw "this is what node ${i} says"`, `Subject: ${LONG}`));
    kept.push(saying(`Reason: Q.850;cause=1;text="short ${i}"`, 'Warning: no form at all', `Subject: ${LONG}`));
    kept.push(saying(`Reason: Q.850;cause=1;text="${LONG}"`, `Warning: ${LONG}`));
  }
  const bytes = (collectedHeapBytes() - before) / kept.length;
  t.ok(bytes < 2048, `${Math.round(bytes)} bytes a call`);
  t.equal(kept[0]?.reason, 'SIP 503: trunk group number 0 is full');
});
