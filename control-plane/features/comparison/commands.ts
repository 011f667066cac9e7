/** `carillon compare`, and the comparisons of `carillon run --baseline` and `carillon replay`. */
import { type FeatureCommands, type JsonOption, json, project, type RunHooks } from '../../cli/options.ts';
import { openApi, type ProjectOption } from '../../cli/session/api.ts';

export const COMMANDS: FeatureCommands = (program, io, ending) => {
  for (const command of program.commands) {
    if (command.name() === 'run')
      command.option(
        '--baseline <run>',
        'no figure may be significantly worse than in this run: id, last, or last-good',
      );
    if (command.name() === 'replay') command.description(`${command.description()}, and compare both`);
  }
  program
    .command('compare')
    .description('two runs: significant differences. Exit code 99 if a figure is worse')
    .argument('<run>', 'id, its beginning or end, or last')
    .argument('[baseline]', 'the run to compare with, or last-good', 'last-good')
    .addOption(json())
    .addOption(project())
    .action((run: string, baseline: string, o: JsonOption & ProjectOption) =>
      ending(
        import('./cli/comparison.ts').then(async (c) =>
          c.compareCommand(io, await openApi(io, o), run, baseline, o.json === true),
        ),
      ),
    );
};

export const RUN_HOOKS: RunHooks = {
  beforeRun: async (api, testId, { baseline }) =>
    typeof baseline === 'string' ? (await import('./cli/comparison.ts')).judgeAgainst(api, testId, baseline) : null,
  afterReplay: async (api, ref, earlierRunId, shown) =>
    (await import('./cli/comparison.ts')).compareReplay(api, ref, earlierRunId, shown),
};
