/** The bounds of a logo, and what it says. The dashboard loads this without the schemas. */

export const MAX_LOGO_BYTES = 64 * 1024;
export const MAX_LOGO_PX = 1024;

/** A logo so much wider than high usually has the name in it. */
const WIDE = 2;
/** True: the name stands beside the logo, or alone. */
export const isNameShown = (logo: { readonly widthPx: number; readonly heightPx: number } | null): boolean =>
  logo === null || logo.widthPx < logo.heightPx * WIDE;
