/**
 * Ten million mutated messages for the SIP engine: most in virtual time, where each must be accounted for; some over
 * TCP, in pieces; some through real ports, where the process must stay up. Memory must be flat. node_modules/.bin/node
 * scripts/bench/sip/garbage.ts [--million 10] [--seed 1]
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nowMs } from '../../../agent/clock.ts';
import { createCoreEngine } from '../../../agent/sip/core/engine.ts';
import { bombardSip, type Fates, SipGarbage } from '../../../agent/testing/sip/garbage.ts';
import { bombardStreams } from '../../../agent/testing/sip/garbage-streams.ts';
import { readMessages } from '../../../agent/testing/sip/torture/read.ts';
import { requestOf, SDP } from '../../../agent/testing/sip/virtual.ts';

export type SipGarbageReport = Fates & {
  readonly messages: number;
  /** Mean over each half of the run, after collections. */
  readonly heapMiBFirstHalf: number;
  readonly heapMiBSecondHalf: number;
  readonly overTcp: number;
  readonly tcpPieces: number;
  readonly tcpConnectionsEnded: number;
  readonly tcpHeapMiBFirstHalf: number;
  readonly tcpHeapMiBSecondHalf: number;
  readonly throughPorts: number;
  readonly portErrors: number;
  readonly cpuSeconds: number;
};

const ADDRESS = '127.0.0.1';
const MIB = 2 ** 20;

/** Throws where something was lost or thrown. */
export async function benchSipGarbage(messages: number, seed: number): Promise<SipGarbageReport> {
  const before = process.cpuUsage();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap: number[] = [];
  const streamHeap: number[] = [];
  const fates = bombardSip(messages, seed, () => {
    collect();
    heap.push(process.memoryUsage().heapUsed / MIB);
  });
  if (fates.lost + fates.internalErrors > 0) throw new Error(`${fates.lost} lost, ${fates.internalErrors} thrown`);
  const half = heap.length >> 1;
  const mean = (part: readonly number[]): number => part.reduce((sum, one) => sum + one, 0) / part.length;
  const streams = bombardStreams(Math.floor(messages / 5), seed, () => {
    collect();
    streamHeap.push(process.memoryUsage().heapUsed / MIB);
  });
  if (streams.internalErrors + streams.strange + streams.pendingBytes > 0 || !streams.isUp)
    throw new Error(`over TCP: ${JSON.stringify(streams)}`);
  const throughPorts = Math.floor(messages / 50);
  let portErrors = 0;
  for (const adapter of ['ffi', 'dgram'] as const) portErrors += await throughPort(adapter, throughPorts, seed);
  const cpu = process.cpuUsage(before);
  return {
    ...fates,
    messages,
    heapMiBFirstHalf: mean(heap.slice(0, half)),
    heapMiBSecondHalf: mean(heap.slice(half)),
    overTcp: streams.messages,
    tcpPieces: streams.pieces,
    tcpConnectionsEnded: streams.ended,
    tcpHeapMiBFirstHalf: mean(streamHeap.slice(0, streamHeap.length >> 1)),
    tcpHeapMiBSecondHalf: mean(streamHeap.slice(streamHeap.length >> 1)),
    throughPorts: 2 * throughPorts,
    portErrors,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}

/** Exceptions that the edge of the engine caught. */
async function throughPort(adapter: 'ffi' | 'dgram', messages: number, seed: number): Promise<number> {
  const engine = await createCoreEngine({
    address: ADDRESS,
    port: 0,
    adapter,
    userAgentName: 'carillon',
    mayReach: () => true,
    onUnclaimedCall: () => null,
  });
  const sender = createSocket('udp4');
  try {
    sender.bind(0, ADDRESS);
    await once(sender, 'listening');
    sender.on('message', () => undefined);
    const right = ['INVITE', 'OPTIONS', 'BYE'].map((method) => requestOf(method, { body: SDP() }));
    const garbage = new SipGarbage(seed, [...readMessages('rfc4475.txt').values(), ...right]);
    for (let sent = 0; sent < messages; sent++) {
      sender.send(Buffer.from(garbage.next(), 'latin1'), engine.local.port, ADDRESS);
      if (sent % 50 !== 0) continue;
      await sleep(0);
      engine.turn(nowMs());
    }
    return engine.counters.internalErrors;
  } finally {
    sender.close();
    engine.close();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { million: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
  });
  console.log(await benchSipGarbage(Number(values.million) * 1e6, Number(values.seed)));
}
