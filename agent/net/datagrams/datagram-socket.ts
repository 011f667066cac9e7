/** A bound, non-blocking UDP socket with kernel receive times, as a file descriptor. */
import { getSystemErrorMessage, getSystemErrorName } from 'node:util';
import { type Block, C, type Libc, pin } from '../libc.ts';
import type { DatagramPortOptions } from './datagram-port.ts';
import { familyOf, packSocketAddress, SOCKET_ADDRESS_BYTES } from './socket-address.ts';

/** Eight megabytes hold a burst of about 5,000 messages; the kernel doubles and caps the value (net.core.rmem_max). */
const DEFAULT_BUFFER_BYTES = 8 << 20;

/** The text of an errno, for example `EADDRINUSE: address already in use`. */
export const systemErrorText = (errno: number): string =>
  `${getSystemErrorName(-errno)}: ${getSystemErrorMessage(-errno)}`;

let scratch: Block | undefined;
const scratchMemory = (): Block => {
  scratch ??= pin(SOCKET_ADDRESS_BYTES);
  return scratch;
};

function setOption(libc: Libc, fd: number, option: number, value: number, level: number = C.SOL_SOCKET): boolean {
  const memory = scratchMemory();
  memory.i32[0] = value;
  return libc.setsockopt(fd, level, option, memory.address, 4) === 0;
}

/**
 * The kernel timestamps datagrams only while a socket of the host requests it, and starts with a delay. This socket
 * only requests it, for the life of the process, so that the first datagrams of all later sockets have times.
 */
export function keepKernelStamping(libc: Libc): void {
  const fd = libc.socket(C.AF_INET, C.SOCK_DGRAM | C.SOCK_CLOEXEC, 0);
  if (fd >= 0) setOption(libc, fd, C.SO_TIMESTAMPNS, 1);
}

/** Opens and binds a socket; on failure throws the failed operation and the reason, and leaves nothing open. */
export function openDatagramSocket(libc: Libc, options: DatagramPortOptions): number {
  const where = `${options.address} port ${options.port}`;
  const family = familyOf(options.address);
  if (family === 0) throw new Error(`cannot listen on "${options.address}": give a numeric IPv4 or IPv6 address`);
  const fd = libc.socket(family, C.SOCK_DGRAM | C.SOCK_NONBLOCK | C.SOCK_CLOEXEC, 0);
  if (fd < 0) throw new Error(`no UDP socket for ${where}: ${systemErrorText(libc.errno())}`);
  const fail = (what: string): never => {
    const reason = systemErrorText(libc.errno());
    libc.close(fd);
    throw new Error(`cannot ${what} ${where}: ${reason}`);
  };
  const set = (option: number, value: number): boolean => setOption(libc, fd, option, value);
  const bytes = options.receiveBufferBytes ?? DEFAULT_BUFFER_BYTES;
  // FORCE passes the system's cap and needs CAP_NET_ADMIN; without it the capped size must do.
  if (!set(C.SO_RCVBUFFORCE, bytes)) set(C.SO_RCVBUF, bytes);
  set(C.SO_SNDBUF, DEFAULT_BUFFER_BYTES);
  if (!set(C.SO_TIMESTAMPNS, 1)) fail('ask for kernel receive times on');
  set(C.SO_RXQ_OVFL, 1);
  // Requests ICMP errors (error-queue.ts); without kernel support only timers notice them.
  if (family === C.AF_INET) setOption(libc, fd, C.IP_RECVERR, 1, C.IPPROTO_IP);
  else setOption(libc, fd, C.IPV6_RECVERR, 1, C.IPPROTO_IPV6);
  const memory = scratchMemory();
  const length = packSocketAddress(memory, 0, options.address, options.port);
  if (libc.bind(fd, memory.address, length) !== 0) fail('listen on');
  return fd;
}
