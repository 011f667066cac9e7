/** Orders for agents, as plain data; link/ converts them to the wire. */

import { Secret } from '@carillon/proto/base/secret.ts';
import { type LoadStep, wireStep } from '@carillon/proto/load/load-step.ts';
import { longestRegistering } from '../../../contract/test-settings/longest.ts';
import type { BreakerSettings } from '../../../contract/test-settings/scenario.ts';
import { AGENT_SETTINGS, type AgentSettings, settingsOf } from '../../../contract/test-settings/settings.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import type { Tls } from '../../../contract/test-settings/tls.ts';
import { wayOf } from '../../../contract/test-settings/way.ts';
import type { EndpointType } from '../../../contract/test-settings/words.ts';
import { BLOCKED_CALLS } from '../breaker.ts';
import { completeGroup, isOneRequest, pressesKeys, transfers, withScenario } from '../group/scenario.ts';
import { isWithoutMedia } from '../group/without-media.ts';
import type { Keeping } from '../load/keeping.ts';
import { REGISTRATION_LEAD_MS } from '../load/timetable.ts';
import {
  domainOf,
  type PlannedCalls,
  type PlannedInstance,
  type PlannedLoad,
  registers,
  serverOf,
} from '../plan/plan.ts';
import { type Column, callerOf, columnsOf, type HeaderOrder, headersOf } from './order-caller.ts';
import { type ActionOrder, actionOrder, type SignallingOrder, signallingOrder } from './order-scenario.ts';

export type AllocateOrder = {
  readonly kind: 'allocate';
  readonly runId: string;
  readonly allocationId: string;
  readonly role: EndpointType;
  readonly callDurationMs: number;
  readonly calleeEndsAfterMs: number;
  readonly answerTimeoutMs: number;
  readonly receiveWindowMs: number;
  readonly hardEndMs: number;
  readonly sampleIntervalMs: number;
  readonly keepMessages: boolean;
  readonly atOnce: number;
  readonly rtpTrace: { readonly endpoint: readonly number[]; readonly packets: number } | null;
  readonly breaker: (BreakerSettings & { readonly blockedCalls: number }) | null;
  readonly group: AgentSettings & {
    readonly displayName: string;
    readonly callerNumber: string;
    readonly headers: readonly HeaderOrder[];
    readonly registrarUri: string;
    readonly nextHop: string;
    readonly gateways: readonly string[];
    readonly sourceAddress: string;
    readonly route: string;
    readonly protocol: string;
    readonly webSocketPath: string;
    readonly tls: WireTls | null;
    readonly domain: string;
    readonly server: string;
    readonly register: boolean;
    readonly withoutMedia: boolean;
    readonly audioSource: string;
    readonly audioDirection: string;
    readonly toleratedFindings: readonly string[];
    readonly farEndHangsUp: boolean;
    readonly farEndMayPause: boolean;
    readonly silenceExpected: boolean;
    readonly takesAnyCall: boolean;
    readonly audioDscp: number;
    readonly videoCodecs: readonly string[];
    readonly videoSource: string;
    readonly videoDirection: string;
    readonly videoDscp: number;
    readonly telephoneEvent: boolean;
    readonly actions: readonly ActionOrder[];
    readonly signalling: SignallingOrder;
    readonly audioDeferred: boolean;
    readonly videoDeferred: boolean;
  };
  readonly load: LoadOfInstance | null;
  readonly keeping: Keeping | null;
  readonly endpoints: {
    readonly number: readonly number[];
    readonly listener: readonly number[];
    readonly registerAtMs: readonly number[];
    readonly callAtMs: readonly number[];
    readonly user: readonly string[];
    readonly accountUser: readonly string[];
    readonly accountPassword: readonly Secret[];
    readonly accountAuthName: readonly string[];
    readonly accountHa1: readonly Secret[];
    readonly columns: readonly Column[];
    readonly targetUri: readonly string[];
  };
};

/** 0: unlimited. */
type LoadOfInstance = {
  readonly shape: string;
  readonly steps: readonly ReturnType<typeof wireStep>[];
  readonly calls: number;
  readonly seed: number;
  readonly partFrom: number;
  readonly partUntil: number;
  readonly parts: number;
  readonly callsEach: number;
  readonly runEndpoints: number;
};

export type StartOrder = {
  readonly kind: 'start';
  readonly runId: string;
  readonly allocationIds: readonly string[];
  readonly startUnixMs: number;
};
export type FinishOrder = {
  readonly kind: 'finish';
  readonly runId: string;
  readonly allocationIds: readonly string[];
};
export type StopOrder = {
  readonly kind: 'stop';
  readonly runId: string;
  readonly allocationIds: readonly string[];
  readonly reason: string;
};
export type BreakOffOrder = {
  readonly kind: 'breakOff';
  readonly runId: string;
  readonly allocationIds: readonly string[];
  readonly reason: string;
  /** 0: permanently. */
  readonly untilUnixMs: number;
};
export type ChangeLoadOrder = {
  readonly kind: 'changeLoad';
  readonly runId: string;
  readonly allocationIds: readonly string[];
  readonly steps: LoadOfInstance['steps'];
};
/** The order to create a new key, which belongs to no run. */
export type ChangeKeyOrder = { readonly kind: 'changeKey'; readonly runId: null };
export type Order =
  | AllocateOrder
  | StartOrder
  | FinishOrder
  | StopOrder
  | BreakOffOrder
  | ChangeLoadOrder
  | ChangeKeyOrder;

