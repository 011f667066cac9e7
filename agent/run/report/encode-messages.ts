/**
 * Converts kept messages to the wire. A block is sent as its thread delivered it: its text compressed as a whole, its
 * rows as columns. Compression by endpoint, for older control planes, spends most of its time on memory allocation.
 */
import { compressed, type wire } from '@carillon/proto';
import { maskedBlock } from '../../capture/mask-block.ts';
import { COLUMN, COLUMNS, type KeptMessage, type MessageBlock, messagesOf } from '../../capture/message-block.ts';

type V1 = typeof wire.agent.v1;
type Encodable<K extends keyof V1> = V1[K] extends { encode(message: infer T, ...rest: never[]): unknown } ? T : never;

/** The blocks of one share, in order, for a control plane with or without support for blocks. */
export const encodedMessages = (
  blocks: readonly MessageBlock[],
  baseMs: number,
  takesBlocks: boolean,
): { messages?: Encodable<'MessageChunk'>[]; messageBlocks?: Encodable<'MessageBlock'>[] } =>
  takesBlocks
    ? { messageBlocks: blocks.map((block) => messageBlock(maskedBlock(block), baseMs)) }
    : { messages: messageChunks(blocks.map(maskedBlock), baseMs) };

function messageBlock(
  { text, columns, atMs, words, localAddress }: MessageBlock,
  baseMs: number,
): Encodable<'MessageBlock'> {
  const rows = atMs.length;
  const column = (at: number): number[] => {
    const values = new Array<number>(rows);
    for (let row = 0; row < rows; row++) values[row] = columns[row * COLUMNS + at] as number;
    return values;
  };
  const sinceMs = new Array<number>(rows);
  for (let row = 0; row < rows; row++) sinceMs[row] = (atMs[row] as number) - baseMs;
  return {
    text: compressed(text),
    localAddress,
    words: words as string[],
    endpoint: column(COLUMN.ENDPOINT),
    number: column(COLUMN.NUMBER),
    length: column(COLUMN.BYTES),
    atMs: sinceMs,
    // Status, bits and transports have the same numbers on the wire as in the block; a change of one must be converted
    // here.
    kind: column(COLUMN.KIND),
    method: column(COLUMN.METHOD),
    callId: column(COLUMN.CALL_ID),
    peer: column(COLUMN.PEER),
    transport: column(COLUMN.TRANSPORT),
    localPort: column(COLUMN.LOCAL_PORT),
  };
}

/** Consecutive messages of one endpoint. */
function messageChunks(blocks: readonly MessageBlock[], baseMs: number): Encodable<'MessageChunk'>[] {
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
