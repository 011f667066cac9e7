/**
 * The key figures of one test over its last runs. A VOID run is a gap, because its figures give no information about the target.
 */
import { SimpleGrid, Text } from '@mantine/core';
import { RequestFailed, useCall } from '../../../dashboard/api.ts';
import { navigate } from '../../../dashboard/router.tsx';
import { Chart, isMeasured } from '../../../dashboard/show/basics/chart.tsx';
import type { ChartLine } from '../../../dashboard/show/basics/chart-drawing.ts';
import { plural } from '../../../dashboard/show/basics/figures.ts';
import { Answer, Card } from '../../../dashboard/show/basics/page.tsx';
import { type FigureTrend, trendOf } from './trend.ts';

const MAX_RUNS = 100;
const DASHED = [8, 4];
const DOTTED = [2, 4];

type Props = { readonly projectId: string; readonly testId: string };

export default function RunTrend({ projectId, testId }: Props) {
  const runs = useCall('listTestTrend', { projectId, testId, per_page: MAX_RUNS }, { everyMs: 5000 });
  // The test, or probe, has no run.
  if (runs.error instanceof RequestFailed && runs.error.status === 404) return null;
  return (
    <Answer of={runs}>
      {({ rows, pagination }) =>
        rows.length === 0 ? null : (
          <Charts projectId={projectId} testId={testId} trend={trendOf(rows)} total={pagination.total} />
        )
      }
    </Answer>
  );
}

function Charts({ projectId, testId, trend, total }: Props & { trend: FigureTrend; total: number }) {
  const { columns, voids, places, baselineAt } = trend;
  const { scale } = trend;
  const line = (name: string, color: string, values: ChartLine['values'], dash?: number[]): ChartLine => ({
    name,
    color,
    values,
    ...(dash && { dash }),
  });
  /** A line with the same value from the first run to the last. */
  const baseline = (values: ChartLine['values']): ChartLine[] => {
    const value = baselineAt === null ? null : (values[baselineAt] ?? null);
    return value === null
      ? []
      : [
          line(
            'baseline',
            '--mantine-color-dimmed',
            values.map(() => value),
            DOTTED,
          ),
        ];
  };
  const charts: readonly (readonly [string, string, boolean, readonly ChartLine[], most?: number])[] = [
    [
      'Good calls',
      '%',
      false,
      [line('good', '--carillon-accent', columns.successShare), ...baseline(columns.successShare)],
      100,
    ],
    [
      'Set-up',
      'ms',
      true,
      [
        line('p50', '--carillon-accent', columns.setupP50Ms),
        line('p95', '--carillon-warn', columns.setupP95Ms, DASHED),
        ...baseline(columns.setupP95Ms).map((one) => ({ ...one, name: 'p95 of the baseline' })),
      ],
    ],
    [
      `MOS, mean${scale ? ` (${scale.toUpperCase()})` : ''}`,
      '',
      false,
      [line('mean', '--carillon-accent', columns.avgMos), ...baseline(columns.avgMos)],
    ],
    [
      'Packets lost',
      '%',
      true,
      [line('lost', '--carillon-bad', columns.packetLossPercent), ...baseline(columns.packetLossPercent)],
    ],
  ];
  const shown = charts.filter(([, , , lines]) => isMeasured(lines));
  const notes = [
    total > places.length ? `the last ${places.length} of ${total} runs` : plural(total, 'run'),
    'oldest on the left',
    ...(voids > 0 ? [`${plural(voids, 'void run')} left out`] : []),
    'trials of capacity searches left out',
    'click a point to open its run',
  ];
  const open = (index: number) => {
    const runId = trend.runIds[index];
    if (runId !== undefined) void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId } });
  };
  const axis = { name: 'run', say: (place: number) => places[place]?.replace(/:\d\d$/, '') ?? '' };
  return (
    <Card title="Trend" note={`${notes.join(', ')}; times in UTC`}>
      {shown.length === 0 ? (
        <Text c="dimmed" size="sm">
          None of these runs measured anything.
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
          {shown.map(([title, unit, fromZero, lines, most]) => (
            <Chart
              key={title}
              title={title}
              unit={unit}
              fromZero={fromZero}
              {...(most !== undefined && { most })}
              times={trend.at}
              axis={axis}
              group={`trend ${testId}`}
              height={165}
              lines={lines}
              onPick={open}
            />
          ))}
        </SimpleGrid>
      )}
    </Card>
  );
}
