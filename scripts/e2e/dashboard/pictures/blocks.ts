/**
 * A screenshot as blocks of mean colour, and what differs between two. Blocks are small enough to show where something is, and
 * large enough not to show how a machine draws the edges of letters. A browser decodes and encodes: no other program has to.
 */
import type { Page } from 'playwright-core';

const BLOCK_PX = 24;

export type Blocks = {
  readonly columns: number;
  /** RGB, row by row. */
  readonly colours: readonly number[];
};

/** Where two pictures differ, in pixels of the page. */
export type SeenDifference = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The block that differs most. */
  readonly worst: { readonly x: number; readonly y: number };
  readonly blocks: number;
};

/** Of a channel: what text that is drawn otherwise does to a block, and to a flat one. */
const MUCH = 24;
const SOME = 6;
/** A block at an edge may be another's neighbour; a theme changes a whole area. */
const MAX_MUCH = 1;
const MAX_SOME = 0.03;

const rowsOf = ({ columns, colours }: Blocks): number => colours.length / 3 / columns;

/** null: nobody would see a difference. A text at the end of a block may add one row. */
export function differenceOf(approved: Blocks, shown: Blocks): SeenDifference | null {
  const { columns } = shown;
  const rows = Math.min(rowsOf(approved), rowsOf(shown));
  const isOtherShape = approved.columns !== columns || Math.abs(rowsOf(approved) - rowsOf(shown)) > 1;
  const apart = Array.from({ length: rows * columns }, (_, i) =>
    Math.max(...[0, 1, 2].map((c) => Math.abs((approved.colours[3 * i + c] ?? 0) - (shown.colours[3 * i + c] ?? 0)))),
  );
  const much = apart.filter((by) => by > MUCH).length;
  const some = apart.filter((by) => by > SOME).length;
  if (!isOtherShape && much <= MAX_MUCH && some <= MAX_SOME * apart.length) return null;
  const least = much > MAX_MUCH ? MUCH : SOME;
  const places = apart.flatMap((by, i) => (by > least ? [{ x: i % columns, y: Math.floor(i / columns), by }] : []));
  // Of another height, and equal so far.
  if (places.length === 0) places.push({ x: 0, y: rows, by: 0 });
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const worst = places.reduce((a, b) => (b.by > a.by ? b : a));
  return {
    left: Math.min(...xs) * BLOCK_PX,
    top: Math.min(...ys) * BLOCK_PX,
    right: (Math.max(...xs) + 1) * BLOCK_PX,
    bottom: (Math.max(...ys) + 1) * BLOCK_PX,
    worst: { x: (worst.x + 0.5) * BLOCK_PX, y: (worst.y + 0.5) * BLOCK_PX },
    blocks: places.length,
  };
}

/** Pixels of a PNG, in the page of any origin. */
const PIXELS = `async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}`;

/** Rounded to 4, which nobody sees and a PNG has fewer bytes for. */
const MEANS = `async ([base64, px]) => {
  const { data, width, height } = await (${PIXELS})(base64);
  const columns = Math.ceil(width / px);
  const rows = Math.ceil(height / px);
  const sums = new Float64Array(columns * rows * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const block = 4 * (Math.floor(y / px) * columns + Math.floor(x / px));
      for (let c = 0; c < 3; c++) sums[block + c] += data[4 * (y * width + x) + c];
      sums[block + 3]++;
    }
  const colours = [];
  for (let i = 0; i < sums.length; i += 4)
    for (let c = 0; c < 3; c++) colours.push(Math.min(255, 4 * Math.round(sums[i + c] / sums[i + 3] / 4)));
  return { columns, colours };
}`;

/** Side by side; what is not transparent. */
const WRITTEN = `async (parts) => {
  const rows = parts.map(({ columns, colours }) => colours.length / 3 / columns);
  const canvas = new OffscreenCanvas(parts.reduce((sum, { columns }) => sum + columns, 0), Math.max(...rows));
  const context = canvas.getContext('2d');
  let left = 0;
  for (const [n, { columns, colours }] of parts.entries()) {
    const image = new ImageData(columns, rows[n]);
    for (let i = 0; i < columns * rows[n]; i++)
      image.data.set([colours[3 * i], colours[3 * i + 1], colours[3 * i + 2], 255], 4 * i);
    context.putImageData(image, left, 0);
    left += columns;
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}`;

const READ = `async ([base64, widths]) => {
  const { data, width, height } = await (${PIXELS})(base64);
  let left = 0;
  return widths.map((columns) => {
    const colours = [];
    for (let y = 0; y < height; y++)
      for (let x = left; x < left + columns; x++) {
        const at = 4 * (y * width + x);
        if (data[at + 3] === 255) colours.push(data[at], data[at + 1], data[at + 2]);
      }
    left += columns;
    return { columns, colours };
  });
}`;

/** `drawer`: a page of the browser that is used for nothing else. */
export const blocksOf = (drawer: Page, png: Buffer): Promise<Blocks> =>
  drawer.evaluate(`(${MEANS})(${JSON.stringify([png.toString('base64'), BLOCK_PX])})`);

/** Several pictures in one PNG: a pixel for each block. */
export const writtenBlocks = async (drawer: Page, parts: readonly Blocks[]): Promise<Buffer> =>
  Buffer.from(await drawer.evaluate<string>(`(${WRITTEN})(${JSON.stringify(parts)})`), 'base64');

/** `widths`: of the pictures in it, in pixels of the page. */
export const readBlocks = (drawer: Page, png: Buffer, widths: readonly number[]): Promise<Blocks[]> =>
  drawer.evaluate(
    `(${READ})(${JSON.stringify([png.toString('base64'), widths.map((px) => Math.ceil(px / BLOCK_PX))])})`,
  );
