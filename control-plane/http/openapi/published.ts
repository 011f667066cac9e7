/** The document for code generators: adds what routes cannot express, removes unused parts. */

import { ANSWERS, BODIES, errorExample } from '../../contract/examples.ts';
import { discriminated } from './discriminators.ts';
import { sampled } from './sampled.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json; example?: object }>;
type Response = { description?: string; headers?: Json; content?: Content };
type Operation = {
  parameters?: readonly Json[];
  requestBody?: { required?: boolean; content: Content };
  operationId?: string;
  responses: Record<string, Response>;
  'x-location'?: boolean;
  'x-once'?: boolean;
};
export type ApiDocument = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Json>; headers?: Json };
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'The answer',
  201: 'It was made, or begun',
  400: 'The request cannot be parsed',
  401: 'No valid API key',
  403: 'The key may not do this, or the plan does not include it',
  404: 'It does not exist, or the key may not see it',
  405: 'The path does not take this method',
  409: 'The state of the thing does not allow it',
  412: 'It has another version by now',
  422: 'A value breaks a rule: `details` name each',
  429: 'Too many requests: wait as long as Retry-After says',
  500: 'An error of the server',
  503: 'The server cannot answer now: ask again after Retry-After',
};

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const count = (description: string): Json => ({ description, schema: { type: 'integer' } });
const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': text('the id of the request, as in meta.requestId'),
  'RateLimit-Limit': count('requests of the key in a minute'),
  'RateLimit-Remaining': count('of these, that are left'),
  'RateLimit-Reset': count('seconds until there are all of them again'),
  'Retry-After': count('seconds to wait before the same may work'),
  Allow: text('methods that the path takes'),
  Location: text('where what was made can be read'),
  'Idempotency-Replayed': text(
    'true: the answer to an earlier request with the same Idempotency-Key; nothing was done',
  ),
};
const EVERYWHERE = ['X-Request-Id'];
const COUNTED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** Refused before it is known whose request it is. */
const UNCOUNTED = new Set(['401', '405', '503']);

const headersOf = (status: string, { 'x-location': hasPlace, 'x-once': isOnce }: Operation): string[] => [
  ...EVERYWHERE,
  ...(UNCOUNTED.has(status) ? [] : COUNTED),
  ...(status === '429' || status === '503' ? ['Retry-After'] : []),
  ...(status === '405' ? ['Allow'] : []),
  ...(status === '201' && hasPlace ? ['Location'] : []),
  ...(status === '201' && isOnce ? ['Idempotency-Replayed'] : []),
];

const PREFIX = '#/components/schemas/';

/** Schemas that this leads to. */
function reached(value: unknown, schemas: Readonly<Record<string, Json>>, found = new Set<string>()): Set<string> {
  if (value === null || typeof value !== 'object') return found;
  const { $ref } = value as Json;
  if (typeof $ref === 'string' && $ref.startsWith(PREFIX) && !found.has($ref.slice(PREFIX.length))) {
    found.add($ref.slice(PREFIX.length));
    reached(schemas[$ref.slice(PREFIX.length)], schemas, found);
  }
  for (const inner of Object.values(value)) reached(inner, schemas, found);
  return found;
}

/** Answers may get additional fields at any time. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key, held]) => key !== 'additionalProperties' || held !== false);
  return Object.fromEntries(entries.map(([key, held]) => [key, open(held)]));
}

/** A body without required fields is optional. */
function isNeeded(schema: Json, schemas: Readonly<Record<string, Json>>): boolean {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].slice(PREFIX.length) : null;
  const { required } = name === null ? schema : (schemas[name] ?? {});
  return Array.isArray(required) && required.length > 0;
}

const exampleOf = (examples: Readonly<Record<string, object>>, { operationId = '' }: Operation): object | undefined =>
  Object.hasOwn(examples, operationId) ? examples[operationId] : undefined;

type Example = (schema: Json) => object | undefined;

const answerExample =
  (status: string, operation: Operation, schemas: Readonly<Record<string, Json>>): Example =>
  (schema) =>
    Number(status) < 300
      ? (exampleOf(ANSWERS, operation) ?? (sampled(schema, schemas) as object))
      : errorExample(Number(status));

/** Of JSON only: files have none. */
const exampled = (content: Content, of: Example): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, one]) => {
      const example = type === 'application/json' ? of(one.schema) : undefined;
      return [type, example ? { ...one, example } : one];
    }),
  );

export function published<T extends ApiDocument>(document: T): T {
  const schemas = document.components?.schemas ?? {};
  const paths: Record<string, Record<string, Operation>> = {};
  const asked = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    paths[path] = {};
    for (const [method, operation] of Object.entries(methods)) {
      reached([operation.parameters, operation.requestBody], schemas, asked);
      const { 'x-location': _, 'x-once': __, ...kept } = operation;
      const error = operation.responses['422']?.content;
      const responses: Record<string, Response> = {
        ...operation.responses,
        ...(error && { 405: { content: error }, 503: { content: error } }),
      };
      paths[path][method] = {
        ...kept,
        // openapi-generator calls the argument after the body's type, which has a number for a name.
        ...(operation.requestBody && {
          'x-codegen-request-body-name': 'body',
          requestBody: {
            ...operation.requestBody,
            content: exampled(operation.requestBody.content, () => exampleOf(BODIES, operation)),
            required: Object.values(operation.requestBody.content).some(({ schema }) => isNeeded(schema, schemas)),
          },
        }),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            {
              ...(open(response) as Response),
              ...(response.content && {
                content: exampled(open(response.content) as Content, answerExample(status, operation, schemas)),
              }),
              description: DESCRIPTIONS[status] ?? response.description ?? '',
              headers: Object.fromEntries(
                headersOf(status, operation).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
              ),
            },
          ]),
        ),
      };
    }
  }
  const used = reached(paths, schemas);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      headers: HEADERS,
      schemas: discriminated(
        Object.fromEntries(kept.map(([name, schema]) => [name, asked.has(name) ? schema : (open(schema) as Json)])),
      ),
    },
  };
}
