/** The input and output of a command: the process's own streams, or those of a test. */
import { styleText } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of a stream that commands use. */
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
  /** SIGINT and SIGTERM abort it. */
  readonly ending: AbortSignal;
};

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style | readonly Style[], text: string) => string;

const MAX_COLUMNS = 160;

export const widthOf = (out: TextOutput): number => (out.isTTY ? Math.min(out.columns || 80, MAX_COLUMNS) : 120);

/** Colours are used only on a terminal, and not with NO_COLOR; FORCE_COLOR enables them elsewhere. */
export const painter = (out: TextOutput, env: Environment): Paint => {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const off = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || !(out.isTTY || forced);
  return (style, text) => (off ? text : styleText(style as Style, text, { validateStream: false }));
};
