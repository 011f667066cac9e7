import t from 'tap';
import { coldSeconds } from './noise.ts';

t.test('the part of an interval in the first minute of the process', async (t) => {
  const rows: [from: number, to: number, cold: number][] = [
    [0, 1, 1],
    [-0.5, 0.5, 0.5],
    [59.5, 60.5, 0.5],
    [60, 61, 0],
    [30, 90, 30],
    [3600, 3601, 0],
  ];
  for (const [from, to, cold] of rows) t.equal(coldSeconds(from, to), cold, `${from} to ${to} s`);
});
