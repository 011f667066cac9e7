/** Numbers, words and tables of a report. Pure. */
import { html, type Markup } from '../markup.ts';

export const NONE = '–';

export const count = (n: number): string => n.toLocaleString('en-US');
export const figure = (n: number | null | undefined, digits = 2): string =>
  n === null || n === undefined
    ? NONE
    : n.toLocaleString('en-US', { maximumFractionDigits: Math.abs(n) >= 100 ? 0 : digits });
/** A dash if nothing was measured. */
export const measured = (n: number, values: number, digits = 2): string => (values === 0 ? NONE : figure(n, digits));
/** The share is never rounded to 100 % or 0 %. */
export function percent(share: number): string {
  if (share > 99.9 && share < 100) return 'more than 99.9 %';
  if (share > 0 && share < 0.1) return 'less than 0.1 %';
  return `${share.toFixed(1)} %`;
}
export const instant = (iso: string | null): string =>
  iso === null ? NONE : `${iso.slice(0, 19).replace('T', ' ')} UTC`;

export type Cell = string | number | Markup;
export type ReportRow = readonly Cell[] | { readonly anchor: string; readonly cells: readonly Cell[] };
/** `n`: right-aligned figures; `w`: words that are never broken; `t`: texts; `a`: addresses. */
export type ReportColumn = readonly [name: string, kind: 'n' | 'w' | 't' | 'a'];

const isMarked = (row: ReportRow): row is { readonly anchor: string; readonly cells: readonly Cell[] } =>
  'anchor' in row;

/** `label`: for screen readers. A table that is wider than the screen can be scrolled with keys. */
export function table(label: string, columns: readonly ReportColumn[], rows: readonly ReportRow[]): Markup {
  const cellsOf = (cells: readonly Cell[]) =>
    cells.map((cell, i) => html`<td class="${columns[i]?.[1] ?? 't'}">${cell}</td>`);
  const lines = rows.map((row) =>
    isMarked(row) ? html`<tr id="${row.anchor}">${cellsOf(row.cells)}</tr>` : html`<tr>${cellsOf(row)}</tr>`,
  );
  const names = columns.map(([name, kind]) => html`<th scope="col" class="${kind}">${name}</th>`);
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${names}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

export type Fact = readonly [name: string, value: string, note: string];
export const facts = (all: readonly Fact[]): Markup =>
  html`<dl>${all.map(([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`)}</dl>`;

/** The line may break after the @. */
export const address = (text: string): Markup =>
  html`${text.split('@').map((part, i) => (i === 0 ? html`${part}` : html`@<wbr>${part}`))}`;

/** The anchor of an endpoint's row, for links to it. */
export const anchorOf = (number: number): string => `e${number}`;

/** `#3, #17`: endpoints shown in the report. */
export function examples(ids: readonly string[], shown: ReadonlyMap<string, number>): Markup | null {
  const links = ids.flatMap((id) => {
    const number = shown.get(id);
    return number === undefined ? [] : [html`<a href="#${anchorOf(number)}">#${number}</a>`];
  });
  return links.length === 0 ? null : html`${links.map((link, i) => (i === 0 ? link : html`, ${link}`))}`;
}
