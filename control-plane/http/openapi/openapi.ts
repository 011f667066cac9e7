/**
 * The OpenAPI document, which the routes' own schemas make from the catalogue, and a page that shows it. Version 3.1 is
 * the document; 3.0 has the same content for generators and gateways that do not read 3.1.
 */
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema, onRequestAsyncHookHandler } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { OperationName, OperationRow } from '../../contract/catalogue.ts';
import { ErrorEnvelope, list, single } from '../../contract/envelope.ts';
import { readingPath } from '../location.ts';
import { keptDocument } from './kept-document.ts';
import { forOldGenerators } from './openapi-3.0.ts';
import { type ApiDocument, published } from './published.ts';
import { toYaml } from './yaml.ts';

const OPENAPI_URL = '/api/v1/openapi.json';
const VERSION_3_0 = '3.0.3';
const OPENAPI_3_0_URL = '/api/v1/openapi-3.0.json';
const REFERENCE_URL = '/api/reference';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 40"><text x="0" y="29" font-family="sans-serif" font-size="28" fill="#fff">Carillon</text></svg>';

const DESCRIPTION = `Runs SIP load tests and continuous SIP probes, and tells what they measured.

Every answer is \`{ data, meta: { requestId } }\`, lists add \`meta.pagination\`, errors are \`{ error: { code, message, details? }, meta }\`.
What was not measured reads 0 in the contract's number fields, and the count beside it says so.
Operations marked **extension** are ours beside the published contract.

A POST that makes something may carry an \`Idempotency-Key\`: for a day its repetition is answered as it was, and nothing is made
twice. A webhook's secret is not kept for that: a repetition is told it as long as nobody has changed the webhook, then null. What has a \`version\` answers it as its \`ETag\`; PATCH and DELETE
take that as \`If-Match\`, so that no change overwrites one that its author has not seen. PATCH changes what it names and replaces it whole.

Answers about a run that has ended have an \`ETag\`; with it as \`If-None-Match\` the answer is 304 while nothing has changed.`;

type License = { readonly name: string; readonly url?: string; readonly identifier?: string };
/** OpenAPI 3.0 has no `identifier`. */
const LICENSE: License = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
const LICENSE_3_0: License = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

declare module 'fastify' {
  interface FastifyInstance {
    openApi30: () => object;
  }
}

const described = (openapi: string, license: License): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi,
    info: { title: 'Carillon', version: '1', description: DESCRIPTION, license },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'crl_ and 32 hex digits' } },
    },
    security: [{ key: [] }],
  },
  transform: jsonSchemaTransform,
  transformObject: (made) => {
    const document = published(jsonSchemaTransformObject(made) as ApiDocument);
    return openapi === VERSION_3_0 ? forOldGenerators(document) : document;
  },
});

/** This must be called before the routes are registered, because it watches their registration. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, described('3.1.0', LICENSE));
  await app.register(swagger, { ...described(VERSION_3_0, LICENSE_3_0), decorator: 'openApi30' as 'swagger' });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** `onRequest`: the hook for routes that need no key. */
export async function serveDescription(app: FastifyInstance, onRequest: onRequestAsyncHookHandler): Promise<void> {
  const current = keptDocument(JSON_TYPE, () => JSON.stringify(app.swagger()));
  const older = keptDocument(JSON_TYPE, () => JSON.stringify(app.openApi30()));
  const yaml = keptDocument('application/x-yaml', () => toYaml(app.swagger()));
  app.get(OPENAPI_URL, { schema: { hide: true }, onRequest }, current);
  app.get(OPENAPI_3_0_URL, { schema: { hide: true }, onRequest }, older);
  const ofReference = new Map([
    [`${REFERENCE_URL}/json`, current],
    [`${REFERENCE_URL}/yaml`, yaml],
  ]);
  // The page's library would write them again for every request.
  app.addHook('onRoute', (route) => {
    const document = ofReference.get(route.url);
    if (document) Object.assign(route, { handler: document, onRequest });
  });
  await app.register(swaggerUi, {
    routePrefix: REFERENCE_URL,
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list' },
    // The browser enforces that no requests are sent to other hosts.
    staticCSP: "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
    theme: { title: 'Carillon API' },
    logo: { type: 'image/svg+xml', content: Buffer.from(LOGO), href: REFERENCE_URL, target: '_self' },
    logLevel: 'silent',
  });
}

const ERRORS = [400, 401, 403, 404, 409, 422, 429, 500];

const IDEMPOTENCY_KEY = z.string().optional().describe('again within 24 h, with the same body: the first answer');
const IF_MATCH = z.string().optional().describe('the ETag before the change, or *; another version: 412');

const IF_NONE_MATCH = z.string().optional().describe('the ETag of an earlier answer, or *; nothing has changed: 304');

const changes = (row: OperationRow): boolean => row.method === 'PATCH' || row.method === 'DELETE';

/** The headers that the row uses. They are checked elsewhere (request-headers.ts): only the document needs them here. */
function headersOf(row: OperationRow): FastifySchema {
  const headers = {
    ...(row.once && { 'Idempotency-Key': IDEMPOTENCY_KEY }),
    ...(changes(row) && row.versioned && { 'If-Match': IF_MATCH }),
    ...(row.kept && { 'If-None-Match': IF_NONE_MATCH }),
  };
  return Object.keys(headers).length > 0 ? { headers: z.looseObject(headers) } : {};
}

function answerOf(row: OperationRow): unknown {
  if (row.answers === 'list') return list(row.output);
  if (row.answers === 'single') return single(row.output);
  return {
    description: row.answers === 'events' ? 'events, each with JSON as its data' : 'the file',
    content: { [row.contentType ?? 'application/octet-stream']: { schema: row.output } },
  };
}

/** True if the answer has an ETag, from its `version` or from the state of an ended run. */
const hasTag = (row: OperationRow): boolean =>
  row.kept === true || (row.versioned === true && row.method !== 'DELETE' && row.answers === 'single');

const answeredNames = ({ output }: OperationRow): string[] =>
  output instanceof z.ZodObject ? Object.keys(output.shape) : [];

/** The documentation of a row, apart from its parameters. */
export const documentation = (name: OperationName, row: OperationRow): FastifySchema => ({
  ...(row.by && { hide: true }),
  operationId: name,
  summary: row.summary,
  description: `Needs the role ${row.role} or above.${hasTag(row) ? ` The answer${row.kept ? ' about a run that has ended' : ''} has an ETag.` : ''}`,
  tags: [
    row.path.split('/').filter((part) => part !== '' && !part.startsWith('{'))[
      row.path.split('/').length > 3 ? 1 : 0
    ] ?? 'projects',
  ],
  ...(row.extension && { 'x-extension': true }),
  // This is only for the headers of its answers (published.ts).
  ...(readingPath(row, answeredNames(row)) !== undefined && { 'x-location': true }),
  ...(row.once && { 'x-once': true }),
  ...(hasTag(row) && { 'x-tag': true }),
  ...(row.kept && { 'x-kept': true }),
  ...headersOf(row),
  response: {
    [row.status]: answerOf(row),
    ...Object.fromEntries([...ERRORS, ...(changes(row) ? [412] : [])].map((status) => [status, ErrorEnvelope])),
  },
});
