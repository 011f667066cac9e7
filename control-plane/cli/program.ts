/** The command line: `carillon COMMAND`. Each command resolves with its exit code and is loaded when called. */
import completion from '@bomb.sh/tab/commander';
import { Command, CommanderError, Option } from 'commander';
import { installMessages } from '../contract/plain-issues.ts';
import { FEATURE_COMMANDS } from '../feature-sums/commands.ts';
import { VERSION } from '../version.ts';
import type { DevOptions } from './dev/dev.ts';
import { EXIT, type ExitCode, Stop } from './exit-codes.ts';
import type { Io } from './io.ts';
import { collect, type Ending, type JsonOption, json, project, wholeNumber } from './options.ts';
import { DEFAULT_FILE } from './project/default-file.ts';
import type { ImportOptions } from './project/import.ts';
import type { ApplyOptions, PlanOptions } from './project/plan.ts';
import type { RunOptions } from './run/run.ts';
import { openApi, type ProjectOption, WAITING_ATTEMPTS } from './session/api.ts';
import { choicesFor, complete } from './session/completion.ts';
import type { LoginOptions } from './session/login.ts';
import type { LadderOptions } from './show/ladder.ts';
import type { ListOptions } from './show/runs.ts';

type FileOption = { readonly file: string };

const CODES = `
Exit codes: 0 good, 1 usage, 2 changes pending, 3 the run could not start, 4 API or network, 5 the run failed,
98 its figures are not valid, 99 a threshold was crossed, 105 it was cancelled.`;

/** @returns the exit code; errors have been printed */
export async function carillon(argv: readonly string[], io: Io): Promise<number> {
  installMessages();
  let code: ExitCode = EXIT.GOOD;
  const ending: Ending = async (command) => {
    code = await command;
  };
  try {
    const program = programOf(io, ending);
    const commands = { test: commandsOn(program, 'test'), run: commandsOn(program, 'run') };
    const choices = await choicesFor(argv, io, commands);
    complete(completion(program, { completionCommandName: 'completion' }), commands, choices);
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.GOOD : EXIT.USAGE;
    if (error instanceof Stop) {
      io.err.write(`${error.message}\n`);
      return error.code;
    }
    if (io.ending.aborted) {
      io.err.write(`${(io.ending.reason as Error).message}\n`);
      return EXIT.ABORTED;
    }
    io.err.write(`${(error as Error).stack}\n`);
    return EXIT.API;
  }
}

/** The names of the commands whose first argument has this name. */
const commandsOn = (program: Command, argument: string): string[] =>
  program.commands
    .filter(({ registeredArguments: [first] }) => first?.name() === argument)
    .map((command) => command.name());

