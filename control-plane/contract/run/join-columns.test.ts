import t from 'tap';
import { joinColumn, joinColumns } from './join-columns.ts';

t.test('new values follow those that are kept; values of the same steps are replaced', async (t) => {
  t.same(joinColumn([1, 2, 3], 2, [9, 10]), [1, 2, 9, 10]);
  t.same(joinColumn([1, 2, 3], 2, [7, 8, 9, 10], 2), [1, 2, 9, 10], 'new values of all steps, of which the last count');
});

t.test('every column is joined, also one that was unknown, and none is changed', async (t) => {
  const known: { p50: (number | null)[]; count: number[] } = { p50: [1, null], count: [1, 0] };
  const news = { p50: [null, 4], count: [0, 2], p95: [5, 6] };
  t.same(joinColumns<Record<string, number | null>>(known, 1, news), {
    p50: [1, null, 4],
    count: [1, 0, 2],
    p95: [5, 6],
  });
  t.same(known, { p50: [1, null], count: [1, 0] });
  t.same(news.count, [0, 2]);
});
