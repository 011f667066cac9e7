/** A null listener: for a call before its handler has answered, after its user agent's close, or that was refused. */
import type { CallEvents } from '../engine.ts';

const ignore = (): void => undefined;

export const SILENCE: CallEvents = {
  onInviteSent: ignore,
  onProvisional: ignore,
  onAnswered: ignore,
  onFailed: ignore,
  onEnded: ignore,
};
