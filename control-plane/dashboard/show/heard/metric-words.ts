/** The sentence about each metric, for its selection. Pure. */
import { type LimitedKey, SPREADS } from '@carillon/proto/figures/call-figures.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';

const TIMED = Object.fromEntries(SPREADS.flatMap(({ key, limits }) => (limits ? [[key, limits.says]] : []))) as Record<
  LimitedKey,
  string
>;

export const METRIC_WORDS: Readonly<Record<MetricKey, string>> = {
  avgMos: 'Mean of the MOS of all received streams (ITU-T G.107)',
  minMos: 'MOS of the worst received stream',
  avgRFactor: 'Mean of the R factors of all received streams',
  minRFactor: 'R factor of the worst received stream',
  avgJitter: 'Mean of the jitter of all received streams (RFC 3550)',
  maxJitter: 'Highest jitter of any received stream',
  avgPacketLossFraction: 'Packets whose sequence numbers never came, as a share of all that were sent',
  avgRtt: 'Mean RTCP round-trip time',
  maxRtt: 'Longest RTCP round-trip time',
  asr: 'Answered calls as a share of all calls: signalling only (ITU-T E.411)',
  ner: 'Like ASR, but busy and no answer count as success of the network',
  successShare: 'Calls that were answered, heard and not ended early, as a share of all calls',
  heardShare:
    'Calls in which both ends were heard for the whole call, as a share of answered calls with audio in which the far end reported',
  mediaShare: 'Time in which audio was received, as a share of the time in which it was expected',
  callDropRate: 'Answered calls that ended early, not by the endpoint',
  ...TIMED,
};

/** Available metrics, without the ones in use. */
export const metricChoices = (taken: readonly MetricKey[]): { value: MetricKey; label: string }[] =>
  (Object.keys(METRIC_KEYS) as MetricKey[])
    .filter((key) => !taken.includes(key))
    .map((value) => ({ value, label: METRIC_KEYS[value].displayName }));

/** `In ms; lower is better` */
export const metricUnit = (key: MetricKey): string => {
  const { unit, higherIsBetter } = METRIC_KEYS[key];
  const better = `${higherIsBetter ? 'higher' : 'lower'} is better`;
  if (unit === 'MOS' || unit === 'R') return better.charAt(0).toUpperCase() + better.slice(1);
  return unit === 'fraction' ? `From 0 to 1; ${better}` : `In ${unit}; ${better}`;
};
