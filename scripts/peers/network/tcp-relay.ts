/** A TCP relay whose connections can be cut, swallowed and held up, as a network between two programs would. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpRelay = {
  readonly port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  /** Ends every connection at once, in the middle of whatever it carries. New ones are let through. */
  cut(): void;
  /** True: every connection is cut, and new ones end at once, until it is false again. */
  block(blocked: boolean): void;
  /**
   * True: what connections carry is lost from now on, and neither end is told; of new ones, too, until it is false again. A connection
   * that has lost bytes stays so: a host that has vanished, a firewall that has forgotten.
   */
  swallow(swallowing: boolean): void;
  /** How long a piece of so many bytes is held up, in milliseconds; null: not at all. */
  drag(holdMs: ((bytes: number) => number) | null): void;
  close(): void;
};

/** @param target a port of 127.0.0.1, asked for with each connection */
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
        // The other end of a connection whose bytes are lost is told nothing of this, either.
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
