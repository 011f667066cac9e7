/** Colours that go with one colour, by the contrast of WCAG 2.2 (relative luminance, 1.4.3). Pure. */

type Rgb = readonly [red: number, green: number, blue: number];

/** The least contrast of texts. */
export const TEXT_CONTRAST = 4.5;
/** The grounds of pages on which links are; no dark page is lighter. */
export const LIGHT_PAGE = '#ffffff';
export const DARK_PAGE = '#15171b';

const parse = (colour: string): Rgb => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
const written = (rgb: Rgb): string => `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, '0')).join('')}`;

function luminance(colour: string): number {
  const [red, green, blue] = parse(colour).map((v) => {
    const part = v / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast is from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white: whichever is easier to read on it. One of them always has a contrast of at least 4.58. */
const textOn = (ground: string): string =>
  contrast(ground, '#ffffff') >= contrast(ground, '#000000') ? '#ffffff' : '#000000';

/** The colour itself if it can be read there, or the nearest mixture with black or white that can. */
function readableOn(ground: string, colour: string): string {
  const [from, to] = [parse(colour), parse(textOn(ground))];
  for (let step = 0; step < 100; step++) {
    const mixed = written(from.map((v, i) => v + (((to[i] ?? 0) - v) * step) / 100) as unknown as Rgb);
    if (contrast(mixed, ground) >= TEXT_CONTRAST) return mixed;
  }
  return written(to);
}

/** `colour`: `#rrggbb` in lower case. */
export const coloursOf = (colour: string) => ({
  band: colour,
  onBand: textOn(colour),
  linkOnLight: readableOn(LIGHT_PAGE, colour),
  linkOnDark: readableOn(DARK_PAGE, colour),
});
