/** Refused events are counted by machine, state and event, until the counts are read. */
import t from 'tap';
import { countRefused, takeRefused, takeStep } from './steps.ts';

const DOOR = { OPEN: { close: 'SHUT' }, SHUT: { open: 'OPEN' } } as const;

t.test('a step that the table has is taken and not counted', async (t) => {
  t.equal(takeStep<'OPEN' | 'SHUT', 'open' | 'close'>('door', DOOR, 'OPEN', 'close'), 'SHUT');
  t.same(takeRefused(), {});
});

t.test('one that it lacks is counted, once each time', async (t) => {
  for (let n = 0; n < 3; n++) t.equal(takeStep<'OPEN' | 'SHUT', 'open' | 'close'>('door', DOOR, 'SHUT', 'close'), null);
  countRefused('window', 'SHUT', 'close');
  t.same(takeRefused(), { 'door: close in SHUT': 3, 'window: close in SHUT': 1 });
  t.same(takeRefused(), {}, 'and told once');
});
