/** When probes are due: tables for clock changes, properties for the rest. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { scheduleFaults } from './probe.ts';
import { dueTicks, nextTick, phaseSeconds, type Schedule } from './schedule.ts';

const DAILY: Schedule = {
  scheduleType: 'CRON',
  fixedIntervalSec: null,
  cronExpression: '0 0 * * *',
  timeOfDayStartUtc: null,
  timeOfDayEndUtc: null,
  timezone: 'UTC',
};
const cron = (cronExpression: string, timezone: string, more: Partial<Schedule> = {}): Schedule => ({
  ...DAILY,
  cronExpression,
  timezone,
  ...more,
});
const every = (seconds: number, more: Partial<Schedule> = {}): Schedule => ({
  ...DAILY,
  scheduleType: 'FIXED_INTERVAL',
  fixedIntervalSec: seconds,
  cronExpression: null,
  ...more,
});
const between = (timeOfDayStartUtc: string, timeOfDayEndUtc: string, timezone: string) => ({
  timeOfDayStartUtc,
  timeOfDayEndUtc,
  timezone,
});

function ticks(schedule: Schedule, id: string, from: string, to: string): number[] {
  const out: number[] = [];
  const end = Date.parse(to);
  for (let at = nextTick(schedule, id, Date.parse(from)); at !== null && at < end; at = nextTick(schedule, id, at)) {
    out.push(at);
  }
  return out;
}
/** Minutes written as MM-DDTHH:MM, in UTC. */
const minutes = (schedule: Schedule, from: string, to: string) =>
  ticks(schedule, 'x', from, to).map((at) => new Date(at).toISOString().slice(5, 16));

t.test('cron minutes across changes of clocks', async (t) => {
  const paris = 'Europe/Paris';
  const rows: [what: string, schedule: Schedule, from: string, to: string, expected: string[]][] = [
    [
      'a minute that does not exist comes right after the gap (02:30 in Paris, 29 March 2026)',
      cron('30 2 * * *', paris),
      '2026-03-28T00:00Z',
      '2026-03-31T00:00Z',
      ['03-28T01:30', '03-29T01:00', '03-30T00:30'],
    ],
    [
      'a minute that comes twice is taken once, in the first pass (25 October 2026)',
      cron('30 2 * * *', paris),
      '2026-10-24T00:00Z',
      '2026-10-27T00:00Z',
      ['10-24T00:30', '10-25T00:30', '10-26T01:30'],
    ],
    [
      'every half hour goes on through both passes',
      cron('*/30 * * * *', paris),
      '2026-10-24T23:45Z',
      '2026-10-25T02:15Z',
      ['10-25T00:00', '10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00'],
    ],
    [
      'and every half hour of real time across the gap',
      cron('*/30 * * * *', paris),
      '2026-03-29T00:15Z',
      '2026-03-29T02:15Z',
      ['03-29T00:30', '03-29T01:00', '03-29T01:30', '03-29T02:00'],
    ],
    [
      'half an hour is put back on Lord Howe Island (5 April 2026, 02:00 to 01:30)',
      cron('*/15 * * * *', 'Australia/Lord_Howe'),
      '2026-04-04T14:20Z',
      '2026-04-04T15:20Z',
      ['04-04T14:30', '04-04T14:45', '04-04T15:00', '04-04T15:15'],
    ],
    [
      'a zone without changes',
      cron('15 9 * * 1-5', 'Asia/Kolkata'),
      '2026-03-27T00:00Z',
      '2026-03-31T00:00Z',
      ['03-27T03:45', '03-30T03:45'],
    ],
  ];
  for (const [what, schedule, from, to, expected] of rows) t.same(minutes(schedule, from, to), expected, what);
});

