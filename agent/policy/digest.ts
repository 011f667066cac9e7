/** The part of a policy that the control plane gets, for planning and display. */
import type { wire } from '@carillon/proto';
import type { Policy } from './policy.ts';

/** The entries of each list that the control plane keeps; a greeting must stay small. */
const MAX_ENTRIES = { networks: 1000, words: 100 };

/** `capacity`: the endpoints that the host could carry without the policy's limit. */
export const policyDigest = (policy: Policy, capacity: number): wire.agent.v1.PolicyDigest.$Properties => ({
  targetNetworks: policy.targetNetworks.slice(0, MAX_ENTRIES.networks),
  targetDomains: (policy.targetDomains ?? []).slice(0, MAX_ENTRIES.words),
  maxCallsPerSecond: policy.maxCallsPerSecond,
  maxEndpoints: policy.maxEndpoints,
  maxDurationSeconds: policy.maxDurationSeconds,
  refusedNumbers: policy.refusedNumbers.slice(0, MAX_ENTRIES.words),
  allowedNumbers: (policy.allowedNumbers ?? []).slice(0, MAX_ENTRIES.words),
  outsideLinePrefixes: [...policy.outsideLinePrefixes],
  maxMinutesADay: policy.maxMinutesADay ?? 0,
  mayNotKeep: [
    ...(policy.mayKeep.messages ? [] : ['MESSAGES']),
    ...(policy.mayKeep.bodies ? [] : ['BODIES']),
    ...(policy.mayKeep.rtpHeaders ? [] : ['RTP_HEADERS']),
    ...(policy.mayExport.hep ? [] : ['HEP']),
  ],
  hostCapacity: capacity,
});
