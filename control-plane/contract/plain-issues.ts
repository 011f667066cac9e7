/**
 * What zod finds wrong with a value, in plain sentences that state what is required. They never repeat values, because a value
 * may be a secret. The path precedes the sentence.
 */
import * as z from 'zod';

type Issue = z.core.$ZodRawIssue;
type Checked = { readonly schema?: z.core.$ZodType };
/** The definition of a check, as `min(1)` makes it. */
type Bound = { readonly check?: string; readonly value?: number; readonly minimum?: number; readonly maximum?: number };
type Range = { readonly min: number | null; readonly max: number | null; readonly isWhole: boolean };

/** Nobody would read a longer list. */
const MAX_NAMED = 30;

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an instant in UTC, such as 2026-01-31T12:00:00Z',
  date: 'a date, such as 2026-01-31',
  time: 'a time of day, such as 12:30:00',
  email: 'an e-mail address, such as name@example.org',
  url: 'a URL, such as https://example.org/path',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  base64: 'text in base64',
};

/** False for the bounds that zod sets for whole numbers in JavaScript: these are no intended limits. */
const isLimit = (value: number): boolean => Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function rangeOf(schema: z.core.$ZodType | undefined): Range {
  const def = schema?._zod.def as
    | { readonly checks?: readonly z.core.$ZodCheck[]; readonly format?: string }
    | undefined;
  const checks = (def?.checks ?? []).map((one) => one._zod.def as Bound & { readonly format?: string });
  const bound = (names: readonly string[], pick: (b: Bound) => number | undefined): number | null => {
    const found = checks.find(({ check }) => names.includes(check ?? ''));
    const value = found && pick(found);
    return value !== undefined && isLimit(value) ? value : null;
  };
  return {
    min: bound(['greater_than', 'min_length'], (b) => b.value ?? b.minimum),
    max: bound(['less_than', 'max_length'], (b) => b.value ?? b.maximum),
    isWhole: [def?.format, ...checks.map(({ format }) => format)].some((format) => /int/.test(format ?? '')),
  };
}

/** `from 1 to 100`, `of at most 100`. */
function between({ min, max }: Range, unit = ''): string {
  if (min !== null && max !== null) return min === max ? ` of ${min}${unit}` : ` from ${min} to ${max}${unit}`;
  if (min !== null) return ` of at least ${min}${unit}`;
  return max !== null ? ` of at most ${max}${unit}` : '';
}

const listed = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MAX_NAMED).map(String).join(', ');
  return values.length > MAX_NAMED ? `${shown} and ${values.length - MAX_NAMED} more` : shown;
};

/** The kind of value that is required, in words. */
function kindOf(expected: string, schema: z.core.$ZodType | undefined): string {
  const range = rangeOf(schema);
  const { format = '' } = (schema?._zod.def ?? {}) as { readonly format?: string };
  switch (expected) {
    case 'string':
      return FORMATS[format] ?? `text${between(range, ' characters')}`;
    case 'number':
    case 'int':
      return `${range.isWhole ? 'a whole number' : 'a number'}${between(range)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${between(range, ' items')}`;
    case 'object':
    case 'record':
      return 'an object';
    case 'null':
      return 'null';
    default:
      return expected;
  }
}

function givenKind(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  return (
    { number: 'a number', string: 'text', boolean: 'true or false', object: 'an object' }[typeof input as string] ??
    'something else'
  );
}

/** The sentence for a violated bound. It also states the other bound, if there is one. */
function bounded(issue: Issue & { readonly origin?: string }, schema: z.core.$ZodType | undefined): string {
  const limits = issue as { readonly minimum?: number; readonly maximum?: number; readonly inclusive?: boolean };
  const own = rangeOf(schema);
  const range: Range = { ...own, min: limits.minimum ?? own.min, max: limits.maximum ?? own.max };
  if (issue.origin === 'string') return `must be text${between(range, ' characters')}`;
  if (issue.origin === 'array' || issue.origin === 'set') return `must be a list${between(range, ' items')}`;
  if (limits.inclusive === false)
    return limits.minimum !== undefined ? `must be above ${limits.minimum}` : `must be below ${limits.maximum}`;
  return `must be ${range.isWhole ? 'a whole number' : 'a number'}${between(range)}`;
}

type Nested = { readonly code?: string; readonly path?: readonly PropertyKey[]; readonly message?: string };

/** The sentence if a value matches none of several forms: it lists them, or states what the nearest form lacks. */
function noneOf(issue: Issue): string {
  const { options, errors = [] } = issue as { options?: readonly unknown[]; errors?: readonly (readonly Nested[])[] };
  if (options && options.length > 0) return `must be one of ${listed(options)}`;
  const isWrongKind = (branch: readonly Nested[]) => branch.every(({ path = [] }) => path.length === 0);
  const nearest = errors.filter((branch) => !isWrongKind(branch)).sort((a, b) => a.length - b.length)[0]?.[0];
  if (nearest) return `${nearest.path?.map(String).join('.')}: ${nearest.message}`;
  const kinds = errors.flatMap(([first]) => /^must be (.*)$/.exec(first?.message ?? '')?.[1]?.split(', not ')[0] ?? []);
  return kinds.length > 0 ? `must be ${[...new Set(kinds)].join(', or ')}` : 'matches none of the permitted forms';
}

function formatOf(issue: Issue): string {
  const { format = '', pattern } = issue as { readonly format?: string; readonly pattern?: string };
  if (format === 'regex') return `must match the pattern ${pattern}`;
  return `must be ${FORMATS[format] ?? `in the format ${format}`}`;
}

/** The sentence without the path, which precedes it. */
function sentenceOf(issue: Issue): string {
  const schema = (issue as Checked).schema ?? (issue.inst as z.core.$ZodType | undefined);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${kindOf(issue.expected, schema)}${typeof issue.input === 'number' && /number|int/.test(issue.expected) ? '' : `, not ${givenKind(issue.input)}`}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${listed(issue.values)}`;
    case 'too_small':
    case 'too_big':
      return bounded(issue, schema);
    case 'invalid_format':
      return formatOf(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${listed(issue.keys.map((k) => k.slice(0, 100)))}`;
    case 'invalid_key':
      return `is not a valid name: ${(issue.issues[0] as Nested | undefined)?.message ?? 'not valid'}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : noneOf(issue);
    default:
      return 'is not valid';
  }
}

/** Every schema of this process uses the sentences from now on. Each program calls it once, before it reads anything. */
export const installMessages = (): void => void z.config({ localeError: sentenceOf });
