/** Payload formats: the meaning of static payload types, and the equality of formats. */
import { STATIC_PAYLOAD_TYPES } from '../codec/payload-types.ts';
import type { PayloadFormat } from './session-description.ts';

/** The meaning of a payload type without a=rtpmap; null: it has none. */
export function staticFormat(payloadType: number): PayloadFormat | null {
  const known = STATIC_PAYLOAD_TYPES.get(payloadType);
  if (known === undefined) return null;
  const { encoding, clockRateHz, channels } = known;
  return { payloadType, encoding: encoding.toUpperCase(), clockRate: clockRateHz, channels, parameters: '' };
}

/** Whether both are the same codec, regardless of numbers (RFC 3264, 6.1). Parameters are up to the codec. */
export const sameCodec = (a: PayloadFormat, b: PayloadFormat): boolean =>
  a.encoding === b.encoding && a.clockRate === b.clockRate && a.channels === b.channels;

/** A format parameter by name, case-insensitive; null: absent. */
export function formatParameter({ parameters }: PayloadFormat, name: string): string | null {
  for (const parameter of parameters.split(';')) {
    const [key = '', value] = parameter.split('=');
    if (key.trim().toLowerCase() === name) return value?.trim() ?? '';
  }
  return null;
}
