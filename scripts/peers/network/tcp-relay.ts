/** A TCP relay whose connections can be cut, silenced and delayed, like a network between two programs. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpRelay = {
  readonly port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  /** Cuts every connection, whatever it transfers. New ones are forwarded. */
  cut(): void;
  /** While it is blocked, every connection is cut, and new ones end immediately. */
  block(blocked: boolean): void;
  /**
   * While it swallows, data on all connections, new ones included, are dropped, and neither end is informed. A connection that has lost bytes stays silent: like a vanished host, or a firewall that lost its state.
   */
  swallow(swallowing: boolean): void;
  /** The delay of a piece with this many bytes, in milliseconds; null: none. */
  drag(holdMs: ((bytes: number) => number) | null): void;
  close(): void;
};

/** @param target a port of 127.0.0.1, looked up for each connection */
export async function openTcpRelay(target: number | (() => number)): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const swallowed = new Set<Socket>();
  let cuts = 0;
  let isBlocked = false;
  let isSwallowing = false;
  let holdMs: ((bytes: number) => number) | null = null;
  const forward = (from: Socket, to: Socket, near: Socket) => {
    from.on('data', (piece: Buffer) => {
      if (swallowed.has(near)) return;
      const ms = holdMs?.(piece.length) ?? 0;
      if (ms > 0) {
        from.pause();
        setTimeout(() => {
          if (!swallowed.has(near) && to.writable) to.write(piece);
          from.resume();
        }, ms);
      } else if (!to.write(piece)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => !swallowed.has(near) && to.end());
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isBlocked) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({
      port: typeof target === 'number' ? target : target(),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    sockets.add(near);
    if (isSwallowing) swallowed.add(near);
    for (const socket of [near, far]) {
      const drop = () => {
        // The other end of a silenced connection is not informed, either.
        for (const one of swallowed.has(near) ? [socket] : [near, far]) one.destroy();
        if (!near.destroyed || !far.destroyed) return;
        sockets.delete(near);
        swallowed.delete(near);
      };
      socket.on('error', drop).on('close', drop);
    }
    forward(near, far, near);
    forward(far, near, near);
  });
  const cut = () => {
    for (const socket of sockets) {
      cuts++;
      socket.resetAndDestroy();
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    cut,
    block(blocked) {
      isBlocked = blocked;
      if (blocked) cut();
    },
    swallow(swallowing) {
      isSwallowing = swallowing;
      if (swallowing) for (const socket of sockets) swallowed.add(socket);
    },
    drag(hold) {
      holdMs = hold;
    },
    close() {
      server.close();
      swallowed.clear();
      cut();
    },
  };
}
