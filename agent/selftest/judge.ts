/** Compares the figures of streams with the injected impairment, and with the expectation from its setting. */

import { G711 } from '@carillon/media/codec/impairments.ts';
import { expectedFigures, type Interval, ONE_IN_10_000 } from '@carillon/media/impairment/expected.ts';
import { burstRatio, trustedBurstRatio } from '@carillon/media/quality/burst-ratio.ts';
import { listeningR, mosOf } from '@carillon/media/quality/rating.ts';
import type { StreamRecord } from '../rtp/figures/stream-record.ts';
import type { Trial } from './impairments.ts';

export type TrialFigureName =
  | 'loss %'
  | 'burst ratio'
  | 'jitter ms'
  | 'late %'
  | 'doubled %'
  | 'reordered %'
  | 'MOS-LQ'
  | 'round trip ms'
  | 'loss % of the other direction';

export type TrialFigure = {
  readonly figure: TrialFigureName;
  /** The value by the impairment's own count. */
  readonly injected: number;
  readonly reported: number;
  /** The interval expected from the setting; null: not computed. */
  readonly interval: Interval | null;
  readonly verdict: 'inside' | 'outside' | 'not what was injected';
};

export type Reported = {
  /** The records of the impaired direction, by the end that counts it. */
  readonly impaired: readonly StreamRecord[];
  /** The records of the other end. */
  readonly other: readonly StreamRecord[];
  readonly stamps: 'kernel' | 'user';
};

/** Reports have units of 1/65536 s; a delay between clock and wire adds to the round trip. */
const RTT_LOW_MS = 0.05;
const RTT_HIGH_MS = 3;
/** Without kernel times the round trip includes the event loop's lateness, with dgram twice. */
const RTT_NOISE = 8;
/** The tolerance between two computations of the same jitter. */
const JITTER_TOLERANCE_MS = 0.001;
/** The limit of lateness lies where delays are dense: rounding decides about a packet now and then. */
const LATE_TOLERANCE = 0.005;
const MOS_TOLERANCE = 0.01;

const PACKET_MS = 20;
const codec = G711;

const total = (records: readonly StreamRecord[], of: (record: StreamRecord) => number): number =>
  records.reduce((sum, record) => sum + of(record), 0);
const percent = (count: number, of: number): number => (of > 0 ? (100 * count) / of : Number.NaN);
const meanOf = (records: readonly StreamRecord[], of: (record: StreamRecord) => number): number =>
  total(records, of) / records.length;
const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const injectedOf = (record: StreamRecord) => record.injected!;

