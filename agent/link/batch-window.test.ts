/** Batches in flight, over a real outbox: the window, receipts, a new connection, refusals. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { BatchWindow } from './batch-window.ts';
import { Outbox } from './outbox.ts';
import { Quarantine } from './quarantine.ts';

const WINDOW = 8;

function opened(batches = 0, outbox = new Outbox('o')) {
  const sent: number[] = [];
  const logged: [level: string, fields: object][] = [];
  const at = (level: string) => (fields: object) => logged.push([level, fields]);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as never;
  const window = new BatchWindow({
    outbox,
    quarantine: new Quarantine(2, 0),
    log,
    send: ({ number }) => sent.push(Number(number)),
  });
  const append = (count: number): void => {
    for (let i = 0; i < count; i++) outbox.append({ noise: [{ seconds: i }] });
  };
  append(batches);
  return { window, outbox, sent, logged, append };
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

t.test('whatever happens: each number once a connection, in order, at most eight without a receipt', async () => {
  type Step = 'append' | 'pump' | 'receipt' | 'reconnect';
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Step>('append', 'append', 'pump', 'receipt', 'reconnect'), { maxLength: 120 }),
      (steps) => {
        const { window, outbox, sent, append } = opened();
        let committed = 0;
        for (const step of steps) {
          if (step === 'append') append(1);
          if (step === 'pump') window.pump();
          if (step === 'receipt' && sent.length > 0 && committed < (sent.at(-1) as number))
            window.committed(++committed);
          if (step === 'reconnect') {
            sent.length = 0;
            if (window.resume(committed + 1) !== null) return false;
          }
          if (sent.some((number, i) => number !== (sent[0] as number) + i)) return false;
          if (sent.length > 0 && (sent.at(-1) as number) - committed > WINDOW) return false;
        }
        window.pump();
        const last = sent.at(-1) ?? committed;
        return last === Math.min(outbox.last, committed + WINDOW);
      },
    ),
  );
});

t.test('a receipt makes room for as many as it names', async (t) => {
  const { window, sent } = opened(30);
  window.pump();
  t.same(sent, range(1, 8));
  window.committed(1);
  window.pump();
  t.same(sent, range(1, 9));
  window.committed(1);
  window.pump();
  t.same(sent, range(1, 9), 'the same receipt again makes none');
  window.committed(9);
  window.pump();
  t.same(sent, range(1, 17));
});

t.test('resume: what was committed and kept is sent again, and logged', async (t) => {
  const { window, sent, logged } = opened(5);
  window.pump();
  window.committed(5);
  t.equal(window.resume(3), null, 'nothing is lost');
  t.same(logged, [['warn', { from: 3, to: 5 }]]);
  sent.length = 0;
  window.pump();
  t.same(sent, [3, 4, 5]);
  window.committed(5);
  window.resume(5);
  t.same(logged.at(-1), ['warn', { from: 5, to: 5 }]);
  window.committed(5);
  window.resume(6);
  t.equal(logged.length, 2, 'nothing is sent again');
});

t.test('resume: what is no longer kept is lost, and the rest is renumbered', async (t) => {
  const { window, outbox, sent, logged } = opened(3, new Outbox('o', 1, [], null, 0));
  window.pump();
  window.committed(2);
  t.equal(window.resume(1), 2, 'numbers are less by two');
  t.match(logged, [
    ['warn', { from: 1, to: 2 }],
    ['error', { outboxId: 'o', first: 1, last: 2 }],
  ]);
  t.not(outbox.id, 'o');
  sent.length = 0;
  window.pump();
  t.same(sent, [1], 'what was batch 3');
});

t.test('a refusal concerns the oldest batch in flight', async (t) => {
  const { window, outbox, logged } = opened(2);
  for (let i = 0; i < 5; i++) window.refused();
  t.equal(outbox.counters.refused, 0, 'nothing was in flight');
  window.pump();
  window.refused();
  t.equal(outbox.counters.refused, 0, 'one refusal is not enough');
  window.refused();
  t.match(logged.splice(0), [['error', { batch: 1, left: 'STATES', dropped: { noise: 1 } }]]);
  window.committed(1);
  window.refused();
  window.refused();
  t.match(logged, [['error', { batch: 2 }]]);
});
