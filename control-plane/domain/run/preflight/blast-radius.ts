/** What a run sends, to which destinations, and what the hosts' owners allow: known before it starts. Pure. */
import { streamBitsPerSecond } from '@carillon/media/codec/audio-codecs.ts';
import { maxAtOnce, maxInASecond } from '@carillon/proto/at-once.ts';
import { callsAtRate, portsOfCall } from '@carillon/proto/load/estimate.ts';
import { fastestOf } from '@carillon/proto/load/load-step.ts';
import { paceOf } from '@carillon/proto/load/shapes/shapes.ts';
import type { BlastRadius } from '../../../contract/test-settings/preflight.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import { isOneRequest } from '../group/scenario.ts';
import { testCallers } from '../load/callers.ts';
import { instants, instantsOf, lastingOrder, MAX_DRAWN, maxCalls } from '../load/load.ts';
import type { RegistrarPlan } from '../plan/plan.ts';

const MAX_DESTINATIONS = 20;

type Times = { readonly buildupSeconds: number; readonly durationSeconds: number };
type Policy = {
  readonly maxCallsPerSecond: number;
  readonly maxDurationSeconds: number;
  readonly maxMinutesADay?: number | null;
};
type Surroundings = {
  readonly registrars: ReadonlyMap<string, RegistrarPlan>;
  readonly sipAccounts: number;
  readonly policies: readonly Policy[];
};

export function blastRadius(config: TestConfig, times: Times, around: Surroundings): BlastRadius {
  const { groups } = config;
  const { durationSeconds } = times;
  const calls = maxCalls(config.load, testCallers(config));
  const { callsPerSecond, callsAtOnce } = busiest(config, times);
  const sends = groups.some((g) => g.mediaTracks.length > 0) && !groups.every(isOneRequest);
  const destinations = [...new Set(groups.flatMap((group) => destinationsOf(group, around.registrars)))];
  return {
    calls,
    callsPerSecond,
    callsAtOnce,
    callMinutes: Math.ceil((calls * durationSeconds) / 60),
    audioBitsPerSecond: sends ? callsAtOnce * bitsPerSecond(groups) : 0,
    mediaPorts: sends ? callsAtOnce * portsOf(groups) : 0,
    sipAccounts: around.sipAccounts,
    destinations: destinations.slice(0, MAX_DESTINATIONS),
    moreDestinations: Math.max(0, destinations.length - MAX_DESTINATIONS),
    allowed: allowedBy(around.policies),
  };
}

/** The most calls in any second, and at the same time. */
export function busiest(config: TestConfig, { buildupSeconds, durationSeconds }: Times) {
  const callers = testCallers(config);
  const lasting = lastingOrder(config);
  if (lasting && paceOf(lasting.shape).waits)
    return { callsPerSecond: Math.ceil(fastestOf(lasting.steps)), callsAtOnce: callers.endpoints };
  if (lasting && !paceOf(lasting.shape).isRandom && maxCalls(config.load, callers) > MAX_DRAWN) {
    const callsPerSecond = Math.ceil(fastestOf(lasting.steps));
    return { callsPerSecond, callsAtOnce: Math.min(callers.endpoints, callsAtRate(callsPerSecond, durationSeconds)) };
  }
  const starts = lasting ? instantsOf(lasting) : instants(config.load, callers.endpoints, buildupSeconds);
  return {
    callsPerSecond: maxInASecond(starts),
    callsAtOnce: Math.min(callers.endpoints, maxAtOnce(starts, durationSeconds * 1000)),
  };
}

/** The bit rate of the most expensive codec that a group offers first. */
const bitsPerSecond = (groups: readonly Group[]): number =>
  Math.max(0, ...groups.map(({ audioCodecs: [first = ''] }) => streamBitsPerSecond(first)));

function portsOf(groups: readonly Group[]): number {
  const calling = groups.filter(({ callee }) => callee.mode !== 'RECEIVE');
  const hasBothEnds = calling.some(({ callee }) => callee.mode === 'GROUP');
  return Math.max(
    0,
    ...calling.map(({ mediaTracks, rtcpMux }) => portsOfCall({ tracks: mediaTracks.length, rtcpMux, hasBothEnds })),
  );
}

function destinationsOf({ callee, registrarId }: Group, registrars: Surroundings['registrars']): string[] {
  const registrar = registrars.get(registrarId);
  return [
    ...(callee.mode === 'EXTERNAL_URI' ? [callee.uri, ...(callee.uris ?? [])] : []),
    ...(registrar && !registrar.isCloud ? [registrar.outboundProxyUri ?? registrar.uri] : []),
  ];
}

function allowedBy(policies: readonly Policy[]): BlastRadius['allowed'] {
  if (policies.length === 0) return null;
  const minutes = policies.flatMap(({ maxMinutesADay }) => maxMinutesADay ?? []);
  return {
    callsPerSecond: policies.reduce((sum, { maxCallsPerSecond }) => sum + maxCallsPerSecond, 0),
    durationSeconds: Math.min(...policies.map(({ maxDurationSeconds }) => maxDurationSeconds)),
    minutesADay: minutes.length > 0 ? Math.min(...minutes) : null,
  };
}