function programOf(io: Io, ending: Ending): Command {
  const program = new Command('carillon')
    .description('SIP load tests and probes from the command line: a client of the API like any other.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.out.write(text), writeErr: (text) => io.err.write(text) })
    .showHelpAfterError('(see carillon --help)')
    .addHelpText('after', CODES);

  program
    .command('login')
    .description('store the address of a control plane and an API key, for this user only')
    .option('--url <url>', 'https://HOST[:PORT]')
    .option('--key-stdin', 'read the key from standard input')
    .addOption(project())
    .action((o: LoginOptions) => ending(import('./session/login.ts').then((c) => c.loginCommand(io, o))));
  program
    .command('logout')
    .description('delete the stored address and key')
    .action(() => ending(import('./session/login.ts').then((c) => c.logoutCommand(io))));
  runOptions(program.command('run').argument('<test>', 'slug, name or id'))
    .description('start a run; with --wait, or any option that needs the result, wait for it and judge it')
    .option('--wait', 'wait until the run has ended')
    .option('--overload', 'without the circuit breaker, even if the test has one')
    .action((test: string, o: RunOptions & ProjectOption) =>
      ending(
        import('./run/run.ts').then(async (c) =>
          c.runCommand(io, await openApi(io, o, { attempts: WAITING_ATTEMPTS }), test, o),
        ),
      ),
    );
  resultOptions(program.command('replay').argument('<run>', 'id, its beginning or end, or last'))
    .description('start a run again with its original settings')
    .option('-t, --threshold <limit>', "a limit that the run must keep, as 'pdd.p95<2000'; repeatable", collect, [])
    .action((run: string, o: RunOptions & ProjectOption) =>
      ending(
        import('./run/replay.ts').then(async (c) =>
          c.replayCommand(io, await openApi(io, o, { attempts: WAITING_ATTEMPTS }), run, o),
        ),
      ),
    );
  runOptions(program.command('dev').argument('[file]', "a project's file", undefined))
    .description(
      'run a test of a file on this host, without an account: PostgreSQL, control plane and agent for this run only',
    )
    .option('--test <test>', 'which of the file: slug or name')
    .option(
      '--policy <file>',
      'policy of the agent, as CARILLON_POLICY: permitted targets; default: private addresses only',
    )
    .action((name: string | undefined, o: DevOptions) =>
      ending(import('./dev/dev.ts').then((c) => c.devCommand(io, name, o))),
    );
  for (const add of FEATURE_COMMANDS) add(program, io, ending);
  looking(program, io, ending);
  projects(program, io, ending);
  return program;
}

/** The commands for a project as a file. */
function projects(program: Command, io: Io, ending: Ending): void {
  const file = () => new Option('-f, --file <file>', "the project's file").default(DEFAULT_FILE);
  const prune = () => new Option('--prune', 'delete what the project has and the file does not name');
  program
    .command('init')
    .description('write a sample file')
    .argument('[file]', 'which', DEFAULT_FILE)
    .action((name: string) => ending(import('./project/import.ts').then((c) => c.initCommand(io, name))));
  program
    .command('plan')
    .description('show what apply would change. Exit code 2 if the project differs from its file')
    .addOption(file())
    .addOption(prune())
    .addOption(json())
    .action((o: PlanOptions & FileOption) =>
      ending(import('./project/plan.ts').then(async (c) => c.planCommand(io, await openApi(io, {}), o.file, o))),
    );
  program
    .command('apply')
    .description('change the project to match its file')
    .addOption(file())
    .addOption(prune())
    .option('-y, --yes', 'without confirmation')
    .option('--secrets', 'send the secrets of the file again: the API does not say whether they differ')
    .action((o: ApplyOptions & FileOption) =>
      ending(import('./project/plan.ts').then(async (c) => c.applyCommand(io, await openApi(io, {}), o.file, o))),
    );
  program
    .command('import')
    .alias('export')
    .description('write a project as its file, without its secrets')
    .addOption(new Option('-o, --output <file>', 'output file; - is standard output').default(DEFAULT_FILE))
    .option('--force', 'overwrite an existing file')
    .addOption(project())
    .action((o: ImportOptions & ProjectOption) =>
      ending(import('./project/import.ts').then(async (c) => c.importCommand(io, await openApi(io, o), o))),
    );
}

/** The commands that show existing things. */
function looking(program: Command, io: Io, ending: Ending): void {
  program
    .command('runs')
    .description('the last runs')
    .option('-n, --limit <n>', 'number of runs', wholeNumber, 20)
    .option('--test <test>', 'of this test only: slug, name or id')
    .option('--probe <probe>', 'of this probe only')
    .option('--tests', 'without executions of probes')
    .option('--status <status>', 'as completed; repeatable', collect, [])
    .option('--verdict <verdict>', 'valid, suspect or void; repeatable', collect, [])
    .option('-l, --label <label>', 'name or name=value; repeatable', collect, [])
    .addOption(new Option('--passed <passed>', 'by the thresholds of the test').choices(['true', 'false', 'none']))
    .option('--from <instant>', 'submitted at or after, as 2026-01-31T12:00:00Z')
    .option('--to <instant>', 'submitted before')
    .option('--sort <order>', 'as -submittedAt, endpoints or testName')
    .addOption(json())
    .addOption(project())
    .action((o: ListOptions & ProjectOption) =>
      ending(import('./show/runs.ts').then(async (c) => c.runsCommand(io, await openApi(io, o), o))),
    );
  program
    .command('show')
    .description('one run: verdict, figures, failures')
    .argument('<run>', 'id, its beginning or end, or last')
    .addOption(json())
    .addOption(project())
    .action((run: string, o: JsonOption & ProjectOption) =>
      ending(import('./show/runs.ts').then(async (c) => c.showCommand(io, await openApi(io, o), run, o.json === true))),
    );
  program
    .command('ladder')
    .description('the SIP messages of one call, as a ladder')
    .argument('<call>', 'id, Call-ID, number of the endpoint, or worst')
    .option('--run <run>', 'in this run; default: the last one')
    .option('--full', 'also print every message in full')
    .addOption(project())
    .action((call: string, o: LadderOptions & ProjectOption) =>
      ending(import('./show/ladder.ts').then(async (c) => c.ladderCommand(io, await openApi(io, o), call, o))),
    );
  program
    .command('whoami')
    .description('control plane, owner and rights of the key')
    .addOption(json())
    .action((o: JsonOption) =>
      ending(import('./show/whoami.ts').then(async (c) => c.whoamiCommand(io, await openApi(io, {}), o.json === true))),
    );
  program
    .command('workers')
    .description('workers, their state and free capacity')
    .addOption(json())
    .action((o: JsonOption) =>
      ending(
        import('./show/whoami.ts').then(async (c) => c.workersCommand(io, await openApi(io, {}), o.json === true)),
      ),
    );
  program
    .command('probes')
    .description('probes, their health, and what prevents them from running')
    .addOption(json())
    .addOption(project())
    .action((o: JsonOption & ProjectOption) =>
      ending(import('./show/probes.ts').then(async (c) => c.probesCommand(io, await openApi(io, o), o.json === true))),
    );
}

const runOptions = (command: Command): Command =>
  resultOptions(command)
    .option('-t, --threshold <limit>', "a limit that the run must keep, as 'pdd.p95<2000'; repeatable", collect, [])
    .option('-l, --label <name=value>', 'of the run, as commit=4f2a9c1; repeatable', collect, [])
    .option('--set <name=value>', 'overrides a value of the test, as callsPerSecond=20; repeatable', collect, []);

const resultOptions = (command: Command): Command => command.addOption(json()).addOption(project());
