/** A load: what it comes to, in another shape, and its curve. */
import { LOAD_SHAPES } from '@carillon/proto/load/shapes/shapes.ts';
import t from 'tap';
import { Load as LoadSchema } from '../../../../contract/test-settings/load.ts';
import { inShape, readLoad, withLength } from '../drafts/load-draft.ts';
import { type Draft, EMPTY } from '../drafts/test-draft.ts';
import { FIRST_VIDEO } from '../drafts/track-draft.ts';
import { estimateOf, type LoadEstimate } from './estimate.ts';
import { curveOf } from './load-curve.ts';

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
  for (const [draft, told] of cases) t.match(estimateOf({ ...lasting, ...draft }), told, JSON.stringify(draft));

  for (const shape of ['RATE', 'POISSON', 'STEPS', 'CONCURRENCY'] as const) {
    const many = inShape(EMPTY, shape);
    t.match(many, { load: { shape }, callsEach: null });
    t.equal(
      estimateOf({ ...lasting, ...EMPTY, ...many }).droppedPercent,
      0,
      `${shape}: enough endpoints are suggested`,
    );
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
