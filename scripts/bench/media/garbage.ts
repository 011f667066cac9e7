/**
 * Ten million random and mutated datagrams (RTP, RTCP, STUN, SRTP, DTLS) at the RTP and RTCP ports of live streams, plain, SDES in
 * both ciphers, and DTLS in the middle of its handshake, through the loop that takes them from the kernel. node_modules/.bin/node scripts/bench/media/garbage.ts [--million 10] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { bombarded, type Verdict } from '../../../agent/testing/rtp/garbage.ts';

export type GarbageReport = Verdict & {
  cpuSeconds: number;
  heapMiB: number;
  /** Final state of the streams' encryption: the next caller can handshake. */
  security: string;
};

/** Throws if one of them does. */
export function benchGarbage(datagrams: number, seed: number): GarbageReport {
  const before = process.cpuUsage();
  const { verdict, states } = bombarded(datagrams, seed);
  const cpu = process.cpuUsage(before);
  const heapMiB = process.memoryUsage().heapUsed / 2 ** 20;
  return { ...verdict, cpuSeconds: (cpu.user + cpu.system) / 1e6, heapMiB, security: states.join(' ') };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { million: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  });
  console.log(benchGarbage(Number(values.million) * 1e6, Number(values.seed)));
}
