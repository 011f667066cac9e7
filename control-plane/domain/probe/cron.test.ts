/** Cron expressions where clocks change: a table of changes, and a model that walks the minutes of a clock on the wall. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { stretchAt } from './clock-changes.ts';
import { localCron, nextMinute } from './cron.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Of the time zone database: when, and by how many minutes the clock is put forward. */
const CHANGES: readonly [zone: string, at: string, minutes: number][] = [
  ['Europe/Berlin', '2027-03-28T01:00Z', 60],
  ['Europe/Berlin', '2027-10-31T01:00Z', -60],
  ['America/New_York', '2026-03-08T07:00Z', 60],
  ['America/New_York', '2026-11-01T06:00Z', -60],
  ['America/St_Johns', '2026-03-08T05:30Z', 60],
  ['America/St_Johns', '2026-11-01T04:30Z', -60],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z', 30],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z', -30],
  // At midnight: 00:00 does not exist, or comes twice.
  ['America/Havana', '2026-03-08T05:00Z', 60],
  ['America/Havana', '2026-11-01T05:00Z', -60],
  ['Africa/Cairo', '2026-04-23T22:00Z', 60],
  ['Africa/Cairo', '2026-10-29T21:00Z', -60],
  ['America/Sao_Paulo', '2018-11-04T03:00Z', 60],
  ['America/Sao_Paulo', '2018-02-18T02:00Z', -60],
  ['Atlantic/Azores', '2026-03-29T01:00Z', 60],
  ['Atlantic/Azores', '2026-10-25T01:00Z', -60],
  // Two hours, and a whole day.
  ['Antarctica/Troll', '2026-03-29T01:00Z', 120],
  ['Antarctica/Troll', '2026-10-25T01:00Z', -120],
  ['Pacific/Apia', '2011-12-30T10:00Z', 1440],
];

const ticks = (expression: string, zone: string, from: number, to: number): number[] => {
  const out: number[] = [];
  const cron = localCron(expression, zone);
  for (let at = nextMinute(cron, from - 1); at !== null && at < to; at = nextMinute(cron, at)) out.push(at);
  return out;
};

t.test('changes of clocks are found to the second', async (t) => {
  for (const [zone, at, minutes] of CHANGES) {
    const ms = Date.parse(at);
    t.match(stretchAt(zone, ms), { startMs: ms, changeMs: minutes * MINUTE_MS }, `${zone} ${at}`);
    t.equal(stretchAt(zone, ms - 1).endMs, ms);
  }
  t.equal(stretchAt('Asia/Kolkata', Date.UTC(2026, 5, 1)).offsetMs, 5.5 * HOUR_MS);
});

t.test('the examples of other people', async (t) => {
  const rows: [expression: string, zone: string, from: string, to: string, expected: string[]][] = [
    ['0,30 2 28 3 *', 'Europe/Berlin', '2027-03-01', '2027-04-01', ['03-28T01:00']],
    ['0 2,14 31 10 *', 'Europe/Berlin', '2027-10-31', '2027-11-01', ['10-31T00:00', '10-31T13:00']],
    ['*/20 2 28 3 *', 'Europe/Berlin', '2027-03-01', '2027-04-01', ['03-28T01:00']],
    ['15 * * * *', 'Europe/Berlin', '2027-03-28', '2027-03-28T03:00Z', ['03-28T00:15', '03-28T01:15', '03-28T02:15']],
    ['30 2-4 * * *', 'Europe/Berlin', '2027-03-28', '2027-03-29', ['03-28T01:00', '03-28T01:30', '03-28T02:30']],
    ['0 */2 28 3 *', 'Europe/Berlin', '2027-03-28', '2027-03-28T04:00Z', ['03-28T01:00', '03-28T02:00']],
    ['15,45 2 * * *', 'Australia/Lord_Howe', '2026-10-03T15:00Z', '2026-10-03T16:30Z', ['10-03T15:30', '10-03T15:45']],
    ['0,30 0 * * *', 'America/Havana', '2026-03-08', '2026-03-09', ['03-08T05:00']],
    [
      '0-20/10 1 1 11 *',
      'America/New_York',
      '2026-11-01',
      '2026-11-02',
      ['05:00', '05:10', '05:20', '06:00', '06:10', '06:20'].map((at) => `11-01T${at}`),
    ],
    [
      '0,10,20 1 1 11 *',
      'America/New_York',
      '2026-11-01',
      '2026-11-02',
      ['05:00', '05:10', '05:20'].map((at) => `11-01T${at}`),
    ],
    ['0 12 30 12 *', 'Pacific/Apia', '2011-12-29', '2012-01-02', ['12-30T10:00']],
  ];
  for (const [expression, zone, from, to, expected] of rows) {
    const found = ticks(expression, zone, Date.parse(from), Date.parse(to));
    t.same(
      found.map((at) => new Date(at).toISOString().slice(5, 16)),
      expected,
      `${expression} ${zone}`,
    );
  }
});

