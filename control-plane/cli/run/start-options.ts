/** The options of `run` for the start: `--label commit=4f2a9c1`, `--set callsPerSecond=20`. Pure. */
import type * as z from 'zod';
import { printPath } from '../../contract/errors.ts';
import { Labels, RunOverrides } from '../../contract/run/start.ts';
import { usage } from '../exit-codes.ts';

export type StartOptions = {
  readonly label: readonly string[];
  readonly set: readonly string[];
  readonly overload?: boolean | undefined;
};

/** The values of the test that `--set` may replace. `load` is too long for a command line. */
const SETTABLE = Object.keys(RunOverrides.shape).filter((name) => name !== 'load');

/** @throws Stop that states the error */
export function startInput({ label, set, overload }: StartOptions) {
  const labels = checked('--label', Labels, Object.fromEntries(label.map((text) => pair('--label', text))));
  const values = set
    .map((text) => pair('--set', text))
    .map(([name, value]) => [name, plainValue(name, value)] as const);
  const overrides = checked('--set', RunOverrides, Object.fromEntries(values));
  return {
    ...(label.length > 0 && { labels }),
    ...(set.length > 0 && { overrides }),
    ...(overload && { overload }),
  };
}

function pair(option: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`${option} ${text}: it is NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function plainValue(name: string, value: string): unknown {
  if (!SETTABLE.includes(name)) throw usage(`--set ${name}: there are ${SETTABLE.join(', ')}.`);
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function checked<S extends z.ZodType>(option: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw usage(parsed.error.issues.map(({ path, message }) => `${option} ${printPath(path)}: ${message}`).join('\n'));
}
