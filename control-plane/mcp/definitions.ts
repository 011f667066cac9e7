/** What tools/list answers, made once: names, words and schemas, as short as they can be. */
import type { Tool as Definition } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { CATALOGUE, type Row } from '../contract/catalogue.ts';
import { TOOLS, type Tool } from './tools.ts';

const NOTES = z.array(z.string()).optional();
/** Its fields say themselves what they are; nine tools would repeat them. */
const PAGINATION = z.record(z.string(), z.int());

/** How deep output schemas go: what lies deeper is `object` or `array`. */
const DEPTH = 3;

export const DEFINITIONS: readonly Definition[] = Object.entries(TOOLS).map(([name, tool]) => ({
  name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchema(tool),
  outputSchema: outputSchema(tool),
  annotations: { readOnlyHint: true, openWorldHint: false },
}));

function inputSchema({ operation }: Tool): Definition['inputSchema'] {
  const schema = z.toJSONSchema(CATALOGUE[operation].input, { io: 'input', target: 'draft-7' });
  return bare(schema, Number.POSITIVE_INFINITY) as Definition['inputSchema'];
}

function outputSchema({ operation }: Tool): NonNullable<Definition['outputSchema']> {
  const row: Row = CATALOGUE[operation];
  const shape =
    row.answers === 'list'
      ? z.object({ data: z.array(row.output), pagination: PAGINATION, notes: NOTES })
      : z.object({ data: row.output, notes: NOTES });
  const schema = z.toJSONSchema(shape, { io: 'output', target: 'draft-7', reused: 'inline' });
  return bare(inlined(schema, schema['definitions'] ?? schema['$defs'] ?? {}), DEPTH) as NonNullable<
    Definition['outputSchema']
  >;
}

type Schema = Record<string, unknown>;

/** References replaced by what they name: a tool's schema stands alone. */
function inlined(schema: unknown, definitions: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((s) => inlined(s, definitions));
  if (schema === null || typeof schema !== 'object') return schema;
  const reference = (schema as Schema)['$ref'];
  if (typeof reference === 'string') {
    return inlined((definitions as Schema)[reference.split('/').at(-1) ?? ''], definitions);
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'definitions' && key !== '$defs')
      .map(([key, value]) => [key, inlined(value, definitions)]),
  );
}

/** Types, names and choices; no limits and patterns: extra fields and values may come at any time. */
function bare(schema: unknown, depth: number): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  const { type, properties, items, anyOf, ...rest } = schema as Schema;
  const kept: Schema = {};
  if (type !== undefined) kept['type'] = type;
  for (const key of ['enum', 'const', 'default', 'description'] as const) {
    if (rest[key] !== undefined && (depth === Number.POSITIVE_INFINITY || key !== 'description')) kept[key] = rest[key];
  }
  if (Array.isArray(anyOf)) {
    const types = anyOf.map((s) => (s as Schema)['type']);
    const plain = types[0] !== 'object' || (anyOf[0] as Schema)['properties'] === undefined || depth <= 1;
    // `null or X` is most of them: one line instead of two.
    if (anyOf.length === 2 && types[1] === 'null' && typeof types[0] === 'string' && plain) {
      return {
        ...(bare(anyOf[0], depth) as Schema),
        type: [types[0], 'null'],
        ...((anyOf[0] as Schema)['enum'] && depth > 0
          ? { enum: [...((anyOf[0] as Schema)['enum'] as unknown[]), null] }
          : {}),
      };
    }
    if (depth <= 0) return {};
    kept['anyOf'] = anyOf.map((s) => bare(s, depth));
  }
  if (depth <= 0) return kept['enum'] ? { type } : kept;
  if (properties) {
    kept['properties'] = Object.fromEntries(
      Object.entries(properties as Schema).map(([key, value]) => [key, bare(value, depth - 1)]),
    );
    if (depth === Number.POSITIVE_INFINITY && rest['required']) kept['required'] = rest['required'];
  }
  if (items) kept['items'] = bare(items, depth);
  return kept;
}
