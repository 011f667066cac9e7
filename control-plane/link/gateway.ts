/**
 * The agents' endpoint: WebSocket upgrade, one session per connection, orders to the agents connected here. It holds
 * only sockets; durable state is in the database.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_FRAME_BYTES, PROTOCOL } from '@carillon/proto';
import { type WebSocket, WebSocketServer } from 'ws';
import { clientOf, type TrustedProxies, trustedProxies } from '../domain/network.ts';
import { GreetingRoom } from '../limits/greeting-room.ts';
import { LIMITS } from '../limits/limits.ts';
import { RefusedWorkers } from '../limits/refused-workers.ts';
import { type LinkRefusal, openStrangerLog } from '../limits/stranger-log.ts';
import { Turns } from '../limits/turns.ts';
import { vouch, workersWithOrders } from '../operations/agents/orders.ts';
import type { Ports } from '../ports.ts';
import { COMMAND_CHANNEL, DEPARTURE } from '../store/agents/commands.ts';
import { listen } from '../store/listen.ts';
import type { Door, SessionCounters } from './door.ts';
import { AgentSession } from './session.ts';

export const AGENT_PATH = '/agent/v1';

export type Gateway = { close(): Promise<void> };

/** The interval at which this replica renews its connections, and the silence after which one is considered lost. */
const VOUCH_MS = 3000;
const SILENCE_MS = 20_000;
/** In seconds: refused connections return within this time. */
const RETRY_SECONDS = { from: 1, to: 8 };

export type GatewayOptions = {
  /** Absent: the proxies on this host. */
  readonly trustedProxies?: TrustedProxies;
};

export function openGateway(
  ports: Ports,
  server: Server,
  counters: SessionCounters,
  { trustedProxies: isTrusted = trustedProxies('loopback') }: GatewayOptions = {},
): Gateway {
  const sessions = new Set<AgentSession>();
  const greetingRoom = new GreetingRoom<AgentSession>();
  const strangerLog = openStrangerLog(ports, 'AGENT');
  const door: Door = {
    strangerLog,
    room: greetingRoom,
    refused: new RefusedWorkers(),
    greetings: new Turns(LIMITS.greetingsAtOnce.max, LIMITS.greetingsWaiting.max),
  };
  const wss = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const address = clientOf(isTrusted, request.headers, request.socket.remoteAddress);
    const refuse = (status: number, text: string, reason: LinkRefusal): void => {
      turnAway(socket, status, text, reason, address);
    };
    if (request.url?.split('?')[0] !== AGENT_PATH) return refuse(404, 'Not Found', 'WRONG_DOOR');
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
    if (!offered.includes(PROTOCOL)) return refuse(426, 'Upgrade Required', 'WRONG_DOOR');
    if (!isOwnOrigin(request.headers, ports.settings.publicUrl)) return refuse(403, 'Forbidden', 'FOREIGN_ORIGIN');
    const present = [...sessions].filter((s) => s.workerId === null);
    const room = greetingRoom.admit(address, present, Date.now());
    if (room === false) return refuse(503, 'Service Unavailable', 'TOO_MANY_STRANGERS');
    if (room !== true) {
      counters.refusals.inc({ reason: 'TOO_MANY_STRANGERS' });
      strangerLog.note('TOO_MANY_STRANGERS', room.address);
      sessions.delete(room);
      room.drop('makes room for others');
    }
    wss.handleUpgrade(request, socket, head, (ws) => {
      const session = accept(ws, address);
      limitFirstBytes(session, socket, head.length);
    });
  };
  server.on('upgrade', onUpgrade);

  function turnAway(socket: Duplex, status: number, text: string, reason: LinkRefusal, address: string): void {
    counters.refusals.inc({ reason });
    strangerLog.note(reason, address);
    const { from, to } = RETRY_SECONDS;
    // The value is in whole seconds (RFC 9110, 10.2.3), and random.
    const later = status === 503 ? `Retry-After: ${Math.floor(from + Math.random() * (to - from + 1))}\r\n` : '';
    // The socket is not read, so the end of the client's data would go unnoticed.
    socket.once('finish', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\n${later}Content-Length: 0\r\n\r\n`);
  }

  function accept(ws: WebSocket, address: string): AgentSession {
    const session: AgentSession = new AgentSession({
      ports,
      ws,
      connection: { id: randomUUID(), address },
      counters,
      door,
      onEnd: () => {
        sessions.delete(session);
        if (session.isRefused) greetingRoom.refused(address, Date.now());
      },
    });
    sessions.add(session);
    session.open();
    return session;
  }

  /** One query serves all connections, because most have no work. */
  function deliverWaiting(): void {
    const workerIds = [...sessions].flatMap(({ workerId }) => workerId ?? []);
    workersWithOrders(ports, workerIds).then(
      (waiting) => {
        for (const session of sessions)
          if (session.workerId !== null && waiting.has(session.workerId)) session.deliver();
      },
      (error: Error) => ports.log.warn({ error: error.message }, 'could not look for orders, trying again'),
    );
  }

  const listener = listen(ports.database.config, COMMAND_CHANNEL, {
    onNotify: (payload) => {
      const gone = payload.startsWith(DEPARTURE);
      const workerId = gone ? payload.slice(DEPARTURE.length) : payload;
      for (const session of sessions) {
        if (session.workerId !== workerId) continue;
        if (gone) session.drop('revoked');
        else session.deliver();
      }
    },
    onConnected: deliverWaiting,
    onLost: (error) => ports.log.warn({ error: error.message }, 'not listening for orders, trying again'),
  });

  let lookedAtMs = performance.now();
  const voucher = setInterval(() => {
    const now = Date.now();
    // While this process was stalled, no frames could be read.
    const heldMs = Math.max(0, performance.now() - lookedAtMs - VOUCH_MS);
    lookedAtMs = performance.now();
    for (const session of sessions) session.heardAt += heldMs;
    for (const session of sessions) if (now - session.heardAt > SILENCE_MS) session.drop('silence');
    // Lost notifications are not reported, so this replaces them.
    deliverWaiting();
    const alive = [...sessions].filter((s) => s.workerId !== null);
    vouch(
      ports,
      alive.map((s) => s.connectionId),
    ).then(
      (strays) => {
        for (const session of alive) if (strays.includes(session.connectionId)) session.drop('replaced or revoked');
      },
      (error: Error) => ports.log.warn({ error: error.message }, 'could not vouch for connections, trying again'),
    );
  }, VOUCH_MS);

  return {
    async close() {
      clearInterval(voucher);
      server.off('upgrade', onUpgrade);
      door.greetings.close();
      await Promise.all([...sessions].map((session) => session.end()));
      await strangerLog.close();
      wss.close();
      await listener.close();
    },
  };
}

/**
 * The library's limit of a frame applies to the whole connection, and it keeps parts of a frame until the last one has
 * arrived. So the bytes themselves are counted until the agent is known.
 */
function limitFirstBytes(session: AgentSession, socket: Duplex, already: number): void {
  let left = LIMITS.greetingBytes.max - already;
  const count = (chunk: Buffer): void => {
    if (session.workerId !== null) return void socket.off('data', count);
    left -= chunk.length;
    if (left >= 0) return;
    socket.off('data', count);
    session.dropTooLarge();
  };
  socket.on('data', count);
}

/**
 * Agents send no Origin: only browsers do, and pages of other hosts must not use their visitors' browsers to connect.
 */
function isOwnOrigin({ origin, host }: IncomingMessage['headers'], publicUrl: string | null): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || (publicUrl !== null && new URL(origin).origin === new URL(publicUrl).origin);
}
