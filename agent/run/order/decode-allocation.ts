/** Decodes an allocation from the wire to plain data, and checks it. The reason for a refusal is named. */
import { isIP } from 'node:net';
import type { wire } from '@carillon/proto';
import { wire as words } from '@carillon/proto';
import { maxAtOnce } from '@carillon/proto/at-once.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { DayMinutes } from '../../policy/minutes.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MediaAbilities } from '../../rtp/abilities.ts';
import type { TracedStreams } from '../../rtp/media-engine.ts';
import type { SipTransport } from '../../sip/engine.ts';
import { DEFAULT_PORTS } from '../../sip/locate/transport-choice.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import { type CarriedCalls, callsOf, checkPolicy, hardEndMs, longestCallMs } from '../limits/check-policy.ts';
import {
  CALLER_FIRST_MS,
  type EndpointAccount,
  type EndpointPlan,
  type GroupPlan,
  type KeepingPlan,
  type SharePlan,
} from '../plan.ts';
import { decodeGroup } from './decode-group.ts';
import { decodeLoad, decodeReceives } from './decode-load.ts';
import { decodeBreaker } from './decode-scenario.ts';

type Allocation = wire.agent.v1.Allocation;
type Endpoints = NonNullable<Allocation['endpoints']>;

export type Limits = {
  readonly policy: Policy;
  readonly minutes?: Pick<DayMinutes, 'obstacle'>;
  readonly mayReach: (address: string) => boolean;
  /** Endpoints and streams that still fit. */
  readonly room: number;
  readonly streamRoom: number;
  readonly abilities: MediaAbilities;
  /** Future calls of other open allocations. */
  readonly carried: readonly CarriedCalls[];
};
/** Limits that do not depend on other allocations. */
export type HostLimits = Omit<Limits, 'carried'>;

/**
 * The number of endpoints that are at work at the same time: as ordered, but at least as many as have calls at once by
 * the timetable.
 */
export function atOnceOf(allocation: Allocation): number {
  const size = allocation.endpoints?.number?.length ?? 0;
  if (allocation.atOnce === 0) return size;
  return Math.min(size, Math.max(allocation.atOnce, maxAtOnce(callsOf(allocation), allocation.callDurationMs)));
}

/**
 * The rows of media memory, and socket pairs, that the allocation needs: video beside audio is a separate stream;
 * without calls or media there are no streams.
 */
export const streamsOf = (allocation: Allocation): number => {
  const { group } = allocation;
  const isSilent = (group?.mode && group.mode !== 'CALL') || group?.withoutMedia;
  return isSilent ? 0 : atOnceOf(allocation) * (group?.videoCodecs?.length ? 2 : 1);
};

/**
 * The allocation's shares, one for each listener with some of its endpoints.
 * @throws AllocationRefused
 */
