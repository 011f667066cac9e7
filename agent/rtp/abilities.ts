/** Abilities of this agent's streams: reported in the greeting, and checked for every allocation. */
import { AUDIO_CODECS } from '@carillon/media/codec/audio-codecs.ts';
import type { AudioCodec, Fingerprint, VideoCodec } from './media-engine.ts';

export type MediaAbilities = {
  readonly audioCodecs: readonly AudioCodec[];
  readonly videoCodecs: readonly VideoCodec[];
  readonly encryptions: readonly ('NONE' | 'SDES' | 'DTLS')[];
  /** FILE: recordings, named by their checksum. */
  readonly sources: readonly ('TONE' | 'SPEECH' | 'SILENCE' | 'PATTERN' | 'FILE')[];
  /** Whether RFC 4733 events can be sent. */
  readonly digits: boolean;
  readonly impairment: boolean;
  readonly dscp: boolean;
};

const ABILITIES: MediaAbilities = {
  audioCodecs: AUDIO_CODECS,
  videoCodecs: ['VP8', 'H264'],
  encryptions: ['NONE', 'SDES', 'DTLS'],
  sources: ['TONE', 'SPEECH', 'SILENCE', 'PATTERN', 'FILE'],
  digits: true,
  impairment: true,
  dscp: true,
};

/** The abilities of a media thread; without a certificate, DTLS is missing. */
export const abilitiesOf = ({ fingerprint }: { readonly fingerprint: Fingerprint | null }): MediaAbilities =>
  fingerprint !== null
    ? ABILITIES
    : { ...ABILITIES, encryptions: ABILITIES.encryptions.filter((encryption) => encryption !== 'DTLS') };