t.test('a window of the day is local time', async (t) => {
  const hourly = (window: object) => cron('0 * * * *', 'UTC', window);
  const rows: [what: string, schedule: Schedule, from: string, to: string, expected: string[]][] = [
    [
      'from its start on, before its end',
      hourly(between('08:00', '11:00', 'UTC')),
      '2026-06-01T00:00Z',
      '2026-06-02T00:00Z',
      ['06-01T08:00', '06-01T09:00', '06-01T10:00'],
    ],
    [
      'past midnight',
      hourly(between('22:00', '02:00', 'UTC')),
      '2026-06-01T12:00Z',
      '2026-06-02T12:00Z',
      ['06-01T22:00', '06-01T23:00', '06-02T00:00', '06-02T01:00'],
    ],
    [
      'the clock of New York: an hour earlier in UTC from 8 March 2026 on',
      hourly(between('09:00', '10:00', 'America/New_York')),
      '2026-03-07T00:00Z',
      '2026-03-10T00:00Z',
      ['03-07T14:00', '03-08T13:00', '03-09T13:00'],
    ],
    [
      'one that lies in the gap is left out that day',
      hourly(between('02:00', '03:00', 'Europe/Paris')),
      '2026-03-28T00:00Z',
      '2026-03-31T00:00Z',
      ['03-28T01:00', '03-30T00:00'],
    ],
    [
      'one around the repeated hour is an hour longer',
      hourly(between('01:00', '04:00', 'Europe/Paris')),
      '2026-10-24T12:00Z',
      '2026-10-25T12:00Z',
      ['10-24T23:00', '10-25T00:00', '10-25T01:00', '10-25T02:00'],
    ],
  ];
  for (const [what, schedule, from, to, expected] of rows) t.same(minutes(schedule, from, to), expected, what);
});

t.test('an interval counts real time, and from the opening of its window', async (t) => {
  const all = ticks(every(3600, { timezone: 'Europe/Paris' }), 'a', '2026-03-28T00:00Z', '2026-03-30T00:00Z');
  t.equal(all.length, 48);
  t.ok(all.every((at, i) => i === 0 || at - (all[i - 1] as number) === 3_600_000));
  const short = every(3600, between('09:00', '09:10', 'Europe/Paris'));
  for (const id of ['a', 'b', 'c', 'd']) {
    const found = ticks(short, id, '2026-03-27T00:00Z', '2026-03-31T00:00Z');
    t.equal(found.length, 4, 'however short the window, each day has its tick');
    t.equal((found[2] as number) - (found[1] as number), 23 * 3_600_000, 'the day of the change has 23 hours');
  }
});

const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/St_Johns'];
const anyTime = fc
  .integer({ min: 0, max: 1439 })
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
const anyWindow = fc.option(fc.tuple(anyTime, anyTime).filter(([a, b]) => a !== b));
const anySchedule = fc
  .record({
    timing: fc.oneof(
      fc.constantFrom(300, 900, 1800, 3600),
      fc.constantFrom('* * * * *', '*/7 * * * *', '30 2 * * *', '0 9-17 * * 1-5'),
    ),
    zone: fc.constantFrom(...ZONES),
    window: anyWindow,
  })
  .map(({ timing, zone, window }): Schedule => {
    const around = window ? between(window[0], window[1], zone) : { timezone: zone };
    return typeof timing === 'number' ? every(timing, around) : cron(timing, zone, around);
  });
const anyInstant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });

t.test('laws', async (t) => {
  fc.assert(
    fc.property(
      anySchedule,
      fc.uuid(),
      anyInstant,
      fc.integer({ min: 0, max: 86_400_000 }),
      (schedule, id, at, less) => {
        const next = nextTick(schedule, id, at);
        if (next === null) return schedule.scheduleType === 'CRON';
        if (next <= at || next % 1000 !== 0) return false;
        // A caller that asks at any instant before the next one gets the same one, or one between.
        const earlier = nextTick(schedule, id, at - less) as number;
        if (earlier > at) return earlier === next;
        return nextTick(schedule, id, next - 1) === next;
      },
    ),
    { numRuns: 500 },
  );
  t.pass('the next tick is after the instant, and the same for each caller');
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(60, 300, 3600), (id, period) => {
      const phase = phaseSeconds(id, period);
      return Number.isInteger(phase) && phase >= 0 && phase < period;
    }),
  );
  const phases = new Set(Array.from({ length: 2000 }, (_, i) => phaseSeconds(`0198-${i}`, 300)));
  t.ok(phases.size > 290, 'probes are spread over the whole interval');
});

t.test('a window takes the first match that every minute of it has, too', async (t) => {
  const expressions = ['0 7,11 * * *', '30 2 1 * *', '15 1,2,3 * * *', '0 0 29 2 *', '45 */5 * * 0', '30 2 * * *'];
  fc.assert(
    fc.property(
      fc.constantFrom(...expressions),
      fc.constantFrom(...ZONES),
      anyWindow,
      anyInstant,
      (text, zone, window, at) => {
        const around = window ? between(window[0], window[1], zone) : { timezone: zone };
        const each = cron('* * * * *', zone, around);
        const isInside = (minute: number): boolean => nextTick(each, '', minute - 1) === minute;
        let match: number | null = at;
        for (let n = 0; n < 12; n++) {
          match = nextTick(cron(text, zone, { timezone: zone }), '', match);
          if (match === null || isInside(match)) break;
        }
        const found = nextTick(cron(text, zone, around), '', at);
        return match !== null && isInside(match) ? found === match : found === null || found > (match ?? 0);
      },
    ),
    { numRuns: 150 },
  );
  t.pass();
});

