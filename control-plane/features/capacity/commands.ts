/** `carillon capacity`. */
import { InvalidArgumentError } from 'commander';
import { collect, type FeatureCommands, json, project, wholeNumber } from '../../cli/options.ts';
import { openApi, type ProjectOption, WAITING_ATTEMPTS } from '../../cli/session/api.ts';
import type { CapacityOptions } from './cli/capacity.ts';

export const COMMANDS: FeatureCommands = (program, io, ending) => {
  program
    .command('capacity')
    .description('search the highest load at which a test keeps its limits, by consecutive runs')
    .argument('<test>', 'slug, name or id')
    .option('--slo <limit>', "what a trial must keep, as 'successShare>=99'; repeatable", collect, [])
    .option('--at-once', 'search simultaneous calls instead of calls per second')
    .option('--strict', 'the steps of RFC 7502, and its form')
    .option('--at-least <n>', 'exit code 99 if less is found', level)
    .option('--least <n>', 'no level below it is tried', level)
    .option('--most <n>', 'no level above it is tried', level)
    .option('--trial-seconds <n>', 'how long a trial is measured', wholeNumber)
    .addOption(json())
    .addOption(project())
    .action((test: string, o: CapacityOptions & ProjectOption) =>
      ending(
        import('./cli/capacity.ts').then(async (c) =>
          c.capacityCommand(io, await openApi(io, o, { attempts: WAITING_ATTEMPTS }), test, o),
        ),
      ),
    );
};

function level(text: string): number {
  const number = Number(text);
  if (number > 0 && number <= 10_000) return number;
  throw new InvalidArgumentError('It is a number above 0, at most 10000.');
}
