/** What can be between an agent and its control plane: an HTTP proxy (CONNECT), and a TLS front. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Opens tunnels to any requested target (RFC 9110, 9.3.6) for clients that send `credentials`, as user:password. */
export async function openHttpProxy(credentials: string) {
  const tunnels: string[] = [];
  let refused = 0;
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createServer();
  server.on('connect', (request, near, head) => {
    if (request.headers['proxy-authorization'] !== expected) {
      refused++;
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    tunnels.push(`${host}:${port}`);
    const far = connect(Number(port), host, () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
      near.pipe(far).pipe(near);
    });
    for (const socket of [near, far])
      socket.on('error', () => {
        near.destroy();
        far.destroy();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), tunnels, refused: () => refused, close: () => server.close() };
}

/** Terminates TLS in front of a port of this host. */
export async function openTlsFront(
  identity: { readonly certificate: string; readonly key: string },
  targetPort: number,
) {
  const server = createTlsServer({ cert: identity.certificate, key: identity.key }, (near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const socket of [near, far])
      socket.on('error', () => {
        near.destroy();
        far.destroy();
      });
    near.pipe(far).pipe(near);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), close: () => server.close() };
}
