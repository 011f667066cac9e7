/** Decodes and checks one stream's figures from the wire. Faults are FrameErrors. */
import { FrameError, wire } from '@carillon/proto';
import {
  DETAIL_GROUPS,
  type DetailFields,
  type DetailKind,
  type DetailValues,
  detailsAt,
} from '@carillon/proto/figures/stream-details.ts';
import { readStreamFigures, STREAM_FIGURES, type StreamFigure } from '@carillon/proto/figures/stream-figures.ts';
import { DELAY_SOURCES, type MosScale, ONE_WAY_AUDIO } from '../../contract/run/measured-words.ts';
import { NO_DETAILS, type StreamDetails } from '../../contract/run/stream-details.ts';
import { scaleOfCodec } from '../../domain/figures/figures.ts';
import type { StreamFact } from '../../domain/run/facts.ts';

type Wire = typeof wire.agent.v1;
type Decoded<K extends keyof Wire> = Wire[K] extends { decode(...args: never[]): infer T } ? T : never;

const refuse = (what: string): never => {
  throw new FrameError(`facts: ${what}`);
};

const { UNRATED, NB, WB, FB } = wire.agent.v1.Scale;
const SCALES = new Map<number, MosScale | null>([
  [UNRATED, null],
  [NB, 'nb'],
  [WB, 'wb'],
  [FB, 'fb'],
]);

/** @throws FrameError */
export function scaleOf(scale: number): MosScale | null {
  const word = SCALES.get(scale);
  return word === undefined ? refuse(`unknown scale ${scale}`) : word;
}

/** The fields are read one by one: proto3 defaults are not own properties of a decoded message. */
export function streamFact(t: Decoded<'StreamTotals'>): StreamFact {
  const isKnown = { PLAYOUT: !Number.isNaN(t.plcMs), FEEDBACK: t.feedback };
  return {
    endpoint: t.endpoint,
    stream: t.stream,
    codec: t.codec,
    remote: t.remote,
    ...readStreamFigures((name) => {
      const { known }: StreamFigure = STREAM_FIGURES[name];
      return known === undefined || isKnown[known] ? (t[name] as number) : Number.NaN;
    }),
    feedback: t.feedback,
    scale: t.details ? scaleOf(t.scale) : scaleOfCodec(t.codec),
    details: t.details ? (t.figuresOnly ? figureDetails : details)(t.details as Decoded<'StreamDetails'>) : null,
    figuresOnly: t.figuresOnly,
  };
}

/** A float of the wire has seven digits, and is stored with seven. Null: not measured. */
function figure(value: number): number | null {
  // Most values are 0 or another small integer, for which the conversion to text and back would be a waste of time.
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(7)) : null;
}

const share = (what: string, value: number): number | null =>
  value < 0 || value > 1 ? refuse(`${what} is not a share: ${value}`) : figure(value);

/** The time in milliseconds, to a thousandth. */
const time = (what: string, ms: number): number =>
  Number.isFinite(ms) && ms >= 0 ? Math.round(ms * 1000) / 1000 : refuse(`${what} is not a time: ${ms}`);

const READ: Readonly<Record<DetailKind, (what: string, value: number) => number | null>> = {
  figure: (_what, value) => figure(value),
  share,
  count: (_what, value) => value,
  reported: (_what, value) => value,
  time,
};

/** Creates a reader of these message fields once, because it is used for every ended stream. */
function reader<F extends DetailFields>(table: F) {
  const fields = Object.entries(table).map(([name, { kind }]) => ({ name, of: READ[kind] }));
  return (message: { readonly [K in keyof F]: number }): DetailValues<F> => {
    const values: Record<string, number | null> = {};
    for (const { name, of } of fields) values[name] = of(name, message[name] as number);
    return values as DetailValues<F>;
  };
}

const OF_STREAM = reader(detailsAt('stream'));
const OF_SENT = reader(detailsAt('send'));
const OF_RECEIVED = reader(detailsAt('receive'));

const oneOf = <T extends string>(words: readonly T[], word: string): T | null => {
  const known = words.find((w) => w === word) ?? null;
  return known === null && word !== '' ? refuse(`unknown word ${word.slice(0, 40)}`) : known;
};

