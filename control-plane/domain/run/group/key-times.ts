/** Computes how long keys take. Pure. */
import { counted, filled } from '@carillon/proto/words/template.ts';

export type KeyPace = { readonly onMs: number; readonly offMs: number; readonly afterMs: number };

/** The duration of a digit, and the pause after it, for actions (RFC 4733). */
export const ACTION_PACE: KeyPace = { onMs: 100, offMs: 100, afterMs: 0 };

/** The time until the last key is released. */
export const keysMs = (keys: number, { onMs, offMs, afterMs }: KeyPace): number =>
  afterMs + keys * onMs + Math.max(0, keys - 1) * offMs;

const NO_VALUES: Readonly<Record<string, string>> = new Proxy({}, { get: (_, name) => counted(String(name), 0) ?? '' });

/** The least time, whatever the accounts' values are. */
export const pressedMs = (digits: string, pace: KeyPace): number => keysMs(filled(digits, NO_VALUES).length, pace);
