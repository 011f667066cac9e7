/** The document for code generators: adds what routes cannot express, and removes unused parts. */

import { ANSWERS, BODIES, errorExample } from '../../contract/examples.ts';
import { FEATURE_BODIES } from '../../feature-sums/rows.ts';
import { discriminated } from './discriminators.ts';
import { sampled } from './sampled.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json; example?: object }>;
type Response = { description?: string; headers?: Json; content?: Content };
type Reference = { readonly $ref: string };
type Operation = {
  parameters?: readonly Json[];
  requestBody?: { required?: boolean; content: Content };
  operationId?: string;
  responses: Record<string, Response | Reference>;
  'x-location'?: boolean;
  'x-once'?: boolean;
  'x-tag'?: boolean;
  'x-kept'?: boolean;
};
export type ApiDocument = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Json>; headers?: Json; responses?: Record<string, Response> };
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'The answer',
  201: 'It was made, or begun',
  304: 'Nothing has changed since the answer with that ETag',
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
  ETag: text('the version of the answer; of a run only once it has ended'),
  Location: text('where what was made can be read'),
  'Idempotency-Replayed': text(
    'true: the answer to an earlier request with the same Idempotency-Key; nothing was done',
  ),
};
const EVERYWHERE = ['X-Request-Id'];
const COUNTED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** These requests are refused before their client is known. */
const UNCOUNTED = new Set(['401', '405', '503']);

const headersOf = (
  status: string,
  { 'x-location': hasPlace, 'x-once': isOnce, 'x-tag': hasTag }: Operation,
): string[] => [
  ...EVERYWHERE,
  ...(UNCOUNTED.has(status) ? [] : COUNTED),
  ...(status === '429' || status === '503' ? ['Retry-After'] : []),
  ...(status === '405' ? ['Allow'] : []),
  ...(hasTag && ['200', '201', '304'].includes(status) ? ['ETag'] : []),
  ...(status === '201' && hasPlace ? ['Location'] : []),
  ...(status === '201' && isOnce ? ['Idempotency-Replayed'] : []),
];

const PREFIX = '#/components/schemas/';

/** The schemas that this leads to. */
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

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Omits what has no meaning: the pattern of a format that has a name, and the limits of whole numbers in JavaScript. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(short);
  if (value === null || typeof value !== 'object') return value;
  const { format } = value as Json;
  const isNothing = ([key, held]: [string, unknown]) =>
    (key === 'pattern' && typeof held === 'string' && typeof format === 'string') ||
    (key === 'maximum' && held === NO_LIMIT) ||
    (key === 'minimum' && held === -NO_LIMIT);
  const entries = Object.entries(value).filter((entry) => !isNothing(entry));
  return Object.fromEntries(entries.map(([key, held]) => [key, key === 'example' ? held : short(held)]));
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

/** Examples are for JSON only: files have none. */
const exampled = (content: Content, of: Example): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, one]) => {
      const example = type === 'application/json' ? of(one.schema) : undefined;
      return [type, example ? { ...one, example } : one];
    }),
  );

function described(
  status: string,
  response: Response,
  operation: Operation,
  schemas: Readonly<Record<string, Json>>,
): Response {
  const { content } = response;
  return {
    ...(open(response) as Response),
    ...(content && { content: exampled(open(content) as Content, answerExample(status, operation, schemas)) }),
    description: DESCRIPTIONS[status] ?? response.description ?? '',
    headers: Object.fromEntries(
      headersOf(status, operation).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  };
}

export function published<T extends ApiDocument>(document: T): T {
  const schemas = document.components?.schemas ?? {};
  const paths: Record<string, Record<string, Operation>> = {};
  const asked = new Set<string>();
  // Errors are the same everywhere: if each operation listed them, they would be two thirds of the document.
  const errors: Record<string, Response> = {};
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    paths[path] = {};
    for (const [method, operation] of Object.entries(methods)) {
      reached([operation.parameters, operation.requestBody], schemas, asked);
      const { 'x-location': _, 'x-once': __, 'x-tag': ___, 'x-kept': isKept, ...kept } = operation;
      const error = (operation.responses['422'] as Response | undefined)?.content;
      const responses = {
        ...operation.responses,
        ...(isKept && { 304: {} }),
        ...(error && { 405: { content: error }, 503: { content: error } }),
      } as Record<string, Response>;
      const describe = ([status, response]: [string, Response]): [string, Response | Reference] => {
        const made = described(status, response, operation, schemas);
        if (Number(status) < 400) return [status, made];
        errors[`Error${status}`] ??= made;
        return [status, { $ref: `#/components/responses/Error${status}` }];
      };
      paths[path][method] = {
        ...kept,
        // openapi-generator names the argument after the body's type, and that name is a number.
        ...(operation.requestBody && {
          'x-codegen-request-body-name': 'body',
          requestBody: {
            ...operation.requestBody,
            content: exampled(operation.requestBody.content, () =>
              exampleOf({ ...BODIES, ...FEATURE_BODIES }, operation),
            ),
            required: Object.values(operation.requestBody.content).some(({ schema }) => isNeeded(schema, schemas)),
          },
        }),
        responses: Object.fromEntries(Object.entries(responses).map(describe)),
      };
    }
  }
  const used = reached([paths, errors], schemas);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return short({
    ...document,
    paths,
    components: {
      ...document.components,
      headers: HEADERS,
      responses: errors,
      schemas: discriminated(
        Object.fromEntries(kept.map(([name, schema]) => [name, asked.has(name) ? schema : (open(schema) as Json)])),
      ),
    },
  }) as T;
}
