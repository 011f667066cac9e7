/** What a run sends, to whom, and what the hosts' owners allow: known before it starts. Pure. */
import { mostAtOnce } from '@carillon/proto/at-once.ts';
import type { BlastRadius } from '../../../contract/test/preflight.ts';
import type { Group, TestConfig } from '../../../contract/test/test.ts';
import { isOneRequest } from '../group/scenario.ts';
import { isLasting, testCallers } from '../load/callers.ts';
import { instants, instantsOf, loadOrder, mostCalls } from '../load/load.ts';
import type { RegistrarPlan } from '../plan/plan.ts';

/** Payload of 20 ms, in bytes; Opus as the agents send it. */
const PAYLOAD_BYTES: Readonly<Record<string, number>> = { PCMU: 160, PCMA: 160, G722: 160, OPUS: 80 };
/** RTP, UDP, IPv4 and Ethernet around each packet. */
const HEADER_BYTES = 12 + 8 + 20 + 18;
const PACKETS_PER_SECOND = 50;
const MOST_DESTINATIONS = 20;

type Times = { readonly buildupSeconds: number; readonly durationSeconds: number };
type Policy = {
  readonly maxCallsPerSecond: number;
  readonly maxDurationSeconds: number;
  readonly maxMinutesADay?: number | null;
};
type Surroundings = {
  readonly registrars: ReadonlyMap<string, RegistrarPlan>;
  /** SIP accounts that the run takes. */
  readonly sipAccounts: number;
  readonly policies: readonly Policy[];
};

export function blastRadius(config: TestConfig, times: Times, around: Surroundings): BlastRadius {
  const { groups } = config;
  const { durationSeconds } = times;
  const calls = mostCalls(config.load, testCallers(config));
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
    destinations: destinations.slice(0, MOST_DESTINATIONS),
    moreDestinations: Math.max(0, destinations.length - MOST_DESTINATIONS),
    allowed: allowedBy(around.policies),
  };
}

/** In one second, starting anywhere; and at the same time. */
export function busiest(config: TestConfig, { buildupSeconds, durationSeconds }: Times) {
  const callers = testCallers(config);
  const { load } = config;
  const lasting = load.shape !== 'BUILDUP' && isLasting(config) ? loadOrder(load, callers) : null;
  if (lasting?.shape === 'HOLD') {
    const callsPerSecond = Math.ceil(Math.max(...lasting.steps.map((step) => step.callsPerSecond)));
    return { callsPerSecond, callsAtOnce: callers.endpoints };
  }
  const starts = lasting ? instantsOf(lasting) : instants(load, callers.endpoints, buildupSeconds);
  return {
    callsPerSecond: mostInASecond(starts),
    callsAtOnce: Math.min(callers.endpoints, mostAtOnce(starts, durationSeconds * 1000)),
  };
}

/** In any second, starting anywhere. `atMs` ascends. */
export const mostInASecond = (atMs: readonly number[]): number => mostAtOnce(atMs, 1000);

/** Of the dearest codec that a group offers first. */
const bitsPerSecond = (groups: readonly Group[]): number =>
  (Math.max(0, ...groups.map(({ audioCodecs: [first] }) => PAYLOAD_BYTES[first ?? ''] ?? 160)) + HEADER_BYTES) *
  8 *
  PACKETS_PER_SECOND;

/** Of a call at every end that is an endpoint of the test: RTP and RTCP of each track. */
function portsOf(groups: readonly Group[]): number {
  const calling = groups.filter(({ callee }) => callee.mode !== 'RECEIVE');
  const ofGroup = ({ mediaTracks, rtcpMux }: Group) => mediaTracks.length * (rtcpMux ? 1 : 2);
  const bothEnds = calling.some(({ callee }) => callee.mode === 'GROUP') ? 2 : 1;
  return Math.max(0, ...calling.map(ofGroup)) * bothEnds;
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