export async function decodeAllocation(
  allocation: Allocation,
  owner: number,
  listeners: number,
  limits: Limits,
): Promise<Map<number, SharePlan>> {
  if (!allocation.group) throw malformed('the allocation has no group');
  const group = withGateways(decodeGroup(allocation.group, limits.abilities), allocation.group.gateways ?? [], limits);
  const e = allocation.endpoints;
  const size = e?.number?.length ?? 0;
  const columns = [
    e?.listener,
    e?.registerAtMs,
    e?.callAtMs,
    e?.user,
    e?.accountUser,
    e?.accountPassword,
    e?.targetUri,
  ];
  const optional = [e?.accountAuthName, e?.accountHa1, ...(e?.columns ?? []).map(({ value }) => value)];
  if (
    !e ||
    size === 0 ||
    columns.some((c) => c?.length !== size) ||
    optional.some((c) => c?.length && c.length !== size)
  )
    throw malformed('the endpoint columns differ in length');
  const atOnce = atOnceOf(allocation);
  if (atOnce > limits.room)
    throw new AllocationRefused('CAPACITY', `${atOnce} endpoints at once, but room for ${limits.room}`);
  const streams = streamsOf(allocation);
  if (streams > limits.streamRoom) {
    const message = `${streams} streams of ${atOnce} endpoints at once, but room for ${limits.streamRoom}`;
    throw new AllocationRefused('CAPACITY', message);
  }
  checkPolicy(allocation, limits.policy, limits.carried, limits.minutes);
  const hop = allocation.group?.nextHop ? groupHop(allocation.group.nextHop, group, limits) : null;
  const shares = new Map<number, EndpointPlan[]>();
  for (let i = 0; i < size; i++) {
    const listener = e.listener?.[i] ?? 0;
    if (listener >= listeners) throw malformed(`listener ${listener} of ${listeners}`);
    const targetUri = e.targetUri?.[i] ?? '';
    const plan: EndpointPlan = {
      number: e.number?.[i] ?? 0,
      registerAtMs: e.registerAtMs?.[i] ?? 0,
      callAtMs: e.callAtMs?.[i] ?? 0,
      user: e.user?.[i] ?? '',
      account: accountOf(e, i),
      values: valuesOf(e, i),
      targetUri,
      ...(hop ?? targetHop(targetUri, limits)),
    };
    const known = shares.get(listener);
    if (known) known.push(plan);
    else shares.set(listener, [plan]);
  }
  const receives = decodeReceives(allocation);
  const loads = decodeLoad(
    allocation,
    [...shares.values()].map((endpoints) => endpoints.length),
  );
  return new Map(
    [...shares].map(([listener, endpoints], i) => [
      listener,
      { ...sharePlan(allocation, owner, group, endpoints, limits.policy), load: loads?.[i] ?? null, receives },
    ]),
  );
}

function accountOf(e: Endpoints, i: number): EndpointAccount | null {
  const username = e.accountUser?.[i] ?? '';
  if (username === '') return null;
  const [password, ha1] = [e.accountPassword?.[i] ?? '', e.accountHa1?.[i] ?? ''];
  if (password === '' && ha1 === '') return { username, credentials: null };
  const credentials = { username: e.accountAuthName?.[i] || username, password: new Secret(password) };
  return { username, credentials: ha1 === '' ? credentials : { ...credentials, ha1: new Secret(ha1) } };
}

const NO_VALUES: EndpointPlan['values'] = {};

const valuesOf = ({ columns }: Endpoints, i: number): EndpointPlan['values'] =>
  columns?.length ? Object.fromEntries(columns.map(({ name, value }) => [name ?? '', value?.[i] ?? ''])) : NO_VALUES;

const malformed = (what: string) => new AllocationRefused('MALFORMED', `the allocation cannot be read: ${what}`);

function sharePlan(
  a: Allocation,
  owner: number,
  group: GroupPlan,
  endpoints: EndpointPlan[],
  policy: Policy,
): Omit<SharePlan, 'load' | 'receives'> {
  return {
    owner,
    run: Buffer.from(a.runId).toString('hex'),
    role: a.role === words.agent.v1.Role.CALLER ? 'CALLER' : 'CALLEE',
    group,
    endpoints,
    callDurationMs: a.callDurationMs,
    answerTimeoutMs: a.answerTimeoutMs,
    receiveWindowMs: a.receiveWindowMs,
    hardEndMs: hardEndMs(a, policy),
    longestCallMs: Math.min(longestCallMs(policy) + CALLER_FIRST_MS, a.calleeEndsAfterMs || Number.POSITIVE_INFINITY),
    keepMessages: a.keepMessages && policy.mayKeep.messages,
    keepBodies: policy.mayKeep.bodies,
    traced: policy.mayKeep.rtpHeaders ? tracedStreams(a.rtpTrace) : null,
    breaker: decodeBreaker(a.breaker),
    keeping: decodeKeeping(a.keeping),
  };
}

/** If `oneIn` is 0, there is no sample, and every call keeps its detail. */
const decodeKeeping = (keeping: Allocation['keeping']): KeepingPlan | null =>
  keeping?.oneIn ? { oneIn: keeping.oneIn, seed: keeping.seed ?? 0, ofCluster: keeping.ofCluster ?? 0 } : null;

