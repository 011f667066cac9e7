/** Columns of text with a rule under the header. The first column, or all, are left-aligned. Widths are display widths. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import stringWidth from 'string-width';
import type { Paint } from '../io.ts';

export type TextColumn = { readonly title: string; readonly align?: 'left' | 'right'; readonly most?: number };

/** The longest column is shortened first, down to this width. */
const MIN_WIDTH = 8;

const GAP = '  ';

export function table(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: Paint,
): string[] {
  const cells = rows.map((row) => row.map(plain));
  const widths = columns.map((column, i) =>
    Math.min(
      column.most ?? Number.POSITIVE_INFINITY,
      Math.max(stringWidth(column.title), ...cells.map((row) => stringWidth(row[i] ?? ''))),
    ),
  );
  const total = () => widths.reduce((a, b) => a + b, 0) + GAP.length * (widths.length - 1);
  for (let over = total() - width; over > 0; over = total() - width) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = Math.max(MIN_WIDTH, (widths[widest] as number) - over);
    if (next === widths[widest]) break;
    widths[widest] = next;
  }
  const line = (row: readonly string[]) =>
    columns
      .map(({ align }, i) => {
        const text = shortened(row[i] ?? '', widths[i] as number);
        const pad = ' '.repeat(Math.max(0, (widths[i] as number) - stringWidth(text)));
        return align === 'right' ? pad + text : text + pad;
      })
      .join(GAP)
      .trimEnd();
  return [paint('dim', line(columns.map(({ title }) => title))), ...cells.map(line)];
}

/** The text with at most this many columns, shortened with an ellipsis. */
export function shortened(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text broken between words. Further lines have the indent of the first. */
export function wrapped(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(/ +/)) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (line.trim() !== '' && stringWidth(longer) > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
