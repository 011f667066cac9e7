/** Lines over time as SVG without scripts: a gap is a gap, a single value is a short line. Pure. */
import { html, type Markup } from '../markup.ts';

export type ReportLine = { readonly name: string; readonly values: readonly (number | null)[] };
export type ReportChart = {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly ReportLine[];
  /** True: the axis starts at 0; false: at the least value. */
  readonly fromZero: boolean;
};

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [520, 190, 46, 8, 8, 22];
const TICKS = 4;
/** Line styles make the lines distinguishable without colour. */
const STROKES = ['———', '– – –', '· · ·', '–·–·'];

const rounded = (n: number, digits: number): number => Math.round(n * 10 ** digits) / 10 ** digits;

const short = (n: number): string =>
  Math.abs(n) >= 10_000 ? `${rounded(n / 1000, 0)}k` : String(rounded(n, Math.abs(n) < 10 ? 2 : 0));

/** `90` -> `1:30` */
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

const measuredOf = ({ values }: ReportLine): number[] => values.filter((v): v is number => v !== null);

/** The least and the greatest value; null: there is none. */
const extremesOf = (values: readonly number[]): readonly [least: number, greatest: number] | null =>
  values.length === 0
    ? null
    : values.reduce<[number, number]>(
        ([least, greatest], v) => [Math.min(least, v), Math.max(greatest, v)],
        [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      );

/** The ends of the axis, which are never the same. Null: nothing was measured. */
function scaleOf({ lines, fromZero }: ReportChart): readonly [low: number, high: number] | null {
  const extremes = extremesOf(lines.flatMap(measuredOf));
  if (extremes === null) return null;
  const low = fromZero ? Math.min(0, extremes[0]) : extremes[0];
  const high = extremes[1];
  return [low, high - low < 1e-9 ? low + (Math.abs(low) || 1) * 0.1 : high];
}

/** Null: nothing was measured. `stepSeconds`: the time of each value; the first is at the start. */
export function drawChart(chart: ReportChart, stepSeconds: number): Markup | null {
  const { title, unit, lines } = chart;
  const scale = scaleOf(chart);
  if (scale === null) return null;
  const [low, high] = scale;
  const steps = Math.max(...lines.map((l) => l.values.length));
  const x = (i: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * i) / Math.max(1, steps - 1);
  const y = (v: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (v - low) / (high - low));
  const at = (n: number): string => n.toFixed(1);
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => low + ((high - low) * i) / TICKS);
  const grid = ticks.map(
    (v) =>
      html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y(v))}" y2="${at(y(v))}"/><text x="${LEFT - 6}" y="${at(y(v) + 4)}" text-anchor="end">${short(v)}</text>`,
  );
  const times = [0, 0.5, 1].map(
    (part, i) =>
      html`<text x="${at(x(part * (steps - 1)))}" y="${HEIGHT - 6}" text-anchor="${['start', 'middle', 'end'][i] as string}">${clock(part * (steps - 1) * stepSeconds)}</text>`,
  );
  const path = (values: readonly (number | null)[]): string =>
    values
      .map((v, i) => {
        if (v === null) return '';
        const isFirst = i === 0 || values[i - 1] === null;
        const isAlone = isFirst && (i === values.length - 1 || values[i + 1] === null);
        return `${isFirst ? 'M' : 'L'}${at(x(i))} ${at(y(v))}${isAlone ? 'h1.5' : ''}`;
      })
      .join('');
  const drawn = lines.map((l, i) => html`<path class="l${i}" d="${path(l.values)}"/>`);
  const keys = lines.map((l, i) => `${STROKES[i] ?? '—'} ${l.name}`).join('   ');
  const extremes = lines
    .map((l) => {
      const ends = extremesOf(measuredOf(l));
      return `${l.name}: ${ends === null ? 'not measured' : `${short(ends[0])} to ${short(ends[1])}`}`;
    })
    .join('; ');
  return html`<figure><h3>${title} <span class="quiet">${unit}</span></h3><svg role="img" aria-label="${title} over time. ${extremes}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${grid}${times}${drawn}</svg><figcaption>${keys}</figcaption></figure>`;
}
