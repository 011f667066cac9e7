/** How an organization looks to readers outside of it: a band with its logo and name, in its colour. Pure. */
import { html, type Markup } from './markup.ts';

/** `#rrggbb`: of the band, of texts on it, and of links on light and on dark pages. */
export type BrandColours = {
  readonly band: string;
  readonly onBand: string;
  readonly linkOnLight: string;
  readonly linkOnDark: string;
};

export type Brand = {
  readonly name: string;
  /** False: the logo says the name. */
  readonly isNameShown: boolean;
  /** A PNG. */
  readonly logo: { readonly bytes: Buffer; readonly widthPx: number; readonly heightPx: number } | null;
  readonly colours: BrandColours | null;
};

/** The band above a page. `logoUrl`: where the logo is. */
export function brandBand({ name, isNameShown, logo }: Brand, logoUrl: string): Markup {
  const image =
    logo === null
      ? html``
      : html`<img src="${logoUrl}" alt="${isNameShown ? '' : name}" width="${logo.widthPx}" height="${logo.heightPx}">`;
  return html`<header class="brand"><div>${image}${isNameShown ? html`<b>${name}</b>` : html``}</div></header>
`;
}

/**
 * The rules of the band and of links, for a page with the colours `--text` and `--line`. The logo stands on white in both
 * schemes, because most logos are made for that. On paper the band keeps its colour, for which the colour of its text was chosen.
 */
export function brandStyle({ colours }: Brand): string {
  const band = colours
    ? `background: ${colours.band}; color: ${colours.onBand}; print-color-adjust: exact;`
    : 'border-bottom: 1px solid var(--line); color: var(--text);';
  const links = colours
    ? `@media screen { a { color: ${colours.linkOnLight}; } }
@media screen and (prefers-color-scheme: dark) { a { color: ${colours.linkOnDark}; } }
`
    : '';
  return `
.brand { ${band} }
.brand div { display: flex; align-items: center; gap: .75rem; padding: .625rem 1rem; }
.brand img { box-sizing: border-box; height: 2.75rem; width: auto; max-width: min(16rem, 100%); object-fit: contain; padding: .25rem .375rem; border-radius: .25rem; background: #fff; print-color-adjust: exact; }
.brand b { color: inherit; font-size: 1.0625rem; line-height: 1.3; min-width: 0; overflow-wrap: anywhere; }
${links}`;
}
