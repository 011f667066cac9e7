/** A run over time: load, answers, set-up and quality, and below them the agents' own noise. All share one crosshair. */
import { Button, SimpleGrid, Text } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ANSWER_CLASSES, DROP_WORDS, DROPS, type Timeline } from '../../../../contract/run/timeline.ts';
import { Chart, isMeasured } from '../../basics/chart.tsx';
import type { ChartLine } from '../../basics/chart-drawing.ts';
import { count, number } from '../../basics/figures.ts';
import { Card } from '../../basics/page.tsx';
import { Time } from '../../basics/time.tsx';
import { isShownFirst, marksOf, type ShownMark, timesOf } from './timeline.ts';

const DOTTED = [2, 4];
const DASHED = [8, 4];

const ANSWERS: Readonly<
  Record<(typeof ANSWER_CLASSES)[number], readonly [name: string, color: string, dash?: number[]]>
> = {
  '2xx': ['2xx', '--carillon-good'],
  '3xx': ['3xx', '--carillon-none', DASHED],
  '4xx': ['4xx', '--carillon-warn', DASHED],
  '5xx': ['5xx', '--carillon-bad'],
  '6xx': ['6xx', '--carillon-bad', DASHED],
  none: ['none', '--carillon-none', DOTTED],
};
const REASONS: Readonly<Record<(typeof DROPS)[number], readonly [color: string, dash?: number[]]>> = {
  noFreeEndpoint: ['--carillon-warn'],
  dropped: ['--carillon-bad', DOTTED],
  heldBack: ['--carillon-none', DASHED],
};
const LEVELS = ['VALID', 'SUSPECT', 'VOID'] as const;
const BANDS = ['--carillon-good', '--carillon-warn', '--carillon-bad'];

type Drawing = Omit<ComponentProps<typeof Chart>, 'times' | 'group'>;

const anyOf = (values: readonly (number | null)[]): boolean => values.some((v) => v !== null && v !== 0);

type Props = {
  readonly timeline: Timeline;
  readonly group: string;
  /** True: the last step is not complete. */
  readonly goesOn: boolean;
  /** Further charts of the run, which are shown with those that are not shown at once. */
  readonly children?: ReactNode;
};

export function RunTimeline({ timeline: t, group, goesOn, children }: Props) {
  const [isAll, setAll] = useState(false);
  if (t.steps === 0)
    return (
      <Card title="Over time">
        <Text c="dimmed" size="sm">
          The load has not started yet.
        </Text>
      </Card>
    );
  const times = timesOf(t);
  const whole = goesOn ? Math.max(1, t.steps - 1) : t.steps;
  const rate = (values: readonly (number | null)[]) =>
    values.map((v, i) => (v === null || i >= whole ? null : v / t.resolutionSeconds));
  const marks = marksOf(t);
  const shared = { times, group, marks };
  const answers = ANSWER_CLASSES.filter((c) => c === '2xx' || anyOf(t.answers[c])).map((c): ChartLine => {
    const [name, color, dash] = ANSWERS[c];
    return { name, color, values: rate(t.answers[c]), ...(dash && { dash }) };
  });
  const drops = DROPS.filter((reason) => anyOf(t.drops[reason])).map((reason): ChartLine => {
    const [color, dash] = REASONS[reason];
    return { name: DROP_WORDS[reason], color, values: rate(t.drops[reason]), ...(dash && { dash }) };
  });
  const takesEvent = isMeasured(DROPS.map((reason) => ({ name: '', color: '', values: t.drops[reason] })));
  const charts: readonly Drawing[] = [
    {
      title: 'Calls',
      unit: 'per second',
      fromZero: true,
      lines: [
        { name: 'started', color: '--carillon-accent', values: rate(t.calls.started) },
        { name: 'failed', color: '--carillon-bad', values: rate(t.calls.failed), dash: DOTTED },
        { name: 'offered', color: '--carillon-none', values: rate(t.calls.offered), dash: DASHED },
      ],
    },
    {
      title: 'Calls at once',
      unit: '',
      fromZero: true,
      whole: true,
      lines: [{ name: 'in a call', color: '--carillon-accent', values: t.calls.concurrent }],
    },
    ...(t.endpoints === null
      ? []
      : [
          {
            title: 'Free endpoints',
            unit: `of ${count(t.endpoints)}`,
            fromZero: true,
            whole: true,
            lines: [{ name: 'free', color: '--carillon-accent', values: t.freeEndpoints }],
          },
        ]),
    ...(drops.length > 0 ? [{ title: 'Calls dropped', unit: 'per second', fromZero: true, lines: drops }] : []),
    { title: 'Final responses', unit: 'per second', fromZero: true, lines: answers },
    {
      title: 'Set-up',
      unit: 'ms',
      fromZero: true,
      lines: [
        { name: 'p50', color: '--carillon-accent', values: t.setupMs.p50 },
        { name: 'p95', color: '--carillon-warn', values: t.setupMs.p95, dash: DASHED },
        { name: 'p99', color: '--carillon-bad', values: t.setupMs.p99, dash: DOTTED },
      ],
    },
    {
      title: `MOS${t.mosScale ? ` (${t.mosScale.toUpperCase()})` : ''}`,
      unit: '',
      lines: [
        { name: 'p50', color: '--carillon-accent', values: t.mos.p50 },
        { name: 'p5', color: '--carillon-warn', values: t.mos.p5, dash: DASHED },
      ],
    },
    {
      title: 'Packet loss',
      unit: '%',
      fromZero: true,
      lines: [{ name: 'lost', color: '--carillon-bad', values: t.lossFraction.map((v) => v && v * 100) }],
    },
  ];
  const empty = charts.filter(({ lines }) => !isMeasured(lines)).map(({ title }) => title);
  const measured = charts.filter(({ lines }) => isMeasured(lines));
  const others = measured.filter(({ title }) => !isShownFirst(title, t));
  return (
    <>
      <Card
        title="Over time"
        note={`Steps of ${t.resolutionSeconds} s, times in UTC. Drag to zoom, double-click to reset; or use the arrow keys, + and -, Escape.`}
      >
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="lg">
          {measured
            .filter((chart) => isAll || !others.includes(chart))
            .map((chart) => (
              <Chart key={chart.title} {...shared} {...chart} />
            ))}
        </SimpleGrid>
        <Marks marks={marks} />
        {t.endpoints !== null && drops.length === 0 && (
          <Text size="sm" c="dimmed" mt="md">
            {takesEvent ? 'No call was dropped.' : 'These agents do not report when calls were dropped.'}
          </Text>
        )}
        {empty.length > 0 && (
          <Text size="sm" c="dimmed" mt="md">
            Not measured: {empty.join(', ')}.
          </Text>
        )}
        <div style={{ marginTop: 18 }}>
          <NoiseLane timeline={t} times={times} group={group} />
        </div>
        {(others.length > 0 || children) && (
          <Button mt="md" size="xs" variant="default" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Fewer charts' : 'More charts'}
          </Button>
        )}
      </Card>
      {isAll && children}
    </>
  );
}

