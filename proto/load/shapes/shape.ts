/**
 * The definition of a load shape. Each shape is a file of its own, which states all that the shape decides, and a line in
 * shapes.ts.
 */
import type { LoadStep } from '../load-step.ts';

export const MIN_CALLS_PER_SECOND = 0.01;
export const MAX_CALLS_PER_SECOND = 100_000;
/** The longest load. A day is within the limits of a database column and a delayed job. */
export const MAX_LOAD_SECONDS = 86_400;
/** The maximum number of calls of a run: columns of 31 bits and numbers of calls reach beyond it. */
export const MAX_CALLS = 1_000_000_000;

export type NumberField = {
  /** The label in forms; absent: forms do not show the field. */
  readonly label?: string;
  /** The description in the API. */
  readonly says?: string;
  readonly isWhole: boolean;
  readonly min: number;
  readonly max: number;
  readonly isOptional?: true;
  /** The value if none is given. */
  readonly fallback?: number;
};

/** A list of rows. Each row has these numbers. */
export type RowsField = {
  readonly row: Readonly<Record<string, NumberField>>;
  /** The name of a row in forms. */
  readonly name: string;
  readonly max: number;
};

export type LoadFieldRows = Readonly<Record<string, NumberField | RowsField>>;

type FieldValue<F> = F extends RowsField ? { [K in keyof F['row']]: number }[] : number;
type Marked<F, Mark> = { [K in keyof F]: F[K] extends Mark ? K : never }[keyof F];
type Optional = { readonly isOptional: true };
type Fallen = { readonly fallback: number };
type FieldValues<F, K extends keyof F> = { [N in Exclude<keyof F, K>]: FieldValue<F[N]> } & {
  [N in K]?: FieldValue<F[N]> | undefined;
};

export type LoadNumbers<F extends LoadFieldRows> = FieldValues<F, Marked<F, Optional>>;
/** The numbers as users write them: those with a fallback may be left out. */
export type WrittenNumbers<F extends LoadFieldRows> = FieldValues<F, Marked<F, Optional | Fallen>>;

/** How calls follow from the steps of a load. */
export type Pace = {
  /** The word for the pace on the wire. An agent that does not know it refuses. */
  readonly wire: string;
  /** True: calls start at random, at the rate of the steps on average. */
  readonly isRandom: boolean;
  /** True: a call waits until an endpoint is free, and the rate of the steps is the maximum. */
  readonly waits: boolean;
};

export type LoadShape<F extends LoadFieldRows = LoadFieldRows> = {
  /** The title in forms. */
  readonly title: string;
  readonly sentence: string;
  /** The note under the drawn curve; null: no note. */
  readonly note: string | null;
  /** The description in the API; null: the name is sufficient. */
  readonly says: string | null;
  readonly fields: F;
  /** Null: each endpoint is started once, spread over the test's `buildup`. */
  readonly pace: Pace | null;
  steps(load: LoadNumbers<F>): readonly LoadStep[];
  /** The number of calls as a product; absent: it is not known in advance. */
  product?(load: LoadNumbers<F>): string;
  /** The values that a form suggests, if they differ from a plain `callsPerSecond`. */
  suggest?(callsPerSecond: number): LoadNumbers<F>;
  /** What a change of the load in progress ends. */
  readonly endedByChange?: string;
};

/** In an even pace each call is due as soon as the steps have gathered it. */
export const EVEN = { wire: 'EVEN', isRandom: false, waits: false } as const;

export const CALLS_PER_SECOND = {
  label: 'Calls per second',
  isWhole: false,
  min: MIN_CALLS_PER_SECOND,
  max: MAX_CALLS_PER_SECOND,
} as const;

export const SECONDS = { label: 'Seconds', isWhole: true, min: 1, max: MAX_LOAD_SECONDS } as const;

/** The length of a load. If neither is given, it lasts until every endpoint has placed its calls. */
export const LENGTH = {
  seconds: { ...SECONDS, says: 'duration of call starts', isOptional: true },
  calls: {
    label: 'Calls in all',
    says: 'number of calls started',
    isWhole: true,
    min: 1,
    max: MAX_CALLS,
    isOptional: true,
  },
} as const;

type OneRate = { readonly callsPerSecond: number; readonly seconds?: number | undefined };

export const oneStep = ({ callsPerSecond, seconds = Number.POSITIVE_INFINITY }: OneRate): readonly LoadStep[] => [
  { callsPerSecond, seconds },
];
