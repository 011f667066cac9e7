/**
 * Figures of one stream as a whole, each declared once. The name is that of the wire's field (facts.proto, `StreamTotals`) and of
 * the column in snake case. They are added up over a run. Values that are only shown are in stream-details.ts.
 */
import { type Snake, snakeCase } from './column-names.ts';

/** The place in an answer: sent by the endpoint, received, or the stream itself. */
export type FigurePlace = 'send' | 'receive' | 'stream';

export type StreamFigure = {
  /** The type of the column. `real` is NaN (null) if the figure was not measured; the other types are counts. */
  readonly type: 'bigint' | 'int' | 'real';
  readonly place: FigurePlace;
  /** The name in JSON, within its place. */
  readonly json: string;
  /**
   * The condition for a count that exists only if a playout buffer was emulated, or if the far end reported; otherwise it is
   * null.
   */
  readonly known?: 'PLAYOUT' | 'FEEDBACK';
  /** True: the value is null if the agent did not report it. */
  readonly isOptional?: true;
  /** The description in OpenAPI. */
  readonly says?: string;
};

export const STREAM_FIGURES = {
  localPort: { type: 'int', place: 'stream', json: 'localPort', isOptional: true },
  nackCount: { type: 'int', place: 'stream', json: 'nackCount' },
  pliCount: { type: 'int', place: 'stream', json: 'pliCount' },
  firCount: { type: 'int', place: 'stream', json: 'firCount' },
  ssrcSent: { type: 'bigint', place: 'send', json: 'ssrc', isOptional: true },
  packetsSent: { type: 'bigint', place: 'send', json: 'packets' },
  octetsSent: { type: 'bigint', place: 'send', json: 'octets' },
  sendsSkipped: {
    type: 'int',
    place: 'send',
    json: 'skipped',
    says: 'packets not sent because their send time had passed',
  },
  remoteLost: { type: 'bigint', place: 'send', json: 'remoteLost', known: 'FEEDBACK', says: 'as the far end reports' },
  remoteJitterMs: { type: 'real', place: 'send', json: 'remoteJitterMs' },
  rttMeanMs: { type: 'real', place: 'send', json: 'rttMeanMs' },
  rttMaxMs: { type: 'real', place: 'send', json: 'rttMaxMs' },
  rttCount: { type: 'int', place: 'send', json: 'rttCount' },
  ssrcReceived: { type: 'bigint', place: 'receive', json: 'ssrc', isOptional: true },
  packetsReceived: { type: 'bigint', place: 'receive', json: 'packets' },
  octetsReceived: { type: 'bigint', place: 'receive', json: 'octets' },
  expected: {
    type: 'bigint',
    place: 'receive',
    json: 'expected',
    says: 'packets that came once, were lost, are absent, or that the far end paused instead of sending',
  },
  lost: { type: 'bigint', place: 'receive', json: 'lost', says: 'sequence numbers that never came (RFC 3550, A.3)' },
  absent: {
    type: 'bigint',
    place: 'receive',
    json: 'absent',
    says: 'time in which audio was due and no number is missing, in packets',
  },
  paused: {
    type: 'bigint',
    place: 'receive',
    json: 'paused',
    says: 'time in which the far end sent nothing, as the packet after it proves, in packets',
  },
  discarded: {
    type: 'bigint',
    place: 'receive',
    json: 'discarded',
    known: 'PLAYOUT',
    says: 'too late for a jitter buffer of 60 ms; null: video, which has none',
  },
  duplicates: { type: 'bigint', place: 'receive', json: 'duplicates' },
  reordered: { type: 'bigint', place: 'receive', json: 'reordered' },
  ssrcChanges: { type: 'int', place: 'receive', json: 'ssrcChanges' },
  plcEvents: { type: 'int', place: 'receive', json: 'plcEvents', known: 'PLAYOUT' },
  plcMs: { type: 'real', place: 'receive', json: 'plcMs' },
  jitterMeanMs: { type: 'real', place: 'receive', json: 'jitterMeanMs' },
  jitterMaxMs: { type: 'real', place: 'receive', json: 'jitterMaxMs' },
  mos: { type: 'real', place: 'receive', json: 'mos' },
  rFactor: { type: 'real', place: 'receive', json: 'rFactor' },
  burstRatio: { type: 'real', place: 'receive', json: 'burstRatio' },
} as const satisfies Readonly<Record<string, StreamFigure>>;

type Table = typeof STREAM_FIGURES;
export type StreamFigureName = keyof Table;
export type StreamFigures = { readonly [K in StreamFigureName]: number };
const ROWS = Object.entries(STREAM_FIGURES) as [StreamFigureName, StreamFigure][];
/** The table without its literal types, for iteration. */
export const STREAM_FIGURE_ROWS: readonly (readonly [StreamFigureName, StreamFigure])[] = ROWS;

/** Reads all figures of one stream. Figures that are not given were not measured, or not counted. */
export function readStreamFigures(of: (name: StreamFigureName) => number | undefined): StreamFigures {
  const read: Partial<Record<StreamFigureName, number>> = {};
  for (const [name, { type }] of ROWS) read[name] = of(name) ?? (type === 'real' ? Number.NaN : 0);
  return read as StreamFigures;
}

type IsNullable<F extends StreamFigure> = F extends { type: 'real' } | { known: string } | { isOptional: true }
  ? true
  : false;
/** The JSON fields of a place: the names of their figures, and whether they may be null. */
export type StreamFieldsOf<P extends FigurePlace, Nullable, Plain> = {
  [K in StreamFigureName as Table[K]['place'] extends P ? Table[K]['json'] : never]: IsNullable<Table[K]> extends true
    ? Nullable
    : Plain;
};
export const isNullable = ({ type, known, isOptional }: StreamFigure): boolean =>
  type === 'real' || known !== undefined || isOptional === true;

/** The columns of figures in table `streams`. */
export type StreamColumns = {
  [K in StreamFigureName as Snake<K>]: IsNullable<Table[K]> extends true ? number | null : number;
};
export const streamColumnOf = (name: StreamFigureName): Snake<StreamFigureName> => snakeCase(name);
