/** The allocation that is rehearsed (warm-up.ts): a load of signalling only, of which a sample is kept, as a large run has it. */

import { PLAIN_SIGNALLING } from '../../sip/engine.ts';
import { plainSettings } from '../plain-settings.ts';
import type { GroupPlan, SharePlan } from '../plan.ts';

export type RehearsedLoad = {
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly callMs: number;
  readonly target: string;
};

const ENDPOINTS = 100;
/** Of this many calls, one keeps its detail. */
const ONE_IN = 10;
const FOREVER_MS = 3_600_000;

const GROUP: GroupPlan = {
  ...plainSettings({ telephoneEvent: true }),
  ...{ mode: 'CALL', registerExpiresSeconds: 3600, registerRetry: null, callsFrom: 'ANYBODY' },
  ...{ headers: [], gateways: [], routeSet: [], protocol: 'UDP', tls: null },
  ...{
    tracks: [],
    withoutMedia: { sdp: 'OFFER', codecs: ['PCMU', 'PCMA'] },
    encryption: 'NONE',
    ice: null,
    dtmf: null,
  },
  ...{ impairment: null, actions: [], signalling: PLAIN_SIGNALLING, outbound: false, correlate: false, tolerated: [] },
  answering: { delayMs: 0, ringMs: 0, provisional: 180, rejectStatus: null },
};

/** As a thread receives it: a clone, whose objects have other V8 shapes than literals. */
export const rehearsedPlan = ({ calls, callsPerSecond, callMs, target }: RehearsedLoad): SharePlan =>
  structuredClone<SharePlan>({
    ...{ owner: 0, run: '0'.repeat(32), role: 'CALLER', group: GROUP },
    endpoints: Array.from({ length: ENDPOINTS }, (_, number) => ({
      ...{ number, registerAtMs: 0, callAtMs: 0, user: `caller${number}`, account: null, values: {} },
      ...{ targetUri: target, nextHop: null, nextHopUri: null },
    })),
    ...{ callDurationMs: callMs, answerTimeoutMs: 60_000, receiveWindowMs: FOREVER_MS },
    ...{ hardEndMs: FOREVER_MS, longestCallMs: FOREVER_MS, keepMessages: true, keepBodies: true, traced: null },
    breaker: { failurePercent: 100, minCalls: calls, blockedCalls: calls },
    load: {
      order: { shape: 'EVEN', steps: [{ seconds: FOREVER_MS / 1000, callsPerSecond }], calls, seed: 1 },
      ...{ part: { from: 0, until: ENDPOINTS, of: ENDPOINTS }, callsEach: Number.POSITIVE_INFINITY },
      runEndpoints: ENDPOINTS,
    },
    ...{ keeping: { oneIn: ONE_IN, seed: 1, ofCluster: 0 }, receives: null },
  });
