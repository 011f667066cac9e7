/** The codecs we have, as payload formats: under which numbers they are offered, and which of a peer's formats they are. */
import { DIGITS } from '../dtmf/event-payload.ts';
import { sameCodec, staticFormat } from './payload-format.ts';
import type { PayloadFormat } from './session-description.ts';
import type { AudioCodec, VideoCodec } from './stream-format.ts';

export type Codec = AudioCodec | VideoCodec;

const format = (payloadType: number, encoding: string, clockRate: number, parameters = '', channels = 1) => ({
  payloadType,
  encoding,
  clockRate,
  channels,
  parameters,
});

/** Constrained baseline, level 3.1: what every H.264 decoder plays (RFC 6184, 8.1). */
const H264_PROFILE = 'profile-level-id=42e01f';

/** What we write in an offer, most wanted first. Dynamic numbers are those that most peers use. */
const FORMATS: Readonly<Record<Codec, readonly PayloadFormat[]>> = {
  PCMU: [staticFormat(0) as PayloadFormat],
  PCMA: [staticFormat(8) as PayloadFormat],
  G722: [staticFormat(9) as PayloadFormat],
  // Two channels and 48 kHz whatever is sent (RFC 7587, 7).
  OPUS: [format(111, 'OPUS', 48_000, 'minptime=10;useinbandfec=1', 2)],
  VP8: [format(96, 'VP8', 90_000)],
  H264: [
    format(97, 'H264', 90_000, `${H264_PROFILE};packetization-mode=1`),
    format(98, 'H264', 90_000, `${H264_PROFILE};packetization-mode=0`),
  ],
};

export const AUDIO_CODECS: readonly AudioCodec[] = ['PCMU', 'PCMA', 'G722', 'OPUS'];
export const VIDEO_CODECS: readonly VideoCodec[] = ['VP8', 'H264'];
const EVENT_NUMBERS: Readonly<Record<number, number>> = { 8000: 101, 48000: 110 };
/** DTMF: the sixteen keys (RFC 4733, 3.2). */
const EVENTS = '0-15';

export const formatsOf = (codec: Codec): readonly PayloadFormat[] => FORMATS[codec];
export const clockRateOf = (codec: Codec): number => FORMATS[codec][0]!.clockRate;

/** As m= lines name it. */
export const kindOf = (codec: Codec): 'audio' | 'video' =>
  VIDEO_CODECS.some((video) => video === codec) ? 'video' : 'audio';

/** telephone-event once for each clock of the codecs (RFC 4733, 2.1: it runs at the clock of the audio beside it). */
export const eventFormats = (codecs: readonly Codec[]): PayloadFormat[] =>
  [...new Set(codecs.map(clockRateOf))].map((clockRate) =>
    format(EVENT_NUMBERS[clockRate]!, 'TELEPHONE-EVENT', clockRate, EVENTS),
  );

export const isEvent = (one: PayloadFormat): boolean => one.encoding === 'TELEPHONE-EVENT';
/** The keys among the events that a format's owner takes (RFC 4733, 2.4.1); null: all of them, as where nothing is listed. */
export function keysTaken({ parameters }: PayloadFormat): string | null {
  const listed = parameters.trim();
  if (!/^\d+(-\d+)?(\s*,\s*\d+(-\d+)?)*$/.test(listed)) return null;
  const ranges = listed.split(',').map((range) => range.split('-').map(Number));
  const keys = [...DIGITS].filter((_, i) => ranges.some(([from = 0, to = from]) => i >= from && i <= to)).join('');
  return keys === DIGITS ? null : keys;
}
/** RFC 3389, 4: at 8 kHz alone. */
export const isComfortNoise = (one: PayloadFormat): boolean => one.encoding === 'CN' && one.clockRate === 8000;

/** Which of our codecs a format is; null: none. */
export function codecOf(one: PayloadFormat): Codec | null {
  for (const codec of [...AUDIO_CODECS, ...VIDEO_CODECS])
    if (sameCodec(FORMATS[codec][0]!, one)) return codec !== 'H264' || isPlayableH264(one) ? codec : null;
  return null;
}

/** The same codec in the same configuration: for H264, packetization mode and profile are part of it (RFC 6184, 8.2.2). */
export function sameFormat(a: PayloadFormat, b: PayloadFormat): boolean {
  if (!sameCodec(a, b)) return false;
  return a.encoding !== 'H264' || (packetizationMode(a) === packetizationMode(b) && matched(a) === matched(b));
}

/** Of H264: what describes both ways (RFC 6184, 8.2.2). The rest says what its sender receives, or has sent. */
const H264_SYMMETRIC = ['profile-level-id', 'packetization-mode', 'level-asymmetry-allowed'];

/** What we answer to a format: its number, our parameters; those of H264 that describe both ways are taken over. */
export const answeredFormat = (one: PayloadFormat): PayloadFormat => {
  if (isEvent(one)) return { ...one, parameters: EVENTS };
  if (one.encoding === 'H264') {
    const kept = H264_SYMMETRIC.flatMap((name) => {
      const value = parameterOf(one, name);
      return value === null ? [] : [`${name}=${value}`];
    });
    return { ...one, parameters: kept.join(';') };
  }
  return one.encoding === 'OPUS' ? { ...one, parameters: FORMATS.OPUS[0]!.parameters } : one;
};

/** Absent: 0 (RFC 6184, 8.1). Null: interleaved, or nonsense. */
export function packetizationMode(one: PayloadFormat): 0 | 1 | null {
  const mode = parameterOf(one, 'packetization-mode') ?? '0';
  if (mode === '0') return 0;
  return mode === '1' ? 1 : null;
}

/** Every one of these plays what is constrained baseline. */
const PROFILES: Readonly<Record<number, string>> = {
  66: 'BASELINE',
  77: 'MAIN',
  88: 'EXTENDED',
  100: 'HIGH',
  110: 'HIGH_10',
  122: 'HIGH_422',
  244: 'HIGH_444',
};

/** By profile_idc and profile-iop (RFC 6184, 8.1, table 5); absent: baseline. Null: one that cannot play ours. */
function h264Profile(one: PayloadFormat): string | null {
  const id = parameterOf(one, 'profile-level-id') ?? '42000a';
  if (!/^[0-9a-f]{6}$/i.test(id)) return null;
  const profile = PROFILES[Number.parseInt(id.slice(0, 2), 16)];
  const flags = Number.parseInt(id.slice(2, 4), 16);
  const constrained =
    (profile === 'BASELINE' && (flags & 0x40) !== 0) ||
    (profile === 'MAIN' && (flags & 0x80) !== 0) ||
    (profile === 'EXTENDED' && (flags & 0xc0) === 0xc0);
  return constrained ? 'CONSTRAINED_BASELINE' : (profile ?? null);
}

/** Peers answer one where the other was offered; what we send is plain enough for both. */
const matched = (one: PayloadFormat): string | null => h264Profile(one)?.replace('CONSTRAINED_', '') ?? null;

const isPlayableH264 = (one: PayloadFormat): boolean => packetizationMode(one) !== null && h264Profile(one) !== null;

/** A format parameter by its name, in any case. */
function parameterOf({ parameters }: PayloadFormat, name: string): string | null {
  for (const parameter of parameters.split(';')) {
    const [key = '', value] = parameter.split('=');
    if (key.trim().toLowerCase() === name) return value?.trim() ?? '';
  }
  return null;
}
