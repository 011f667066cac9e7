/**
 * The properties of a WAV file of RIFF chunks (Microsoft, "Multimedia Programming Interface and Data Specifications
 * 1.0"): PCM, float, G.711.
 */

/** Sample format: PCM, unsigned if it has 8 bits, otherwise signed; little-endian. */
export type WavEncoding = 'PCM' | 'FLOAT' | 'A_LAW' | 'MU_LAW';

export type Wav = {
  readonly encoding: WavEncoding;
  readonly sampleRateHz: number;
  readonly channels: number;
  /** PCM: 8, 16, 24 or 32. FLOAT: 32 or 64. A-law, mu-law: 8. */
  readonly bitsPerSample: number;
  /** Samples per channel. */
  readonly frames: number;
  readonly durationMs: number;
  /** Start of the samples, which are interleaved by channel. */
  readonly dataOffset: number;
};

/** The file is not a WAV file, or not a supported one; the message says what is wrong and how to correct it. */
export class WavError extends Error {
  override readonly name = 'WavError';
}

/** The formats by format tag (RFC 2361, A). */
const FORMATS: Readonly<Record<number, { readonly encoding: WavEncoding; readonly bits: readonly number[] }>> = {
  1: { encoding: 'PCM', bits: [8, 16, 24, 32] },
  3: { encoding: 'FLOAT', bits: [32, 64] },
  6: { encoding: 'A_LAW', bits: [8] },
  7: { encoding: 'MU_LAW', bits: [8] },
};
const FORMAT_EXTENSIBLE = 0xfffe;
/**
 * The first two bytes are the format; the others are the same in each subformat that replaces a plain one (RFC 2361,
 * A).
 */
const SUBFORMAT_REST = '000000001000800000aa00389b71';
/** The length was not known when the file was written: the data extend to the end of the file. */
const UNTIL_THE_END = 0xffff_ffff;

const MAX_CHANNELS = 2;
const LOWEST_RATE_HZ = 8000;
const HIGHEST_RATE_HZ = 48_000;

/** @throws WavError */
export function parseWav(file: Uint8Array): Wav {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 12 || fourCc(view, 0) !== 'RIFF' || fourCc(view, 8) !== 'WAVE') {
    throw new WavError('is not a WAV file: it does not begin with RIFF and WAVE');
  }
  let format: Format | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const id = fourCc(view, at);
    const length = view.getUint32(at + 4, true);
    const begin = at + 8;
    if (id === 'data') {
      if (!format) throw new WavError('has its samples before their format (chunk data before chunk fmt)');
      return wav(format, begin, dataLength(length, file.length - begin));
    }
    if (begin + length > file.length) throw new WavError(`ends in the middle of its chunk ${JSON.stringify(id)}`);
    if (id === 'fmt ') format = parseFormat(view, begin, length);
    // Chunks start at even offsets.
    at = begin + length + (length & 1);
  }
  throw new WavError(format ? 'has no samples (no chunk data)' : 'does not say its format (no chunk fmt)');
}

type Format = Pick<Wav, 'encoding' | 'sampleRateHz' | 'channels' | 'bitsPerSample'>;

function parseFormat(view: DataView, at: number, length: number): Format {
  if (length < 16) throw new WavError('has a chunk fmt that is too short');
  const outer = view.getUint16(at, true);
  const tag = outer === FORMAT_EXTENSIBLE && length >= 40 ? subformat(view, at + 24) : outer;
  const format = FORMATS[tag];
  if (!format) throw new WavError(`has the encoding 0x${tag.toString(16)}; save it as PCM`);
  const channels = view.getUint16(at + 2, true);
  const sampleRateHz = view.getUint32(at + 4, true);
  const blockAlign = view.getUint16(at + 12, true);
  const bitsPerSample = view.getUint16(at + 14, true);
  if (!format.bits.includes(bitsPerSample)) {
    throw new WavError(`has ${bitsPerSample} bits a sample; save it with ${format.bits.join(' or ')}`);
  }
  if (channels < 1 || channels > MAX_CHANNELS) {
    throw new WavError(`has ${channels} channels; save it with 1 or ${MAX_CHANNELS}`);
  }
  if (sampleRateHz < LOWEST_RATE_HZ || sampleRateHz > HIGHEST_RATE_HZ) {
    throw new WavError(`has ${sampleRateHz} samples a second; save it with ${LOWEST_RATE_HZ} to ${HIGHEST_RATE_HZ}`);
  }
  if (blockAlign !== (channels * bitsPerSample) / 8) {
    throw new WavError(
      `says ${blockAlign} bytes a frame, where its channels and bits make ${(channels * bitsPerSample) / 8}`,
    );
  }
  return { encoding: format.encoding, sampleRateHz, channels, bitsPerSample };
}

/** The plain tag that an extensible format replaces; otherwise its own tag. */
function subformat(view: DataView, at: number): number {
  let rest = '';
  for (let i = 2; i < 16; i++)
    rest += view
      .getUint8(at + i)
      .toString(16)
      .padStart(2, '0');
  return rest === SUBFORMAT_REST ? view.getUint16(at, true) : FORMAT_EXTENSIBLE;
}

function dataLength(declared: number, left: number): number {
  if (declared === UNTIL_THE_END) return left;
  if (declared > left) throw new WavError(`ends early: it says ${declared} bytes of samples and has ${left}`);
  return declared;
}

function wav(format: Format, dataOffset: number, bytes: number): Wav {
  const frames = Math.floor(bytes / ((format.channels * format.bitsPerSample) / 8));
  if (frames === 0) throw new WavError('has no samples');
  return { ...format, frames, durationMs: Math.round((frames * 1000) / format.sampleRateHz), dataOffset };
}

const fourCc = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
