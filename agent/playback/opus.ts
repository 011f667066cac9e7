/** `libopus`, compiled to WebAssembly, which confines its memory errors. */
import type { OpusEncoder } from '@carillon/media/audio/encode.ts';
import { Application, createDecoder, createEncoder } from 'libopus-wasm';

const RATE_HZ = 48_000;
/** A typical value for speech and music in WebRTC; VBR, so packets differ in size. */
const BITRATE = 32_000;

/**
 * Single frames of `unitMs`, mono, fullband. Only in low-delay mode (CELT) do all frames have the same configuration,
 * so that several fit into one packet (RFC 6716, 3.2.5).
 */
export async function createOpusEncoder(unitMs: 10 | 20): Promise<OpusEncoder & { free(): void }> {
  const encoder = await createEncoder({
    channels: 1,
    sampleRate: RATE_HZ,
    frameSize: (RATE_HZ * unitMs) / 1000,
    application: Application.RestrictedLowDelay,
    bitrate: BITRATE,
    complexity: 9,
  });
  return { unitMs, encode: (samples) => encoder.encode(samples), free: () => encoder.free() };
}

/** Decodes consecutive packets to mono samples at 48 kHz. */
export async function createOpusDecoder(): Promise<{ decode(packet: Uint8Array): Int16Array; free(): void }> {
  const decoder = await createDecoder({ channels: 1, sampleRate: RATE_HZ });
  return { decode: (packet) => Int16Array.from(decoder.decode(packet)), free: () => decoder.free() };
}
