/** Input and output of a command: the process's own streams, or those of a test. */
import { styleText } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The used part of a stream. */
export type TextOutput = {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
};

export type Io = {
  readonly env: Environment;
  readonly out: TextOutput;
  readonly err: TextOutput;
  readonly input: NodeJS.ReadStream;
  /** Aborted by SIGINT, SIGTERM. */
  readonly ending: AbortSignal;
};

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style | readonly Style[], text: string) => string;

const MOST_COLUMNS = 160;

export const widthOf = (out: TextOutput): number => (out.isTTY ? Math.min(out.columns || 80, MOST_COLUMNS) : 120);

/** Colours only on a terminal, and not with NO_COLOR; FORCE_COLOR enables them elsewhere. */
export const painter = (out: TextOutput, env: Environment): Paint => {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const off = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || !(out.isTTY || forced);
  return (style, text) => (off ? text : styleText(style as Style, text, { validateStream: false }));
};

// Escape sequences of a terminal, line breaks and marks that turn the direction of writing.
const NOT_PLAIN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from an untrusted peer, such as a SIP header: made safe to print within a line. */
export const plain = (text: string): string => text.replace(NOT_PLAIN, '\u{fffd}');
