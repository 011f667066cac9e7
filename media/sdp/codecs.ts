/** The codecs we have, as payload formats: under which numbers they are offered, and which of a peer's formats they are. */
import { DIGITS } from '../dtmf/event-payload.ts';
import { answeredH264, isKnownH264, offeredH264, sameH264 } from './h264-format.ts';
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

/** The codecs of an offer, in order of preference. Dynamic numbers are the usual ones. */
const FORMATS: Readonly<Record<Codec, readonly PayloadFormat[]>> = {
  PCMU: [staticFormat(0) as PayloadFormat],
  PCMA: [staticFormat(8) as PayloadFormat],
  G722: [staticFormat(9) as PayloadFormat],
  // Always two channels and 48 kHz (RFC 7587, 7).
  OPUS: [format(111, 'OPUS', 48_000, 'minptime=10;useinbandfec=1', 2)],
  VP8: [format(96, 'VP8', 90_000)],
  H264: offeredH264(null, true),
};

const AUDIO_CODECS: readonly AudioCodec[] = ['PCMU', 'PCMA', 'G722', 'OPUS'];
const VIDEO_CODECS: readonly VideoCodec[] = ['VP8', 'H264'];
const EVENT_NUMBERS: Readonly<Record<number, number>> = { 8000: 101, 48000: 110 };
/** DTMF: the sixteen keys (RFC 4733, 3.2). */
const EVENTS = '0-15';

export const formatsOf = (codec: Codec): readonly PayloadFormat[] => FORMATS[codec];
const clockRateOf = (codec: Codec): number => FORMATS[codec][0]!.clockRate;

/** As m= lines name it. */
export const kindOf = (codec: Codec): 'audio' | 'video' =>
  VIDEO_CODECS.some((video) => video === codec) ? 'video' : 'audio';

/** The clock of telephone-event in telephony, beside whatever audio. */
const EVENT_CLOCK_HZ = 8000;

/** telephone-event once per clock rate of the codecs (RFC 4733, 2.1: it should use the clock of its audio), and at 8000, which is often all that far ends with Opus have. */
export const eventFormats = (codecs: readonly Codec[]): PayloadFormat[] =>
  [...new Set([...codecs.map(clockRateOf), EVENT_CLOCK_HZ])].map((clockRate) =>
    format(EVENT_NUMBERS[clockRate]!, 'TELEPHONE-EVENT', clockRate, EVENTS),
  );

export const isEvent = (one: PayloadFormat): boolean => one.encoding === 'TELEPHONE-EVENT';

/** telephone-event at the clock of the audio, otherwise at another one. */
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
/** RFC 3389, 4: at 8 kHz only. */
export const isComfortNoise = (one: PayloadFormat): boolean => one.encoding === 'CN' && one.clockRate === 8000;

/** Our codec for a format; null: none. */
export function codecOf(one: PayloadFormat): Codec | null {
  for (const codec of [...AUDIO_CODECS, ...VIDEO_CODECS])
    if (sameCodec(FORMATS[codec][0]!, one)) return codec !== 'H264' || isKnownH264(one) ? codec : null;
  return null;
}

/** The same codec in the same configuration. */
export const sameFormat = (a: PayloadFormat, b: PayloadFormat): boolean =>
  sameCodec(a, b) && (a.encoding !== 'H264' || sameH264(a, b));

/** Our answer to a format: its number, our parameters; H264 parameters that describe both directions are copied. */
export const answeredFormat = (one: PayloadFormat): PayloadFormat => {
  if (isEvent(one)) return { ...one, parameters: EVENTS };
  if (one.encoding === 'H264') return answeredH264(one);
  return one.encoding === 'OPUS' ? { ...one, parameters: FORMATS.OPUS[0]!.parameters } : one;
};
