/** Kept messages -> the wire's chunks: those of an endpoint in a row, their text compressed. */
import { compressed, type wire } from '@carillon/proto';
import { type KeptMessage, type MessageBlock, messagesOf } from '../capture/message-block.ts';

type V1 = typeof wire.agent.v1;
type Out<K extends keyof V1> = V1[K] extends { encode(message: infer T, ...rest: never[]): unknown } ? T : never;

/** The blocks of one share, in their order. */
export function messageChunks(blocks: readonly MessageBlock[], baseMs: number): Out<'MessageChunk'>[] {
  const runs = new Map<number, KeptMessage[]>();
  const addresses = new Map<number, string>();
  for (const block of blocks) {
    for (const message of messagesOf(block)) {
      const run = runs.get(message.endpoint);
      if (run !== undefined) run.push(message);
      else {
        runs.set(message.endpoint, [message]);
        addresses.set(message.endpoint, block.localAddress);
      }
    }
  }
  return [...runs].map(([endpoint, run]) => ({
    endpoint,
    first: (run[0] as KeptMessage).number,
    text: compressed(Buffer.concat(run.map((m) => m.text))),
    atMs: run.map((m) => m.atMs - baseMs),
    sent: run.map((m) => m.sent),
    length: run.map((m) => m.text.length),
    method: run.map((m) => m.method),
    status: run.map((m) => m.status),
    retransmission: run.map((m) => m.retransmission),
    peer: run.map((m) => m.peer),
    callId: run.map((m) => m.callId),
    localAddress: addresses.get(endpoint) ?? '',
    transport: run.map((m) => m.transport),
    localPort: run.map((m) => m.localPort),
  }));
}