/** Minutes of local time, counted from 1970 as if clocks never changed, at each minute of real time. */
function wallClock(zone: string, from: number, to: number): { atMs: number; local: number }[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  const out: { atMs: number; local: number }[] = [];
  for (let atMs = from; atMs < to; atMs += MINUTE_MS) {
    const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const local = Date.UTC(part['year'] ?? 0, (part['month'] ?? 1) - 1, part['day'], part['hour'], part['minute']);
    out.push({ atMs, local });
  }
  return out;
}

const setOf = (field: string, least: number, most: number): Set<number> =>
  new Set(
    field.split(',').flatMap((part) => {
      const [range = '', step = '1'] = part.split('/');
      const [first = '', last] = range.split('-');
      const low = first === '*' ? least : Number(first);
      const high = first === '*' ? most : last === undefined ? (part.includes('/') ? most : low) : Number(last);
      return Array.from({ length: most + 1 }, (_, n) => n).filter(
        (n) => n >= low && n <= high && (n - low) % Number(step) === 0,
      );
    }),
  );

function model(minuteField: string, hourField: string, clock: readonly { atMs: number; local: number }[]): number[] {
  const minutes = setOf(minuteField, 0, 59);
  const hours = setOf(hourField, 0, 23);
  const isRepeating = /[*/]/.test(minuteField + hourField);
  const isDue = (local: number) =>
    minutes.has(new Date(local).getUTCMinutes()) && hours.has(new Date(local).getUTCHours());
  const seen = new Set<number>();
  const out: number[] = [];
  clock.forEach(({ atMs, local }, i) => {
    const skipped: number[] = [];
    const before = clock[i - 1]?.local ?? local - MINUTE_MS;
    for (let at = before + MINUTE_MS; at < local; at += MINUTE_MS) skipped.push(at);
    const gap = skipped.length * MINUTE_MS;
    const isOwed = skipped.some((at) => isDue(at) && !(isRepeating && isDue(at + gap)));
    if (isOwed || (isDue(local) && (isRepeating || !seen.has(local)))) out.push(atMs);
    seen.add(local);
  });
  return out;
}

const anyField = (most: number) => {
  const number = fc.integer({ min: 0, max: most });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: 30 });
  const part = fc.oneof(
    number.map(String),
    range,
    fc.tuple(fc.oneof(fc.constant('*'), range), step).map(([r, s]) => `${r}/${s}`),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant('*') },
    { weight: 4, arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')) },
  );
};

t.test('laws: as the clock on the wall has it, in each of these changes', async (t) => {
  for (const [zone, at, minutes] of CHANGES) {
    const change = Date.parse(at);
    const [from, to] = [change - 3 * HOUR_MS, change + 6 * HOUR_MS];
    // What came before is known to the clock, too: a minute that comes twice was there at most a day ago.
    const clock = wallClock(zone, from - 3 * HOUR_MS, to);
    // Hours near the change matter: those of the clock at that time, or any.
    const near = new Date((clock.find(({ atMs }) => atMs === change)?.local ?? 0) - Math.max(0, minutes) * MINUTE_MS);
    const hour = fc.oneof(
      anyField(23),
      fc.integer({ min: -1, max: 3 }).map((n) => String((near.getUTCHours() + n + 24) % 24)),
      fc.constant(`${near.getUTCHours()},${(near.getUTCHours() + 12) % 24}`),
    );
    fc.assert(
      fc.property(anyField(59), hour, (minuteField, hourField) => {
        const expected = model(minuteField, hourField, clock).filter((ms) => ms >= from);
        const found = ticks(`${minuteField} ${hourField} * * *`, zone, from, to);
        const plain = (list: number[]) => list.map((ms) => new Date(ms).toISOString()).join(' ');
        if (plain(found) !== plain(expected))
          throw new Error(`${minuteField} ${hourField} ${zone} ${at}: ${plain(found)}, expected ${plain(expected)}`);
      }),
      { numRuns: 60 },
    );
    t.pass(`${zone} ${at}`);
  }
});

t.test('an expression has five fields, or is one of the words for them', async (t) => {
  const refused = ['', ' ', '5', '0 2 * *', '0 0 2 * * *', '0 0 2 * * * 2027', '2027-03-28', '@reboot', '@', '@never'];
  const instants = ['2027-03-28T02:30:00', '2027-03-28T02:30:00Z', ' 2027-03-28T02:30 ', '2027-03-28 02:30:00'];
  for (const one of [...refused, ...instants, '0 2 * * 2027-03-28'])
    t.throws(() => localCron(one, 'Europe/Berlin'), JSON.stringify(one));
  for (const one of ['0 2 * * *', ' 0  2\t* * *\n', '@hourly', '@daily', '*/5 1-3 * JAN MON-FRI', '0 2 L * *'])
    t.ok(localCron(one, 'Europe/Berlin'), JSON.stringify(one));
});