/**
 * Agents stop by themselves this long after the run's maximum execution time, so that the control plane's stop arrives
 * first.
 */
const HARD_END_MARGIN_MS = 10_000;

/** Samples are taken every second, and in runs with more endpoints every five (docs/decisions.md, Samples). */
const sampleIntervalMs = (endpoints: number): number => (endpoints > 500 ? 5000 : 1000);

export type RunTimes = {
  readonly id: string;
  readonly config: Pick<TestConfig, 'groups'> & { readonly breaker?: TestConfig['breaker'] };
  readonly endpoints: number;
  readonly durationSeconds: number;
  readonly buildupSeconds: number;
  readonly maxExecutionSeconds: number;
};

type WireTls = {
  readonly verify: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: Secret;
};

/** On the wire, no secret is ''. */
const NONE = new Secret('');

const wireTls = (tls: Tls | null): WireTls | null =>
  tls === null
    ? null
    : { verify: tls.verify, ca: tls.ca ?? '', certificate: tls.certificate ?? '', key: tls.key ?? NONE };

type Track = PlannedInstance['group']['mediaTracks'][number];

/** The source in the wire's terms; '' without a track. */
function sourceOf(track: Track | undefined, checksums: ReadonlyMap<string, string>): string {
  if (track?.source !== 'FILE') return track?.source ?? '';
  return `FILE:${checksums.get(track.mediaFileId ?? '') ?? ''}`;
}

/**
 * An agent's breaker counts only its own calls; domain/run/breaker.ts judges those of all agents together. Older runs
 * have no breaker.
 */
const breakerOrder = (breaker: BreakerSettings | null | undefined) =>
  breaker ? { ...breaker, blockedCalls: BLOCKED_CALLS } : null;

/**
 * The traced endpoints are spread over the part, and so over the build-up: for equal parts, these are both ends of the
 * same calls.
 */
function rtpTraceOrder({ group, endpoints }: PlannedInstance): AllocateOrder['rtpTrace'] {
  if (!group.rtpTrace || group.mode !== 'CALL') return null;
  const count = Math.min(group.rtpTrace.endpoints, endpoints.length);
  const chosen = Array.from({ length: count }, (_, i) => endpoints[Math.floor(((i + 0.5) * endpoints.length) / count)]);
  return { endpoint: chosen.flatMap((one) => one?.number ?? []), packets: group.rtpTrace.packets };
}

/** True if the audio that a group sends is silent. */
const isMute = ({ mediaTracks }: Group): boolean =>
  mediaTracks.some(
    ({ kind, source, direction }) => kind === 'AUDIO' && source === 'SILENCE' && direction !== 'RECEIVE',
  );

/**
 * The expected media are those of the other end: an echo of the endpoint's own audio, or the audio of a group which
 * calls this one, or is called by it.
 */
function expectationOrder(group: Group, groups: readonly Group[]) {
  const { callee } = group;
  const called = callee.mode === 'GROUP' ? groups.find(({ id }) => id === callee.groupId) : undefined;
  const callers = groups.filter((one) => one.callee.mode === 'GROUP' && one.callee.groupId === group.id);
  const { farEndHangsUp, farEndMayPause, toleratedFindings } = group.expectations;
  return {
    toleratedFindings,
    farEndMayPause: farEndMayPause ?? false,
    farEndHangsUp: farEndHangsUp || (called?.actions ?? []).some(({ action }) => action.do === 'HANG_UP'),
    silenceExpected: [group, ...(called ? [called] : []), ...callers].some(isMute),
  };
}

export const wireSteps = (steps: readonly LoadStep[]): LoadOfInstance['steps'] => steps.map(wireStep);

const endless = (length: number): number => (Number.isFinite(length) ? length : 0);

const loadOfInstance = ({ order, part, callsEach }: PlannedLoad, runEndpoints: number): LoadOfInstance => ({
  shape: order.shape,
  steps: wireSteps(order.steps),
  calls: endless(order.calls),
  seed: order.seed,
  partFrom: part.from,
  partUntil: part.until,
  parts: part.of,
  callsEach: callsEach ?? 0,
  runEndpoints,
});

/** Callees have no load of their own. */
const callsOfInstance = ({ callsEach }: PlannedCalls, runEndpoints: number): LoadOfInstance => ({
  shape: '',
  steps: [],
  calls: 0,
  seed: 0,
  partFrom: 0,
  partUntil: 0,
  parts: 0,
  callsEach: callsEach ?? 0,
  runEndpoints,
});

/** A caller that is still in a call hangs up before its callee. */
const CALLER_FIRST_MS = 2000;

