/**
 * Blocks of a pcapng file (draft-ietf-opsawg-pcapng-04): section header, interface, packet. There are no TLS secrets:
 * TLS traffic is written in the clear. Little-endian, times in microseconds, everything padded to four bytes. Pure:
 * returns bytes.
 */

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE = 1;
const ENHANCED_PACKET = 6;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
/** Raw IP, version 4 or 6 (LINKTYPE_RAW). */
const LINK_RAW_IP = 101;

const OPTION = {
  END: 0,
  COMMENT: 1,
  INTERFACE_NAME: 2,
  INTERFACE_DESCRIPTION: 3,
  USER_APPLICATION: 4,
  PACKET_FLAGS: 2,
};
const INBOUND = 1;
const OUTBOUND = 2;

/** The block that starts the file. `application`: the writer; `comment`: a description. */
export function sectionHeader(application: string, comment: string): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(BYTE_ORDER_MAGIC, 0);
  body.writeUInt16LE(1, 4);
  // The section's length is not known in advance.
  body.writeBigInt64LE(-1n, 8);
  return block(SECTION_HEADER, [
    body,
    textOption(OPTION.COMMENT, comment),
    textOption(OPTION.USER_APPLICATION, application),
    NO_MORE_OPTIONS,
  ]);
}

/** The interface on which packets were captured; interfaces are counted from 0 in the order of their blocks. */
export function interfaceBlock(name: string, description: string): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt16LE(LINK_RAW_IP, 0);
  // Snap length 0: no limit. Without if_tsresol times are microseconds.
  return block(INTERFACE, [
    body,
    textOption(OPTION.INTERFACE_NAME, name),
    textOption(OPTION.INTERFACE_DESCRIPTION, description),
    NO_MORE_OPTIONS,
  ]);
}

/**
 * `unixMicros`: microseconds since 1970. `sent`: by the agent of the interface. `originalBytes`: given if only the
 * packet's beginning is stored.
 */
export function packetBlock(
  at: number,
  unixMicros: number,
  sent: boolean,
  packet: Buffer,
  originalBytes = packet.length,
): Buffer {
  const body = Buffer.alloc(20);
  body.writeUInt32LE(at, 0);
  body.writeUInt32LE(Math.floor(unixMicros / 2 ** 32), 4);
  body.writeUInt32LE(unixMicros % 2 ** 32, 8);
  body.writeUInt32LE(packet.length, 12);
  body.writeUInt32LE(originalBytes, 16);
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(sent ? OUTBOUND : INBOUND);
  return block(ENHANCED_PACKET, [body, padded(packet), option(OPTION.PACKET_FLAGS, flags), NO_MORE_OPTIONS]);
}

function block(type: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 12);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, ...parts, head.subarray(4)], length);
}

function option(code: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, padded(value)]);
}

/** Names are at most a few hundred bytes; the field allows 65,535. */
const textOption = (code: number, text: string): Buffer => option(code, Buffer.from(text.slice(0, 1000)));

const NO_MORE_OPTIONS = Buffer.alloc(4);

const padded = (bytes: Buffer): Buffer =>
  bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);
