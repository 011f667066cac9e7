/** Comparison of two ended runs, from stored data and from their calls in blocks of time. */
import type { Output } from '../../../contract/catalogue.ts';
import { METRIC_KEYS } from '../../../contract/metric-keys.ts';
import { bucketOf } from '../../../domain/sums/spread.ts';
import { byId, type Handler, known } from '../../../operations/request/perform.ts';
import type { Tx } from '../../../store/db.ts';
import { keptFigures } from '../../../store/run/kept-figures.ts';
import { runDetail } from '../../../store/run/run-rows.ts';
import type { TimeBlock } from '../domain/block-bootstrap.ts';
import type { ComparedFigure, ShareFigure, TimingFigure } from '../domain/compare.ts';
import type { Share } from '../domain/proportions.ts';
import { type ShareBlock, shareBlocks, timingBlocks } from '../store/blocks.ts';

type Row = NonNullable<Awaited<ReturnType<typeof runDetail>>>;
type Answer = Output<'compareTestRuns'>;
type Figure = Answer['figures'][number];

const SHARE_POINTS = 0.5;
const TIMING_PERCENT = 5;
/** The number of buckets between 1 and 10 ms, as everywhere. */
const A_DECADE = bucketOf(10);
/** A fixed seed: the same pair of runs gives the same answer. */
const SEED = 7502;

const SHARES = {
  successShare: [
    ({ callQuality: q }: Row): Share => ({
      hits: q?.successful ?? 0,
      of: q ? q.successful + q.failed + q.notPlaced : 0,
    }),
    (b: ShareBlock): Share => ({ hits: b.successful, of: b.calls }),
  ],
  asr: [
    ({ callTiming: c }: Row): Share => ({
      hits: Math.round(((c?.asr ?? 0) / 100) * (c?.totalCalls ?? 0)),
      of: c?.totalCalls ?? 0,
    }),
    (b: ShareBlock): Share => ({ hits: b.answered, of: b.attempted }),
  ],
  callDropRate: [
    ({ callQuality: q }: Row): Share => ({ hits: q?.dropped ?? 0, of: q?.answered ?? 0 }),
    (b: ShareBlock): Share => ({ hits: b.dropped, of: b.answered }),
  ],
} as const;
type ShareKey = keyof typeof SHARES;

const TIMINGS = [
  { key: 'callSetup', figure: 'callSetupMs', name: 'Call set-up' },
  { key: 'pdd', figure: 'pddMs', name: 'Post-dial delay' },
] as const;
const QUANTILES = [
  { of: 'p50', q: 0.5 },
  { of: 'p95', q: 0.95 },
] as const;

async function read(tx: Tx, projectId: string, id: string): Promise<Row> {
  return known('test run', id, await byId(id, () => runDetail(tx, projectId, id)));
}

const named = (row: Row): Answer['run'] => ({
  testRunId: row.id,
  testName: row.testName,
  verdict: row.validity?.verdict ?? null,
});

export const compareTestRuns: Handler<'compareTestRuns'> = async (
  { ports },
  { projectId, testRunId, baseline_run_id: baselineId },
) => {
  const { db } = ports.database;
  const pair = [await read(db, projectId, baselineId), await read(db, projectId, testRunId)] as const;
  const [baseline, run] = pair;
  const both = { run: named(run), baseline: named(baseline) };
  const refusal = refusalOf(pair);
  if (refusal !== null) return { ...both, verdict: 'NOT_COMPARABLE', sentence: refusal, warnings: [], figures: [] };
  const requested = await figuresOf(db, pair);
  const { loadDistributions } = await import('../../../domain/statistics/distributions.ts');
  await loadDistributions();
  const { compareFigures, overall } = await import('../domain/compare.ts');
  const compared = compareFigures(requested, SEED);
  const figures = compared.map((one, i) => shown(one, requested[i] as (typeof requested)[number], pair));
  return { ...both, verdict: overall(compared), sentence: sentenceOf(figures), warnings: warningsOf(pair), figures };
};

function refusalOf(pair: readonly Row[]): string | null {
  const open = pair.find(({ status }) => status !== 'COMPLETED');
  if (open) return `Run ${open.id} is ${open.status}: only runs that completed are compared.`;
  const noisy = pair.find(({ validity }) => validity?.verdict === 'VOID');
  return noisy ? `Run ${noisy.id} is VOID: its figures are those of the agents' own noise.` : null;
}

const warningsOf = (pair: readonly Row[]): string[] => [
  ...pair
    .filter(({ validity }) => validity?.verdict === 'SUSPECT')
    .map(({ id, validity }) => `Run ${id} is ${validity?.sentence}`),
  ...(pair.some(({ isFolded }) => isFolded)
    ? ['A run was larger than is kept call by call: its timings are not compared, and its calls count as independent.']
    : []),
];

const keptShares = (tx: Tx, run: Row, startedAt: Date): Promise<ShareBlock[]> =>
  keptFigures(tx, run, 'shares by blocks', () => shareBlocks(tx, run.id, startedAt));

