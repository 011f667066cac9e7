/** Selects messages of some endpoints from blocks of many, as new blocks. Pure. */
import { COLUMN, COLUMNS, type MessageBlock } from './message-block.ts';

/** The size of the signalling threads' blocks (message-store.ts). */
export const BLOCK_BYTES = 64 * 1024;
const WORD_COLUMNS = [COLUMN.METHOD, COLUMN.CALL_ID, COLUMN.PEER];

type MessageLocation = {
  readonly block: MessageBlock;
  readonly row: number;
  readonly from: number;
  readonly bytes: number;
};

/** Returns the messages in their order. */
export function selectMessages(
  blocks: readonly MessageBlock[],
  isWanted: (endpoint: number) => boolean,
): MessageBlock[] {
  const selected: MessageBlock[] = [];
  let places: MessageLocation[] = [];
  let used = 0;
  const end = (): void => {
    if (places.length > 0) selected.push(copied(places, used));
    places = [];
    used = 0;
  };
  for (const block of blocks) {
    const before = places[0]?.block;
    if (before?.localAddress !== block.localAddress || before.isMasked !== block.isMasked) end();
    let from = 0;
    for (let row = 0; row < block.atMs.length; row++) {
      const bytes = block.columns[row * COLUMNS + COLUMN.BYTES] as number;
      if (isWanted(block.columns[row * COLUMNS + COLUMN.ENDPOINT] as number)) {
        if (used + bytes > BLOCK_BYTES) end();
        places.push({ block, row, from, bytes });
        used += bytes;
      }
      from += bytes;
    }
  }
  end();
  return selected;
}

/** `used`: the bytes of the messages' text. */
function copied(places: readonly MessageLocation[], used: number): MessageBlock {
  const text = new Uint8Array(used);
  const columns = new Int32Array(places.length * COLUMNS);
  const atMs = new Float64Array(places.length);
  const words = new Map<string, number>();
  let to = 0;
  for (const [row, { block, row: its, from, bytes }] of places.entries()) {
    text.set(block.text.subarray(from, from + bytes), to);
    to += bytes;
    columns.set(block.columns.subarray(its * COLUMNS, (its + 1) * COLUMNS), row * COLUMNS);
    atMs[row] = block.atMs[its] as number;
    for (const column of WORD_COLUMNS) {
      const at = row * COLUMNS + column;
      const word = block.words[columns[at] as number] as string;
      const place = words.get(word) ?? words.size;
      words.set(word, place);
      columns[at] = place;
    }
  }
  const { localAddress = '', isMasked = false } = places[0]?.block ?? {};
  return { text, isMasked, columns, atMs, words: [...words.keys()], localAddress };
}
