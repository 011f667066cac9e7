/** `carillon share`. */
import { InvalidArgumentError } from 'commander';
import { type FeatureCommands, json, project } from '../../cli/options.ts';
import { openApi, type ProjectOption } from '../../cli/session/api.ts';
import type { ShareOptions } from './cli/share.ts';

export const COMMANDS: FeatureCommands = (program, io, ending) => {
  program
    .command('share')
    .description('create an address at which anybody reads the report of a run, until it expires')
    .argument('<run>', 'id, its beginning or end, or last')
    .option('--days <n>', 'days of validity, at most 90; default: 7', days)
    .option('--list', 'the valid links of the run, without their addresses')
    .option('--revoke <link>', 'revoke a link: id, its beginning or end')
    .addOption(json())
    .addOption(project())
    .action((run: string, o: ShareOptions & ProjectOption) =>
      ending(import('./cli/share.ts').then(async (c) => c.shareCommand(io, await openApi(io, o), run, o))),
    );
};

function days(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 90) return number;
  throw new InvalidArgumentError('It is a whole number of days from 1 to 90.');
}
