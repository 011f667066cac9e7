/** Units of charts. */
import t from 'tap';
import { shownUnit } from './figures.ts';

t.test('a chart of a fraction is in percent, and says so', async (t) => {
  t.same(['fraction', '%', 'ms', 'packets/s', 'MOS', 'R'].map(shownUnit), [
    { unit: '%', factor: 100 },
    { unit: '%', factor: 1 },
    { unit: 'ms', factor: 1 },
    { unit: 'packets/s', factor: 1 },
    { unit: '', factor: 1 },
    { unit: '', factor: 1 },
  ]);
});
