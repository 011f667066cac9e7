/** Invalid values are reported in plain sentences that say what is allowed, and never repeat the value. */
import t from 'tap';
import * as z from 'zod';
import { CATALOGUE } from '../catalogue.ts';
import type { OperationRow } from './catalogue.ts';
import { installMessages } from './plain-issues.ts';

const RAW =
  /Invalid (input|option|string|number|key|value|discriminator)|Too (small|big):|\bexpected \w|received \w|NaN\b|undefined/;

const issueText = (schema: z.ZodType, value: unknown): string =>
  schema
    .safeParse(value)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ') ?? 'valid';

t.test('the sentences are those of the process once a program asks for them, and not by an import', async (t) => {
  t.match(issueText(z.string(), 1), RAW);
  installMessages();
  t.equal(issueText(z.string(), 1), ': must be text, not a number');
});

t.test('each kind of fault', async (t) => {
  const mode = z.discriminatedUnion('mode', [z.object({ mode: z.literal('A') }), z.object({ mode: z.literal('B') })]);
  const cases: [z.ZodType, unknown, string][] = [
    [z.coerce.number().int().min(1).max(100), 'x', ': must be a whole number from 1 to 100'],
    [z.coerce.number().int().min(1).max(100), '101', ': must be a whole number from 1 to 100'],
    [z.int().min(0), 0.5, ': must be a whole number of at least 0'],
    [z.number().min(0.01), 0, ': must be a number of at least 0.01'],
    [z.number().gt(0), 0, ': must be above 0'],
    [z.int().nullable(), 'q', ': must be a whole number, not text'],
    [z.object({ name: z.string() }), {}, 'name: is required'],
    [z.object({ kind: z.enum(['A', 'B']) }), {}, 'kind: is required'],
    [z.string().min(1).max(3), 'secret', ': must be text from 1 to 3 characters'],
    [z.string().max(3), 5, ': must be text of at most 3 characters, not a number'],
    [z.enum(['A', 'B']), 'secret', ': must be one of A, B'],
    [z.literal('A'), 'B', ': must be A'],
    [mode, { mode: 'C' }, 'mode: must be one of A, B'],
    [z.union([z.int(), z.string()]), true, ': must be a whole number, or text'],
    [z.union([z.object({ a: z.int() }), z.string()]), { a: 'x' }, ': a: must be a whole number, not text'],
    [z.array(z.int()).min(2).max(4), [1], ': must be a list from 2 to 4 items'],
    [z.boolean(), 'yes', ': must be true or false, not text'],
    [z.iso.datetime(), 'today', ': must be an instant in UTC, such as 2026-01-31T12:00:00Z'],
    [z.url(), 'x', ': must be a URL, such as https://example.org/path'],
    [z.number().multipleOf(5), 3, ': must be a multiple of 5'],
    [z.strictObject({}), { a: 1, b: 2 }, ': unknown fields a, b'],
    [z.record(z.string().max(1), z.int()), { ab: 1 }, 'ab: is not a valid name: must be text of at most 1 characters'],
    [z.string().regex(/^a/, 'begins with a'), 'b', ': begins with a'],
    [z.string().refine(() => false), 'b', ': is not valid'],
  ];
  for (const [schema, value, sentence] of cases) t.equal(issueText(schema, value), sentence);
});

t.test('no operation answers in the words of the validator, and none repeats what it was given', async (t) => {
  const secret = 'hunter2-hunter2';
  for (const [name, row] of Object.entries(CATALOGUE) as [string, OperationRow][]) {
    const schema = z.strictObject(row.input.shape);
    const names = Object.keys(row.input.shape);
    for (const value of [secret, -1, 1e12, null, true, [secret], { [secret]: 1 }, undefined]) {
      const given = Object.fromEntries(names.map((field) => [field, value]));
      const sentences = issueText(schema, given);
      t.notMatch(sentences, RAW, name);
      if (typeof value === 'string') t.notOk(sentences.includes(secret), `${name}: ${sentences}`);
    }
  }
});
