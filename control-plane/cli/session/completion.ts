/** What the shell completes besides commands and options: tests and runs of the project. */

import type { RootCommand } from '@bomb.sh/tab';
import { plain } from '@carillon/proto/base/plain-text.ts';
import type { Io } from '../io.ts';
import { everyRow, openApi } from './api.ts';
import { lastRuns } from './runs.ts';

type Choice = { readonly value: string; readonly says: string };
type Choices = { readonly tests: readonly Choice[]; readonly runs: readonly Choice[] };

const NONE: Choices = { tests: [], runs: [] };
/** The maximum time for an answer, because a person waits for it after a key. */
const PATIENCE_MS = 2000;
const MAX_RUNS = 20;

/** The names of the commands whose first argument is a test, or a run. */
export type CommandsOn = { readonly test: readonly string[]; readonly run: readonly string[] };

/**
 * The choices for `carillon complete -- WORD…`, which shells call. There are no choices without an account, or if the answer is
 * late.
 */
export async function choicesFor(argv: readonly string[], io: Io, commands: CommandsOn): Promise<Choices> {
  const [complete, dashes, command = '', ...words] = argv;
  if (complete !== 'complete' || dashes !== '--') return NONE;
  const wantsTests = commands.test.includes(command) || words.at(-2) === '--test';
  if (!wantsTests && !commands.run.includes(command)) return NONE;
  const late = new Promise<Choices>((resolve) => setTimeout(resolve, PATIENCE_MS, NONE).unref());
  return Promise.race([late, choicesFromApi(io, words, wantsTests).catch(() => NONE)]);
}

async function choicesFromApi(io: Io, words: readonly string[], wantsTests: boolean): Promise<Choices> {
  const at = words.findIndex((word) => word === '-p' || word === '--project');
  const api = await openApi(io, at < 0 ? {} : { project: words[at + 1] }, { attempts: 1 });
  const { id: projectId } = await api.project();
  if (wantsTests) {
    const tests = await everyRow(api.call, 'listTests', { projectId });
    return { tests: tests.map(({ slug, id, name }) => ({ value: slug ?? id, says: plain(name) })), runs: [] };
  }
  const runs = await lastRuns(api, MAX_RUNS, () => true);
  const says = ({ testName, status, submittedAt }: (typeof runs)[number]) =>
    plain(`${testName}, ${status}, ${submittedAt.slice(0, 16).replace('T', ' ')}`);
  const last = runs[0] ? [{ value: 'last', says: says(runs[0]) }] : [];
  return { tests: [], runs: [...last, ...runs.map((run) => ({ value: run.id, says: says(run) }))] };
}

/** Gives the arguments and options of the commands these values. */
export function complete(root: RootCommand, commands: CommandsOn, { tests, runs }: Choices): void {
  const offer = (choices: readonly Choice[]) => (add: (value: string, description: string) => void) => {
    for (const { value, says } of choices) add(value, says);
  };
  for (const [argument, choices] of [
    ['test', tests],
    ['run', runs],
  ] as const)
    for (const name of commands[argument]) {
      const found = root.commands.get(name)?.arguments.get(argument);
      if (found) found.handler = offer(choices);
    }
  const ofRuns = root.commands.get('runs')?.options.get('test');
  if (ofRuns) ofRuns.handler = offer(tests);
}
