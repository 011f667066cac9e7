/** The distribution of call timings: a bar for each bucket, eight per decade, with the percentiles. */

import { SPREADS } from '@carillon/proto/figures/call-figures.ts';
import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { CallTiming } from '../../../../contract/run/run.ts';
import type { TimingHistogram, TimingName } from '../../../../contract/run/timeline.ts';
import { useCall } from '../../../api.ts';
import { count, number, plural } from '../../basics/figures.ts';
import { Answer, Card } from '../../basics/page.tsx';

const titleOf = (timing: TimingName): string => SPREADS.find(({ key }) => key === timing)?.title ?? timing;

const [WIDTH, HEIGHT, FOOT] = [600, 170, 34];

type Props = { readonly projectId: string; readonly runId: string; readonly timing: CallTiming };

export function Histograms({ projectId, runId, timing }: Props) {
  const answer = useCall('getTestRunHistograms', { projectId, testRunId: runId });
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Card title="Distribution" note="Number of calls by time in milliseconds; wider intervals for longer times">
      <Answer of={answer}>
        {({ histograms }) => {
          const shown = histograms.find((h) => h.timing === chosen) ?? histograms[0];
          if (!shown)
            return (
              <Text c="dimmed" size="sm">
                No times were measured.
              </Text>
            );
          return (
            <>
              <div className="scroll">
                <SegmentedControl
                  size="xs"
                  mb="sm"
                  aria-label="Time"
                  value={shown.timing}
                  onChange={setChosen}
                  data={histograms.map((h) => ({ value: h.timing, label: titleOf(h.timing) }))}
                />
              </div>
              <Bars histogram={shown} at={timing[shown.timing]} />
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

function Bars({
  histogram: { timing, buckets, count: total },
  at,
}: {
  histogram: TimingHistogram;
  at: CallTiming['pdd'];
}) {
  const tallest = Math.max(...buckets.map((b) => b.count));
  const width = Math.min(60, WIDTH / buckets.length);
  const plot = HEIGHT - FOOT;
  // The number of labels is limited by the width.
  const every = Math.ceil(54 / width);
  const places = (['p50', 'p95', 'p99'] as const).map((p) => ({
    p,
    i: buckets.findIndex((b) => at[p] < b.toMs),
  }));
  const words = buckets
    .filter((b) => b.count > 0)
    .map((b) => `${number(b.fromMs)} to ${number(b.toMs)} ms: ${count(b.count)}`)
    .join('; ');
  return (
    <svg
      role="img"
      aria-label={`${titleOf(timing)}, ${plural(total, 'value')}. ${words}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="bars"
    >
      {buckets.map((b, i) => {
        const tall = b.count === 0 ? 0 : Math.max(2, ((plot - 16) * b.count) / tallest);
        return (
          <g key={b.fromMs}>
            <rect x={i * width + 1} y={plot - tall} width={width - 2} height={tall} rx={2}>
              <title>{`${number(b.fromMs)} to ${number(b.toMs)} ms: ${count(b.count)} of ${count(total)}`}</title>
            </rect>
            {i % every === 0 && (
              <text x={i * width} y={plot + 14}>
                {number(b.fromMs, 1)}
              </text>
            )}
          </g>
        );
      })}
      {places
        .filter(({ i }) => i >= 0)
        .map(({ p, i }, n, all) => (
          // Percentiles in the same bucket are side by side.
          <text
            key={p}
            className="mark-text"
            x={i * width + 28 * all.slice(0, n).filter((o) => Math.abs(o.i - i) * width < 26).length}
            y={plot + 29}
          >
            {p}
          </text>
        ))}
    </svg>
  );
}
