/** The licenses of the contents of a package, in one file within the package. */
import { licenseText, type Package } from './lock.ts';

export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const RULE = '-'.repeat(78);

/** Packages with the same text are listed together above it. */
export function noticesOf(what: string, shipped: readonly Package[]): string {
  const byText = new Map<string, Package[]>();
  for (const one of shipped.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))) {
    const text = licenseText(one) || `License: ${one.license}`;
    byText.set(text, [...(byText.get(text) ?? []), one]);
  }
  const parts = [...byText].map(
    ([text, packages]) => `${packages.map((one) => `${one.ref} (${one.license})`).join('\n')}\n\n${text}\n`,
  );
  return [`${what} contains these packages.\n`, ...parts].join(`\n${RULE}\n\n`);
}
