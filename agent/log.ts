/** Structured log lines on stderr. Never per packet, SIP message or sample. */
import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** The size of lines that could not be written and wait for the next one; lines beyond it are lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

export function createLog(level: string): Log {
  const out = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // A log that cannot be written, on a full disk, must not end the agent: without a listener each line would throw.
  out.on('error', () => undefined);
  return pino({ level, base: null }, out);
}
