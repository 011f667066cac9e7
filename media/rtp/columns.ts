/**
 * Struct of arrays: one typed array per column, one row per stream, in one SharedArrayBuffer, so that the counting
 * thread and the reading threads exchange no messages.
 */

const ARRAYS = { f64: Float64Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array } as const;
type Kind = keyof typeof ARRAYS;

/** Columns by name: their type, or type and elements per row if a row has more than one. */
export type ColumnSchema = { readonly [name: string]: Kind | readonly [kind: Kind, perRow: number] };

type ArrayOf<K> = K extends readonly [infer Inner, number]
  ? ArrayOf<Inner>
  : K extends Kind
    ? InstanceType<(typeof ARRAYS)[K]>
    : never;

export type Columns<S extends ColumnSchema> = { readonly [K in keyof S]: ArrayOf<S[K]> };

const kindOf = (column: ColumnSchema[string]): Kind => (typeof column === 'string' ? column : column[0]);
const perRow = (column: ColumnSchema[string]): number => (typeof column === 'string' ? 1 : column[1]);

/** Every column starts on a cache line of its own, which also satisfies every alignment. */
const ALIGN_BYTES = 64;
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;

const bytesOf = (column: ColumnSchema[string], rows: number): number =>
  aligned(ARRAYS[kindOf(column)].BYTES_PER_ELEMENT * perRow(column) * rows);

/** The size of the columns of `rows` rows in bytes. */
export function columnsBytes(schema: ColumnSchema, rows: number): number {
  return Object.values(schema).reduce((sum, column) => sum + bytesOf(column, rows), 0);
}

/**
 * Maps the columns of `rows` rows in `buffer`, from byte `offset` (a multiple of 64) on. The layout depends only on the
 * schema and the number of rows: two threads that map the same buffer see the same columns.
 */
export function mapColumns<S extends ColumnSchema>(
  schema: S,
  rows: number,
  buffer: ArrayBuffer | SharedArrayBuffer,
  offset = 0,
): Columns<S> {
  const columns: Record<string, InstanceType<(typeof ARRAYS)[Kind]>> = {};
  let at = offset;
  for (const [name, column] of Object.entries(schema)) {
    columns[name] = new ARRAYS[kindOf(column)](buffer as ArrayBuffer, at, rows * perRow(column));
    at += bytesOf(column, rows);
  }
  // The object is copied, because V8 turns an object that gets many properties one by one into a hash table with slow access.
  return { ...columns } as Columns<S>;
}

/** Sets one row of every column to zero. */
export function clearRow(schema: ColumnSchema, columns: Columns<ColumnSchema>, row: number): void {
  for (const [name, column] of Object.entries(schema)) {
    const width = perRow(column);
    columns[name]?.fill(0, row * width, (row + 1) * width);
  }
}
