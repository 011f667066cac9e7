/**
 * Unpacks blocks of SIP messages once, to check that their lengths match: the last point at which a false length can be
 * refused. The total of a batch is checked before anything is unpacked.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { FrameError, type wire } from '@carillon/proto';
import { MAX_CHUNK_BYTES } from '../domain/run/facts.ts';

type Block = wire.agent.v1.MessageBlock.$Properties;

/** The limit for all blocks of a batch: two seconds of 2,000 calls a second are 14 MiB. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
/** Each block costs at least 10 us, however short it is. */
const MAX_BLOCKS = 4096;
/** The time in milliseconds after which the check yields to other connections. */
const TURN_MS = 5;

const refuse = (what: string): never => {
  throw new FrameError(`facts: ${what}`);
};

/** `turnMs`: the time between yields. @throws FrameError */
export async function checkTexts(
  allocations: readonly { readonly messageBlocks?: Block[] | null }[],
  turnMs = TURN_MS,
): Promise<void> {
  const blocks = allocations.flatMap(({ messageBlocks }) => messageBlocks ?? []);
  if (blocks.length > MAX_BLOCKS) refuse(`${blocks.length} message_blocks: ${MAX_BLOCKS} are taken`);
  const lengths = blocks.map(({ length }) => (length ?? []).reduce((sum, n) => sum + n, 0));
  for (const bytes of lengths)
    if (bytes > MAX_CHUNK_BYTES) refuse(`message_blocks of ${bytes} bytes of text: ${MAX_CHUNK_BYTES} are taken`);
  const all = lengths.reduce((sum, n) => sum + n, 0);
  if (all > MAX_BATCH_BYTES) refuse(`${all} bytes of text in all message_blocks: ${MAX_BATCH_BYTES} are taken`);
  let beganMs = performance.now();
  for (const [i, { text }] of blocks.entries()) {
    const bytes = lengths[i] as number;
    if (unpackedBytes(text ?? new Uint8Array(), bytes) !== bytes)
      refuse(`the text of message_blocks is not the ${bytes} bytes that its messages say`);
    if (performance.now() - beganMs < turnMs) continue;
    await otherWork();
    beganMs = performance.now();
  }
}

/** Null: the text cannot be unpacked, or has more bytes than `most`. */
function unpackedBytes(text: Uint8Array, most: number): number | null {
  try {
    return zstdDecompressSync(text, { maxOutputLength: Math.max(1, most), chunkSize: Math.max(64, most) }).length;
  } catch {
    return null;
  }
}
