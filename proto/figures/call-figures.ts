/**
 * Figures of one call, or of a registration or OPTIONS without one, each declared once. The name is that of the wire's field
 * (facts.proto, `Outcome`), of the column in snake case and of JSON. The agent measures them. Decoding, storage, answers and the
 * dashboard read this table.
 */

import { type Snake, snakeCase } from './column-names.ts';

/** How values are aggregated over a run: percentiles, and thresholds on p95. */
type Spread = {
  /** The key in `callTiming` of a run, and of a threshold. */
  readonly key: string;
  /** What the values are of: each call, or each endpoint that has one, because registrations are not calls. */
  readonly of: 'CALLS' | 'ENDPOINTS';
  /** The title in tables of a run's timings. */
  readonly title: string;
  readonly isCharted: boolean;
  /** The milliseconds up to which a value is good, and fair; null: no threshold may name it. */
  readonly limits: {
    readonly name: string;
    readonly says: string;
    readonly green: number;
    readonly orange: number;
  } | null;
};

export type CallFigure = {
  /** Milliseconds are NaN (null in JSON) if they were not measured. A count is always known. */
  readonly unit: 'ms' | 'count';
  /** The answers that have the figure: `callTiming` of a listed endpoint, in whole milliseconds, or the endpoint's detail. */
  readonly answered: readonly ('LIST' | 'DETAIL')[];
  /** The description in OpenAPI. */
  readonly says?: string;
  readonly spread?: Spread;
  /** The figure was added after the first version of the CSV file, whose columns keep their places. */
  readonly isLaterInCsv?: true;
};

/** `t0` of a call is the planned instant of its INVITE. */
export const CALL_FIGURES = {
  callSetupMs: {
    unit: 'ms',
    answered: ['LIST'],
    spread: {
      key: 'callSetup',
      of: 'CALLS',
      title: 'Call set-up',
      isCharted: true,
      limits: { name: 'Call set-up', says: 'From the INVITE to the answer', green: 1000, orange: 3000 },
    },
  },
  pddMs: {
    unit: 'ms',
    answered: ['LIST'],
    spread: {
      key: 'pdd',
      of: 'CALLS',
      title: 'Post-dial delay',
      isCharted: true,
      limits: {
        name: 'Post-dial delay',
        says: 'From the INVITE to the first response that says something: ringing or progress',
        green: 3000,
        orange: 6000,
      },
    },
  },
  timeToTryingMs: {
    unit: 'ms',
    answered: ['LIST'],
    spread: {
      key: 'timeToTrying',
      of: 'CALLS',
      title: 'To 100 Trying',
      isCharted: true,
      limits: { name: 'Time to 100 Trying', says: 'From the INVITE to 100 Trying', green: 500, orange: 2000 },
    },
  },
  timeToRingingMs: {
    unit: 'ms',
    answered: ['LIST'],
    spread: {
      key: 'timeToRinging',
      of: 'CALLS',
      title: 'To ringing',
      isCharted: true,
      limits: { name: 'Time to ringing', says: 'From the INVITE to 180 Ringing', green: 3000, orange: 6000 },
    },
  },
  ringDurationMs: {
    unit: 'ms',
    answered: ['LIST'],
    says: 'from 180 Ringing to the answer; null: it did not ring, or was not answered',
    spread: { key: 'ringDuration', of: 'CALLS', title: 'Ringing to answer', isCharted: true, limits: null },
    isLaterInCsv: true,
  },
  timeToEarlyMediaMs: {
    unit: 'ms',
    answered: ['LIST'],
    says: 'to the first media packet, where it came before the answer; null: not measured',
  },
  timeToFirstMediaMs: {
    unit: 'ms',
    answered: ['LIST'],
    spread: {
      key: 'timeToFirstMedia',
      of: 'CALLS',
      title: 'Answer to first media',
      isCharted: true,
      limits: {
        name: 'Time to first media',
        says: 'From the answer to the first media packet',
        green: 500,
        orange: 2000,
      },
    },
  },
  registerRttMs: {
    unit: 'ms',
    answered: ['LIST', 'DETAIL'],
    spread: {
      key: 'registerRtt',
      of: 'ENDPOINTS',
      title: 'Registration',
      isCharted: true,
      limits: {
        name: 'Registration round trip',
        says: 'From REGISTER to its final response',
        green: 500,
        orange: 2000,
      },
    },
  },
  optionsRttMs: {
    unit: 'ms',
    answered: ['DETAIL'],
    says: 'of mode OPTIONS: to the final response, which is finalStatusCode',
    spread: {
      key: 'optionsRtt',
      of: 'ENDPOINTS',
      title: 'OPTIONS',
      isCharted: false,
      limits: { name: 'OPTIONS round trip', says: 'From OPTIONS to its final response', green: 500, orange: 2000 },
    },
  },
  callDurationMs: {
    unit: 'ms',
    answered: ['LIST'],
    spread: { key: 'callDuration', of: 'CALLS', title: 'Call duration', isCharted: false, limits: null },
  },
  inviteLateMs: { unit: 'ms', answered: ['DETAIL'] },
  byeRttMs: { unit: 'ms', answered: ['DETAIL'] },
  dnsMs: {
    unit: 'ms',
    answered: ['DETAIL'],
    says: 'finding the servers of a name (RFC 3263); null where there was no name',
  },
  connectMs: {
    unit: 'ms',
    answered: ['DETAIL'],
    says: 'opening the connection that its first request opened; null where it opened none',
  },
  tlsMs: { unit: 'ms', answered: ['DETAIL'], says: 'the TLS handshake on that connection' },
  failovers: {
    unit: 'count',
    answered: ['DETAIL'],
    says: 'requests that went on to the next server: 503, no answer, no transport',
  },
} as const satisfies Readonly<Record<string, CallFigure>>;

