/** The load shapes, one line each. The API's schema, forms, plans and the words of the wire are made from their rows. */
import type { LoadStep } from '../load-step.ts';
import { BUILDUP } from './buildup.ts';
import { CONCURRENCY } from './concurrency.ts';
import { POISSON } from './poisson.ts';
import { RATE } from './rate.ts';
import type { LoadFieldRows, LoadNumbers, LoadShape, Pace, WrittenNumbers } from './shape.ts';
import { SINE } from './sine.ts';
import { STEPS } from './steps.ts';

const ROWS = {
  BUILDUP,
  RATE,
  STEPS,
  POISSON,
  CONCURRENCY,
  SINE,
} as const;
type Rows = typeof ROWS;

export type LoadShapeName = keyof Rows;
export type Load = { [S in LoadShapeName]: { shape: S } & LoadNumbers<Rows[S]['fields']> }[LoadShapeName];
/** The load as users write it. */
export type WrittenLoad = { [S in LoadShapeName]: { shape: S } & WrittenNumbers<Rows[S]['fields']> }[LoadShapeName];

/** The names are in the order of the table. */
export const LOAD_SHAPES = Object.keys(ROWS) as [LoadShapeName, ...LoadShapeName[]];

/** A row accepts the values of its own fields only. A type of all rows cannot express that. */
type Row = Omit<LoadShape<never>, 'fields' | 'pace'> & {
  readonly fields: LoadFieldRows;
  readonly pace: (Pace & { readonly wire: PaceWord }) | null;
};

export const loadShape = (shape: LoadShapeName): Row => ROWS[shape] as Row;

/** True: each endpoint is started once, spread over the test's `buildup`. */
export const hasBuildup = ({ shape }: { readonly shape: string }): boolean =>
  ROWS[shape as LoadShapeName]?.pace === null;

type SizedShape = {
  [S in LoadShapeName]: 'seconds' extends keyof Rows[S]['fields'] ? S : never;
}[LoadShapeName];
/** A load that may end after a time or a number of calls. */
export type SizedLoad = Extract<Load, { readonly shape: SizedShape }>;
export const isSized = (load: Load): load is SizedLoad => 'seconds' in ROWS[load.shape].fields;

/** True: the load has one rate, which the start of a run may replace. */
export const hasOneRate = (shape: LoadShapeName): boolean => 'callsPerSecond' in ROWS[shape].fields;

/** True: each call waits for a free endpoint. */
export const waits = ({ shape }: Pick<Load, 'shape'>): boolean => loadShape(shape).pace?.waits === true;

export const stepsOf = (load: Load): readonly LoadStep[] => loadShape(load.shape).steps(load as never);

export type PaceWord = NonNullable<Rows[LoadShapeName]['pace']>['wire'];

const PACES: ReadonlyMap<string, Pace & { readonly wire: PaceWord }> = new Map(
  Object.values(ROWS).flatMap(({ pace }) => (pace ? [[pace.wire, pace]] : [])),
);

/** Undefined: the word is from a newer control plane. */
export const paceWord = (word: string): PaceWord | undefined => PACES.get(word)?.wire;

export const paceOf = (word: PaceWord): Pace => PACES.get(word) as Pace;