/** All figures of one trial. `drops` are datagrams lost by the host itself. */
export function judge(
  { impairment, bothWays }: Trial,
  { impaired, other, stamps }: Reported,
  drops: number,
): TrialFigure[] {
  const offered = total(impaired, (r) => injectedOf(r).offered);
  const noiseMs = meanOf(impaired, (r) => injectedOf(r).jitterBeforeMs);
  const skipped = total(other, (r) => r.sendsSkipped);
  const expected = expectedFigures(impairment, {
    streams: impaired.length,
    packets: offered / impaired.length,
    packetMs: PACKET_MS,
    noiseMs,
    disturbedPercent: (100 * total(impaired, (r) => injectedOf(r).disturbed)) / offered,
    skippedPercent: percent(skipped, skipped + total(other, (r) => r.packetsSent)),
    codec,
    deviations: ONE_IN_10_000,
  });
  const passed = total(impaired, (r) => injectedOf(r).passed);
  const known = passed + total(impaired, (r) => injectedOf(r).lost);
  const lost = total(impaired, (r) => injectedOf(r).lost);
  const late = total(impaired, (r) => injectedOf(r).late);
  const unique = total(impaired, (r) => r.packetsReceived - r.duplicates);
  const numbers = total(impaired, (r) => r.expected);
  const noise = (100 * drops) / Math.max(1, offered);

  const figures: TrialFigure[] = [
    figure(
      'loss %',
      percent(lost, known),
      percent(
        total(impaired, (r) => r.lost),
        numbers,
      ),
      expected.lossPercent,
      noise,
    ),
    figure(
      'jitter ms',
      meanOf(impaired, (r) => injectedOf(r).jitterAfterMs),
      meanOf(impaired, (r) => r.jitterMeanMs),
      expected.jitterMs,
      JITTER_TOLERANCE_MS,
    ),
    figure(
      'late %',
      percent(late, known),
      percent(
        total(impaired, (r) => r.lateDiscarded),
        numbers,
      ),
      expected.latePercent,
      percent(late, known) * LATE_TOLERANCE,
    ),
    figure(
      'doubled %',
      percent(
        total(impaired, (r) => injectedOf(r).duplicated),
        passed,
      ),
      percent(
        total(impaired, (r) => r.duplicates),
        unique,
      ),
      expected.duplicatePercent,
      noise,
    ),
    figure(
      'reordered %',
      percent(
        total(impaired, (r) => injectedOf(r).reordered),
        passed,
      ),
      percent(
        total(impaired, (r) => r.reordered),
        unique,
      ),
      expected.reorderedPercent,
      noise,
    ),
    figure(
      'MOS-LQ',
      meanOf(impaired, mosOfInjected),
      meanOf(impaired, (r) => r.mosLq),
      expected.mosLq,
      MOS_TOLERANCE + noise,
    ),
  ];
  if (lost > 0) {
    const heardRuns = total(impaired, (r) => r.plcEvents);
    const runs = late === 0 ? total(impaired, (r) => injectedOf(r).lossRuns) : heardRuns;
    const injected = burstRatio(lost + late, runs, known);
    const missing = total(impaired, (r) => r.lost + r.lateDiscarded);
    const reported = burstRatio(missing, heardRuns, numbers);
    figures.splice(1, 0, figure('burst ratio', injected, reported, expected.burstRatio, noise + LATE_TOLERANCE));
  }
  if (bothWays) {
    const rtts = other.filter((r) => r.rttCount > 0).map((r) => r.rttMeanMs);
    const nominal = impairment.delayMs;
    const above = RTT_HIGH_MS + (stamps === 'user' ? RTT_NOISE * noiseMs : 0);
    const interval = { nominal, low: nominal - RTT_LOW_MS, high: nominal + above };
    figures.push(figure('round trip ms', nominal, medianOf(rtts), interval, above));
    const clean = { nominal: 0, low: 0, high: noise };
    figures.push(
      figure(
        'loss % of the other direction',
        0,
        percent(
          total(other, (r) => r.lost),
          total(other, (r) => r.expected),
        ),
        clean,
        noise,
      ),
    );
  }
  return figures;
}

/** MOS-LQ of one stream, from the impairment's counts. */
function mosOfInjected(record: StreamRecord): number {
  const { passed, lost, lossRuns, late } = injectedOf(record);
  const expected = passed + lost;
  // The impairment does not know which late packets were adjacent: the receiver's runs are used if it has any.
  const runs = late === 0 ? lossRuns : record.plcEvents;
  const counts = { expected, lost, lateDiscarded: late, burstRatio: trustedBurstRatio(lost + late, runs, expected) };
  return mosOf(codec, listeningR(codec, counts));
}

function figure(
  name: TrialFigureName,
  injected: number,
  reported: number,
  interval: Interval | null,
  tolerance: number,
): TrialFigure {
  const rounding = 1e-9;
  const isInjected = Math.abs(reported - injected) <= tolerance + rounding;
  const isInside = interval === null || (reported >= interval.low - rounding && reported <= interval.high + rounding);
  const verdict = !isInside ? 'outside' : isInjected ? 'inside' : 'not what was injected';
  return { figure: name, injected, reported, interval, verdict };
}
