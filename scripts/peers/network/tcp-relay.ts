/** A TCP relay whose connections can be cut, as a network between an agent and its control plane would. */
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
  close(): void;
};

export async function openTcpRelay(targetPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let isBlocked = false;
  const server = createServer((near) => {
    if (isBlocked) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    const drop = () => {
      near.destroy();
      far.destroy();
      sockets.delete(near);
    };
    sockets.add(near);
    for (const socket of [near, far]) socket.on('error', drop).on('close', drop);
    near.pipe(far).pipe(near);
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
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
