/** Our codecs as payload formats: the numbers of our offers, and the recognition of a peer's formats. */
import { AUDIO_CODECS, audioCodec, audioCodecOf } from '../codec/audio-codecs.ts';
import { DIGITS } from '../dtmf/event-payload.ts';
import { answeredH264, isKnownH264, offeredH264, sameH264 } from './h264-format.ts';
import { sameCodec } from './payload-format.ts';
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

function audioFormat(codec: AudioCodec): PayloadFormat {
  const { payloadType, clockRateHz, parameters, channels } = audioCodec(codec);
  return format(payloadType, codec, clockRateHz, parameters, channels);
}

/** The codecs of an offer, in order of preference. Dynamic numbers are the usual ones. */
const FORMATS: Readonly<Record<Codec, readonly PayloadFormat[]>> = {
  ...(Object.fromEntries(AUDIO_CODECS.map((codec) => [codec, [audioFormat(codec)]])) as Record<
    AudioCodec,
    PayloadFormat[]
  >),
  VP8: [format(96, 'VP8', 90_000)],
  H264: offeredH264(null, true),
};

const VIDEO_CODECS: readonly VideoCodec[] = ['VP8', 'H264'];
const EVENT_NUMBERS: Readonly<Record<number, number>> = { 8000: 101, 48000: 110 };
/** The sixteen DTMF keys (RFC 4733, 3.2). */
const EVENTS = '0-15';

export const formatsOf = (codec: Codec): readonly PayloadFormat[] => FORMATS[codec];
const clockRateOf = (codec: Codec): number => FORMATS[codec][0]!.clockRate;

/** The kind that m= lines name. */
export const kindOf = (codec: Codec): 'audio' | 'video' =>
  VIDEO_CODECS.some((video) => video === codec) ? 'video' : 'audio';

/** The clock of telephone-event in telephony, whatever the audio. */
const EVENT_CLOCK_HZ = 8000;

/**
 * `telephone-event` once per clock rate of the codecs (RFC 4733, 2.1: it should use the clock of its audio), and at 8000,
 * which is often the only one of far ends with Opus.
 */
export const eventFormats = (codecs: readonly Codec[]): PayloadFormat[] =>
  [...new Set([...codecs.map(clockRateOf), EVENT_CLOCK_HZ])].map((clockRate) =>
    format(EVENT_NUMBERS[clockRate]!, 'TELEPHONE-EVENT', clockRate, EVENTS),
  );

export const isEvent = (one: PayloadFormat): boolean => one.encoding === 'TELEPHONE-EVENT';

/** `telephone-event` at the clock of the audio, otherwise at another one. */
export function eventBeside(formats: readonly PayloadFormat[], clockRate: number): PayloadFormat | undefined {
  const events = formats.filter(isEvent);
  return events.find((one) => one.clockRate === clockRate) ?? events[0];
}

/** The digits among the accepted events of a format (RFC 4733, 2.4.1); null: all of them, also if no list is given. */
export function keysTaken({ parameters }: PayloadFormat): string | null {
  const listed = parameters.trim();
  if (!/^\d+(-\d+)?(\s*,\s*\d+(-\d+)?)*$/.test(listed)) return null;
  const ranges = listed.split(',').map((range) => range.split('-').map(Number));
  const keys = [...DIGITS].filter((_, i) => ranges.some(([from = 0, to = from]) => i >= from && i <= to)).join('');
  return keys === DIGITS ? null : keys;
}
/** RFC 3389, 4: comfort noise exists at 8 kHz only. */
export const isComfortNoise = (one: PayloadFormat): boolean => one.encoding === 'CN' && one.clockRate === 8000;

/** Our codec for a format; null: we have no such codec. */
export function codecOf(one: PayloadFormat): Codec | null {
  for (const codec of [...AUDIO_CODECS, ...VIDEO_CODECS])
    if (sameCodec(FORMATS[codec][0]!, one)) return codec !== 'H264' || isKnownH264(one) ? codec : null;
  return null;
}

/** Whether both are the same codec in the same configuration. */
export const sameFormat = (a: PayloadFormat, b: PayloadFormat): boolean =>
  sameCodec(a, b) && (a.encoding !== 'H264' || sameH264(a, b));

/** Our answer to a format: its number with our parameters; H264 parameters that describe both directions are copied. */
export const answeredFormat = (one: PayloadFormat): PayloadFormat => {
  if (isEvent(one)) return { ...one, parameters: EVENTS };
  if (one.encoding === 'H264') return answeredH264(one);
  const parameters = audioCodecOf(one.encoding)?.parameters;
  return parameters ? { ...one, parameters } : one;
};
