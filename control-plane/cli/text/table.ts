/** Columns of text: the first, or all, left-aligned; a rule under the header. Widths are display widths. */
import stringWidth from 'string-width';
import { type Paint, plain } from '../io.ts';

export type TextColumn = { readonly title: string; readonly align?: 'left' | 'right'; readonly most?: number };

/** The longest column gives way first, down to this. */
const LEAST = 8;

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
    const next = Math.max(LEAST, (widths[widest] as number) - over);
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

/** At most this many columns wide, shortened with an ellipsis. */
export function shortened(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Broken between words; further lines have the indent of the first. */
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
