/** What streams of this agent can be: told to the control plane in the greeting, and asked of every allocation. */
import type { AudioCodec, VideoCodec } from './media-engine.ts';

export type Abilities = {
  readonly audioCodecs: readonly AudioCodec[];
  readonly videoCodecs: readonly VideoCodec[];
  readonly encryptions: readonly ('NONE' | 'SDES' | 'DTLS')[];
  /** FILE: recordings, by their checksum. */
  readonly sources: readonly ('TONE' | 'SPEECH' | 'SILENCE' | 'PATTERN' | 'FILE')[];
  /** RFC 4733 events are sent. */
  readonly digits: boolean;
  readonly impairment: boolean;
  readonly dscp: boolean;
};

export const ABILITIES: Abilities = {
  audioCodecs: ['PCMU', 'PCMA', 'G722'],
  videoCodecs: [],
  encryptions: ['NONE'],
  sources: ['TONE', 'SPEECH', 'SILENCE'],
  digits: false,
  impairment: true,
  dscp: true,
};
