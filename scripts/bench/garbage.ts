/**
 * Ten million random and mutated datagrams at the RTP and RTCP ports of live streams, through the loop that takes them from the
 * kernel. node_modules/.bin/node scripts/bench/garbage.ts [--million 10] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { bombarded, type Verdict } from '../../agent/test/rtp-garbage.ts';

/** Throws where one of them does. */
export function benchGarbage(datagrams: number, seed: number): Verdict & { cpuSeconds: number } {
  const before = process.cpuUsage();
  const { verdict } = bombarded(datagrams, seed);
  const cpu = process.cpuUsage(before);
  return { ...verdict, cpuSeconds: (cpu.user + cpu.system) / 1e6 };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { million: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  });
  console.log(benchGarbage(Number(values.million) * 1e6, Number(values.seed)));
}
