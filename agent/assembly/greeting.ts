/** The agent's greeting: identity, abilities, capacity, policy. */
import { availableParallelism, hostname, networkInterfaces } from 'node:os';
import type { Secret } from '@carillon/proto/base/secret.ts';
import { uuidBytes } from '@carillon/proto/base/uuid.ts';
import type { Capacity } from '../calibrate/calibration.ts';
import type { Hello } from '../link/link-options.ts';
import type { MediaAbilities } from '../rtp/abilities.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';
import type { SignallingThread } from '../run/threads/signalling-host.ts';
import { AGENT_VERSION } from '../version.ts';
import type { HostCapacity } from './capacity.ts';

export type Self = Pick<
  Hello,
  'allocationIds' | 'workerName' | 'disposable' | 'capacity' | 'streamCapacity' | 'policy'
> & {
  readonly joinToken: Secret | null;
  readonly bootId: string;
  readonly threads: readonly SignallingThread[];
  readonly media: Pick<MediaThreads, 'adapter' | 'priority' | 'srtpCiphers'>;
  readonly abilities: MediaAbilities;
  readonly sipAbilities: readonly string[];
  readonly found: Capacity;
  readonly limits: HostCapacity['limits'];
};

export const greeting = ({
  joinToken,
  bootId,
  threads,
  media,
  abilities,
  sipAbilities,
  found,
  limits,
  ...rest
}: Self): Hello => ({
  ...rest,
  // 0 means no limit.
  limits: { ...limits, openFileStreams: Number.isFinite(limits.openFileStreams) ? limits.openFileStreams : 0 },
  joinToken: joinToken?.reveal() ?? '',
  agentVersion: AGENT_VERSION,
  bootId: uuidBytes(bootId),
  sipListeners: threads.map((t) => ({ address: t.ready.address, port: t.ready.port })),
  sipAdapter: threads[0]?.ready.adapter ?? '',
  rtpAdapter: media.adapter,
  rtpPriority: media.priority,
  srtpCiphers: media.srtpCiphers,
  audioCodecs: [...abilities.audioCodecs],
  videoCodecs: [...abilities.videoCodecs],
  encryptions: [...abilities.encryptions],
  mediaSources: [...abilities.sources],
  sipAbilities: [...sipAbilities],
  hostname: hostname(),
  addresses: hostAddresses(),
  cpus: availableParallelism(),
  platform: `${process.platform} ${process.arch} node ${process.versions.node}`,
  calibration: found.calibration && { ...found.calibration, unused: found.unused ?? '' },
});

/** Link-local addresses belong to one network each, and need its name. */
const hostAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).flatMap(({ address }) => (/^fe80:/i.test(address) ? [] : [address])),
  );
