/** Draws a chart, with a library that is loaded when a chart comes near the view (`chart.tsx`). */
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { SHORTCUTS } from './shortcuts.ts';

export type ChartLine = {
  readonly name: string;
  readonly color: string;
  readonly values: readonly (number | null)[];
  /** Dashes distinguish lines in addition to colours, which some users cannot distinguish. */
  readonly dash?: readonly number[];
  /** The legend's text for a value, if it is not the number with its unit. */
  readonly say?: (value: number, at: number) => string;
  /** Draws points without a line between them, filled or as outlines. */
  readonly points?: 'filled' | 'outlined';
  /** True: a value is valid until the next one. */
  readonly stepped?: true;
};

/** An axis that does not show time. */
export type PlainAxis = { readonly name: string; readonly say: (place: number) => string };

export type ChartMark = { readonly at: number; readonly color: string; readonly label: string };

export type ChartProps = {
  readonly title: string;
  readonly unit: string;
  /** Seconds since 1970, or since the start. On other axes these are places in ascending order, of which several may be equal. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly group: string;
  /** Pixels, without the legend. */
  readonly height?: number;
  /** `since` shows minutes and seconds from the start on. */
  readonly axis?: 'clock' | 'since' | PlainAxis;
  /** The part of the axis that is highlighted. */
  readonly shade?: { readonly from: number; readonly to: number } | null;
  /** True: the values are whole numbers, so the axis shows no parts of them. */
  readonly whole?: boolean;
  readonly fromZero?: boolean;
  /** What happened at places of the axis: a line each, and a number, which is explained elsewhere on the page. */
  readonly marks?: readonly ChartMark[];
  /** The highest possible value, such as 100 %. */
  readonly most?: number;
  /** True: the legend shows values only while the user points at a place. */
  readonly isPlan?: boolean;
  /** Called when the user clicks a place, or presses Enter at the crosshair. */
  readonly onPick?: (index: number) => void;
  /** For each value of the first line, a band in the colour with that number is drawn instead of a line. */
  readonly bands?: readonly string[];
};

const MAX_POINTS = 40;
const STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
const WHOLE = [1, 2, 5].flatMap((n) => Array.from({ length: 7 }, (_, e) => n * 10 ** e)).sort((a, b) => a - b);

/** The time of day in UTC. */
const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);
/** Both times, if they differ: logs have UTC, and people remember their own. */
function instantText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const utc = at.toISOString().slice(0, 19).replace('T', ' ');
  return at.getTimezoneOffset() === 0 ? utc : `${utc} (${at.toLocaleTimeString('en-GB')} your time)`;
}
const since = (seconds: number): string =>
  seconds >= 3600
    ? clock(seconds).replace(/^0/, '')
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The pixels under a chart; `tick` is the text under the axis. */
const UNDER_TIMES = { right: 30, space: 80, size: 28, tick: (text: string) => text };
/** The date is above the time. */
const UNDER_PLACES = { right: 40, space: 90, size: 42, tick: (text: string) => text.replace(' ', '\n') };

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const dataOf = ({ times, lines }: ChartProps): uPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => [...values]),
];

export type Drawing = {
  /** Shows other values; the place to which somebody has zoomed stays. */
  readonly update: () => void;
  /** Handles a key. False: the key has no meaning here. */
  readonly press: (key: string) => boolean;
  readonly destroy: () => void;
};

type Latest = { readonly current: ChartProps & { readonly height: number } };

