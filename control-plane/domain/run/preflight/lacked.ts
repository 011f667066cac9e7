/** What an agent lacks for any test, by settings: for people who ask what it is too old for. Pure. */
import { AUDIO_CODECS } from '@carillon/media/codec/audio-codecs.ts';
import {
  AUDIO_SOURCES,
  ENCRYPTIONS,
  VIDEO_CODECS,
  VIDEO_SOURCES,
} from '../../../contract/test-settings/track-words.ts';
import { ABILITY_SETTINGS, type Ability } from '../group/ability-settings.ts';
import type { AgentAbilities } from './abilities.ts';

/** Those that no name of the SIP engine stands for: agents that report no sources have none of them. */
const UNHEEDED = ['impaired network', 'digits after the answer', 'DSCP'];

/** In words. Empty: no test is refused because of what this agent knows. What SIP.js lacks is the same for all agents. */
export function lackedSettings(can: Partial<AgentAbilities>): string[] {
  const { audioCodecs, videoCodecs, encryptions, mediaSources = [], sipAbilities = [] } = can;
  const isOld = mediaSources.length === 0;
  const sources = new Set([...AUDIO_SOURCES, ...VIDEO_SOURCES]);
  return [
    ...without(AUDIO_CODECS, audioCodecs).map((codec) => `codec ${codec}`),
    ...without(VIDEO_CODECS, videoCodecs).map((codec) => `codec ${codec}`),
    ...without(ENCRYPTIONS, ['NONE', ...(encryptions ?? [])]).map((encryption) => `encryption ${encryption}`),
    ...without([...sources], isOld ? ['TONE', 'SPEECH', 'SILENCE'] : mediaSources).map((source) => `source ${source}`),
    ...(isOld ? UNHEEDED : []),
    ...without(Object.keys(ABILITY_SETTINGS) as Ability[], sipAbilities).map((name) => ABILITY_SETTINGS[name]),
    // Abilities of endpoints over WebSockets have names of their own, which are newer than WebSockets.
    ...(sipAbilities.includes('WS') && !sipAbilities.some((name) => name.endsWith(' over WebSocket'))
      ? ['more than plain calls over WebSocket']
      : []),
  ];
}

const without = <T extends string>(all: readonly T[], known: readonly string[] = []): T[] =>
  all.filter((one) => !known.includes(one));
