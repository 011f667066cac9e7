/** A WebSocket server of SIP that pings without end, and reads nothing after the handshake. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** @returns its port, until the end of the test */
export async function openDeafPinger(t: Pick<Test, 'teardown'>, host: string): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      const key = /Sec-WebSocket-Key: (\S+)/i.exec(String(bytes))?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: sip\r\n\r\n`,
      );
      // It stops reading.
      socket.pause();
      const ping = Buffer.alloc(127, 'p');
      ping.set([0x89, 125]);
      const many = Buffer.concat(Array.from({ length: 512 }, () => ping));
      const more = (): void => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', more);
      more();
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
