/**
 * When the calls of a test start. The schemas are made once from the rows of the load shapes, for answers, requests and the
 * provisioning file.
 */
import type { LoadFieldRows, NumberField, RowsField } from '@carillon/proto/load/shapes/shape.ts';
import { type Load as AnyLoad, LOAD_SHAPES, loadShape, type WrittenLoad } from '@carillon/proto/load/shapes/shapes.ts';
import * as z from 'zod';

/** A list in words: `RATE, STEPS or POISSON`. */
export const anyOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

export const numberOf = ({ isWhole, min, max }: NumberField) => (isWhole ? z.int() : z.number()).min(min).max(max);

function fieldOf(field: NumberField | RowsField): z.ZodType {
  if ('row' in field)
    return z
      .array(z.strictObject(fieldsOf(field.row)))
      .min(1)
      .max(field.max);
  const number = numberOf(field);
  const mayLack = field.isOptional ? number.optional() : number;
  const whole = field.fallback === undefined ? mayLack : number.default(field.fallback);
  return field.says === undefined ? whole : whole.describe(field.says);
}

const fieldsOf = (fields: LoadFieldRows): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]));

type Length = { readonly seconds?: unknown; readonly calls?: unknown };
const hasOneLength = ({ seconds, calls }: object & Length): boolean => seconds === undefined || calls === undefined;
const ONE_LENGTH = { path: ['calls'], message: 'cannot be combined with seconds: a load has one length' };

const schemas = LOAD_SHAPES.map((shape) => {
  const { fields, says } = loadShape(shape);
  const values = z
    .strictObject({ shape: z.literal(shape), ...fieldsOf(fields) } as { shape: z.ZodLiteral })
    .refine(hasOneLength, ONE_LENGTH);
  return says === null ? values : values.describe(says);
}) as unknown as readonly [z.ZodObject<{ shape: z.ZodLiteral }>];

/** The types are stated here, because TypeScript cannot derive them from a schema that is made of rows. */
const OneShape = z.discriminatedUnion('shape', schemas) as unknown as z.ZodType<AnyLoad, WrittenLoad>;

export const Load = OneShape.describe(
  'schedule of call starts. The number of callers limits the calls in progress: a call that finds no free caller is dropped and counted. Each caller places one call, or the number in `calls`',
).meta({ id: 'Load' });
