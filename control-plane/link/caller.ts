/** From where an agent came: what a proxy on this host says of it; nobody else is believed, as over HTTP. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (address: string): boolean => LOOPBACK.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Each proxy adds its client's address at the end of X-Forwarded-For. */
export function callerOf({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }): string {
  const peer = socket.remoteAddress ?? '';
  if (isIP(peer) === 0 || !isLoopback(peer)) return peer;
  const last = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '';
  return isIP(last) === 0 ? peer : last;
}
