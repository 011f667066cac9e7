/** Ended runs of one test as columns for charts, oldest first. Pure. */
import type { Output } from '../../../contract/catalogue.ts';

type Row = Output<'listTestTrend'>;
type Key = keyof Row['figures'];
const KEYS: readonly Key[] = ['successShare', 'asr', 'setupP50Ms', 'setupP95Ms', 'avgMos', 'packetLossPercent'];

export type FigureTrend = {
  /** The places of the runs on the axis. Their distances are equal, whenever the runs were. */
  readonly at: readonly number[];
  /** `2026-11-22 21:05:07` */
  readonly places: readonly string[];
  readonly columns: Readonly<Record<Key, readonly (number | null)[]>>;
  readonly runIds: readonly string[];
  /** The place of the baseline; null: none of these runs is the baseline. */
  readonly baselineAt: number | null;
  /** The number of VOID runs, whose figures are left out. */
  readonly voids: number;
  /** The scale of most runs that have a MOS. Figures on another scale are left out. */
  readonly scale: string | null;
};

/** @param rows the rows in the order of the API, last submitted first */
export function trendOf(rows: readonly Row[]): FigureTrend {
  const runs = rows.toReversed();
  const scales = new Map<string, number>();
  for (const { figures, verdict } of runs) {
    const { scale, value } = figures.avgMos;
    if (scale !== null && value !== null && verdict !== 'VOID') scales.set(scale, (scales.get(scale) ?? 0) + 1);
  }
  const scale = [...scales].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
  const figureOf = ({ figures, verdict }: Row, key: Key): number | null => {
    if (verdict === 'VOID') return null;
    return key === 'avgMos' && figures.avgMos.scale !== scale ? null : figures[key].value;
  };
  const baselineAt = runs.findIndex(({ isBaseline }) => isBaseline);
  return {
    runIds: runs.map(({ testRunId }) => testRunId),
    baselineAt: baselineAt < 0 ? null : baselineAt,
    at: runs.map((_, i) => i),
    places: runs.map(({ submittedAt }) => submittedAt.slice(0, 19).replace('T', ' ')),
    columns: Object.fromEntries(KEYS.map((key) => [key, runs.map((run) => figureOf(run, key))])) as Record<
      Key,
      (number | null)[]
    >,
    voids: runs.filter(({ verdict }) => verdict === 'VOID').length,
    scale,
  };
}
