/**
 * Converts between bytes and envelopes: protocol name, size limits, compression of facts. All input from a peer is bounded here.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { carillon } from '../gen/link.js';

const v1 = carillon.agent.v1;
type AgentFrame = carillon.agent.v1.AgentFrame;
type ControlFrame = carillon.agent.v1.ControlFrame;
type Facts = carillon.agent.v1.Facts;

/** The WebSocket subprotocol. A new major version has a new name. */
export const PROTOCOL = 'carillon.agent.v1';

/** The largest frame that either side accepts. */
export const MAX_FRAME_BYTES = 4 * 1024 * 1024;

/** The maximum number of bytes of a recording in one frame. */
export const MEDIA_CHUNK_BYTES = 1024 * 1024;

/**
 * The largest size of a batch's facts after decompression, which protects against compression bombs. Agents send at most 3 MiB.
 */
export const MAX_FACTS_BYTES = 4 * 1024 * 1024;

/** Below this size compression costs more than it saves. */
const COMPRESS_FROM_BYTES = 512;

/** The peer sent data that is not a frame of this protocol: the connection is closed and the data discarded. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export const encodeAgentFrame = (frame: carillon.agent.v1.AgentFrame.$Properties): Uint8Array =>
  v1.AgentFrame.encode(frame).finish();

export const encodeControlFrame = (frame: carillon.agent.v1.ControlFrame.$Properties): Uint8Array =>
  v1.ControlFrame.encode(frame).finish();

/** Decodes an agent's frame. An unknown body is from a later version, and is ignored. @throws FrameError */
export const decodeAgentFrame = (bytes: Uint8Array): AgentFrame =>
  decode('agent frame', bytes, (b) => v1.AgentFrame.decode(notEmpty(b)));

/** Decodes a control plane's frame in the same way. @throws FrameError */
export const decodeControlFrame = (bytes: Uint8Array): ControlFrame =>
  decode('control frame', bytes, (b) => v1.ControlFrame.decode(notEmpty(b)));

function notEmpty(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) throw new Error('it is empty');
  return bytes;
}

/** The facts of a batch before compression; the length decides whether one batch can carry them. */
export const factsBytes = (facts: carillon.agent.v1.Facts.$Properties): Uint8Array => v1.Facts.encode(facts).finish();

const MAX_CHUNK_BYTES = 65_536;

/**
 * Compresses into one zstd frame with its size in the header. Otherwise zstd allocates the tables of a large text, a megabyte and
 * more, for the few messages of a call, and Node.js 16 KiB of output, which stay until garbage collection.
 */
export const compressed = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    chunkSize: Math.min(MAX_CHUNK_BYTES, Math.max(64, bytes.length)),
  });

/** One numbered batch of encoded facts. It is compressed if that pays. */
export function batchOf(number: number, facts: Uint8Array): carillon.agent.v1.Batch.$Properties {
  if (facts.length < COMPRESS_FROM_BYTES) return { number, zstd: false, facts };
  return { number, zstd: true, facts: compressed(facts) };
}

export const encodeFacts = (
  number: number,
  facts: carillon.agent.v1.Facts.$Properties,
): carillon.agent.v1.Batch.$Properties => batchOf(number, factsBytes(facts));

/** A batch's facts as bytes, decompressed. @throws FrameError */
export const unpackFacts = ({ facts, zstd }: carillon.agent.v1.Batch.$Properties): Uint8Array =>
  decode('batch', facts ?? new Uint8Array(), (bytes) =>
    zstd ? zstdDecompressSync(bytes, { maxOutputLength: MAX_FACTS_BYTES }) : bytes,
  );

/** @throws FrameError */
export const readFacts = (bytes: Uint8Array): Facts => decode('facts', bytes, (b) => v1.Facts.decode(b));

/** @throws FrameError */
export const decodeFacts = (batch: carillon.agent.v1.Batch.$Properties): Facts => readFacts(unpackFacts(batch));

/** The data that an agent signs with its key to answer a challenge. */
export const signedChallenge = (nonce: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${PROTOCOL}\0`, 'latin1'), nonce]);

/** The bytes that both keys sign when an agent changes its key. */
export const signedKeyChange = (from: Uint8Array, to: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${PROTOCOL} key\0`, 'latin1'), from, to]);

function decode<T>(what: string, bytes: Uint8Array, read: (bytes: Uint8Array) => T): T {
  if (bytes.length > MAX_FRAME_BYTES)
    throw new FrameError(`${what} of ${bytes.length} bytes is over the limit of ${MAX_FRAME_BYTES}`);
  try {
    return read(bytes);
  } catch (error) {
    throw new FrameError(`${what} of ${bytes.length} bytes cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
