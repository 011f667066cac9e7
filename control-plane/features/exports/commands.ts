/** `carillon download`, and the files of runs that the command line starts. */
import { Option } from 'commander';
import { type FeatureCommands, project, type RunHooks } from '../../cli/options.ts';
import { openApi, type ProjectOption } from '../../cli/session/api.ts';
import type { DownloadOptions } from './cli/download.ts';
import type { ReportOptions } from './cli/reports.ts';

const WITH_FILES: readonly string[] = ['run', 'replay', 'dev'];
const FORMATS = ['html', 'csv', 'pcapng'] as const satisfies readonly DownloadOptions['format'][];

export const COMMANDS: FeatureCommands = (program, io, ending) => {
  for (const command of program.commands)
    if (WITH_FILES.includes(command.name()))
      command
        .option('--junit <file>', 'the result as JUnit XML')
        .option('--markdown <file>', 'the result for the comment of a merge request')
        .option('--html <file>', 'the run as one self-contained HTML file');
  program
    .command('download')
    .description('a file of a run: its report, its endpoints, its SIP messages')
    .argument('<run>', 'id, its beginning or end, or last')
    .addOption(new Option('-f, --format <format>', 'which').choices(FORMATS).default('html'))
    .option('-o, --output <file>', 'output file; - is standard output')
    .addOption(project())
    .action((run: string, o: DownloadOptions & ProjectOption) =>
      ending(import('./cli/download.ts').then(async (c) => c.downloadCommand(io, await openApi(io, o), run, o))),
    );
};

export const RUN_HOOKS: RunHooks = {
  files: async ({ junit, markdown, html }) => {
    if ([junit, markdown, html].every((file) => file === undefined)) return null;
    const reports = await import('./cli/reports.ts');
    const options = { junit, markdown, html } as ReportOptions;
    await reports.reportsCanBeWritten(options);
    return (api, ref, outcome) => reports.writeReports(api, ref, outcome, options);
  },
};
