/** The custom values of a SIP account as text, one a line: `pin=4711`. Pure. */

export const writtenValues = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

export type ReadValues = { readonly values: Record<string, string>; readonly fault: string | null };

/** A value may contain `=`, but a name may not. `fault`: the first line without a value, or with a repeated name. */
export function readValues(text: string): ReadValues {
  const values = new Map<string, string>();
  let fault: string | null = null;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, at).trim();
    if (at < 0 || name === '') fault ??= `line ${i + 1} is not of the form name=value`;
    else if (values.has(name)) fault ??= `line ${i + 1}: ${name} is already set above`;
    else values.set(name, line.slice(at + 1));
  }
  return { values: Object.fromEntries(values), fault };
}
