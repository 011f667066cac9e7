/** Whatever colour is chosen, texts can be read. */

import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { coloursOf, contrast, DARK_PAGE, LIGHT_PAGE, TEXT_CONTRAST } from './colours.ts';

const colour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);

/** Of WCAG 2.2 and its techniques G17 and G18. */
t.test('contrast is that of WCAG', async (t) => {
  for (const [a, b, expected] of [
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4.0],
    ['#0000ff', '#ffffff', 8.59],
  ] as const) {
    t.ok(Math.abs(contrast(a, b) - expected) < 0.01, `${a} on ${b}: ${contrast(a, b)}`);
    t.equal(contrast(a, b), contrast(b, a));
  }
});

t.test('texts on the band, and links on light and on dark pages, can be read', async (t) => {
  fc.assert(
    fc.property(colour, (chosen) => {
      const { band, onBand, linkOnLight, linkOnDark } = coloursOf(chosen);
      t.equal(band, chosen);
      t.ok(contrast(band, onBand) >= TEXT_CONTRAST, `${onBand} on ${band}`);
      t.ok(contrast(LIGHT_PAGE, linkOnLight) >= TEXT_CONTRAST, `${linkOnLight} for ${chosen}`);
      t.ok(contrast(DARK_PAGE, linkOnDark) >= TEXT_CONTRAST, `${linkOnDark} for ${chosen}`);
    }),
    { numRuns: 300, examples: [['#000000'], ['#ffffff'], ['#767676'], ['#777777'], ['#ffff00']] },
  );
});

t.test('a colour that can be read is not changed', async (t) => {
  fc.assert(
    fc.property(colour, (chosen) => {
      if (contrast(LIGHT_PAGE, chosen) >= TEXT_CONTRAST) t.equal(coloursOf(chosen).linkOnLight, chosen);
      if (contrast(DARK_PAGE, chosen) >= TEXT_CONTRAST) t.equal(coloursOf(chosen).linkOnDark, chosen);
    }),
    { numRuns: 300 },
  );
});
