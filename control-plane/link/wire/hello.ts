/** Decodes and checks an agent's greeting. */

import { isIP } from 'node:net';
import { FrameError, type wire } from '@carillon/proto';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Greeting } from '../../operations/agents/greet.ts';
import { toId } from './identifiers.ts';
import { plainText } from './plain-text.ts';

const ED25519_KEY_BYTES = 32;
const MAX_HELD = 10_000;
const MAX_LISTENERS = 256;
/** The last valid date (ECMA-262, 21.4.1.1). */
const MAX_UNIX_MS = 8.64e15;
/** The limit of lists such as codecs, which are short. */
const MAX_WORDS = 100;

const short = (text: string): string => plainText(text, 200);

/** @throws FrameError */
export function decodeHello(
  hello: wire.agent.v1.Hello,
  connection: { readonly id: string; readonly address: string },
): Greeting {
  if (hello.publicKey.length !== ED25519_KEY_BYTES) throw new FrameError('public_key is not an Ed25519 key');
  if (hello.allocationIds.length > MAX_HELD) throw new FrameError('too many allocation_ids');
  const listeners = hello.sipListeners.map((l) => ({ address: l.address ?? '', port: l.port ?? 0 }));
  if (
    listeners.length > MAX_LISTENERS ||
    listeners.some((l) => isIP(l.address) === 0 || l.port < 1 || l.port > 65_535)
  ) {
    throw new FrameError('sip_listeners are not addresses');
  }
  return {
    publicKey: Buffer.from(hello.publicKey),
    joinToken: hello.joinToken === '' ? null : new Secret(hello.joinToken),
    wantedName: plainText(hello.workerName, 63),
    isDisposable: hello.disposable,
    connectionId: connection.id,
    address: connection.address,
    bootId: toId(hello.bootId, 'boot_id'),
    outboxId: toId(hello.outboxId, 'outbox_id'),
    heldAllocationIds: hello.allocationIds.map((id) => toId(id, 'allocation_ids')),
    ...(hello.forgotten && { forgotten: decodeForgotten(hello.forgotten) }),
    hello: {
      agentVersion: short(hello.agentVersion),
      hostname: short(hello.hostname),
      platform: short(hello.platform),
      cpus: hello.cpus,
      capacity: hello.capacity,
      streamCapacity: hello.streamCapacity,
      ...(hello.limits && { limits: decodeLimits(hello.limits) }),
      sipListeners: listeners,
      sipAdapter: short(hello.sipAdapter),
      rtpAdapter: short(hello.rtpAdapter),
      rtpPriority: short(hello.rtpPriority),
      audioCodecs: hello.audioCodecs.slice(0, MAX_WORDS).map(short),
      videoCodecs: hello.videoCodecs.slice(0, MAX_WORDS).map(short),
      encryptions: hello.encryptions.slice(0, MAX_WORDS).map(short),
      mediaSources: hello.mediaSources.slice(0, MAX_WORDS).map(short),
      sipAbilities: hello.sipAbilities.slice(0, MAX_WORDS).map(short),
      addresses: hello.addresses.slice(0, MAX_WORDS).map(short),
      policy: decodePolicy(hello.policy ?? {}),
      ...(hello.calibration && { calibration: decodeCalibration(hello.calibration) }),
    },
  };
}

/** Invalid instants count as unknown. */
function decodeForgotten(f: wire.agent.v1.ForgottenBatches.$Properties): NonNullable<Greeting['forgotten']> {
  const instant = (unixMs: number | null | undefined): Date | null =>
    unixMs && Math.abs(unixMs) <= MAX_UNIX_MS ? new Date(unixMs) : null;
  return { first: f.first ?? 0, last: f.last ?? 0, from: instant(f.fromUnixMs), to: instant(f.toUnixMs) };
}

/** The format is `address/prefix`; an address without a prefix would count as all addresses. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...more] = text.split('/');
  const family = isIP(address);
  return (
    more.length === 0 &&
    family !== 0 &&
    !address.includes('%') &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) <= (family === 4 ? 32 : 128)
  );
}

const decodeLimits = (l: wire.agent.v1.CapacityLimits.$Properties): NonNullable<Greeting['hello']['limits']> => ({
  own: l.own ?? 0,
  openFileStreams: l.openFileStreams ?? 0,
  portStreams: l.portStreams ?? 0,
});

/** Patterns are taken unchanged or not at all: half of a pattern has another meaning. */
const patternsOf = (texts: readonly string[] | null | undefined): string[] =>
  (texts ?? []).slice(0, MAX_WORDS).map((text) => (short(text) === text ? text : UNREADABLE));
/** This is not a valid pattern, so that the agent judges (domain/run/preflight/refused-numbers.ts). */
const UNREADABLE = '(';

/** The policy of the host's owner, at the greeting or later. */
export const decodePolicy = (policy: wire.agent.v1.PolicyDigest.$Properties): Greeting['hello']['policy'] => ({
  targetNetworks: (policy.targetNetworks ?? []).slice(0, 1000).map(short).filter(isNetwork),
  refusedNumbers: patternsOf(policy.refusedNumbers),
  allowedNumbers: policy.allowedNumbers?.length ? patternsOf(policy.allowedNumbers) : null,
  outsideLinePrefixes: (policy.outsideLinePrefixes ?? []).slice(0, MAX_WORDS).map(short),
  maxCallsPerSecond: policy.maxCallsPerSecond ?? 0,
  maxEndpoints: policy.maxEndpoints ?? 0,
  maxDurationSeconds: policy.maxDurationSeconds ?? 0,
  // 0, or no value from older agents, means unlimited.
  maxMinutesADay: policy.maxMinutesADay || null,
  mayNotKeep: (policy.mayNotKeep ?? []).slice(0, MAX_WORDS).map(short),
  ...(policy.hostCapacity && { hostCapacity: policy.hostCapacity }),
});

const decodeCalibration = (
  c: wire.agent.v1.Calibration.$Properties,
): NonNullable<Greeting['hello']['calibration']> => ({
  at: short(c.at ?? ''),
  build: short(c.build ?? ''),
  hardware: short(c.hardware ?? ''),
  adapter: short(c.adapter ?? ''),
  endpoints: c.endpoints ?? 0,
  callsPerSecond: c.callsPerSecond ?? 0,
  unused: short(c.unused ?? '') || null,
});