/** `checksums`: the SHA-256 (hex) of recordings by the id of their media file. */
export function allocateOrder(
  run: RunTimes,
  instance: PlannedInstance,
  checksums: ReadonlyMap<string, string>,
  keeping: Keeping | null = null,
): AllocateOrder {
  const { registrar, endpoints, load, receives } = instance;
  const group = completeGroup(instance.group);
  const audio = group.mediaTracks.find((track) => track.kind === 'AUDIO');
  const video = group.mediaTracks.find((track) => track.kind === 'VIDEO');
  const proxy = registrar.outboundProxyUri;
  const { mode, actions, signalling } = group;
  const { displayName, callerNumber } = callerOf({ ...instance, group });
  const headers = headersOf(group);
  const steps = actions.map((one) => actionOrder(one, group.mediaTracks));
  const ofSteps = steps.flatMap(({ digits, target }) => [digits, target]);
  const texts = [displayName, callerNumber, ...headers.map(({ value }) => value), group.dtmf?.digits ?? '', ...ofSteps];
  const hardEndMs = run.maxExecutionSeconds * 1000 + HARD_END_MARGIN_MS;
  const isForStrangers = instance.role === 'CALLEE' && endpoints.some((e) => e.countsAsCall);
  return {
    kind: 'allocate',
    runId: run.id,
    allocationId: instance.id,
    role: instance.role,
    callDurationMs: run.durationSeconds * 1000,
    calleeEndsAfterMs: run.config.groups.some((one) => transfers(withScenario(one)))
      ? run.durationSeconds * 1000 + CALLER_FIRST_MS
      : 0,
    answerTimeoutMs: group.answerTimeoutSeconds * 1000,
    // Each caller calls within the build-up, after its registration; for repeated calls the control plane waits
    // (FinishOrder).
    receiveWindowMs:
      receives && !isForStrangers
        ? hardEndMs
        : (run.buildupSeconds + longestRegistering(run.config) + run.durationSeconds) * 1000 + REGISTRATION_LEAD_MS,
    hardEndMs,
    sampleIntervalMs: sampleIntervalMs(run.endpoints),
    keepMessages: true,
    atOnce: instance.atOnce,
    rtpTrace: rtpTraceOrder(instance),
    // A callee has no calls to stop.
    breaker: instance.role === 'CALLER' ? breakerOrder(run.config.breaker) : null,
    group: {
      ...settingsOf(AGENT_SETTINGS, group),
      displayName,
      callerNumber,
      headers,
      registrarUri: registers(registrar) ? `sip:${domainOf(registrar)}` : '',
      ...wayOf(group, registrar),
      protocol: registrar.protocol,
      webSocketPath: registrar.webSocketPath ?? '',
      sourceAddress: registrar.sourceAddress ?? '',
      tls: wireTls(registrar.tls),
      route: proxy === null ? '' : `<${proxy}${/;lr\b/i.test(proxy) ? '' : ';lr'}>`,
      domain: domainOf(registrar),
      server: serverOf(registrar),
      // OPTIONS needs no registration; the account answers a challenge.
      register: registers(registrar) && !isOneRequest(group),
      withoutMedia: isWithoutMedia(group),
      audioSource: sourceOf(audio, checksums) || 'TONE',
      audioDirection: audio?.direction ?? 'BOTH',
      audioDscp: audio?.dscp ?? 0,
      videoCodecs: video === undefined ? [] : group.videoCodecs,
      videoSource: sourceOf(video, checksums),
      videoDirection: video?.direction ?? '',
      videoDscp: video?.dscp ?? 0,
      // Endpoints that neither send nor receive digits within the test make shorter offers.
      telephoneEvent: run.config.groups.some((one) => one.dtmf !== null || pressesKeys(withScenario(one))),
      actions: steps,
      signalling: signallingOrder(signalling),
      audioDeferred: audio?.deferred ?? false,
      videoDeferred: video?.deferred ?? false,
      ...expectationOrder(group, run.config.groups),
      takesAnyCall: isForStrangers,
    },
    load: (load && loadOfInstance(load, run.endpoints)) ?? (receives && callsOfInstance(receives, run.endpoints)),
    keeping,
    endpoints: {
      number: endpoints.map((e) => e.number),
      listener: endpoints.map((e) => e.listener),
      registerAtMs: endpoints.map((e) => e.registerAtMs),
      callAtMs: endpoints.map((e) => e.callAtMs),
      user: endpoints.map((e) => e.user),
      accountUser: endpoints.map((e) => e.account?.username ?? ''),
      accountPassword: endpoints.map((e) => e.account?.password ?? NONE),
      accountAuthName: endpoints.map((e) => e.account?.authName ?? ''),
      accountHa1: endpoints.map((e) => e.account?.ha1 ?? NONE),
      columns: columnsOf(texts, endpoints),
      targetUri: endpoints.map((e) => (instance.role === 'CALLER' && mode !== 'REGISTER' ? e.calleeUri : '')),
    },
  };
}
