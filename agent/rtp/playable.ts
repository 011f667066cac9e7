/** The formats that can be sent here, among those that can be negotiated. */
import type { StreamSession } from './media-engine.ts';
import { type PlayableAudio as AudioSession, isPlayableAudio as isAudioPlayable } from './send/packet-sender.ts';
import { isVideoPlayable, type VideoSession } from './video/video-streams.ts';

export type PlayableSession = AudioSession | VideoSession;

export const isPlayable = (session: StreamSession): session is PlayableSession =>
  isAudioPlayable(session) || isVideoPlayable(session);

export const isVideo = (session: PlayableSession): session is VideoSession => session.format.kind === 'VIDEO';
