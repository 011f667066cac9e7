/** Encoders and decoders of the codecs whose packets have a fixed size for each millisecond: one row each. */
import type { OctetCodec } from './audio-codecs.ts';
import {
  A_LAW_TO_LINEAR,
  decodeG711,
  encodeG711,
  LINEAR_TO_A_LAW,
  LINEAR_TO_MU_LAW,
  MU_LAW_TO_LINEAR,
} from './g711.ts';
import { G722Decoder, G722Encoder } from './g722.ts';
import { decodeL16, encodeL16 } from './l16.ts';

/** Converts samples at the codec's rate to octets. */
export type Encode = (samples: Int16Array) => Uint8Array;
/** Converts octets to samples, written into `samples`; returns their number. */
export type Decode = (octets: Uint8Array, samples: Int16Array) => number;

export type OctetCoder = {
  /** True: encoders and decoders adapt to earlier samples, so each stream has its own. */
  readonly hasMemory: boolean;
  openEncoder(): Encode;
  openDecoder(): Decode;
};

function g711(toLaw: Uint8Array, toLinear: Int16Array): OctetCoder {
  const encode: Encode = (samples) => encodeG711(toLaw, samples);
  const decode: Decode = (octets, samples) => {
    decodeG711(toLinear, octets, samples);
    return octets.length;
  };
  return { hasMemory: false, openEncoder: () => encode, openDecoder: () => decode };
}

const g722: OctetCoder = {
  hasMemory: true,
  openEncoder() {
    const encoder = new G722Encoder();
    return (samples) => {
      const octets = new Uint8Array(samples.length / 2);
      encoder.encode(samples, octets);
      return octets;
    };
  },
  openDecoder() {
    const decoder = new G722Decoder();
    return (octets, samples) => {
      decoder.decode(octets, samples);
      return octets.length * 2;
    };
  },
};

export const OCTET_CODERS: Readonly<Record<OctetCodec, OctetCoder>> = {
  PCMU: g711(LINEAR_TO_MU_LAW, MU_LAW_TO_LINEAR),
  PCMA: g711(LINEAR_TO_A_LAW, A_LAW_TO_LINEAR),
  G722: g722,
  L16: { hasMemory: false, openEncoder: () => encodeL16, openDecoder: () => decodeL16 },
};