type Table = typeof CALL_FIGURES;
export type FigureName = keyof Table;
export type CallFigures = { readonly [K in FigureName]: number };

/** The table without its literal types, for iteration. */
export const FIGURES: ReadonlyMap<FigureName, CallFigure> = new Map(
  Object.entries(CALL_FIGURES) as [FigureName, CallFigure][],
);
export const FIGURE_NAMES: readonly FigureName[] = [...FIGURES.keys()];

/** The names of the figures in an answer. */
export type AnsweredIn<Where extends 'LIST' | 'DETAIL'> = {
  [K in FigureName]: Where extends Table[K]['answered'][number] ? K : never;
}[FigureName];
export const answeredIn = <Where extends 'LIST' | 'DETAIL'>(where: Where): AnsweredIn<Where>[] =>
  FIGURE_NAMES.filter((name) => FIGURES.get(name)?.answered.includes(where)) as AnsweredIn<Where>[];

type AnySpread = { [K in FigureName]: Table[K] extends { spread: infer S extends Spread } ? S : never }[FigureName];
/** The keys of `callTiming` that are distributions. */
export type SpreadKey = AnySpread['key'];
export type ChartedKey = Extract<AnySpread, { isCharted: true }>['key'];
export type LimitedKey = Exclude<AnySpread, { limits: null }>['key'];

export type RunSpread = Spread & { readonly key: SpreadKey; readonly figure: FigureName };
export const SPREADS: readonly RunSpread[] = FIGURE_NAMES.flatMap((figure) => {
  const spread = FIGURES.get(figure)?.spread;
  return spread ? [{ ...(spread as Spread & { key: SpreadKey }), figure }] : [];
});

/** A column of figures in table `endpoints`. */
export type FigureColumn = Snake<FigureName>;
export const columnOf = (name: FigureName): FigureColumn => snakeCase(name);
/** The figures as the database returns them; null: not measured. */
export type FigureColumns = { [K in FigureColumn]: number | null };

/** Reads all figures of one call. Figures that are not given were not measured. */
export function readFigures(of: (name: FigureName) => number | null | undefined): CallFigures {
  const read: Partial<Record<FigureName, number>> = {};
  for (const name of FIGURE_NAMES) read[name] = of(name) ?? (CALL_FIGURES[name].unit === 'ms' ? Number.NaN : 0);
  return read as CallFigures;
}
