/** Which agents can do what a group asks of its media. Pure. */
import type { Group } from '../contract/test.ts';

/** What an agent says of itself in its greeting; what is absent was never said by agents of that time. */
export type Abilities = {
  readonly audioCodecs: readonly string[];
  readonly videoCodecs?: readonly string[];
  readonly encryptions?: readonly string[];
  readonly mediaSources?: readonly string[];
};

/** What of a group's media an agent cannot do, by name. */
export function lacks(group: Group, can: Abilities): string[] {
  const sources = can.mediaSources?.length ? can.mediaSources : ['TONE', 'SPEECH', 'SILENCE'];
  return [
    ...group.audioCodecs.filter((codec) => !can.audioCodecs.includes(codec)),
    ...group.videoCodecs.filter((codec) => !can.videoCodecs?.includes(codec)),
    ...(group.encryption === 'NONE' || can.encryptions?.includes(group.encryption) ? [] : [group.encryption]),
    ...new Set(group.mediaTracks.flatMap(({ source }) => (sources.includes(source) ? [] : [source]))),
  ];
}