t.test('what is never due in its window is found out at once', async (t) => {
  const rows: [text: string, zone: string][] = [
    ['0 0 29 2 *', 'UTC'],
    ['0 0 29 2 +MON', 'Europe/Berlin'],
    ['30 2 29 2 *', 'Africa/Casablanca'],
    ['0 0 1 1 *', 'Europe/Berlin'],
    ['* 0-7 * * *', 'America/New_York'],
    ['*/2 0 * * *', 'America/New_York'],
    ['0 0 1 * *', 'Australia/Lord_Howe'],
  ];
  for (const [text, zone] of rows) {
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      t.equal(nextTick(cron(text, zone, between('08:00', '10:00', zone)), '', Date.UTC(2026, 0, 1)), null, text);
      return process.cpuUsage(before).user / 1000;
    });
    t.ok(Math.min(...times) < 50, `${text} in ${zone}: ${times.map(Math.round)} ms`);
  }
});

t.test('of the ticks that are due one is executed, the others are missed, none is forgotten', async (t) => {
  const minute = 60_000;
  const next = (after: number) => (Math.floor(after / minute) + 1) * minute;
  const rows: [nowMs: number, expected: ReturnType<typeof dueTicks>][] = [
    [minute - 1, { tickMs: null, missed: null, nextMs: minute }],
    [minute, { tickMs: minute, missed: null, nextMs: 2 * minute }],
    [2 * minute - 1, { tickMs: minute, missed: null, nextMs: 2 * minute }],
    [3 * minute, { tickMs: 3 * minute, missed: { firstMs: minute, lastMs: 2 * minute, ticks: 2 }, nextMs: 4 * minute }],
  ];
  for (const [nowMs, expected] of rows) t.same(dueTicks(next, minute, nowMs), expected, `at ${nowMs}`);
  const hourly = (after: number) => (Math.floor(after / (60 * minute)) + 1) * 60 * minute;
  t.same(
    dueTicks(hourly, 60 * minute, 62 * minute),
    { tickMs: null, missed: { firstMs: 60 * minute, lastMs: 60 * minute, ticks: 1 }, nextMs: 120 * minute },
    'one that is found a minute late is missed',
  );
  const far = dueTicks(next, minute, 5000 * minute);
  t.same(
    [far.tickMs, far.missed?.ticks, far.nextMs],
    [null, 1000, 1001 * minute],
    'a long absence is caught up in parts',
  );
});

t.test('schedules that cannot be followed are refused in words', async (t) => {
  const rows: [schedule: Schedule, path: string, message: RegExp][] = [
    [every(300, { fixedIntervalSec: null }), 'fixedIntervalSec', /FIXED_INTERVAL needs/],
    [cron('61 * * * *', 'UTC'), 'cronExpression', /five fields.*minute/],
    [cron('* * * * * *', 'UTC'), 'cronExpression', /five fields/],
    [cron('every day', 'UTC'), 'cronExpression', /five fields/],
    [cron('0 0 30 2 *', 'UTC'), 'cronExpression', /is never due/],
    [cron('0 5 * * *', 'UTC', between('08:00', '09:00', 'UTC')), 'cronExpression', /is never due/],
    [every(300, { timeOfDayStartUtc: '08:00' }), 'timeOfDayEndUtc', /a start and an end/],
    [every(300, between('08:00', '08:00', 'UTC')), 'timeOfDayEndUtc', /another time/],
    [{ ...DAILY, cronExpression: null }, 'cronExpression', /needs an expression/],
  ];
  for (const [schedule, path, message] of rows) {
    const faults = scheduleFaults(schedule);
    t.match(faults, [{ path: [path], message }], JSON.stringify(schedule));
  }
  for (const cronExpression of ['crl_not a cron', '61 * * * *', '0 0 30 2 *'])
    t.match(
      scheduleFaults(every(300, { cronExpression })),
      [{ path: ['cronExpression'] }],
      'not followed, and checked',
    );
  t.same(scheduleFaults(every(300, { cronExpression: '0 5 * * *', ...between('08:00', '09:00', 'UTC') })), []);
  t.same(scheduleFaults(cron('0 0 29 2 *', 'UTC')), [], 'a leap day comes');
  t.same(scheduleFaults(cron('0 8 29 2 *', 'UTC', between('08:00', '09:00', 'UTC'))), []);
});
