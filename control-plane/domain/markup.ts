/** HTML templates: texts are escaped on insertion, except marked HTML. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => ENTITIES[c] as string);

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Part = string | number | Markup | readonly Markup[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const filled = parts.map((part) => {
    if (part instanceof Markup) return part.text;
    return Array.isArray(part) ? part.map((m: Markup) => m.text).join('') : escaped(String(part));
  });
  return new Markup(String.raw({ raw: strings }, ...filled));
}
