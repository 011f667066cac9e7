/** Addresses and ports that no other process on this host uses: every lab has its own /24 of 127.0.0.0/8. */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

export type Loopback = { readonly network: string; address(host: number): string };

export function ownLoopback(): Loopback {
  const prefix = `127.${randomInt(16, 255)}.${randomInt(0, 256)}`;
  return { network: `${prefix}.0/24`, address: (host) => `${prefix}.${host}` };
}

/** A UDP port of `address` that is free now. */
export async function freeUdpPort(address: string): Promise<number> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** A port of `address` that is free now, for UDP and for TCP. */
export async function freeSipPort(address: string): Promise<number> {
  for (;;) {
    const port = await freeUdpPort(address);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, address, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** A TCP port of 127.0.0.1 that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
