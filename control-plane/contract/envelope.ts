/** The envelopes of every answer (docs/contract.md, Envelopes). */
import * as z from 'zod';
import { whole } from './query.ts';

export const Timestamp = z.iso.datetime();
export const Id = z.string();

/** The version increases with each change. ETag and If-Match carry it in quotes. */
export const Version = z.int().describe('increases with each change; used as the ETag');

/** The answer of a DELETE. */
export const Deleted = z.object({ id: Id, deleted: z.literal(true) }).meta({ id: 'Deleted' });

/** Offset pagination, counted from 1. A value out of range is refused, not clamped. */
export const Page = {
  page: whole(1, 1_000_000).default(1).describe('1-indexed page number'),
  per_page: whole(1, 100).default(25).describe('items per page, at most 100'),
};

export type Paged = { readonly page: number; readonly per_page: number };

/** How far a limited search got; `total` counts the matches up to there. */
export const Search = z.object({
  scanned: z.int(),
  limit: z.int().describe('maximum that one request examines'),
  complete: z.boolean(),
  until: Timestamp.nullable().describe('where the list continues, if it is not complete'),
});
export type Search = z.infer<typeof Search>;

/** One page of rows and their total number. */
export type Listed<T> = {
  readonly rows: readonly T[];
  readonly total: number;
  readonly search?: Search;
  /** The page of a cursor; absent: the requested page. */
  readonly page?: number;
  /** The cursor of the next page, in lists that have one; null: this is the last page. */
  readonly nextCursor?: string | null;
};

const Meta = z.object({ requestId: z.uuid() }).meta({ id: 'Meta' });

const Pagination = z.object({
  page: z.int(),
  perPage: z.int(),
  total: z.int(),
  totalPages: z.int(),
});

/** There are no further rows when `page` equals `totalPages` (docs/contract.md, Envelopes), so an empty list has one page. */
export const pagination = (
  { total, page: at }: Listed<unknown>,
  { page, per_page }: Paged,
): z.infer<typeof Pagination> => ({
  page: at ?? page,
  perPage: per_page,
  total,
  totalPages: Math.max(1, Math.ceil(total / per_page)),
});

export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      docs: z.string().optional().describe('page about the code, on this server'),
    }),
    meta: Meta,
  })
  .meta({ id: 'Error' });

export const single = <T extends z.ZodType>(data: T) => z.object({ data, meta: Meta });

const ListMeta = Meta.extend({
  pagination: Pagination,
  nextCursor: z
    .string()
    .nullable()
    .optional()
    .describe('of lists with a cursor: the cursor of the next page; null: this is the last page'),
  search: Search.optional(),
}).meta({ id: 'ListMeta' });

export const list = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: ListMeta });
