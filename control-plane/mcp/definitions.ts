/** The answer of tools/list, built once: names, words and schemas, as short as possible. */
import type { Tool as Definition } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { CATALOGUE } from '../catalogue.ts';
import type { KnownName, OperationRow } from '../contract/catalogue.ts';
import { FEATURE_RUN_FIELDS } from '../feature-sums/fields.ts';
import { TOOLS, type Tool } from './tools.ts';

const NOTES = z.array(z.string()).optional();
/** The fields are self-explanatory, and nine tools would repeat them. */
const PAGINATION = z.record(z.string(), z.int());

/** The depth of output schemas, including a list's rows: deeper levels are `object` or `array`. */
const DEPTH = { one: 3, list: 4 } as const;
/** These arguments are self-explanatory, and every tool would repeat them. */
const SELF_EXPLAINING = /^(page|per_page|sort|[a-z][A-Za-z]*Id)$/;
/** The defaults are 1 and the first choice. */
const OBVIOUS_DEFAULT = /^(page|sort)$/;
/** Parts of answers with common or obvious fields, for which the name is sufficient. */
const ONLY_NAMED = new Set([
  'overrides',
  'labels',
  'test',
  'kept',
  'lastInstances',
  'breaker',
  'abortOn',
  'registrationRefreshes',
  'tls',
  ...Object.keys(FEATURE_RUN_FIELDS),
]);
/** Longer enumerations in answers are omitted: each answer shows the relevant values. */
const MAX_CHOICES = 6;

/** New runs appear while they are listed; shorter lists are read by page. Executions of a probe have a tool of their own. */
export function argumentsOf(operation: KnownName): z.ZodObject {
  const { shape }: OperationRow['input'] = CATALOGUE[operation].input;
  const { cursor: _, last_instances: _1, ...rest } = shape;
  return z.strictObject(operation === 'listTestRuns' ? shape : rest);
}

export const DEFINITIONS: readonly Definition[] = Object.entries(TOOLS).map(([name, tool]) => ({
  name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchema(tool),
  outputSchema: outputSchema(tool),
  annotations: { readOnlyHint: true, openWorldHint: false },
}));

function inputSchema({ operation }: Tool): Definition['inputSchema'] {
  const schema = z.toJSONSchema(argumentsOf(operation), { io: 'input', target: 'draft-7' });
  const plain = bare(schema, Number.POSITIVE_INFINITY) as Definition['inputSchema'];
  const properties = Object.entries(plain.properties ?? {}).map(([name, one]) => {
    const { description, ...rest } = one as Schema;
    if (OBVIOUS_DEFAULT.test(name)) delete rest['default'];
    return [name, SELF_EXPLAINING.test(name) || description === undefined ? rest : { ...rest, description }];
  });
  return { ...plain, properties: Object.fromEntries(properties), additionalProperties: false };
}

function outputSchema({ operation }: Tool): NonNullable<Definition['outputSchema']> {
  const row: OperationRow = CATALOGUE[operation];
  const depth = DEPTH[row.answers === 'list' ? 'list' : 'one'];
  const shape =
    row.answers === 'list'
      ? z.object({
          data: z.array(row.output),
          pagination: PAGINATION,
          ...('cursor' in argumentsOf(operation).shape && { nextCursor: z.string().nullish() }),
          notes: NOTES,
        })
      : z.object({ data: row.output, notes: NOTES });
  const schema = z.toJSONSchema(shape, { io: 'output', target: 'draft-7', reused: 'inline' });
  return bare(inlined(schema, schema['definitions'] ?? schema['$defs'] ?? {}), depth) as NonNullable<
    Definition['outputSchema']
  >;
}

type Schema = Record<string, unknown>;

/** Replaces references by their targets: a tool's schema must be self-contained. */
function inlined(schema: unknown, definitions: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((s) => inlined(s, definitions));
  if (schema === null || typeof schema !== 'object') return schema;
  const reference = (schema as Schema)['$ref'];
  if (typeof reference === 'string') {
    return inlined((definitions as Schema)[reference.split('/').at(-1) ?? ''], definitions);
  }
  // This is a reference with its own description.
  const { allOf, ...more } = schema as Schema;
  if (Array.isArray(allOf) && allOf.length === 1) return { ...(inlined(allOf[0], definitions) as Schema), ...more };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'definitions' && key !== '$defs')
      .map(([key, value]) => [key, inlined(value, definitions)]),
  );
}

function isLong(choices: unknown): boolean {
  return Array.isArray(choices) && choices.length > MAX_CHOICES;
}

/** Types, names and enumerations; no limits and patterns: fields and values may be added at any time. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the kinds of a JSON schema, one after the other
function bare(schema: unknown, depth: number): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  const { type, properties, items, anyOf, ...rest } = schema as Schema;
  const kept: Schema = {};
  if (type !== undefined) kept['type'] = type;
  for (const key of ['enum', 'const', 'default', 'description'] as const) {
    const isShown = depth === Number.POSITIVE_INFINITY || (key !== 'description' && !isLong(rest[key]));
    if (rest[key] !== undefined && isShown) kept[key] = rest[key];
  }
  if (Array.isArray(anyOf)) {
    const types = anyOf.map((s) => (s as Schema)['type']);
    const plain = types[0] !== 'object' || (anyOf[0] as Schema)['properties'] === undefined || depth <= 1;
    // `null or X` is frequent, and takes one line instead of two.
    if (anyOf.length === 2 && types[1] === 'null' && typeof types[0] === 'string' && plain) {
      if (depth <= 0) return {};
      return {
        ...(bare(anyOf[0], depth) as Schema),
        type: [types[0], 'null'],
        ...((anyOf[0] as Schema)['enum'] && !isLong((anyOf[0] as Schema)['enum'])
          ? { enum: [...((anyOf[0] as Schema)['enum'] as unknown[]), null] }
          : {}),
      };
    }
    if (depth <= 0) return {};
    kept['anyOf'] = anyOf.map((s) => bare(s, depth));
  }
  // The lowest level has only a name, and whether anything is below it.
  if (depth <= 0) return type === 'object' || type === 'array' ? { type } : {};
  if (properties) {
    kept['properties'] = Object.fromEntries(
      Object.entries(properties as Schema).map(([key, value]) => [
        key,
        bare(value, ONLY_NAMED.has(key) ? 0 : depth - 1),
      ]),
    );
    if (depth === Number.POSITIVE_INFINITY && rest['required']) kept['required'] = rest['required'];
  }
  if (items) kept['items'] = bare(items, depth - 1);
  return kept;
}
