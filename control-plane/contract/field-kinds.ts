/** What a form must know of a field to draw it: its kind and its bounds, read from its schema. */
import * as z from 'zod';

/** `isOptional`: it may be null. */
export type FieldKind =
  | { readonly kind: 'TEXT' | 'SWITCH' | 'TEXTS' | 'OTHER'; readonly isOptional: boolean }
  | {
      readonly kind: 'NUMBER';
      readonly isOptional: boolean;
      readonly isWhole: boolean;
      readonly min: number;
      readonly max: number;
    }
  /** One of these words, or any number of them. */
  | {
      readonly kind: 'CHOICE' | 'CHOICES';
      readonly isOptional: boolean;
      readonly words: readonly (string | number)[];
    }
  | { readonly kind: 'PART'; readonly isOptional: boolean; readonly fields: FieldKinds };
export type FieldKinds = Readonly<Record<string, FieldKind>>;

function kindOf(schema: z.core.$ZodType, isOptional = false): FieldKind {
  if (schema instanceof z.ZodNullable) return kindOf(schema.unwrap(), true);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return kindOf(schema.unwrap(), isOptional);
  if (schema instanceof z.ZodString) return { kind: 'TEXT', isOptional };
  if (schema instanceof z.ZodBoolean) return { kind: 'SWITCH', isOptional };
  if (schema instanceof z.ZodNumber)
    return { kind: 'NUMBER', isOptional, isWhole: schema.isInt, min: schema.minValue ?? 0, max: schema.maxValue ?? 0 };
  if (schema instanceof z.ZodObject) return { kind: 'PART', isOptional, fields: kindsOf(schema.shape) };
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString) return { kind: 'TEXTS', isOptional };
  const words = wordsOf(schema instanceof z.ZodArray ? schema.element : schema);
  if (words === null) return { kind: 'OTHER', isOptional };
  return { kind: schema instanceof z.ZodArray ? 'CHOICES' : 'CHOICE', isOptional, words };
}

function wordsOf(schema: z.core.$ZodType): readonly (string | number)[] | null {
  if (schema instanceof z.ZodEnum) return schema.options;
  if (!(schema instanceof z.ZodUnion)) return null;
  const all = schema.options.flatMap((one) => (one instanceof z.ZodLiteral ? [one.value as string | number] : []));
  return all.length === schema.options.length ? all : null;
}

export const kindsOf = (shape: z.core.$ZodLooseShape): FieldKinds =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, kindOf(schema)]));
