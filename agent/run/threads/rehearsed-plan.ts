/** The allocation that is rehearsed (warm-up.ts): a load of signalling only, of which a sample is kept, as a large run has it. */
import { wire } from '@carillon/proto';
import type { Policy } from '../../policy/policy.ts';
import { abilitiesOf } from '../../rtp/abilities.ts';
import { decodeAllocation } from '../order/decode-allocation.ts';
import type { SharePlan } from '../plan.ts';
import { openedMessage, sealedMessage } from './crossing.ts';

export type RehearsedLoad = {
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly callMs: number;
  /** The host's, as far as calls need it. */
  readonly policy: Policy;
  readonly target: string;
};

const MOST_ENDPOINTS = 100;
/** Of this many calls, one keeps its detail. */
const ONE_IN = 10;
/** As large as they get: V8 stores such numbers in another way than small ones, and then takes small ones too. */
const SEED = 2 ** 32 - 5;
const FOREVER_MS = 3_600_000;

function allocationOf(load: RehearsedLoad): wire.agent.v1.Allocation.$Properties {
  const { calls, callsPerSecond, callMs, target } = load;
  const parts = Math.min(calls, MOST_ENDPOINTS);
  const each = <T>(value: (number: number) => T): T[] => Array.from({ length: parts }, (_, number) => value(number));
  return {
    role: wire.agent.v1.Role.CALLER,
    ...{ allocationId: new Uint8Array(16), runId: new Uint8Array(16), keepMessages: true, sampleIntervalMs: 1000 },
    ...{ callDurationMs: callMs, answerTimeoutMs: 60_000, receiveWindowMs: FOREVER_MS, hardEndMs: FOREVER_MS },
    group: {
      ...{ audioCodecs: ['PCMU', 'PCMA'], withoutMedia: true, sdp: 'OFFER', signalling: {} },
      ...{ correlate: true, feedbackProfile: 'AVP', registerExpiresSeconds: 3600, callsFrom: 'SERVER' },
    },
    breaker: { failurePercent: 100, minCalls: calls, blockedCalls: calls },
    keeping: { oneIn: ONE_IN, seed: SEED, ofCluster: 1 },
    load: {
      ...{ shape: 'EVEN', steps: [{ callsPerSecond }], calls, seed: SEED },
      ...{ partFrom: 0, partUntil: parts, parts, callsEach: 0, runEndpoints: parts },
    },
    endpoints: {
      ...{ number: each((number) => number), listener: each(() => 0), user: each((number) => `caller${number}`) },
      ...{ registerAtMs: each(() => 0), callAtMs: each(() => 0), targetUri: each(() => target) },
      ...{ accountUser: each(() => ''), accountPassword: each(() => '') },
    },
  };
}

/** Decoded and sent as an order: objects made otherwise have other V8 shapes, and what is compiled for these is of no use. */
export async function rehearsedPlan(load: RehearsedLoad): Promise<SharePlan> {
  const { Allocation } = wire.agent.v1;
  const allocation = Allocation.decode(Allocation.encode(allocationOf(load)).finish());
  const shares = await decodeAllocation(allocation, 0, 1, {
    ...{ policy: load.policy, mayReach: () => true, room: MOST_ENDPOINTS, streamRoom: 0, carried: [] },
    abilities: abilitiesOf({ fingerprint: null }),
  });
  const [plan] = shares.values();
  const order = sealedMessage(structuredClone(openedMessage({ op: 'allocate', plan: plan as SharePlan })));
  return (order as Extract<typeof order, { op: 'allocate' }>).plan;
}
