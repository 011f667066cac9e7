/**
 * Requests that one connection sends without waiting for answers (RFC 9112, 9.3.2) are handled one after the other,
 * with a turn of the event loop between them: a thousand in one write must not delay other clients.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { LIMITS } from '../limits/limits.ts';
import type { Certificate } from './certificate.ts';

/** Node.js parses everything that arrived at once, up to 64 KiB, even after the connection was ended. */
const PART_BYTES = 2048;

type Line = { latest: ServerResponse; waiting: number };

/** @param certificate null: without TLS */
export function createPatientServer(
  options: ServerOptions,
  certificate: Certificate | null,
  handle: RequestListener,
): Server {
  const all = { ...options, shouldUpgradeCallback };
  const server = certificate === null ? createServer(all, oneAtATime(handle)) : overTls(all, certificate, handle);
  /** Node.js calls this for each upgrade request; without a listener, the request is answered like any other. */
  function shouldUpgradeCallback({ socket }: IncomingMessage): boolean {
    const isUpgrade = server.listenerCount('upgrade') > 0;
    if (isUpgrade) forgetParser(socket);
    return isUpgrade;
  }
  return server.on(certificate === null ? 'connection' : 'secureConnection', parseInParts);
}

function overTls(options: ServerOptions, certificate: Certificate, handle: RequestListener): Server {
  const handshakeTimeout = LIMITS.headersTime.max;
  const server = createTlsServer({ ...options, ...certificate.present(), handshakeTimeout }, oneAtATime(handle));
  // Without a handshake nothing can be answered, and Node.js would leave the connection open.
  server.prependListener('tlsClientError', (_error, socket) => socket.destroy());
  // Connections that exist keep what they have agreed on.
  certificate.onRenewed((next) => server.setSecureContext(next));
  return server;
}

function oneAtATime(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { latest: response, waiting: 0 };
    const { latest } = line;
    if (latest === response) lines.set(socket, line);
    if (line.waiting === LIMITS.requestsWaiting.max) socket.destroy();
    if (socket.destroyed) return;
    line.latest = response;
    if (latest === response || latest.writableFinished) {
      handle(request, response);
      return;
    }
    line.waiting++;
    latest.once('close', () =>
      setImmediate(() => {
        line.waiting--;
        if (!socket.destroyed) handle(request, response);
      }),
    );
  };
}

type Parse = (part: Buffer) => void;
/** The server's own listeners for the data of connections that use HTTP. */
const parsers = new WeakMap<Socket, Parse>();

function parseInParts(socket: Socket): void {
  const [parse] = socket.listeners('data');
  if (!parse) return;
  parsers.set(socket, parse as Parse);
  socket.off('data', parse as Parse).on('data', onData);
}

function forgetParser(socket: Socket): void {
  parsers.delete(socket);
  socket.off('data', onData);
}

function onData(this: Socket, bytes: Buffer): void {
  // The connection has its last answer, so further data is not read.
  if (this.writableFinished) this.destroy();
  for (let at = 0; at < bytes.length && this.writable; at += PART_BYTES) {
    if (this.isPaused()) {
      this.unshift(bytes.subarray(at));
      return;
    }
    const parse = parsers.get(this);
    parse?.(bytes.subarray(at, at + PART_BYTES));
    // A client waits until its upgrade is answered (RFC 6455, 4.1): what it sends earlier has no reader.
    if (!parse) this.destroy();
  }
}
