/** Serves /metrics for Prometheus, /healthz, /readyz and /status, on a separate port; loopback unless configured otherwise. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentMetrics } from './metrics/metrics.ts';

export type Health = { readonly url: string; close(): Promise<void> };

/** An agent that shuts down ends its calls first, and keeps the port until then. */
const PREDECESSOR_MS = 10_000;

/** Rejects when the port cannot be bound. */
export async function openHealth(
  where: { readonly host: string; readonly port: number },
  metrics: AgentMetrics,
  /** Why the agent could do no work now, in a sentence; null: it could. */
  obstacle: () => string | null,
  /** A short summary, for `carillon-agent status`. */
  status: () => unknown,
): Promise<Health> {
  const server: Server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/metrics') {
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        (error: Error) => response.writeHead(500).end(`${error.message}\n`),
      );
    } else if (path === '/healthz') response.writeHead(200).end('ok\n');
    else if (path === '/readyz') {
      const problem = obstacle();
      response.writeHead(problem === null ? 200 : 503).end(`${problem ?? 'ok'}\n`);
    } else if (path === '/status') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(status())}\n`);
    } else response.writeHead(404).end('/metrics, /healthz, /readyz and /status are here\n');
  });
  server.headersTimeout = 5000;
  server.requestTimeout = 10_000;
  for (const deadline = Date.now() + PREDECESSOR_MS; ; await sleep(100)) {
    const error = await listen(server, where);
    if (error === null) break;
    if (error.code === 'EADDRINUSE' && Date.now() < deadline) continue;
    throw new Error(
      `The health port ${where.host}:${where.port} cannot be opened (CARILLON_METRICS_PORT): ${error.message}`,
    );
  }
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const listen = (server: Server, where: { readonly host: string; readonly port: number }) =>
  new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const tell = (error?: NodeJS.ErrnoException): void => {
      server.off('error', tell).off('listening', tell);
      resolve(error ?? null);
    };
    server.once('error', tell).once('listening', tell).listen(where.port, where.host);
  });
