/** The search for the capacity of a host, what is stored of its result, and one real load. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { CAUSES_OF_NOISE, EFFECTS } from '../../control-plane/domain/figures/validity.ts';
import { readConfig } from '../config.ts';
import { type Calibration, capacityOf, withAdapter, writeCalibration } from './calibration.ts';
import { openBench } from './measure.ts';
import { search } from './search.ts';
import { best, crossed, faultsOf, NOISE_LIMITS, nextLoad, type StepNoise, type TriedLoad } from './steps.ts';

t.test('the limits are those that a run is judged by', async (t) => {
  t.same(NOISE_LIMITS, {
    inviteLatenessMs: EFFECTS.inviteLateness.suspectAbove,
    pacingErrorMs: EFFECTS.pacingError.suspectAbove,
    skippedSlotsPercent: EFFECTS.skippedSlots.suspectAbove,
    loopDelayMs: EFFECTS.loopDelay.suspectAbove,
    threadCpuPercent: CAUSES_OF_NOISE.threadCpu.above,
    stealPercent: CAUSES_OF_NOISE.steal.above,
    receiveDropsPercent: EFFECTS.receiveDrops.suspectAbove,
    notStartedPercent: EFFECTS.notStarted.suspectAbove,
  });
});

t.test('the search finds what holds, to a tenth', async (t) => {
  for (const limit of [0, 1, 3, 60, 99, 100, 101, 500, 777, 5000, 8192, 9000]) {
    const tried: TriedLoad[] = [];
    for (let load = nextLoad(tried, 100, 8192); load !== null; load = nextLoad(tried, 100, 8192))
      tried.push({ load, held: load <= limit });
    const found = best(tried);
    const most = Math.min(limit, 8192);
    t.ok(found <= most && (most < 4 || found >= most / 1.15 - 1), `${limit}: ${found} after ${tried.length}`);
    t.ok(tried.length <= 16);
  }
  t.equal(
    best([
      { load: 100, held: false },
      { load: 200, held: true },
    ]),
    0,
    'what holds above what did not is luck',
  );
});

const silent: StepNoise = {
  inviteLatenessMs: 20,
  pacingErrorMs: 5,
  skippedSlotsPercent: 0.5,
  loopDelayMs: null,
  threadCpuPercent: 70,
  stealPercent: null,
  receiveDropsPercent: 0,
  notStartedPercent: 0,
};

t.test('a limit is crossed above it; what was not measured crosses none', async (t) => {
  t.same(crossed(silent), []);
  t.same(crossed({ ...silent, pacingErrorMs: 5.1, receiveDropsPercent: 0.5 }), [
    'pacingErrorMs 5.1 above 5',
    'receiveDropsPercent 0.5 above 0',
  ]);
  t.same(faultsOf(silent), []);
  t.match(faultsOf({ ...silent, skippedSlotsPercent: null }), [/skippedSlotsPercent was not measured/]);
  t.match(faultsOf({ ...silent, notStartedPercent: null }), [/notStartedPercent was not measured/]);
});

t.test('one bad moment is no figure: what did not hold is tried again, unless a thread had no time left', async (t) => {
  const badly = { skippedSlotsPercent: 0.6 };
  for (const [name, noise, expected, tries] of [
    ['passing', (load: number, time: number) => (load <= 400 && time === 1 ? badly : load > 400 ? badly : {}), 400, 2],
    ['twice', (load: number) => (load > 100 ? badly : {}), 100, 2],
    ['spent', (load: number) => (load > 100 ? { ...badly, threadCpuPercent: 70.1 } : {}), 100, 1],
  ] as const) {
    const times = new Map<number, number>();
    const lines: string[] = [];
    const measure = async (load: number): Promise<StepNoise> => {
      const time = (times.get(load) ?? 0) + 1;
      times.set(load, time);
      return { ...silent, ...noise(load, time) };
    };
    const found = await search({ unit: 'endpoints', first: 100, most: 1000 }, measure, (line) => lines.push(line));
    t.ok(found >= expected && found < expected * 1.1, `${name}: ${found}`);
    t.equal(times.get(expected === 400 ? 800 : 200), tries, name);
    t.equal(
      lines.length,
      [...times.values()].reduce((sum, n) => sum + n, 0),
    );
  }
  const noRoom = await search(
    { unit: 'endpoints', first: 100, most: 1000 },
    (load) => (load > 100 ? Promise.reject(new Error('no port is left')) : Promise.resolve(silent)),
    () => undefined,
  );
  t.ok(noRoom >= 100 && noRoom < 110);
});

t.test('a calibration is the capacity until something else says more', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-calibrate-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const now = { build: '1.2.3', hardware: '4 x fast', mediaThreads: 2, signallingThreads: 1 };
  const made: Calibration = {
    ...now,
    at: '2026-03-01T12:00:00.000Z',
    adapter: 'ffi',
    endpoints: 1700,
    callsPerSecond: 200,
  };
  const by = (isGiven = false, more: Partial<typeof now> = {}) =>
    capacityOf({ stateDir: dir, capacity: 1000, isCapacityGiven: isGiven }, { ...now, ...more });
  t.match(await by(), { endpoints: 1000, calibration: null, unused: null });
  await writeCalibration(dir, made);
  t.match(await by(), { endpoints: 1700, calibration: made, unused: null });
  t.match(await by(true), { endpoints: 1000, unused: /CARILLON_CAPACITY/ });
  t.match(await by(false, { build: '1.2.4' }), { endpoints: 1000, unused: /build 1.2.3, which is now 1.2.4/ });
  t.match(await by(false, { hardware: '2 x slow' }), { endpoints: 1000, unused: /hardware/ });
  t.match(await by(false, { mediaThreads: 1 }), { endpoints: 1000, unused: /mediaThreads/ });
  t.same(withAdapter(await by(), 1000, 'ffi'), await by());
  t.match(withAdapter(await by(), 1000, 'dgram'), { endpoints: 1000, unused: /adapter ffi, which is now dgram/ });
  t.match(withAdapter(await by(), 2000, 'dgram'), { endpoints: 1700 }, 'its rows are made already');
  await writeFile(path.join(dir, 'calibration.json'), '{');
  t.match(await by(), { endpoints: 1000, calibration: null }, 'what cannot be read is made again');
});

t.test('one load, on real threads: calls are placed, streams are measured', async (t) => {
  const bench = await openBench(readConfig({ CARILLON_LATEST_START_MS: '60000' }), 40);
  t.teardown(() => bench.close());
  const beyond = await bench.measure({ endpoints: 400, callsPerSecond: 200, seconds: 2 });
  t.ok((beyond.notStartedPercent ?? 0) > 50, 'calls beyond its rows are none');
  const measure = () => bench.measure({ endpoints: 10, callsPerSecond: 20, seconds: 1 });
  let noise = await measure();
  // If the host stalls in this second, calls start after it.
  for (let time = 1; time < 10 && noise.notStartedPercent !== 0; time++) noise = await measure();
  t.ok((noise.pacingErrorMs ?? -1) >= 0 && (noise.inviteLatenessMs ?? -1) >= 0, JSON.stringify(noise));
  t.equal(noise.notStartedPercent, 0, 'each call was answered');
  t.type(noise.skippedSlotsPercent, 'number');
  t.ok((noise.threadCpuPercent ?? 0) > 0);
});
