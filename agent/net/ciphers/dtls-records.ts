/**
 * Filters datagrams during a handshake (RFC 6347, 4.1). Records of epoch 0 are not authenticated, and OpenSSL ends an
 * association at the first invalid one. Records that no peer would send are therefore dropped, and so are alerts, which
 * anyone can forge (4.1.2.7).
 */
const RECORD_HEADER_BYTES = 13;
const MESSAGE_HEADER_BYTES = 12;
const CHANGE_CIPHER_SPEC = 20;
const ALERT = 21;
const HANDSHAKE = 22;
const FATAL = 2;

/** TAKEN: possibly from the peer. ALERT: a (forgeable) end of the association. REFUSED: not part of a handshake. */
export type HandshakeDatagram = 'TAKEN' | 'ALERT' | 'REFUSED';

/** Checks every record; OpenSSL checks those of later epochs. */
export function judgeDatagram(bytes: Uint8Array): HandshakeDatagram {
  for (let at = 0; at < bytes.length; ) {
    if (at + RECORD_HEADER_BYTES > bytes.length || bytes[at + 1] !== 0xfe) return 'REFUSED';
    const from = at + RECORD_HEADER_BYTES;
    const to = from + ((bytes[at + 11]! << 8) | bytes[at + 12]!);
    if (to > bytes.length) return 'REFUSED';
    const clear = bytes[at + 3] === 0 && bytes[at + 4] === 0;
    const type = bytes[at]!;
    if (clear && type === ALERT) return to === from + 2 && bytes[from] === FATAL ? 'ALERT' : 'REFUSED';
    if (clear && !isPlausible(type, bytes, from, to)) return 'REFUSED';
    at = to;
  }
  return 'TAKEN';
}

function isPlausible(type: number, bytes: Uint8Array, from: number, to: number): boolean {
  if (type === CHANGE_CIPHER_SPEC) return to === from + 1 && bytes[from] === 1;
  return type === HANDSHAKE && areMessages(bytes, from, to);
}

const readTriple = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;

/** Complete messages or fragments, with consistent lengths (4.2.2). */
function areMessages(bytes: Uint8Array, from: number, to: number): boolean {
  if (from === to) return false;
  for (let at = from; at < to; ) {
    if (at + MESSAGE_HEADER_BYTES > to) return false;
    const fragmentBytes = readTriple(bytes, at + 9);
    if (readTriple(bytes, at + 6) + fragmentBytes > readTriple(bytes, at + 1)) return false;
    at += MESSAGE_HEADER_BYTES + fragmentBytes;
    if (at > to) return false;
  }
  return true;
}
