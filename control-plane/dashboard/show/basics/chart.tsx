/**
 * Figures over time, or over another axis; gaps are shown as gaps. Charts of one group share crosshair and zoom. Dragging zooms,
 * and keys move the crosshair and zoom around it (`shortcuts.ts`). Charts near the view are drawn first.
 */
import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChartLine, ChartProps, Drawing } from './chart-drawing.ts';

export const isMeasured = (lines: readonly ChartLine[]): boolean => lines.some((l) => l.values.some((v) => v !== null));

/** Without a value no frame is drawn, because an empty frame would suggest 0. */
export function Chart(props: ChartProps) {
  if (isMeasured(props.lines)) return <Drawn {...props} />;
  return (
    <figure style={{ margin: 0, minWidth: 0 }}>
      <Caption title={props.title} unit={props.unit} />
      <p className="quiet">Not measured.</p>
    </figure>
  );
}

const Caption = ({ title, unit }: Pick<ChartProps, 'title' | 'unit'>) => (
  <figcaption style={{ fontWeight: 600, marginBottom: 4 }}>
    {title}
    <span style={{ fontWeight: 400, color: 'var(--mantine-color-dimmed)' }}> {unit}</span>
  </figcaption>
);

/** Pixels, with a legend of one line. */
const USUAL_HEIGHT = 190;
const LEGEND_HEIGHT = 28;

function Drawn(props: ChartProps) {
  const { title, unit, lines, group, height = USUAL_HEIGHT, axis = 'clock', shade = null } = props;
  const places = typeof axis === 'string' ? null : axis;
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<Drawing | null>(null);
  const isNear = useNearness(frame);
  const scheme = useComputedColorScheme('light');
  const shape = `${scheme} ${group} ${unit} ${height} ${places?.name ?? axis} ${shade?.from} ${shade?.to} ${lines.map((l) => l.name + l.color).join()}`;
  const latest = useRef({ ...props, height });
  latest.current = { ...props, height };

  // biome-ignore lint/correctness/useExhaustiveDependencies: made again where it looks different; data have their own effect
  useEffect(() => {
    const element = frame.current;
    if (!element || !isNear) return;
    let isGone = false;
    void import('./chart-drawing.ts').then(({ drawChart }) => {
      if (!isGone) chart.current = drawChart(element, latest);
    });
    return () => {
      isGone = true;
      chart.current?.destroy();
      chart.current = null;
    };
  }, [shape, isNear]);

  useEffect(() => chart.current?.update());

  const onKeyDown = (event: KeyboardEvent) => {
    if (chart.current?.press(event.key)) event.preventDefault();
  };
  return (
    <figure style={{ margin: 0, minWidth: 0 }}>
      <Caption title={title} unit={unit} />
      <div
        ref={frame}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys could not move the crosshair
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-label={`${title} ${places ? `by ${places.name}` : 'over time'}, ${unit}. ${lastValues(lines)}`}
        className="chart"
        style={{ minHeight: height + LEGEND_HEIGHT }}
      />
    </figure>
  );
}

/** A page is printed with all of its charts, also those to which nobody has scrolled. */
const ALL_AFTER_MS = 2000;

/** True once the element is in the view, or would be after scrolling by half of it; and after a while in any case. */
function useNearness(element: { readonly current: Element | null }): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: '50% 0px',
    });
    observer.observe(element.current);
    const rest = setTimeout(() => setNear(true), ALL_AFTER_MS);
    return () => {
      observer.disconnect();
      clearTimeout(rest);
    };
  }, [element]);
  return isNear;
}

/** The text for screen readers. */
const lastValues = (lines: readonly ChartLine[]): string =>
  lines
    .map(({ name, values, say }) => {
      const at = values.findLastIndex((v) => v !== null);
      const last = values[at];
      if (last === undefined || last === null) return `${name}: not measured`;
      return `${name}: last ${say ? say(last, at) : Number(last.toPrecision(4))}`;
    })
    .join('; ');
