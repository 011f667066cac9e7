/** Structured log lines on stderr. Never per packet, SIP message or sample. */
import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const createLog = (level: string): Log => pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
