/** The OpenAPI 3.1 document, from the catalogue by way of the routes' own schemas, and a page that shows it. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OperationName, Row } from '../contract/catalogue.ts';
import { ErrorEnvelope, list, single } from '../contract/envelope.ts';

export const OPENAPI_URL = '/api/v1/openapi.json';
export const REFERENCE_URL = '/api/reference';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 40"><text x="0" y="29" font-family="sans-serif" font-size="28" fill="#fff">Carillon</text></svg>';

const DESCRIPTION = `Runs SIP load tests and continuous SIP probes, and tells what they measured.

Every answer is \`{ data, meta: { requestId } }\`, lists add \`meta.pagination\`, errors are \`{ error: { code, message, details? }, meta }\`.
What was not measured reads 0 in the contract's number fields, and the count beside it says so.
Operations marked **extension** are ours beside the published contract.`;

/** To be called before the routes are registered: it watches them come. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Carillon',
        version: '1',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'crl_ and 32 hex digits' } },
      },
      security: [{ key: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

export async function serveDescription(app: FastifyInstance): Promise<void> {
  app.get(OPENAPI_URL, { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: REFERENCE_URL,
    uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'list' },
    // Nothing is asked of anybody else's host; the browser holds us to it.
    staticCSP: "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
    theme: { title: 'Carillon API' },
    logo: { type: 'image/svg+xml', content: Buffer.from(LOGO), href: REFERENCE_URL, target: '_self' },
    logLevel: 'silent',
  });
}

const ERRORS = { 400: 1, 401: 1, 403: 1, 404: 1, 409: 1, 422: 1, 429: 1, 500: 1 } as const;

/** What the document says of a row beside its parameters. */
export const documentation = (name: OperationName, row: Row): FastifySchema => ({
  operationId: name,
  summary: row.summary,
  description: `Needs the role ${row.role} or above.`,
  tags: [
    row.path.split('/').filter((part) => part !== '' && !part.startsWith('{'))[
      row.path.split('/').length > 3 ? 1 : 0
    ] ?? 'projects',
  ],
  ...(row.extension && { 'x-extension': true }),
  response: {
    [row.status]: row.answers === 'list' ? list(row.output) : single(row.output),
    ...Object.fromEntries(Object.keys(ERRORS).map((status) => [status, ErrorEnvelope])),
  },
});
