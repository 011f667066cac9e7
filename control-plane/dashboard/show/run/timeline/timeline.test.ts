/** Marks of a run's time, and which charts are shown first. */
import t from 'tap';
import type { Timeline } from '../../../../contract/run/timeline.ts';
import { isShownFirst, marksOf } from './timeline.ts';

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
