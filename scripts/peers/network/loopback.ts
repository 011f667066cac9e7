/** Addresses and ports that no other process on this host uses: every lab has its own /24 of 127.0.0.0/8. */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';

export type Loopback = { readonly network: string; address(host: number): string };

export function ownLoopback(): Loopback {
  const prefix = `127.${randomInt(16, 255)}.${randomInt(0, 256)}`;
  return { network: `${prefix}.0/24`, address: (host) => `${prefix}.${host}` };
}

/**
 * Below the range from which the system assigns ports: no other socket gets one before the peer binds it. Below the RTP ports
 * too, and above 10080, which fetch refuses.
 */
const PORTS = { from: 10_100, below: 14_000 };

/** The peer that got one may not have bound it yet, or binds it again later. */
const given = new Set<number>();

async function freeOf(isFree: (port: number) => Promise<boolean>): Promise<number> {
  while (given.size < PORTS.below - PORTS.from) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is left');
}

async function isFreeOfUdp(address: string, port: number): Promise<boolean> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const bound = once(socket, 'listening').then(
    () => true,
    () => false,
  );
  socket.bind(port, address);
  const isFree = await bound;
  await new Promise<void>((resolve) => socket.close(resolve));
  return isFree;
}

function isFreeOfTcp(at: ListenOptions): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(at, () => server.close(() => resolve(true)));
  });
}

/** A UDP port of `address` that is free now. */
export const freeUdpPort = (address: string): Promise<number> => freeOf((port) => isFreeOfUdp(address, port));

/** A port of `address` that is free now, for UDP and for TCP. */
export const freeSipPort = (address: string): Promise<number> =>
  freeOf(async (port) => (await isFreeOfUdp(address, port)) && isFreeOfTcp({ port, host: address }));

/** A TCP port that is free now, on every address. */
export const freePort = (): Promise<number> => freeOf((port) => isFreeOfTcp({ port }));
