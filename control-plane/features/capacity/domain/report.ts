/** The result of a search, in a sentence, and in the form of RFC 7502, 5. Pure. */

import { longestRinging } from '../../../contract/test-settings/longest.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import type { Rfc7502Report, SearchSettings } from '../contract/capacity.ts';
import type { Answer } from './search.ts';

const UNITS = { CALLS_PER_SECOND: 'calls/s', CALLS_AT_ONCE: 'calls at once' } as const;

export function answerSentence(
  { objective, most, least, method }: SearchSettings,
  { level, from, to, found }: Answer,
): string {
  const unit = UNITS[objective];
  const interval = from !== null && to !== null ? `; the ceiling lies between ${from} and ${to}` : '';
  if (found === 'CEILING')
    return method === 'RFC7502_STRICT'
      ? `R is ${level} sessions/s, by the steps of RFC 7502.`
      : `${level} ${unit}, ceiling found${interval}.`;
  if (level === null)
    return found === 'GENERATOR_LIMIT'
      ? 'The generator could not produce any of the levels, so the capacity of the system is unknown.'
      : found === 'UNSETTLED'
        ? 'No level passed within the maximum number of trials.'
        : `Not even ${least} ${unit} kept the SLOs.`;
  if (found === 'GENERATOR_LIMIT') return `At least ${level} ${unit}: the limit of the generator, not of the system.`;
  if (found === 'UPPER_BOUND') return `At least ${level} ${unit}: higher levels were not tried (upper bound ${most}).`;
  return `At least ${level} ${unit}: the maximum number of trials was reached before the ceiling was found${interval}.`;
}

type Tried = { readonly level: number; readonly planned: number };
type TransportUsed = { readonly protocol: string; readonly cipher: string | null };

/** `way`: how the test's registrar is reached. */
export function rfc7502Report(
  config: TestConfig,
  callSeconds: number,
  tried: readonly Tried[],
  rate: number | null,
  way: TransportUsed,
): Rfc7502Report {
  const [group] = config.groups;
  const streams = group?.mediaTracks.length ?? 0;
  const isSecure = way.protocol === 'TLS' || way.protocol === 'WSS';
  const testSetup = {
    sipTransportProtocol: way.protocol,
    sessionAttemptRate: tried.at(-1)?.level ?? 0,
    sessionDurationSeconds: callSeconds,
    totalSessionsAttempted: tried.reduce((sum, { planned }) => sum + planned, 0),
    mediaStreamsPerSession: streams,
    associatedMediaProtocol: streams === 0 ? 'none' : group?.encryption === 'NONE' ? 'RTP' : 'SRTP',
    codec: streams === 0 ? 'none' : [...(group?.audioCodecs ?? []), ...(group?.videoCodecs ?? [])].join(', '),
    mediaPacketSizeMs: streams === 0 ? null : (group?.packetMs ?? 20),
    establishmentThresholdTimeSeconds: longestRinging(config),
    tlsCiphersuiteUsed: isSecure ? (way.cipher ?? 'as negotiated') : 'none',
    ipsecProfileUsed: 'none',
  };
  const benchmarks = { sessionEstablishmentRate: rate, isDutActingAsMediaRelay: null };
  return { testSetup, benchmarks, form: formOf(testSetup, rate) };
}

function formOf(s: Rfc7502Report['testSetup'], rate: number | null): string {
  const size = s.mediaPacketSizeMs === null ? 'none' : `${s.mediaPacketSizeMs} ms`;
  const rows: readonly (readonly [string, string])[] = [
    ['SIP Transport Protocol', s.sipTransportProtocol],
    ['Session Attempt Rate', `${s.sessionAttemptRate} session attempts/sec`],
    ['Session Duration', `${s.sessionDurationSeconds} s`],
    ['Total Sessions Attempted', `${s.totalSessionsAttempted} sessions`],
    ['Media Streams per Session', `${s.mediaStreamsPerSession} streams/session`],
    ['Associated Media Protocol', s.associatedMediaProtocol],
    ['Codec', s.codec],
    ['Media Packet Size', size],
    ['Establishment Threshold Time', `${s.establishmentThresholdTimeSeconds} s`],
    ['TLS ciphersuite used', s.tlsCiphersuiteUsed],
    ['IPsec profile used', s.ipsecProfileUsed],
  ];
  const lines = (all: readonly (readonly [string, string])[]) =>
    all.map(([name, value]) => `  ${name} = ${value}`).join('\n');
  return [
    'Test Setup Report (RFC 7502, 5.1)',
    lines(rows),
    'Device Benchmarks for session setup (RFC 7502, 5.2)',
    lines([
      ['Session Establishment Rate', rate === null ? 'not found' : `${rate} sessions/sec`],
      ['Is DUT acting as a media relay (yes/no)', 'not visible to a client'],
    ]),
    '',
  ].join('\n');
}
