/** The queues of IPv4 sockets, from Linux's own tables (proc(5)): whether what was sent has arrived. */
import { readFileSync } from 'node:fs';
import { procAddress } from '../net/udp-drops.ts';

type Place = { readonly address: string; readonly port: number };

/** Whether the receive queue of a UDP socket holds anything. */
export const hasReceived = (socket: Place): boolean => queues('udp', procOf(socket)).received > 0;

/** Whether the peer's kernel has all that was written to a TCP connection. */
export const hasDelivered = (from: Place, to: Place): boolean => queues('tcp', procOf(from), procOf(to)).unsent === 0;

const procOf = ({ address, port }: Place): string => procAddress(address, port);

/** In bytes; NaN: there is no such socket. */
function queues(table: 'tcp' | 'udp', ...addresses: readonly string[]): { unsent: number; received: number } {
  const lines = readFileSync(`/proc/net/${table}`, 'latin1').split('\n');
  const line = lines.find((one) => one.includes(` ${addresses.join(' ')} `));
  const [unsent = '', received = ''] = line?.trim().split(/\s+/)[4]?.split(':') ?? [];
  return { unsent: Number.parseInt(unsent, 16), received: Number.parseInt(received, 16) };
}
