/** Events that nobody listens to: of a call before its handler has answered, and behind its user agent's close. */
import type { CallEvents } from '../engine.ts';

const ignore = (): void => undefined;

export const SILENCE: CallEvents = {
  onInviteSent: ignore,
  onProvisional: ignore,
  onAnswered: ignore,
  onFailed: ignore,
  onEnded: ignore,
};
