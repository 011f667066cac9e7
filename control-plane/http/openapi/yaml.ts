/**
 * Writes JSON values as YAML 1.2 in block style, in time proportional to them: texts are written as in JSON, which YAML
 * contains. The library takes two seconds for this document.
 */
const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;
/** These words are reserved in YAML 1.1, whose readers are still in use. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

const keyOf = (key: string): string => (PLAIN_KEY.test(key) && !RESERVED.test(key) ? key : JSON.stringify(key));

export function toYaml(value: unknown): string {
  const lines: string[] = [];
  /** `start`: the text on the line before the value; further lines of the value begin with `indent`. */
  const write = (start: string, indent: string, held: unknown): void => {
    if (held === null || typeof held !== 'object') return void lines.push(start + JSON.stringify(held ?? null));
    const items = Array.isArray(held) ? held : Object.entries(held).filter(([, one]) => one !== undefined);
    if (items.length === 0) return void lines.push(start + (Array.isArray(held) ? '[]' : '{}'));
    if (start !== '') lines.push(start.trimEnd());
    for (const item of items) {
      if (Array.isArray(held)) write(`${indent}- `, `${indent}  `, item);
      else write(`${indent}${keyOf((item as [string, unknown])[0])}: `, `${indent}  `, (item as [string, unknown])[1]);
    }
  };
  write('', '', value);
  return `${lines.join('\n')}\n`;
}
