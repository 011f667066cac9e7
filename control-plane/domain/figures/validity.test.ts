/** When figures can be trusted. */
import { add, addDelay, createHistogram, type Histogram, toSparse } from '@carillon/media/quality/histogram.ts';
import t from 'tap';
import {
  addInterval,
  addSkipped,
  addStart,
  type NoiseInterval,
  type NoiseTally,
  type WorkerStartNoise,
} from './noise-tally.ts';
import { judge } from './validity.ts';

t.test('verdict', async (t) => {
  const pairsOf = (h: Histogram): number[] => {
    const { bucket, count } = toSparse(h);
    return bucket.flatMap((b, i) => [b, count[i] as number]);
  };
  const pairs = (values: readonly number[]): number[] => {
    const h = createHistogram();
    for (const v of values) add(h, v);
    return pairsOf(h);
  };
  const verdictOf = (noise: readonly NoiseInterval[], starts: readonly WorkerStartNoise[], skipped = 0) => {
    const tally: NoiseTally = new Map();
    for (const n of noise) addInterval(tally, n);
    for (const s of starts) addStart(tally, s);
    if (skipped > 0) addSkipped(tally, { worker: 'w1', planned: 1000, skipped });
    return judge(tally);
  };
  const calm = (worker: string, more: Partial<NoiseInterval> = {}): NoiseInterval => ({
    worker,
    seconds: 1,
    pacingError: pairs([0.05, 0.1, 0.2]),
    slotsPlanned: 1000,
    slotsSkipped: 0,
    loopDelay: pairs(Array.from({ length: 1000 }, () => 0.2)),
    threadCpu: 0.2,
    steal: 0,
    receiveDrops: 0,
    received: 1000,
    clockSteps: 0,
    coldSeconds: 0,
    ...more,
  });
  const seconds = (n: number, more: Partial<NoiseInterval> = {}, worker = 'w1') =>
    Array.from({ length: n }, () => calm(worker, more));
  /** A second of turns every 2 ms, and one that came `ms` late. */
  const stalled = (ms: number): NoiseInterval => {
    const h = createHistogram();
    add(h, 0.2, 1000);
    addDelay(h, ms, 2);
    return calm('w1', { loopDelay: pairsOf(h) });
  };
  const starts = (late: number[], more = {}) => [
    { worker: 'w1', inviteLate: pairs(late), actionLate: pairs([1]), planned: 100, notStarted: 0, ...more },
  ];
  const rows: [string, Parameters<typeof verdictOf>, string, string | null][] = [
    ['calm', [seconds(20), starts([0.5, 1])], 'VALID', null],
    ['late calls', [seconds(20), starts([50])], 'SUSPECT', 'inviteLateness'],
    ['very late calls', [seconds(20), starts([500])], 'VOID', 'inviteLateness'],
    ['uneven packets', [seconds(20, { pacingError: pairs([7]) }), []], 'SUSPECT', 'pacingError'],
    ['skipped packets', [seconds(20, { slotsSkipped: 8 }), []], 'SUSPECT', 'skippedSlots'],
    ['few skipped', [seconds(20, { slotsSkipped: 5 }), []], 'VALID', null],
    ['many skipped', [seconds(20, { slotsSkipped: 50 }), []], 'VOID', 'skippedSlots'],
    ['skipped in the last interval, as the streams have it', [seconds(20), [], 8], 'SUSPECT', 'skippedSlots'],
    ['many of them', [seconds(20), [], 30], 'VOID', 'skippedSlots'],
    ['held loop', [seconds(20, { loopDelay: pairs([150]) }), []], 'VOID', 'loopDelay'],
    ['late hang-ups', [seconds(20), starts([1], { actionLate: pairs([1, 30]) })], 'SUSPECT', 'actionLateness'],
    ['frozen for 0.2 s of 20', [[...seconds(19), stalled(200)], []], 'SUSPECT', 'stall'],
    ['frozen for 0.6 s of 20', [[...seconds(19), stalled(600)], []], 'VOID', 'loopDelay'],
    ['frozen for 3 s of 300', [[...seconds(299), stalled(3000)], []], 'SUSPECT', 'stall'],
    ['frozen for 11 s of 3000', [[...seconds(3000), stalled(11_000)], []], 'VOID', 'stall'],
    ['a clock that was set', [[...seconds(19), calm('w1', { clockSteps: 1 })], []], 'SUSPECT', 'clockSteps'],
    ['busy for 20 s', [seconds(20, { threadCpu: 0.98 }), []], 'VALID', null],
    ['stolen', [seconds(20, { steal: 0.15 }), []], 'VALID', null],
    ['just started', [seconds(20, { coldSeconds: 1 }), []], 'VALID', null],
    ['started long before', [[...seconds(19), calm('w1', { coldSeconds: 1 })], []], 'VALID', null],
    ['a host that does not tell', [seconds(20, { steal: null }), []], 'VALID', null],
    ['dropped', [seconds(20).map((n, i) => (i === 3 ? { ...n, receiveDrops: 1 } : n)), []], 'SUSPECT', 'receiveDrops'],
    ['not started', [seconds(20), starts([1], { notStarted: 2 })], 'VOID', 'notStarted'],
    ['nothing reported', [[], starts([1])], 'SUSPECT', 'reported'],
  ];
  for (const [what, args, verdict, check] of rows) {
    const result = verdictOf(...args);
    t.equal(result.verdict, verdict, what);
    t.equal(result.reasons[0]?.check ?? null, check, what);
    t.ok(result.sentence.startsWith(`${verdict}: `) && result.sentence.endsWith('.'), result.sentence);
    t.ok(
      result.reasons.every(({ touches, message }) => touches !== '' && message.endsWith('.')),
      'each reason says what it touches',
    );
    for (const { check, kind, value, suspectAbove } of result.checks) {
      const isNamed = [...result.reasons, ...result.explanations].some((r) => r.check === check);
      t.equal(isNamed, value !== null && value > suspectAbove, `${what}: ${kind} ${check}`);
    }
  }
  const two = verdictOf([...seconds(20), ...seconds(20, { slotsSkipped: 50 }, 'w2')], []);
  t.equal(two.reasons[0]?.worker, 'w2', 'the worst worker counts, and is named');

  t.equal(
    verdictOf(seconds(20, { steal: 0.123 }), []).sentence,
    'VALID: the agents did everything in time, although on w1 the hypervisor took processor time away: 12.3 %.',
    'a cause without an effect',
  );
  t.equal(
    verdictOf(seconds(20, { coldSeconds: 1.00001 }), []).sentence,
    'VALID: the agents did everything in time.',
    'a cold start did nothing',
  );
  t.equal(verdictOf(seconds(20, { coldSeconds: 1.00001 }), []).explanations[0]?.value, 100, 'at most all of the time');
  t.match(
    verdictOf([...seconds(5, { coldSeconds: 1 }), ...seconds(15)], starts([50])).sentence,
    /Likely cause: on w1 the agent was in its first minute after it started: 25 % of the time\.$/,
    'a cold start',
  );
  t.match(
    verdictOf(seconds(20, { steal: 0.123, slotsSkipped: 30 }), starts([50])).sentence,
    /^VOID: on w1 RTP packets were not sent, .* 1 more reason\. Likely cause: on w1 the hypervisor took .* 12\.3 %\.$/,
    'and with one',
  );
  t.match(
    verdictOf([...seconds(19, { slotsSkipped: 30 }), stalled(2500)], []).sentence,
    /Likely cause: on w1 the agent stalled for 2\d{3}(\.\d+)? ms/,
    'a stalled agent did the rest late',
  );
});
