/** What a feature adds to the HTTP server (control-plane/features). */
import type { FastifyInstance } from 'fastify';
import type { StrangerLog } from '../limits/stranger-log.ts';
import type { Ports } from '../ports.ts';

/** Adds routes outside of the API that need no key. */
export type PublicRoutes = (app: FastifyInstance, ports: Ports, strangerLog: StrangerLog) => void;
