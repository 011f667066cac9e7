/** Options that several commands have, and what a feature needs to add a command of its own (control-plane/features). */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Waits for a command, whose code is that of the program. */
export type Ending = (command: Promise<ExitCode>) => Promise<void>;
export type FeatureCommands = (program: Command, io: Io, ending: Ending) => void;

export type JsonOption = { readonly json?: boolean };

export const collect = (value: string, before: readonly string[]): string[] => [...before, value];
export const project = () =>
  new Option('-p, --project <project>', 'slug or id; default: CARILLON_PROJECT, or the only project');
export const json = () => new Option('--json', 'for programs');

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 10_000) return number;
  throw new InvalidArgumentError('It is a whole number from 1 to 10000.');
}
