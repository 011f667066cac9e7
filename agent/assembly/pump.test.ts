import t from 'tap';
import { Pump, type PumpParts } from './pump.ts';

/** Parts that record what they are asked, and a book whose contents `state` defines. */
function opened() {
  const state = { isIdle: true, gathered: 'NOTHING', sampleIntervalMs: 250 };
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const parts = {
    book: {
      sample: note('sample'),
      settle: note('settle'),
      take: () => [],
      left: (number: number) => done.push(`left ${number}`),
      get isIdle() {
        return state.isIdle;
      },
      get gathered() {
        return state.gathered;
      },
      get sampleIntervalMs() {
        return state.sampleIntervalMs;
      },
    },
    outbox: { append: ({ noise }: { noise: unknown[] }) => done.push(`append ${noise.length}`), last: 7 },
    link: { clock: { offsetMs: 1000 }, takesBlocks: true, offlineMs: () => 42, pump: note('pump') },
    noise: { take: (atMs: number, offsetMs: number) => ({ fromUnixMs: atMs + offsetMs }) },
    isolation: { watch: (offlineMs: number) => done.push(`offline ${offlineMs}`) },
    minutes: {
      turn: (unixMs: number) => done.push(`day ${unixMs}`),
      save: () => {
        done.push('save');
        return Promise.reject(new Error('the disk is full'));
      },
    },
    metrics: { onNoise: note('noise') },
    log: { error: (_: object, message: string) => done.push(message) },
  };
  const pump = new Pump(parts as unknown as PumpParts, 10_000);
  const turn = (atMs: number): string[] => {
    done.length = 0;
    pump.turn(atMs, atMs + 5);
    return [...done];
  };
  return { state, done, pump, turn };
}

t.test('each has its own interval; what gathers goes into one batch', async (t) => {
  const { state, turn } = opened();
  t.same(turn(10_000), ['sample', 'offline 42', 'day 10005', 'save', 'pump']);
  t.same(turn(10_200), ['settle', 'offline 42', 'day 10205', 'pump']);
  t.same(turn(10_250), ['sample', 'offline 42', 'day 10255', 'pump']);
  state.sampleIntervalMs = Number.POSITIVE_INFINITY;
  t.same(turn(11_000), ['sample', 'noise', 'offline 42', 'day 11005', 'pump'], 'of an idle agent nobody is told');
  t.same(turn(11_900), ['settle', 'offline 42', 'day 11905', 'pump']);
  state.isIdle = false;
  const batch = (noise: number) => [`append ${noise}`, 'left 7', 'offline 42'];
  t.same(turn(12_000), ['sample', 'noise', ...batch(1), 'day 12005', 'save', 'pump']);
  state.gathered = 'FACTS';
  t.same(turn(12_200), ['settle', 'offline 42', 'day 12205', 'pump'], 'a batch of half a second');
  state.gathered = 'URGENT';
  t.same(turn(12_400), ['settle', ...batch(0), 'day 12405', 'pump'], 'what somebody waits for goes at once');
  state.gathered = 'FACTS';
  t.same(turn(12_800), ['settle', 'offline 42', 'day 12805', 'pump']);
  t.same(turn(12_900), ['settle', ...batch(0), 'day 12905', 'pump']);
  state.gathered = 'FIGURES';
  t.same(turn(13_000), ['sample', 'noise', 'offline 42', 'day 13005', 'pump'], 'two seconds of a large run');
  state.isIdle = true;
  t.same(turn(14_000), ['sample', 'noise', 'offline 42', 'day 14005', 'save', 'pump']);
  state.gathered = 'END';
  t.same(turn(14_400), ['settle', 'noise', ...batch(2), 'day 14405', 'pump'], 'the end goes with the noise until then');
  state.gathered = 'NOTHING';
  state.isIdle = false;
  t.same(turn(15_400), ['sample', 'noise', 'offline 42', 'day 15405', 'pump'], 'and so long noise waits for facts');
  t.same(turn(16_900), ['sample', 'noise', ...batch(2), 'day 16905', 'save', 'pump']);
});

t.test('minutes that cannot be written are told', async (t) => {
  const { done, pump } = opened();
  await pump.saveMinutes();
  t.same(done, ['save', 'the minutes of today cannot be stored']);
});
