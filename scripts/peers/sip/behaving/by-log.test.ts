import t from 'tap';
import { callByLog, msIn } from './by-log.ts';
import type { PeerCallLog } from './call.ts';

/** Instants of packets, and of the BYE, after an answer at 10,000. */
const log = (packets: readonly number[], byeAtMs: number): PeerCallLog =>
  ({
    messages: [
      { sent: false, name: 'INVITE', atMs: 9000 },
      { sent: true, name: '180 INVITE', atMs: 9500 },
      { sent: true, name: '200 INVITE', atMs: 10_000 },
      { sent: true, name: '200 INVITE', atMs: 10_500 },
    ],
    sent: packets.map((ms) => ({ atMs: 10_000 + ms })),
    byeAtMs: 10_000 + byeAtMs,
  }) as unknown as PeerCallLog;

t.test('lengths of a call by the log of the peer', async (t) => {
  const call = callByLog(log([100, 120, 140, 900, 920, 1500], 4000));
  t.same(call, { answeredAtMs: 10_000, talkMs: 4000, headMs: 100, tailMs: 2500, gapMs: 760, gapAtMs: 10_140 });
  t.match(callByLog(log([50], 1000)), { headMs: 50, tailMs: 950, gapMs: 0, gapAtMs: Number.NaN }, 'one packet');
  t.match(callByLog(log([], 1000)), { headMs: 1000, tailMs: 1000, gapMs: 0 }, 'no packet: all of the call');
});

t.test('the first length of a sentence', async (t) => {
  const rows: [string, number][] = [
    ['No audio packet came for 2.4 s.', 2400],
    ['The far end hung up after 993 ms of a call of 6.0 s.', 993],
    ['12 packets were lost.', Number.NaN],
  ];
  for (const [sentence, ms] of rows) t.same(msIn(sentence), ms, sentence);
});
