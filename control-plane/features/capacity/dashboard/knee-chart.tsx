/**
 * The chart of the load at which more load brings no more calls: the carried calls, the set-up times, and the failures of each
 * trial, by offered load.
 */
import { SimpleGrid, Text } from '@mantine/core';
import { Chart } from '../../../dashboard/show/basics/chart.tsx';
import { count, number, plural } from '../../../dashboard/show/basics/figures.ts';
import { Card } from '../../../dashboard/show/basics/page.tsx';
import { bracketOf, kneeOf, OBJECTIVE, type SearchSeen } from './search-words.ts';

const DASHED = [8, 4];

export default function KneeChart({ search }: { readonly search: SearchSeen }) {
  const knee = kneeOf(search.trials);
  const unit = OBJECTIVE[search.objective];
  const { passed, failed } = bracketOf(search.trials);
  const { from, to } = search.answer ?? { from: passed, to: failed };
  const axis = { name: `offered, ${unit}`, say: (level: number) => number(level, 1) };
  const shared = { times: knee.levels, axis, group: `knee ${search.id}`, fromZero: true };
  const shade = from !== null && to !== null && from <= to ? { from, to } : null;
  return (
    <Card
      title="Load and results"
      note={
        <>
          One point for each trial, by offered {unit}
          {shade && '; shaded: where the ceiling lies'}
          {knee.leftOut > 0 && `; ${plural(knee.leftOut, 'trial')} without information about the target left out`}
        </>
      }
    >
      {knee.levels.length === 0 ? (
        <Text c="dimmed" size="sm">
          No trial has ended with figures yet.
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
          <Chart
            {...shared}
            shade={shade}
            title="Carried"
            unit={unit}
            height={230}
            lines={[
              { name: 'offered', color: '--carillon-none', values: knee.offered, dash: DASHED },
              { name: 'passed', color: '--carillon-good', values: knee.passed, points: 'filled' },
              { name: 'failed', color: '--carillon-bad', values: knee.failed, points: 'outlined' },
            ]}
          />
          <Chart
            {...shared}
            shade={shade}
            title="Set-up"
            unit="ms"
            height={230}
            lines={[
              { name: 'p50', color: '--carillon-accent', values: knee.setupP50, points: 'filled' },
              { name: 'p95', color: '--carillon-warn', values: knee.setupP95, points: 'outlined' },
            ]}
          />
          <Chart
            {...shared}
            shade={shade}
            title="Failed calls"
            unit="%"
            height={230}
            lines={[
              {
                name: 'failed',
                color: '--carillon-bad',
                values: knee.failedPercent,
                points: 'filled',
                say: (share, at) => `${number(share)} % at ${count(knee.levels[at] ?? 0)} ${unit}`,
              },
            ]}
          />
        </SimpleGrid>
      )}
    </Card>
  );
}
