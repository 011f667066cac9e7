/** One stream's figures from the wire, checked. What fails is a FrameError. */
import { FrameError, wire } from '@carillon/proto';
import type { StreamDetails } from '../contract/run/stream-details.ts';
import { DELAY_SOURCES, type MosScale, ONE_WAY_AUDIO } from '../contract/words.ts';
import { scaleOfCodec } from '../domain/figures/figures.ts';
import type { StreamFact } from '../domain/run/facts.ts';

type Wire = typeof wire.agent.v1;
type In<K extends keyof Wire> = Wire[K] extends { decode(...args: never[]): infer T } ? T : never;

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

/** Field by field: what equals proto3's default is no own property of a decoded message. */
export const streamFact = (t: In<'StreamTotals'>): StreamFact => ({
  endpoint: t.endpoint,
  stream: t.stream,
  codec: t.codec,
  remote: t.remote,
  localPort: t.localPort,
  ssrcSent: t.ssrcSent,
  ssrcReceived: t.ssrcReceived,
  packetsSent: t.packetsSent as number,
  octetsSent: t.octetsSent as number,
  packetsReceived: t.packetsReceived as number,
  octetsReceived: t.octetsReceived as number,
  expected: t.expected as number,
  lost: t.lost as number,
  discarded: Number.isNaN(t.plcMs) ? Number.NaN : (t.discarded as number),
  duplicates: t.duplicates as number,
  reordered: t.reordered as number,
  ssrcChanges: t.ssrcChanges,
  plcEvents: Number.isNaN(t.plcMs) ? Number.NaN : t.plcEvents,
  plcMs: t.plcMs,
  jitterMeanMs: t.jitterMeanMs,
  jitterMaxMs: t.jitterMaxMs,
  rttMeanMs: t.rttMeanMs,
  rttMaxMs: t.rttMaxMs,
  rttCount: t.rttCount,
  mos: t.mos,
  rFactor: t.rFactor,
  burstRatio: t.burstRatio,
  feedback: t.feedback,
  remoteLost: t.remoteLost as number,
  remoteJitterMs: t.remoteJitterMs,
  nackCount: t.nackCount,
  pliCount: t.pliCount,
  firCount: t.firCount,
  sendsSkipped: t.sendsSkipped,
  scale: t.details ? scaleOf(t.scale) : scaleOfCodec(t.codec),
  details: t.details ? details(t.details as In<'StreamDetails'>) : null,
});

/** A float of the wire has seven digits, and is stored with them. Null: not measured. */
const figure = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(7)) : null);

const share = (what: string, value: number): number | null =>
  value < 0 || value > 1 ? refuse(`${what} is no share: ${value}`) : figure(value);

const oneOf = <T extends string>(words: readonly T[], word: string): T | null => {
  const known = words.find((w) => w === word) ?? null;
  return known === null && word !== '' ? refuse(`unknown word ${word.slice(0, 40)}`) : known;
};

const DIGITS = 32;
/** ECMA-262, 21.4.1.1. */
const LAST_DATE_MS = 8.64e15;
const MAX_DSCP = 63;
const MAX_NAME = 40;
const name = (text: string): string => (/^[\w.-]*$/.test(text) ? text.slice(0, MAX_NAME) : refuse('no name'));
const orNull = (text: string): string | null => name(text) || null;

/** The message, where it is there. */
const given = <T extends object, R>(message: T | null | undefined, read: (message: T) => R): R | null =>
  message ? read(message) : null;

