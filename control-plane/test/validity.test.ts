/** When figures are trusted. */
import { add, createHistogram, toSparse } from '@carillon/media/quality/histogram.ts';
import t from 'tap';
import { addInterval, addStart, type NoiseInterval, type NoiseTally, type StartNoise } from '../domain/noise-tally.ts';
import { judge } from '../domain/validity.ts';

t.test('verdict', async (t) => {
  const pairs = (values: readonly number[]): number[] => {
    const h = createHistogram();
    for (const v of values) add(h, v);
    const { bucket, count } = toSparse(h);
    return bucket.flatMap((b, i) => [b, count[i] as number]);
  };
  const verdictOf = (noise: readonly NoiseInterval[], starts: readonly StartNoise[]) => {
    const tally: NoiseTally = new Map();
    for (const n of noise) addInterval(tally, n);
    for (const s of starts) addStart(tally, s);
    return judge(tally);
  };
  const calm = (worker: string, more: Partial<NoiseInterval> = {}): NoiseInterval => ({
    worker,
    seconds: 1,
    pacingError: pairs([0.05, 0.1, 0.2]),
    slotsPlanned: 1000,
    slotsSkipped: 0,
    loopDelay: pairs([0.2, 0.3]),
    threadCpu: 0.2,
    steal: 0,
    receiveDrops: 0,
    received: 1000,
    ...more,
  });
  const seconds = (n: number, more: Partial<NoiseInterval> = {}, worker = 'w1') =>
    Array.from({ length: n }, () => calm(worker, more));
  const starts = (late: number[], more = {}) => [
    { worker: 'w1', inviteLate: pairs(late), planned: 100, notStarted: 0, ...more },
  ];
  const rows: [string, Parameters<typeof verdictOf>, string, string | null][] = [
    ['calm', [seconds(20), starts([0.5, 1])], 'VALID', null],
    ['late calls', [seconds(20), starts([50])], 'SUSPECT', 'inviteLateness'],
    ['very late calls', [seconds(20), starts([500])], 'VOID', 'inviteLateness'],
    ['uneven packets', [seconds(20, { pacingError: pairs([7]) }), []], 'SUSPECT', 'pacingError'],
    ['skipped packets', [seconds(20, { slotsSkipped: 5 }), []], 'SUSPECT', 'skippedSlots'],
    ['many skipped', [seconds(20, { slotsSkipped: 50 }), []], 'VOID', 'skippedSlots'],
    ['held loop', [seconds(20, { loopDelay: pairs([150]) }), []], 'VOID', 'loopDelay'],
    ['busy for 20 s', [seconds(20, { threadCpu: 0.8 }), []], 'SUSPECT', 'threadCpu'],
    ['busy for 5 of 20 s', [seconds(20).map((n, i) => (i < 5 ? { ...n, threadCpu: 0.95 } : n)), []], 'VALID', null],
    ['busy at the end of a short run', [[...seconds(3), ...seconds(2, { threadCpu: 1 })], []], 'VALID', null],
    ['stolen', [seconds(20, { steal: 0.05 }), []], 'SUSPECT', 'steal'],
    ['a host that does not tell', [seconds(20, { steal: null }), []], 'VALID', null],
    ['dropped', [seconds(20).map((n, i) => (i === 3 ? { ...n, receiveDrops: 1 } : n)), []], 'SUSPECT', 'receiveDrops'],
    ['not started', [seconds(20), starts([1], { notStarted: 2 })], 'VOID', 'notStarted'],
    ['nothing reported', [[], starts([1])], 'SUSPECT', 'reported'],
  ];
  for (const [what, [noise, late], verdict, check] of rows) {
    const result = verdictOf(noise, late);
    t.equal(result.verdict, verdict, what);
    t.equal(result.reasons[0]?.check ?? null, check, what);
  }
  const two = verdictOf([...seconds(20), ...seconds(20, { slotsSkipped: 50 }, 'w2')], []);
  t.equal(two.reasons[0]?.worker, 'w2', 'the worst worker counts, and is named');
});
