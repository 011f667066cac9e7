/** Cursor of a list: the last row, and the order. Opaque to clients. Pure. */
import * as z from 'zod';

const Written = z.tuple([
  z.string(),
  z.union([
    z.string().max(300),
    z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  ]),
  z.uuid(),
  z.int().min(1).max(1_000_000),
]);

export type ListCursor = {
  readonly order: string;
  /** Of the last row that was shown: what the list is sorted by, and its id. */
  readonly key: string | number;
  readonly id: string;
  /** Which page comes next. */
  readonly page: number;
};

export const writeCursor = ({ order, key, id, page }: ListCursor): string =>
  Buffer.from(JSON.stringify([order, key, id, page])).toString('base64url');

/** null: not a valid cursor. */
export function readCursor(text: string): ListCursor | null {
  const parsed = Written.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) return null;
  const [order, key, id, page] = parsed.data;
  return { order, key, id, page };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