const keptTimings = (tx: Tx, run: Row, startedAt: Date, figure: (typeof TIMINGS)[number]['figure']) =>
  keptFigures(tx, run, `${figure} by blocks, ${A_DECADE} a decade`, () =>
    timingBlocks(tx, run.id, startedAt, figure, A_DECADE),
  );

/** What a comparison needs of all calls of a run. */
export async function drawAhead(tx: Tx, run: Row): Promise<void> {
  if (run.startedAt === null) return;
  await keptShares(tx, run, run.startedAt);
  for (const { figure } of TIMINGS) await keptTimings(tx, run, run.startedAt, figure);
}

async function figuresOf(tx: Tx, pair: readonly [Row, Row]): Promise<(ShareFigure | TimingFigure)[]> {
  const bySide = async <T>(of: (row: Row, startedAt: Date) => Promise<T[]>): Promise<[T[], T[]]> => {
    const side = async (row: Row) => (row.isFolded || row.startedAt === null ? [] : of(row, row.startedAt));
    return [await side(pair[0]), await side(pair[1])];
  };
  const blocks = await bySide((row, startedAt) => keptShares(tx, row, startedAt));
  const shares = (Object.keys(SHARES) as ShareKey[]).map((key): ShareFigure => {
    const [whole, part] = SHARES[key];
    return {
      kind: 'SHARE',
      key,
      higherIsBetter: METRIC_KEYS[key].higherIsBetter,
      leastEffect: SHARE_POINTS,
      of: [whole(pair[0]), whole(pair[1])],
      blocks: [blocks[0].map(part), blocks[1].map(part)],
    };
  });
  const timings: TimingFigure[] = [];
  for (const { key, figure } of TIMINGS) {
    const rows = await bySide((row, startedAt) => keptTimings(tx, row, startedAt, figure));
    const series = [seriesOf(rows[0]), seriesOf(rows[1])] as const;
    for (const { of, q } of QUANTILES)
      timings.push({ kind: 'TIMING', key: `${key}.${of}`, quantile: q, leastEffect: TIMING_PERCENT, blocks: series });
  }
  return [...shares, ...timings];
}

function seriesOf(rows: Awaited<ReturnType<typeof timingBlocks>>): TimeBlock[] {
  const blocks = new Map<number, Map<number, number>>();
  for (const { block, bucket, count } of rows) {
    const of = blocks.get(block) ?? new Map<number, number>();
    of.set(bucket, (of.get(bucket) ?? 0) + count);
    blocks.set(block, of);
  }
  return [...blocks].sort(([a], [b]) => a - b).map(([, of]) => of);
}

function shown(one: ComparedFigure, requested: ShareFigure | TimingFigure, pair: readonly [Row, Row]): Figure {
  const { key, by, interval, p, verdict, intervals } = one;
  const side = (i: 0 | 1): Figure['run'] => ({ ...figureOfSide(requested, pair, i), interval: intervals?.[i] ?? null });
  const words =
    requested.kind === 'SHARE'
      ? METRIC_KEYS[key as ShareKey]
      : { displayName: timingName(key), unit: 'ms', higherIsBetter: false };
  const { displayName, unit, higherIsBetter } = words;
  const { leastEffect } = requested;
  return {
    key,
    displayName,
    unit,
    higherIsBetter,
    baseline: side(0),
    run: side(1),
    by,
    interval,
    leastEffect,
    p,
    verdict,
  };
}

const timingName = (key: string): string => {
  const [timing, of] = key.split('.');
  return `${TIMINGS.find((t) => t.key === timing)?.name}, ${of}`;
};

function figureOfSide(requested: ShareFigure | TimingFigure, pair: readonly [Row, Row], i: 0 | 1) {
  if (requested.kind === 'SHARE') {
    const { hits, of } = requested.of[i];
    return { value: of > 0 ? Math.round((hits / of) * 1e6) / 1e4 : null, count: of };
  }
  const [timing = 'callSetup', of = 'p50'] = requested.key.split('.') as ['callSetup' | 'pdd', 'p50' | 'p95'];
  const spread = pair[i].callTiming?.[timing];
  return { value: spread && spread.count > 0 ? spread[of] : null, count: spread?.count ?? 0 };
}

function sentenceOf(figures: readonly Figure[]): string {
  const figuresOfVerdict = (verdict: Figure['verdict'], word: string): string[] =>
    figures
      .filter((f) => f.verdict === verdict)
      .map(
        (f) =>
          `${f.displayName} is ${word} by ${Math.abs(Math.round((f.by ?? 0) * 10) / 10)} ${f.unit === '%' ? 'points' : '%'}`,
      );
  const all = [...figuresOfVerdict('WORSE', 'worse'), ...figuresOfVerdict('BETTER', 'better')];
  if (all.length > 0) return `${all.join('; ')}.`;
  return figures.every(({ verdict }) => verdict === 'TOO_LITTLE_DATA')
    ? 'There is too little to compare: timings need five blocks of 10 s in each run.'
    : 'No difference beyond chance.';
}
