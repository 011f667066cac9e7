/** The cursor of a list: the last row, and the order. It is opaque to clients. Pure. */
import * as z from 'zod';

const Written = z.tuple([z.string(), z.array(z.string()).min(1).max(4), z.int().min(1).max(1_000_000)]);

export type ListCursor = {
  readonly order: string;
  /** The sort keys of the last row that was shown. */
  readonly place: readonly string[];
  /** The number of the next page. */
  readonly page: number;
};

export const writeCursor = ({ order, place, page }: ListCursor): string =>
  Buffer.from(JSON.stringify([order, place, page])).toString('base64url');

/** Null: not a valid cursor. */
export function readCursor(text: string): ListCursor | null {
  const parsed = Written.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) return null;
  const [order, place, page] = parsed.data;
  return { order, place, page };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
