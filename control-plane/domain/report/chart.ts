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

const short = (n: number): string =>
  Math.abs(n) >= 10_000
    ? `${Math.round(n / 1000)}k`
    : String(Math.round(n * (Math.abs(n) < 10 ? 100 : 1)) / (Math.abs(n) < 10 ? 100 : 1));

/** `90` -> `1:30` */
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

/** Null: nothing was measured. `stepSeconds`: the time of each value; the first is at the start. */
export function drawChart({ title, unit, lines, fromZero }: ReportChart, stepSeconds: number): Markup | null {
  const all = lines.flatMap((l) => l.values.filter((v): v is number => v !== null));
  const steps = Math.max(0, ...lines.map((l) => l.values.length));
  if (all.length === 0 || steps === 0) return null;
  let high = Number.NEGATIVE_INFINITY;
  let low = fromZero ? 0 : Number.POSITIVE_INFINITY;
  for (const v of all) {
    high = Math.max(high, v);
    low = Math.min(low, v);
  }
  if (high - low < 1e-9) high = low + (Math.abs(low) || 1) * 0.1;
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
      const values = l.values.filter((v): v is number => v !== null);
      const [least, most] = [
        values.reduce((a, b) => Math.min(a, b), high),
        values.reduce((a, b) => Math.max(a, b), low),
      ];
      return values.length === 0 ? `${l.name}: not measured` : `${l.name}: ${short(least)} to ${short(most)}`;
    })
    .join('; ');
  return html`<figure><h3>${title} <span class="quiet">${unit}</span></h3><svg role="img" aria-label="${title} over time. ${extremes}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${grid}${times}${drawn}</svg><figcaption>${keys}</figcaption></figure>`;
}
