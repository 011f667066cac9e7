/** A form as its fields see it: values, where the server's messages belong, and what people read. Pure. */
import type { ReactElement } from 'react';
import type { FieldKinds } from '../../../contract/field-kinds.ts';

/** What is filled in. The values are as a request has them: fields make text of them, and read it. */
export type Form<V> = {
  readonly kinds: FieldKinds;
  readonly values: V;
  readonly error: Error | null;
  /** The path of the values in a request, as `groups[0]`; '': the whole body. */
  readonly at: string;
  readonly set: (change: Partial<V>) => void;
};

export type FieldRow<V> = {
  readonly key: keyof V & string;
  readonly label: string;
  /** One sentence about the effect. */
  readonly hint?: string | undefined;
  readonly placeholder?: string;
  /** The choices in words, in their order; '' stands for null. */
  readonly words?: Readonly<Record<string, string>>;
  /** A text of so many lines, at least and at most. */
  readonly lines?: readonly [least: number, most: number];
  /** A text that is a time of day. */
  readonly isTime?: true;
  /** The greatest number, if forms have another than requests. */
  readonly most?: number;
  /** Only if it is not as the kind says: texts and numbers are required unless they may be null. */
  readonly required?: boolean;
  /** Is shown instead of the server's message. */
  readonly fault?: string | undefined;
  /** The first field of a dialog. */
  readonly focus?: true;
};
export type FieldRows<V> = readonly (FieldRow<V> | ReactElement | false | undefined)[];

export const pathOf = ({ at }: Pick<Form<unknown>, 'at'>, key: string): string => (at === '' ? key : `${at}.${key}`);

/** `put` keeps all values, of which some are changed. */
export const formOf = <V extends object>(
  kinds: FieldKinds,
  values: V,
  error: Error | null,
  at: string,
  put: (values: V) => void,
): Form<V> => ({ kinds, values, error, at, set: (change) => put({ ...values, ...change }) });

/** The form of a part, which must be there. */
export function partOf<V, K extends keyof V & string>(form: Form<V>, key: K): Form<NonNullable<V[K]>> {
  const kind = form.kinds[key];
  const kinds = kind?.kind === 'PART' ? kind.fields : {};
  const values = form.values[key] as NonNullable<V[K]>;
  return formOf(kinds, values, form.error, pathOf(form, key), (next) =>
    form.set({ [key]: next } as unknown as Partial<V>),
  );
}

export type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** `first` with the stated values, in one order. It has no others. */
export const completed = <T extends object>(first: T, said: Loose<T>): T =>
  Object.fromEntries(Object.entries(first).map(([name, value]) => [name, said[name as keyof T] ?? value])) as T;

export const picked = <T, K extends keyof T>(of: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, of[name]])) as Pick<T, K>;