const WORDED_MARKS = 12;

/** The numbers of the charts in words. */
const Marks = ({ marks }: { marks: readonly ShownMark[] }) =>
  marks.length > 0 && (
    <ol className="chart-marks" aria-label="Marks in the charts">
      {marks.slice(0, WORDED_MARKS).map(({ label, color, iso, words }) => (
        <li key={label}>
          <b style={{ color: `var(${color})` }}>{label}</b> <Time at={iso} /> {words}
        </li>
      ))}
      {marks.length > WORDED_MARKS && <li>The events of the run have the others.</li>}
    </ol>
  );

function NoiseLane({ timeline: { noise }, times, group }: { timeline: Timeline; times: number[]; group: string }) {
  const level = noise.level.map((l) => (l === null ? null : LEVELS.indexOf(l)));
  const disturbed = noise.level.filter((l) => l === 'SUSPECT' || l === 'VOID').length;
  const known = noise.level.filter((l) => l !== null).length;
  const figures = [
    ['event loop p99', noise.loopDelayMs, 'ms'],
    ['pacing p99', noise.pacingErrorMs, 'ms'],
    ['slots skipped', noise.skippedPercent, '%'],
    ['CPU', noise.cpuPercent, '%'],
    ['steal', noise.stealPercent, '%'],
    ['receive drops', noise.dropPercent, '%'],
  ] as const;
  const words = ['quiet', 'above the first limit', 'above the second limit'];
  const says = (v: number, at: number): string =>
    `${words[v]}: ${figures
      .filter(([, values]) => values[at] !== null && values[at] !== undefined)
      .map(([name, values, unit]) => `${name} ${number(values[at] as number)} ${unit}`)
      .join(', ')}`;
  return (
    <>
      <Chart
        title="Agents' own noise"
        unit={`of the worst agent: ${known === 0 ? 'not reported' : disturbed === 0 ? (known === 1 ? 'quiet in its only step' : `quiet in all ${known} steps`) : `disturbed in ${disturbed} of ${known} steps`}`}
        times={times}
        group={group}
        height={96}
        bands={BANDS}
        lines={[{ name: 'noise', color: '--carillon-none', values: level, say: says }]}
      />
      <Text size="xs" c="dimmed">
        Low, green: quiet. Half, orange: above the SUSPECT limit. Full, red: above the VOID limit. The verdict covers
        the whole run.
      </Text>
    </>
  );
}
