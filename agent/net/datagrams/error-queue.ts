/**
 * ICMP errors for sent datagrams, each with the peer and the start of the datagram. The kernel withholds them from
 * unconnected sockets unless they request IP_RECVERR (ip(7)): then they wait in a separate queue, and the next system
 * call on the socket fails once to announce it.
 */

import { C, type Libc, pin } from '../libc.ts';
import { writePointer } from './batch-memory.ts';
import { systemErrorText } from './datagram-socket.ts';
import { latin1Buffer } from './latin1.ts';
import { SOCKET_ADDRESS_BYTES, unpackSocketAddress } from './socket-address.ts';

/** `text`: the part of the datagram that came back with the error; routers must return only its first eight bytes. */
export type Undelivered = {
  readonly text: string;
  readonly address: string;
  readonly port: number;
  readonly reason: string;
};

/** The most errors per read: the next system call announces the rest. */
const MAX_ERRORS = 512;

// One page holds struct msghdr, struct iovec, the peer's address, control data, and the datagram.
const VECTOR_AT = 64;
const NAME_AT = 96;
const CONTROL_AT = 128;
const CONTROL_BYTES = 256;
const DATA_AT = CONTROL_AT + CONTROL_BYTES;
const DATA_BYTES = 4096 - DATA_AT;
// The fields of struct msghdr in 32-bit words; pointers and sizes take two.
const NAME_LENGTH = 2;
const CONTROL_LENGTH = 10;
const CMSG_HEAD_BYTES = 16;

/** `struct sock_extended_err` has an errno, then a byte each for origin, type and code. */
const FROM_ICMP = 2;
const FROM_ICMP6 = 3;
/** RFC 3261, 18.4: unreachable, or a faulty header. Time exceeded, "too big" and others say nothing about the peer. */
const TELLING = { [FROM_ICMP]: new Set([3, 12]), [FROM_ICMP6]: new Set([1, 4]) };
const FRAGMENTATION_NEEDED = 4;

let page: ReturnType<typeof layOut> | undefined;

function layOut() {
  const block = pin(4096);
  writePointer(block.u32, 0, block.address + NAME_AT);
  writePointer(block.u32, 4, block.address + VECTOR_AT);
  block.u32[6] = 1;
  writePointer(block.u32, 8, block.address + CONTROL_AT);
  writePointer(block.u32, VECTOR_AT / 4, block.address + DATA_AT);
  block.u32[VECTOR_AT / 4 + 2] = DATA_BYTES;
  return { block, text: latin1Buffer(block.bytes) };
}

/** Reads the socket's error queue. Returns the number of all ICMP errors; those that concern the peer are reported. */
export function readErrorQueue(libc: Libc, fd: number, tell: (undelivered: Undelivered) => void): number {
  page ??= layOut();
  const { block, text } = page;
  let icmpErrors = 0;
  for (let read = 0; read < MAX_ERRORS; read++) {
    block.u32[NAME_LENGTH] = SOCKET_ADDRESS_BYTES;
    block.u32[CONTROL_LENGTH] = CONTROL_BYTES;
    const length = libc.recvmsg(fd, block.address, C.MSG_ERRQUEUE | C.MSG_DONTWAIT);
    if (length < 0) break;
    const error = findError(block.u32, block.bytes);
    if (error === null) continue;
    icmpErrors++;
    if (!error.isOfPeer) continue;
    const { address, port } = unpackSocketAddress(block, NAME_AT);
    const reason = reasonOf(error.errno, address, port);
    tell({ text: text.latin1Slice(DATA_AT, DATA_AT + length), address, port, reason });
  }
  return icmpErrors;
}

const reasonOf = (errno: number, address: string, port: number): string =>
  errno === C.ECONNREFUSED
    ? `ICMP: port ${port} of ${address} is closed`
    : `ICMP: ${address} cannot be reached (${systemErrorText(errno)})`;

type IcmpError = { readonly errno: number; readonly isOfPeer: boolean };

/** Null: the error is not an ICMP error. */
function findError(u32: Uint32Array, bytes: Uint8Array): IcmpError | null {
  const end = CONTROL_AT + (u32[CONTROL_LENGTH] as number);
  for (let at = CONTROL_AT; at + CMSG_HEAD_BYTES <= end; ) {
    const [length, level, type] = [u32[at >> 2] as number, u32[(at >> 2) + 2], u32[(at >> 2) + 3]];
    const isOurs =
      (level === C.IPPROTO_IP && type === C.IP_RECVERR) || (level === C.IPPROTO_IPV6 && type === C.IPV6_RECVERR);
    if (isOurs) return readError(u32[(at + CMSG_HEAD_BYTES) >> 2] as number, bytes, at + CMSG_HEAD_BYTES + 4);
    if (length === 0) return null;
    at += (length + 7) & ~7;
  }
  return null;
}

function readError(errno: number, bytes: Uint8Array, at: number): IcmpError | null {
  const [origin, type, code] = [bytes[at] as number, bytes[at + 1] as number, bytes[at + 2]];
  if (origin !== FROM_ICMP && origin !== FROM_ICMP6) return null;
  const isOfPeer = TELLING[origin].has(type) && !(origin === FROM_ICMP && type === 3 && code === FRAGMENTATION_NEEDED);
  return { errno, isOfPeer };
}
