/** A run's quality over time. */
import { SimpleGrid, Text } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { useCall } from '../../../api.ts';
import { Chart } from '../../basics/chart.tsx';
import { shownUnit } from '../../basics/figures.ts';
import { Answer, Card } from '../../basics/page.tsx';

type Metrics = Output<'getTestRunMetrics'>;
type Series = Metrics['series'][number];

/** The metrics are in the order in which people ask for them. */
const FIRST = ['mos', 'packetLossFraction', 'absentFraction', 'pausedFraction', 'jitter', 'rtt', 'rFactor'];
const rank = (s: Series): number => (FIRST.indexOf(s.metricKey) + FIRST.length + 1) % (FIRST.length + 1);

type Props = {
  readonly projectId: string;
  readonly runId: string;
  readonly endpointId?: string;
  readonly everyMs: number | false;
  readonly title?: string;
  /** The keys of metrics that are shown elsewhere. */
  readonly without?: readonly string[];
};

export function RunCharts({ projectId, runId, endpointId, everyMs, title = 'Over time', without = [] }: Props) {
  const input = { projectId, testRunId: runId, ...(endpointId && { endpoint_id: endpointId }) };
  const metrics = useCall('getTestRunMetrics', input, { everyMs });
  return (
    <Card title={title} note="Drag to zoom, double-click to reset. Times are UTC.">
      <Answer of={metrics}>
        {(m) => {
          const shown = m.series
            .filter((s) => s.points.length > 0 && !without.includes(s.metricKey))
            .sort((a, b) => rank(a) - rank(b));
          return shown.length === 0 ? (
            <Text c="dimmed" size="sm">
              No measurements in this range: media are measured once a second during a call.
            </Text>
          ) : (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
              {shown.map((s) => (
                <SeriesChart
                  key={`${s.metricKey} ${s.direction}`}
                  series={s}
                  stepSeconds={m.resolutionSeconds}
                  group={runId}
                />
              ))}
            </SimpleGrid>
          );
        }}
      </Answer>
    </Card>
  );
}

function SeriesChart({ series, stepSeconds, group }: { series: Series; stepSeconds: number; group: string }) {
  const at = new Map(series.points.map((p) => [Date.parse(p[0]) / 1000, p]));
  const instants = [...at.keys()];
  const times: number[] = [];
  // A second without a point is a gap, not a line across it.
  for (let t = instants[0] as number; t <= (instants.at(-1) as number); t += stepSeconds) times.push(t);
  const { unit, factor } = shownUnit(series.unit);
  const column = (n: 1 | 2 | 3) =>
    times.map((t) => {
      const value = at.get(t)?.[n];
      return value === undefined ? null : value * factor;
    });
  const worst = series.higherIsBetter ? 2 : 3;
  // For one stream, worst and average are the same.
  const isOne = series.points.every((p) => p[worst] === p[1]);
  return (
    <Chart
      title={series.displayName}
      unit={unit}
      fromZero={series.unit === 'fraction'}
      times={times}
      group={group}
      lines={[
        { name: isOne ? 'measured' : 'mean', color: '--carillon-accent', values: column(1) },
        ...(isOne ? [] : [{ name: 'worst', color: '--carillon-warn', values: column(worst), dash: [8, 4] }]),
      ]}
    />
  );
}
