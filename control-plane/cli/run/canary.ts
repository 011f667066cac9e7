/** The canary of a run: the request of `--canary`, and the results. */
import { plain } from '@carillon/proto/plain-text.ts';
import type { Paint } from '../io.ts';
import { type Api, choose, everyRow } from '../session/api.ts';
import { figure, NONE } from '../text/figures.ts';
import { type TextColumn, table, wrapped } from '../text/table.ts';
import type { RunOfTest } from './limits.ts';

export type CanaryOptions = {
  readonly canary?: string | undefined;
  readonly canaryCalls?: number | undefined;
  readonly canaryEvery?: number | undefined;
};

/** The part of the request's body, and the same in words; undefined: no canary was requested. */
export async function canaryStart(api: Api, { canary, canaryCalls, canaryEvery }: CanaryOptions) {
  if (canary === undefined) return undefined;
  const { id: projectId } = await api.project();
  const probe = choose('probe', await everyRow(api.call, 'listProbes', { projectId }), canary);
  return {
    name: probe.name,
    said: {
      probeId: probe.id,
      ...(canaryCalls !== undefined && { calls: canaryCalls }),
      ...(canaryEvery !== undefined && { everySeconds: canaryEvery }),
    },
  };
}

type Phase = NonNullable<RunOfTest['canary']>['idle'];

/** Answers of older servers have no canary. */
export const canaryCells = ({ canary }: Pick<RunOfTest, 'canary'>): (readonly [name: string, cells: string[]])[] =>
  canary
    ? [
        ['before the load', cellsOf(canary.idle)],
        ['during the load', cellsOf(canary.loaded)],
      ]
    : [];

export const CANARY_COLUMNS = ['judged', 'failed', 'set-up median', 'least', 'most', 'MOS median'];

const cellsOf = ({ good, failed, setUpMs: s, mos }: Phase): string[] => [
  `${good + failed}`,
  `${failed}`,
  ...[s.median, s.min, s.max].map((value) => (value === null ? NONE : `${figure(value, 1, s.count)} ms`)),
  mos.median === null ? NONE : figure(mos.median, 2, mos.count),
];

export function canaryLines(run: RunOfTest, width: number, paint: Paint): string[] {
  if (!run.canary) return [];
  const columns: TextColumn[] = [
    { title: `canary ${plain(run.canary.probeName)}` },
    ...CANARY_COLUMNS.map((title): TextColumn => ({ title, align: 'right' })),
  ];
  const rows = canaryCells(run).map(([name, cells]) => [name, ...cells]);
  return [
    ...table(columns, rows, width, paint),
    ...run.canary.sentences.flatMap((sentence) => wrapped(plain(sentence), width)),
  ];
}