function details(d: In<'StreamDetails'>): StreamDetails {
  const { fixed, adaptive } = d as { fixed?: In<'Playout'> | null; adaptive?: In<'Playout'> | null };
  if ((d.dscp ?? 0) > MAX_DSCP) refuse(`no DSCP: ${d.dscp}`);
  return {
    emodelVariant: orNull(d.emodelVariant),
    delaySource: oneOf(DELAY_SOURCES, d.delaySource),
    clockDriftPpm: figure(d.clockDriftPpm),
    send: {
      remoteLossFraction: share('remote_loss_fraction', d.remoteLossFraction),
      remoteXr: given(d.remoteXr as In<'RemoteVoipMetrics'> | null, remoteXr),
    },
    receive: {
      mosLq: figure(d.mosLq),
      longestGapMs: figure(d.longestGapMs),
      restarts: d.restarts,
      reorderExtentMax: d.reorderExtentMax,
      unexpectedPayloadTypes: d.unexpectedPayloadTypes,
      receiveDrops: d.receiveDrops,
      talkspurts: d.talkspurts,
      comfortNoisePackets: d.comfortNoisePackets,
      eventPackets: d.eventPackets,
      delayVariation: given(d.delayVariation as In<'DelayVariation'> | null, (v) => ({
        p50Ms: figure(v.p50Ms),
        p95Ms: figure(v.p95Ms),
        p99Ms: figure(v.p99Ms),
        maxMs: figure(v.maxMs),
      })),
      bursts: given(d.bursts as In<'Bursts'> | null, (b) => ({
        bursts: b.bursts,
        burstDensity: share('burst_density', b.burstDensity),
        gapDensity: share('gap_density', b.gapDensity),
        burstMs: figure(b.burstMs),
        gapMs: figure(b.gapMs),
      })),
      playout: fixed && adaptive ? { fixed: playout(fixed), adaptive: playout(adaptive) } : null,
    },
    audio: given(d.sound as In<'Sound'> | null, (s) => ({
      frames: s.frames,
      levelDbov: figure(s.levelDbov),
      silentShare: share('silent_share', s.silentShare),
      clippedShare: share('clipped_share', s.clippedShare),
    })),
    oneWayAudio: oneOf(ONE_WAY_AUDIO, d.oneWayAudio),
    absence: given(d.absence as In<'Absence'> | null, absence),
    unreachable: d.unreachable,
    digits:
      d.digitsSent || d.digitsReceived
        ? { sent: d.digitsSent.slice(0, DIGITS), received: d.digitsReceived.slice(0, DIGITS) }
        : null,
    security: given(d.security as In<'Security'> | null, (s) => ({
      state: name(s.state),
      suite: orNull(s.suite),
      handshakeMs: figure(s.handshakeMs),
      authFailed: s.authFailed,
      replayed: s.replayed,
      early: s.early,
    })),
    video: given(d.video as In<'Video'> | null, video),
    dscp: d.dscp ?? null,
    impairment: given(d.injected as In<'Injected'> | null, injected),
    nat: d.followed + d.foreign > 0 ? { followed: d.followed, foreign: d.foreign } : null,
  };
}

const absence = (a: In<'Absence'>) => ({
  awaitedMs: time('awaited_ms', a.awaitedMs),
  absentMs: time('absent_ms', a.absentMs),
  headMs: time('head_ms', a.headMs),
  gaps: a.gaps,
  longestGapMs: figure(a.longestGapMs),
  longestGapAt:
    a.longestGapUnixMs > 0 && a.longestGapUnixMs <= LAST_DATE_MS ? new Date(a.longestGapUnixMs).toISOString() : null,
  tailMs: time('tail_ms', a.tailMs),
});

/** Milliseconds, to a thousandth. */
const time = (what: string, ms: number): number =>
  Number.isFinite(ms) && ms >= 0 ? Math.round(ms * 1000) / 1000 : refuse(`${what} is no time: ${ms}`);

const playout = (p: In<'Playout'>) => ({
  discarded: p.discarded,
  plcEvents: p.plcEvents,
  plcMs: figure(p.plcMs),
  plcMaxMs: figure(p.plcMaxMs),
  bufferMs: figure(p.bufferMs),
  mos: figure(p.mos),
});

const remoteXr = (x: In<'RemoteVoipMetrics'>) => ({
  lossFraction: share('loss_fraction', x.lossFraction),
  discardFraction: share('discard_fraction', x.discardFraction),
  burstDensity: share('burst_density', x.burstDensity),
  gapDensity: share('gap_density', x.gapDensity),
  burstMs: figure(x.burstMs),
  gapMs: figure(x.gapMs),
  endSystemMs: figure(x.endSystemMs),
  rFactor: figure(x.rFactor),
  mosLq: figure(x.mosLq),
  mosCq: figure(x.mosCq),
});

const injected = (i: In<'Injected'>) => ({
  offered: i.offered,
  disturbed: i.disturbed,
  passed: i.passed,
  lost: i.lost,
  lossRuns: i.lossRuns,
  duplicated: i.duplicated,
  reordered: i.reordered,
  late: i.late,
  overflowed: i.overflowed,
  jitterBeforeMs: figure(i.jitterBeforeMs),
  jitterAfterMs: figure(i.jitterAfterMs),
});

const video = (v: In<'Video'>) => ({
  framesSent: v.framesSent,
  keyframesSent: v.keyframesSent,
  packetsResent: v.packetsResent,
  framesReceived: v.framesReceived,
  keyframesReceived: v.keyframesReceived,
  framesLost: v.framesLost,
  framesDropped: v.framesDropped,
  framesPerSecond: figure(v.framesPerSecond),
  freezes: v.freezes,
  freezeMs: figure(v.freezeMs),
  recoveredPackets: v.recoveredPackets,
  nacksSent: v.nacksSent,
  nacksReceived: v.nacksReceived,
  plisSent: v.plisSent,
  plisReceived: v.plisReceived,
  firsSent: v.firsSent,
  firsReceived: v.firsReceived,
});
