/** Query parameters, which are text in HTTP and JSON in MCP. */
import * as z from 'zod';

/** `true` or `false`. */
export const Flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());

/** A number as people write it: `0x10`, `+1`, `1e3` and blanks are refused. */
const numberOf = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? Number(value) : value;

export const whole = (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(numberOf(/^-?\d{1,15}$/), z.number().int().min(least).max(most));
export const decimal = (least: number, most: number) =>
  z.preprocess(numberOf(/^-?\d{1,15}(\.\d{1,15})?$/), z.number().min(least).max(most));

/** A parameter that may be repeated. */
export const many = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).min(1).max(20),
  );

/** For `-createdAt`, generated clients need a name that differs from that of `createdAt`. */
const orderName = (order: string): string => (order.startsWith('-') ? `${order.slice(1)}_desc` : order);

/** The order of a list, and its cursor. The first order is the default. */
export const cursorOf = <const O extends readonly [string, ...string[]]>(orders: O) => ({
  sort: z
    .enum(orders)
    .default(orders[0])
    .describe('- : descending')
    .meta({ 'x-enum-varnames': orders.map(orderName) }),
  cursor: z.string().max(8000).optional().describe('meta.nextCursor of the previous page, instead of page'),
});
