/** The numbers that published seeds stand for, and how well derived seeds differ. */
import t from 'tap';
import { seeded, seedOf } from './seeded.ts';

t.test('each seed has its numbers, for ever', async (t) => {
  for (const [seed, ...numbers] of [
    [0, 1144304738, 1416247, 958946056],
    [1, 2693262067, 11749833, 2265367787],
    [7502, 3096934834, 1375235098, 3248890146],
    [0xffffffff, 3850105811, 813802916, 3073704848],
  ] as const) {
    const random = seeded(seed);
    t.same(
      numbers.map(() => random() * 2 ** 32),
      numbers,
      `seed ${seed}`,
    );
  }
  for (const [derived, ...numbers] of [
    [493009611, 0],
    [1007616808, 1],
    [1816921133, 1, 2, 3],
    [2288754225, 0xffffffff, 0, 0, 1],
    [1065531830, 7502, 1],
  ] as const)
    t.equal(seedOf(...(numbers as readonly [number])), derived, `of ${numbers.join(', ')}`);
});

t.test('seeds of streams differ', async (t) => {
  const seeds = new Set<number>();
  for (let endpoint = 0; endpoint < 1000; endpoint++)
    for (let socket = 0; socket < 4; socket++) seeds.add(seedOf(1, endpoint, socket));
  t.equal(seeds.size, 4000);
  const other = new Set<number>();
  for (let seed = 0; seed < 200; seed++)
    for (let endpoint = 0; endpoint < 200; endpoint++) other.add(seedOf(seed, endpoint));
  t.ok(other.size > 39_990, 'those of other seeds differ as well');
});
