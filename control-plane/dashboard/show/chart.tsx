/** A figure over time: a gap is a gap. Charts of one page share their crosshair, and a drag zooms all of them. */
import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

export type Line = { readonly name: string; readonly color: string; readonly values: readonly (number | null)[] };

type Props = {
  readonly title: string;
  readonly unit: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly group: string;
  readonly height?: number;
};

const STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
/** In UTC. */
const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function Chart({ title, unit, times, lines, group, height = 190 }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const scheme = useComputedColorScheme('light');
  const shape = `${scheme} ${group} ${unit} ${height} ${lines.map((l) => l.name + l.color).join()}`;
  const data = [times, ...lines.map((l) => l.values)] as unknown as uPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;

  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew where it looks different; data have their own effect
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const axis = {
      stroke: css('--mantine-color-dimmed'),
      grid: { stroke: css('--carillon-line'), width: 1 },
      ticks: { show: false },
    };
    const made = new uPlot(
      {
        width: Math.max(element.clientWidth, 200),
        height,
        cursor: { sync: { key: group }, points: { size: 6 } },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        legend: { live: true },
        scales: { y: { range: (_u, low, high) => padded(low, high) } },
        axes: [
          { ...axis, incrs: STEPS_SECONDS, space: 80, values: (_u, at) => at.map(clock) },
          { ...axis, size: 58 },
        ],
        series: [
          { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
          ...lines.map((l) => ({
            label: l.name,
            stroke: css(l.color) || l.color,
            width: 2,
            spanGaps: false,
            points: { show: times.length < 40 },
            value: (_u: uPlot, v: number | null) => (v === null ? '–' : `${Number(v.toPrecision(4))} ${unit}`),
          })),
        ],
      },
      latest.current,
      element,
    );
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: Math.max(element.clientWidth, 200), height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [shape]);

  useEffect(() => {
    chart.current?.setData(latest.current);
  });

  return (
    <figure style={{ margin: 0 }}>
      <figcaption style={{ fontWeight: 600, marginBottom: 4 }}>
        {title}
        <span style={{ fontWeight: 400, color: 'var(--mantine-color-dimmed)' }}> {unit}</span>
      </figcaption>
      <div ref={frame} role="img" aria-label={`${title} over time, ${unit}`} />
    </figure>
  );
}

function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  // Differences that nobody hears should not look like mountains.
  const least = Math.abs(high) * 0.04 || 0.1;
  const room = Math.max((high - low) * 0.12, (least - (high - low)) / 2);
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}