/** @param latest has the properties as they are at the moment; what they look like does not change */
export function drawChart(element: HTMLElement, latest: Latest): Drawing {
  const { unit, lines, group, height, axis = 'clock', bands, shade = null } = latest.current;
  const { fromZero = false, whole = false, most = Number.POSITIVE_INFINITY, isPlan = false } = latest.current;
  const places = typeof axis === 'string' ? null : axis;
  const look = {
    stroke: css('--mantine-color-dimmed'),
    grid: { stroke: css('--carillon-line'), width: 1, show: !bands },
    ticks: { show: false },
  };
  const sayPlace = (at: number): string => {
    const { axis: now } = latest.current;
    return typeof now === 'object' ? now.say(at) : '';
  };
  const say = places ? sayPlace : axis === 'since' ? since : clock;
  const below = places ? UNDER_PLACES : UNDER_TIMES;
  const made = new uPlot(
    {
      width: Math.max(element.clientWidth, 200),
      height,
      // The padding is half the width of the last text under the axis.
      padding: [10, below.right, null, null],
      cursor: { sync: { key: group }, points: { size: bands ? 0 : 6 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { live: !isPlan },
      scales: {
        x: { time: axis === 'clock', ...(places && { range: (_u, low, high) => apart(low, high) }) },
        y: { range: (_u, low, high) => (bands ? [0, 1] : padded(low, high, fromZero, most)) },
      },
      axes: [
        {
          ...look,
          incrs: places ? WHOLE : STEPS_SECONDS,
          space: below.space,
          size: below.size,
          values: (_u, at) => at.map((one) => below.tick(say(one))),
        },
        { ...look, size: 58, ...(whole && { incrs: WHOLE }), ...(bands && { values: () => [] }) },
      ],
      series: [
        {
          label: axis === 'clock' ? 'UTC' : (places?.name ?? 'after the start'),
          // A chart of the group may have a step that this one still lacks: then the value is undefined.
          value: (_u, v) => (!Number.isFinite(v) ? '–' : axis === 'clock' ? instantText(v) : say(v)),
        },
        ...lines.map((l, n) =>
          seriesOf(l, isPlan, bands !== undefined, (v, at) => {
            const own = latest.current.lines[n]?.say;
            return own ? own(v, at) : `${Number(v.toPrecision(4))} ${unit}`.trim();
          }),
        ),
      ],
      hooks: {
        ...(bands && { drawAxes: [(u: uPlot) => fillBands(u, bands.map(css))] }),
        ...(shade && { drawClear: [(u: uPlot) => fillShade(u, shade, css('--carillon-line'))] }),
        draw: [(u: uPlot) => drawMarks(u, latest.current.marks ?? [])],
      },
    },
    dataOf(latest.current),
    element,
  );
  showLast(made);
  made.over.addEventListener('click', () => {
    const { idx } = made.cursor;
    // The end of a drag is reported as a click, too.
    if (made.select.width === 0 && typeof idx === 'number') latest.current.onPick?.(idx);
  });
  if (latest.current.onPick) made.over.style.cursor = 'pointer';
  const observer = new ResizeObserver(() => made.setSize({ width: Math.max(element.clientWidth, 200), height }));
  observer.observe(element);
  return {
    update: () => {
      const [before] = made.data;
      const range = shownRange(made);
      const isZoomed = range !== null && (range.min > (before[0] ?? 0) || range.max < (before.at(-1) ?? 0));
      made.setData(dataOf(latest.current), !isZoomed);
      if (isZoomed) made.redraw();
      showLast(made);
    },
    press: (key) => {
      const at = made.cursor.idx;
      if (key === 'Enter' && typeof at === 'number') latest.current.onPick?.(at);
      return steer(made, group, key);
    },
    destroy: () => {
      observer.disconnect();
      made.destroy();
    },
  };
}

function seriesOf(
  l: ChartLine,
  isPlan: boolean,
  isBands: boolean,
  say: (v: number, at: number) => string,
): uPlot.Series {
  const stepped = l.stepped && uPlot.paths.stepped?.({ align: 1 });
  return {
    label: l.name,
    stroke: css(l.color) || l.color,
    width: 2,
    spanGaps: false,
    ...(l.dash && { dash: [...l.dash] }),
    ...((isBands || l.points) && { paths: () => null }),
    ...(stepped && { paths: stepped }),
    // A run in progress has few steps at first, and many later, so this is decided at each drawing.
    points: l.points
      ? { show: true, size: 10, width: 2, fill: l.points === 'filled' ? css(l.color) : css('--carillon-card') }
      : { show: (u: uPlot) => !isBands && !isPlan && (u.data[0]?.length ?? 0) < MAX_POINTS },
    // Another chart of the group may already have steps that this one still lacks.
    value: (_u: uPlot, v: number | null, _s: number, at: number | null) =>
      v == null || at === null ? '–' : say(v, at),
  };
}

/** The part of the x axis that is shown; null: uPlot has not drawn yet, and has null itself. */
function shownRange(made: uPlot): { readonly min: number; readonly max: number } | null {
  const { min, max } = made.scales['x'] ?? {};
  return typeof min === 'number' && typeof max === 'number' ? { min, max } : null;
}

/** Without a pointer, the legend shows the last value. It is set after the drawing, which clears it. */
function showLast(made: uPlot): void {
  queueMicrotask(() => {
    if (made.cursor.idx !== null && made.cursor.idx !== undefined) return;
    const [times, ...lines] = made.data;
    const idx = Math.max(...lines.map((values) => [...values].findLastIndex((v) => v !== null && v !== undefined)));
    made.setLegend({ idx: idx < 0 ? times.length - 1 : idx }, false);
  });
}

/** Handles a key. False: the key has no meaning here. */
function steer(made: uPlot, group: string, key: string): boolean {
  const xs = made.data[0];
  const range = shownRange(made);
  if (xs.length === 0 || range === null) return false;
  const { min, max } = range;
  const zoom = (from: number, to: number) => {
    for (const plot of uPlot.sync(group).plots) plot.setScale('x', { min: from, max: to });
  };
  const at = made.cursor.idx ?? xs.length - 1;
  if (key === SHORTCUTS.left || key === SHORTCUTS.right) {
    const next = xs[Math.min(xs.length - 1, Math.max(0, at + (key === SHORTCUTS.left ? -1 : 1)))] as number;
    for (const plot of uPlot.sync(group).plots) plot.setCursor({ left: plot.valToPos(next, 'x'), top: 0 });
    return true;
  }
  if (key === SHORTCUTS.nearer || key === SHORTCUTS.farther) {
    const middle = Math.min(max, Math.max(min, xs[at] as number));
    const factor = key === SHORTCUTS.nearer ? 0.5 : 2;
    zoom(
      Math.max(xs[0] as number, middle - (middle - min) * factor),
      Math.min(xs.at(-1) as number, middle + (max - middle) * factor),
    );
    return true;
  }
  if (key === SHORTCUTS.whole) {
    zoom(xs[0] as number, xs.at(-1) as number);
    return true;
  }
  return false;
}

function fillBands(u: uPlot, colors: readonly string[]): void {
  const [xs, values = []] = u.data;
  const step = xs.length > 1 ? (xs[1] as number) - (xs[0] as number) : 1;
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  values.forEach((v, i) => {
    if (v == null) return;
    const x = u.valToPos(xs[i] as number, 'x', true);
    const to = u.valToPos((xs[i] as number) + step, 'x', true);
    // Worse values are higher, so that colour is not needed.
    const tall = height * ((v + 1) / colors.length);
    u.ctx.fillStyle = colors[v] ?? '';
    u.ctx.fillRect(x, top + height - tall, Math.max(1, to - x), tall);
  });
  u.ctx.restore();
}

function drawMarks(u: uPlot, marks: readonly ChartMark[]): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.lineWidth = devicePixelRatio;
  u.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  u.ctx.textAlign = 'left';
  u.ctx.textBaseline = 'alphabetic';
  u.ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, color, label } of marks) {
    const x = Math.round(u.valToPos(at, 'x', true));
    if (x < left || x > left + width) continue;
    u.ctx.strokeStyle = css(color);
    u.ctx.fillStyle = css(color);
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.fillText(label, x + 3 * devicePixelRatio, top + 10 * devicePixelRatio);
  }
  u.ctx.restore();
}

function fillShade(u: uPlot, { from, to }: { from: number; to: number }, color: string): void {
  const { left, top, width, height } = u.bbox;
  const [x, end] = [from, to].map((at) => Math.min(left + width, Math.max(left, u.valToPos(at, 'x', true))));
  if (x === undefined || end === undefined) return;
  u.ctx.fillStyle = color;
  u.ctx.fillRect(x, top, Math.max(2, end - x), height);
}

/** Widens an empty range, so that a single place is in the middle. */
const apart = (low: number, high: number): [number, number] => (low === high ? [low - 1, high + 1] : [low, high]);

function padded(low: number | null, high: number | null, fromZero: boolean, most: number): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (fromZero) return [0, high > 0 ? high * 1.12 : 1];
  // Inaudible differences should not look large.
  const least = Math.abs(high) * 0.04 || 0.1;
  const room = Math.max((high - low) * 0.12, (least - (high - low)) / 2);
  return [low >= 0 ? Math.max(0, low - room) : low - room, Math.min(most, high + room)];
}
