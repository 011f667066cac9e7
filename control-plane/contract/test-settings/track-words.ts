/** The enumerations of tracks and their media. */

export const VIDEO_CODECS = ['VP8', 'H264'] as const;

export const ENCRYPTIONS = ['NONE', 'SDES', 'DTLS'] as const;

export const FEEDBACK_PROFILES = ['AVP', 'AVPF'] as const;

export const TRACK_KINDS = ['AUDIO', 'VIDEO'] as const;

export const AUDIO_SOURCES = ['TONE', 'SPEECH', 'SILENCE', 'FILE'] as const;

export const VIDEO_SOURCES = ['PATTERN', 'FILE'] as const;

export const DIRECTIONS = ['BOTH', 'SEND', 'RECEIVE'] as const;
