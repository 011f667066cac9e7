/**
 * The memory of a block of messages: instants, rows of numbers and text in one piece, which is transferred to another
 * thread unchanged.
 */
import { type Latin1Buffer, latin1Buffer } from '../net/datagrams/latin1.ts';
import { COLUMNS } from './message-block.ts';

export class BlockMemory {
  /** The capacity in messages. */
  readonly rows: number;
  readonly atMs: Float64Array<ArrayBuffer>;
  readonly columns: Int32Array<ArrayBuffer>;
  readonly text: Latin1Buffer;

  /** The memory is not initialized. */
  constructor(rows: number, bytes: number) {
    const columnsAt = rows * Float64Array.BYTES_PER_ELEMENT;
    const textAt = columnsAt + rows * COLUMNS * Int32Array.BYTES_PER_ELEMENT;
    const { buffer } = Buffer.allocUnsafeSlow(textAt + bytes);
    this.rows = rows;
    this.atMs = new Float64Array(buffer, 0, rows);
    this.columns = new Int32Array(buffer, columnsAt, rows * COLUMNS);
    this.text = latin1Buffer(new Uint8Array(buffer, textAt, bytes));
  }

  /** Copies the first `rows` messages and their text into memory of another size. */
  moved(rows: number, bytes: number, toRows: number, toBytes: number): BlockMemory {
    const to = new BlockMemory(toRows, toBytes);
    to.atMs.set(this.atMs.subarray(0, rows));
    to.columns.set(this.columns.subarray(0, rows * COLUMNS));
    this.text.copy(to.text, 0, 0, bytes);
    return to;
  }
}
