/** The HTTP server: fastify, the catalogue's routes, health, metrics. link/ takes over the agents' socket. */

import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:http';
import type { Secret } from '@carillon/proto/base/secret.ts';
import cookies from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { ApiError, notFound } from '../contract/errors.ts';
import type { ReadyAnswer } from '../contract/trouble.ts';
import { type TrustedProxies, trustedProxies } from '../domain/network.ts';
import { FEATURE_ROUTES } from '../feature-sums/routes.ts';
import { LIMITS } from '../limits/limits.ts';
import { visitorsShare } from '../limits/networks.ts';
import { openStrangerLog } from '../limits/stranger-log.ts';
import type { Ports } from '../ports.ts';
import { refuseCoding, textOf } from './body.ts';
import { limitBodyTime } from './body-time.ts';
import type { Certificate } from './certificate.ts';
import { compressAnswers } from './compression.ts';
import { serveDashboard } from './dashboard.ts';
import { serveDocs } from './docs.ts';
import { answerUnreadable, errorHandler, headersOf, NotJson, RETRY_SECONDS, reasonOf, sendError } from './errors.ts';
import { createGate } from './gate.ts';
import { keptFor } from './kept-for.ts';
import { type AnswerMcp, isMcp, refuseMethod, registerMcp } from './mcp-route.ts';
import { createMetrics } from './metrics.ts';
import { refuseDepth } from './nesting.ts';
import { describeApi, serveDescription } from './openapi/openapi.ts';
import { createPatientServer } from './patient-server.ts';
import { allowedMethods, registerRoutes } from './routes.ts';
import { sightOf } from './scrape-sight.ts';
import { sessionCookie } from './session-cookie.ts';

/** The route is not part of the API's description. */
const HIDDEN = { schema: { hide: true } };

export type HttpServer = { readonly app: FastifyInstance; readonly metrics: ReturnType<typeof createMetrics> };

/** The limits also apply to agents' upgrades. */
const TIME_LIMITS: ServerOptions = {
  headersTimeout: LIMITS.headersTime.max,
  requestTimeout: LIMITS.requestTime.max,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 72_000,
};
/** Scrapes come every few seconds; more frequent ones get the same text. */
const KEPT_METRICS_MS = 1000;

export type HttpOptions = {
  /** The MCP handler; absent: none. */
  readonly answerMcp?: AnswerMcp;
  readonly publicUrl?: string | null;
  /** Absent: the proxies on this host. */
  readonly trustedProxies?: TrustedProxies;
  /** Absent: no TLS. */
  readonly certificate?: Certificate | null;
  /** The token for scrapes; absent: none. */
  readonly metricsToken?: Secret | null;
  /** The folder of the built dashboard; absent: none. */
  readonly dashboardDir?: string;
  /** The folder of the built documentation; absent: none. */
  readonly docsDir?: string;
};

export async function createHttpServer(ports: Ports, options: HttpOptions = {}): Promise<HttpServer> {
  const onError = errorHandler(ports.log);
  const strangerLog = openStrangerLog(ports, 'LOGIN');
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.strangersBody.max,
    serverFactory: (handle) => createPatientServer(TIME_LIMITS, options.certificate ?? null, handle),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: options.trustedProxies ?? trustedProxies('loopback'),
    routerOptions: { maxParamLength: 200 },
    // The envelope contains the request's own id: see the first hook.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // No hook runs for these requests.
      reply.raw.once('finish', () => metrics.observe(request, reply));
      return onError(error, request, reply);
    },
    clientErrorHandler(error, socket) {
      metrics.unreadable.inc();
      const address = socket.remoteAddress ?? '';
      if (answerUnreadable(error, socket)) strangerLog.note(reasonOf(error), address);
    },
  });
  limitBodyTime(app, (request) => strangerLog.note('SLOW_BODY', request.ip));
  app.addHook('onClose', () => strangerLog.close());
  let closing = false;
  const metrics = createMetrics(ports);
  app.setValidatorCompiler(validatorCompiler);
  // Handlers produce answers that the catalogue type-checks; answer schemas are only for the document.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(onError);
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id));
    if (request.url.startsWith('/api/')) reply.header('Cache-Control', 'no-store');
    if (closing) throw new ApiError('UNAVAILABLE', 'This server is stopping. Ask again.');
  });
  compressAnswers(app);
  app.addHook('onResponse', async (request, reply) => metrics.observe(request, reply));
  await serveDocs(app, options.docsDir ?? null);
  const showDashboard = await serveDashboard(app, options.dashboardDir ?? null);
  app.setNotFoundHandler((request, reply) => {
    const page = showDashboard(request, reply);
    if (page) return page;
    if (options.answerMcp && isMcp(request.url)) return refuseMethod(request, reply);
    const allowed = allowedMethods(request.url);
    if (allowed.length === 0) return sendError(reply, notFound('resource', request.url), request.id);
    reply.header('Allow', allowed.join(', '));
    const message = `${request.method} is not possible here; ${allowed.join(' and ')} is.`;
    return sendError(reply, new ApiError('METHOD_NOT_ALLOWED', message), request.id);
  });
  app.removeAllContentTypeParsers();
  // An empty body counts as none, whatever its content type: `curl -X POST -d ''` declares a form.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    body === '' ? done(null, undefined) : done(new ApiError('BAD_REQUEST', 'A body must be application/json.')),
  );
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      refuseCoding(request.headers);
      const text = textOf(body as Buffer);
      refuseDepth(text);
      done(null, JSON.parse(text));
    } catch (error) {
      done(error instanceof ApiError ? error : new NotJson((error as Error).message));
    }
  });
  app.get('/healthz', HIDDEN, async () => ({ status: 'ok' }));
  app.get('/readyz', HIDDEN, async (_request, reply) => {
    const { faults, warnings } = await ports.condition();
    const [first] = faults;
    const answer: ReadyAnswer = { status: first?.message ?? 'ok', faults, warnings };
    reply.header('Cache-Control', 'no-store');
    if (first) reply.code(503).header('Retry-After', RETRY_SECONDS);
    return answer;
  });
  const visit = visitorsShare(ports.now);
  const textFor = keptFor(KEPT_METRICS_MS, ports.now, metrics.text);
  app.get('/metrics', HIDDEN, async (request, reply) => {
    const sight = sightOf(options.metricsToken ?? null, request, options.publicUrl ?? null);
    if (sight !== 'ALL') await visit(request);
    reply.header('Content-Type', metrics.contentType);
    return textFor(sight);
  });
  for (const addRoutes of FEATURE_ROUTES) addRoutes(app, ports, strangerLog);
  app.decorateRequest('actor', null);
  await app.register(cookies);
  const cookie = sessionCookie(options.publicUrl ?? null);
  const gate = createGate(ports, cookie, strangerLog);
  await describeApi(app);
  registerRoutes(app, ports, gate, cookie);
  if (options.answerMcp)
    registerMcp(app, gate, { answer: options.answerMcp, publicUrl: options.publicUrl ?? null, onError, strangerLog });
  await serveDescription(app, visit);
  return { app, metrics };
}
