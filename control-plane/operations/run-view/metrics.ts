/** Quality over time: series of a run or of one endpoint at a suitable resolution (docs/decisions.md, Time series). */
import type { Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import type { MosScale } from '../../contract/run/measured-words.ts';
import {
  DEFAULT_POINTS,
  MAX_POINTS,
  RESOLUTION_SECONDS,
  RESOLUTIONS,
  type Resolution,
} from '../../contract/run/metrics.ts';
import { byStreams } from '../../domain/figures/figures.ts';
import type { Tx } from '../../store/db.ts';
import {
  type EndpointSeriesKey,
  type EndpointSeriesRow,
  endpointScales,
  endpointSeries,
  liveScales,
  runSeries,
  type SeriesKey,
  type SeriesRow,
  sampleSpan,
} from '../../store/measured/samples.ts';
import { endpointNumber } from '../../store/run/endpoints.ts';
import { byId, known } from '../request/perform.ts';
import { callSource, type SourceRun } from './call-source.ts';
import { keeping } from './kept-answers.ts';
import { knownRun } from './runs.ts';

type Shown = { displayName: string; unit: string; direction: 'SEND' | 'RECEIVE'; higherIsBetter: boolean };

const SERIES: Readonly<Record<SeriesKey, Shown>> = {
  mos: { displayName: 'MOS', unit: 'MOS', direction: 'RECEIVE', higherIsBetter: true },
  rFactor: { displayName: 'R factor', unit: 'R', direction: 'RECEIVE', higherIsBetter: true },
  jitter: { displayName: 'Jitter', unit: 'ms', direction: 'RECEIVE', higherIsBetter: false },
  packetLossFraction: { displayName: 'Packet loss', unit: 'fraction', direction: 'RECEIVE', higherIsBetter: false },
  absentFraction: { displayName: 'Absent audio', unit: 'fraction', direction: 'RECEIVE', higherIsBetter: false },
  pausedFraction: {
    displayName: 'Paused by the far end',
    unit: 'fraction',
    direction: 'RECEIVE',
    higherIsBetter: false,
  },
  rtt: { displayName: 'Round trip', unit: 'ms', direction: 'SEND', higherIsBetter: false },
  remotePacketLossFraction: {
    displayName: 'Packet loss, as the far end reports',
    unit: 'fraction',
    direction: 'SEND',
    higherIsBetter: false,
  },
  remoteJitter: { displayName: 'Jitter, as the far end reports', unit: 'ms', direction: 'SEND', higherIsBetter: false },
};
/** These series exist for one endpoint only: for many endpoints the values would be counts. */
const ENDPOINT_SERIES: Readonly<Record<EndpointSeriesKey, Shown>> = {
  ...SERIES,
  packetsSentPerSecond: {
    displayName: 'Packets sent a second',
    unit: 'packets/s',
    direction: 'SEND',
    higherIsBetter: true,
  },
  packetsReceivedPerSecond: {
    displayName: 'Packets received a second',
    unit: 'packets/s',
    direction: 'RECEIVE',
    higherIsBetter: true,
  },
};

export const getTestRunMetrics = keeping('getTestRunMetrics', async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, endpoint_id } = input;
  const run = await knownRun(db, input);
  const span = await sampleSpan(db, testRunId);
  const seconds = RESOLUTION_SECONDS[chooseResolution(span, input.resolution)];
  let rows: readonly Readonly<Partial<EndpointSeriesRow> & SeriesRow>[];
  let mosScale: MosScale | null;
  if (endpoint_id === undefined) {
    mosScale = run.mosScale ?? (await scaleOfRun(db, run, run.endedAt !== null));
    rows = await runSeries(db, testRunId, seconds, mosScale);
  } else {
    const found = await byId(endpoint_id, () => endpointNumber(db, testRunId, endpoint_id));
    const number = known('endpoint', endpoint_id, found);
    mosScale = byStreams(await endpointScales(db, testRunId, number))[0]?.scale ?? null;
    rows = await endpointSeries(db, testRunId, number, seconds, mosScale);
  }
  const answer = {
    resolutionSeconds: seconds,
    from: span.from?.toISOString() ?? null,
    to: span.to?.toISOString() ?? null,
    endpointId: endpoint_id ?? null,
    mosScale,
    series: Object.entries(endpoint_id === undefined ? SERIES : ENDPOINT_SERIES).map(([key, shown]) => ({
      metricKey: key,
      ...shown,
      points: points(rows, key as EndpointSeriesKey),
    })),
  };
  return { answer, isFinal: run.isFinal };
});

/** The scale that the run is summed up on, the same as in the summary. */
const scaleOfRun = async (tx: Tx, run: SourceRun, hasEnded: boolean): Promise<MosScale | null> =>
  byStreams(hasEnded ? await callSource(tx, run).scales() : await liveScales(tx, run.id))[0]?.scale ?? null;

type Span = { readonly from: Date | null; readonly to: Date | null };

/** Maximum number of points of a series: buckets start at multiples of the resolution. */
function pointsAt({ from, to }: Span, resolution: Resolution): number {
  if (!from || !to) return 0;
  const bucket = (at: Date) => Math.floor(at.getTime() / 1000 / RESOLUTION_SECONDS[resolution]);
  return bucket(to) - bucket(from) + 1;
}

/** Returns the finest resolution that keeps a series short, or the requested one if it is not too fine. */
export function chooseResolution(span: Span, requested: Resolution | undefined): Resolution {
  const fits = (most: number) => RESOLUTIONS.find((r) => pointsAt(span, r) <= most) ?? '5m';
  if (requested === undefined) return fits(DEFAULT_POINTS - 1);
  if (pointsAt(span, requested) <= MAX_POINTS || requested === '5m') return requested;
  const message = `At ${requested} a series of this run has more than ${MAX_POINTS} points; ask for resolution=${fits(MAX_POINTS)} or coarser.`;
  throw new ApiError('VALIDATION_ERROR', message, [{ path: 'resolution', message }]);
}

type Points = Output<'getTestRunMetrics'>['series'][number]['points'];

const NOTHING = [null, null, null, 0] as const;

/** A bucket without a measurement is left out: a gap is a missing point. */
const points = (rows: readonly Partial<EndpointSeriesRow>[], key: EndpointSeriesKey): Points =>
  rows.flatMap((row) => {
    const [avg, min, max, count] = row[key] ?? NOTHING;
    return avg === null || min === null || max === null
      ? []
      : [[(row.at as Date).toISOString(), avg, min, max, Number(count)]];
  });