/** The host's limit for header traces, whatever is requested. */
const MAX_TRACED = { endpoints: 100, packets: 15_000 };

function tracedStreams(trace: Allocation['rtpTrace']): TracedStreams | null {
  const [endpoints, packets] = [trace?.endpoint ?? [], trace?.packets ?? 0];
  if (endpoints.length === 0 || packets === 0) return null;
  if (endpoints.length > MAX_TRACED.endpoints || packets > MAX_TRACED.packets) {
    const message = `headers of ${packets} packets of ${endpoints.length} endpoints: more than an agent keeps`;
    throw new AllocationRefused('CAPACITY', message);
  }
  return { endpoints, packets };
}

type Hop = Pick<EndpointPlan, 'nextHop' | 'nextHopUri' | 'isDirect'>;

/**
 * Numeric hosts are fixed here, names are resolved at the call: with the group's transport or, for AUTO, the choice of
 * DNS.
 */
function groupHop(hostPort: string, { protocol, routeSet }: GroupPlan, limits: Limits): Hop {
  const { host, port } = hostAndPort(hostPort);
  if (isIP(host) !== 0) return numeric(host, port, protocol === 'AUTO' ? 'UDP' : protocol, limits);
  if (protocol !== 'AUTO') return named(`sip:${hostPort};transport=${protocol.toLowerCase()}`);
  // An outbound proxy is in the route set with its complete URI.
  return named(routeSet.length > 0 ? null : `sip:${hostPort}`);
}

/** The hop of a call that goes straight to its target. */
function targetHop(targetUri: string, limits: Limits): Hop {
  if (targetUri === '') return named(null);
  const { host, port } = hostAndPort(hostOf(targetUri));
  if (isIP(host) === 0) return named(null);
  return { ...numeric(host, port, transportOf(targetUri), limits), isDirect: true };
}

/** Only numeric gateways are used: the servers of a name are in the DNS. */
function withGateways(group: GroupPlan, gateways: readonly string[], limits: Limits): GroupPlan {
  const targets = gateways.flatMap((hostPort) => groupHop(hostPort, group, limits).nextHop ?? []);
  return targets.length === 0 ? group : { ...group, gateways: targets };
}

const named = (nextHopUri: string | null): Hop => ({ nextHop: null, nextHopUri });

/** @throws AllocationRefused if the policy forbids it */
function numeric(address: string, port: number | null, transport: SipTransport, { mayReach }: Limits): Hop {
  if (!mayReach(address))
    throw new AllocationRefused('TARGET_NOT_ALLOWED', `the policy of this host does not allow ${address}`);
  return { nextHop: { transport, address, port: port ?? DEFAULT_PORTS[transport] }, nextHopUri: null };
}

function hostAndPort(hostPort: string): { readonly host: string; readonly port: number | null } {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(hostPort);
  const host = match?.[1] ?? match?.[2];
  if (!match || host === undefined)
    throw new AllocationRefused('TARGET', `${JSON.stringify(hostPort)} is not a host and port`);
  return { host, port: match[3] ? Number(match[3]) : null };
}

/** The transport of the URI itself (RFC 3263, 4.1). */
function transportOf(uri: string): SipTransport {
  if (/;transport=wss?\b/i.test(uri))
    throw new AllocationRefused('TARGET', `${uri.slice(0, 80)} is called over WebSocket by groups of such a registrar`);
  if (/^sips:|;transport=tls\b/i.test(uri)) return 'TLS';
  return /;transport=tcp\b/i.test(uri) ? 'TCP' : 'UDP';
}

/** `host[:port]` of a SIP URI. */
function hostOf(uri: string): string {
  const match = /^sips?:(?:[^@]*@)?(\[[^\]]+\](?::\d+)?|[^;?>]+)/i.exec(uri);
  if (!match?.[1]) throw new AllocationRefused('TARGET', `${JSON.stringify(uri.slice(0, 80))} is not a SIP URI`);
  return match[1];
}