const DIGITS = 32;
/** The last valid date (ECMA-262, 21.4.1.1). */
const LAST_DATE_MS = 8.64e15;
const MAX_DSCP = 63;
const MAX_NAME = 40;
/** The longest is an IPv6 address with its brackets and port. */
const MAX_PLACE = 64;
const name = (text: string): string => (/^[\w.-]*$/.test(text) ? text.slice(0, MAX_NAME) : refuse('no name'));
const orNull = (text: string): string | null => name(text) || null;
/** Examples are `192.0.2.1:4000` and `[2001:db8::1]:4000`. */
const place = (text: string): string | null =>
  /^[\w.:%[\]-]*$/.test(text) ? text.slice(0, MAX_PLACE) || null : refuse('no place');

/** Reads the message if it is present. */
const given = <T extends object, R>(message: T | null | undefined, read: (message: T) => R): R | null =>
  message ? read(message) : null;

const delayVariation = reader(DETAIL_GROUPS.delayVariation);
const bursts = reader(DETAIL_GROUPS.bursts);
const playout = reader(DETAIL_GROUPS.playout);
const remoteXr = reader(DETAIL_GROUPS.remoteXr);
const sound = reader(DETAIL_GROUPS.sound);
const absence = reader(DETAIL_GROUPS.absence);
const security = reader(DETAIL_GROUPS.security);
const ice = reader(DETAIL_GROUPS.ice);
const video = reader(DETAIL_GROUPS.video);
const injected = reader(DETAIL_GROUPS.injected);

const digits = ({ digitsSent, digitsReceived }: Decoded<'StreamDetails'>): StreamDetails['digits'] =>
  digitsSent || digitsReceived
    ? { sent: digitsSent.slice(0, DIGITS), received: digitsReceived.slice(0, DIGITS) }
    : null;

const absences = ({ absence: a }: Decoded<'StreamDetails'>): StreamDetails['absence'] =>
  given(a as Decoded<'Absence'> | null, (a) => ({
    ...absence(a),
    longestGapAt:
      a.longestGapUnixMs > 0 && a.longestGapUnixMs <= LAST_DATE_MS ? new Date(a.longestGapUnixMs).toISOString() : null,
  }));

const figureDetails = (d: Decoded<'StreamDetails'>): StreamDetails => ({
  ...NO_DETAILS,
  receive: { ...NO_DETAILS.receive, longestGapMs: figure(d.longestGapMs) },
  absence: absences(d),
  digits: digits(d),
});

function details(d: Decoded<'StreamDetails'>): StreamDetails {
  const { fixed, adaptive } = d as { fixed?: Decoded<'Playout'> | null; adaptive?: Decoded<'Playout'> | null };
  if ((d.dscp ?? 0) > MAX_DSCP) refuse(`no DSCP: ${d.dscp}`);
  return {
    ...OF_STREAM(d),
    emodelVariant: orNull(d.emodelVariant),
    delaySource: oneOf(DELAY_SOURCES, d.delaySource),
    send: {
      ...OF_SENT(d),
      remoteXr: given(d.remoteXr as Decoded<'RemoteVoipMetrics'> | null, remoteXr),
    },
    receive: {
      ...OF_RECEIVED(d),
      delayVariation: given(d.delayVariation as Decoded<'DelayVariation'> | null, delayVariation),
      bursts: given(d.bursts as Decoded<'Bursts'> | null, bursts),
      playout: fixed && adaptive ? { fixed: playout(fixed), adaptive: playout(adaptive) } : null,
    },
    audio: given(d.sound as Decoded<'Sound'> | null, sound),
    oneWayAudio: oneOf(ONE_WAY_AUDIO, d.oneWayAudio),
    absence: absences(d),
    digits: digits(d),
    security: given(d.security as Decoded<'Security'> | null, (s) => ({
      state: name(s.state),
      suite: orNull(s.suite),
      ...security(s),
    })),
    ice: given(d.ice as Decoded<'Ice'> | null, (i) => ({
      state: name(i.state),
      localType: orNull(i.localType),
      remoteType: orNull(i.remoteType),
      local: place(i.local),
      ...ice(i),
    })),
    video: given(d.video as Decoded<'Video'> | null, video),
    dscp: d.dscp ?? null,
    impairment: given(d.injected as Decoded<'Injected'> | null, injected),
    nat: d.followed + d.foreign > 0 ? { followed: d.followed, foreign: d.foreign } : null,
  };
}
