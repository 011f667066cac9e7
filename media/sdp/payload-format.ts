/** Payload formats: what a static payload type means, and when two formats are the same codec. */
import { STATIC_PAYLOAD_TYPES } from '../codec/payload-types.ts';
import type { PayloadFormat } from './session-description.ts';

/** What a payload type means without an a=rtpmap; null: nothing. */
export function staticFormat(payloadType: number): PayloadFormat | null {
  const known = STATIC_PAYLOAD_TYPES.get(payloadType);
  if (known === undefined) return null;
  const { encoding, clockRateHz, channels } = known;
  return { payloadType, encoding: encoding.toUpperCase(), clockRate: clockRateHz, channels, parameters: '' };
}

/** The same codec, under whatever numbers (RFC 3264, 6.1). Parameters are the codec's own affair. */
export const sameCodec = (a: PayloadFormat, b: PayloadFormat): boolean =>
  a.encoding === b.encoding && a.clockRate === b.clockRate && a.channels === b.channels;

/** A format parameter by its name, in any case; null: it is not there. */
export function formatParameter({ parameters }: PayloadFormat, name: string): string | null {
  for (const parameter of parameters.split(';')) {
    const [key = '', value] = parameter.split('=');
    if (key.trim().toLowerCase() === name) return value?.trim() ?? '';
  }
  return null;
}
