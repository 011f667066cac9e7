/**
 * The command line: `carillon-agent COMMAND`. Each command resolves with its exit code, or rejects with a text for the
 * operator. Commands are loaded when called, so a running agent does not load the doctor.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.ts';
import { AGENT_VERSION } from '../version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('a step takes 1 to 3600 seconds.');
}

/** Options of `run` stand for environment variables. */
const RUN_OPTIONS = {
  io: 'CARILLON_IO',
  url: 'CARILLON_URL',
  tokenFile: 'CARILLON_JOIN_TOKEN_FILE',
  name: 'CARILLON_NAME',
  disposable: 'CARILLON_DISPOSABLE',
  drainSeconds: 'CARILLON_DRAIN_SECONDS',
} as const;
type RunOptions = { readonly [K in keyof typeof RUN_OPTIONS]?: string | true };

const environmentOf = (options: RunOptions): Environment =>
  Object.fromEntries(
    Object.entries(RUN_OPTIONS).flatMap(([option, name]) => {
      const value = options[option as keyof RunOptions];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );

/** @returns the exit code */
export async function agentProgram(argv: readonly string[], environment: Environment): Promise<number> {
  let code = 0;
  const ending = async (command: Promise<number>) => {
    code = await command;
  };
  const config = (over: Environment = {}) => readConfig({ ...environment, ...over });
  const io = () => new Option('--io <adapter>', 'the I/O adapter for datagrams').choices(['auto', 'ffi', 'dgram']);
  const json = () => new Option('--json', 'for programs').default(false);
  const program = new Command('carillon-agent')
    .description("Places and answers SIP calls on this host, as its owner's policy allows.")
    .version(AGENT_VERSION)
    .showHelpAfterError()
    .addHelpText('after', '\nThe environment variables are described in docs/reference/environment.md.');

  program
    .command('run', { isDefault: true })
    .description('the agent itself; ends in order at SIGTERM or SIGINT')
    .addOption(io())
    .option('--url <url>', 'the control plane: wss://HOST/agent/v1')
    .option('--token-file <file>', 'a file with the join token: enrolls the agent if it has no key yet')
    .option('--name <pattern>', 'name of the worker in a pool: {n} is its number there, {host} the host')
    .option('--disposable', 'at SIGTERM it leaves for good: its worker is archived, its key deleted')
    .option('--drain-seconds <n>', 'how long it then lets its calls go on; default: 15')
    .action((o: RunOptions) => ending(import('./run.ts').then((c) => c.runCommand(config(environmentOf(o))))));
  program
    .command('enroll')
    .description('creates the key of this host and registers it with the control plane (once)')
    .requiredOption('--url <url>', 'the control plane: wss://HOST/agent/v1')
    .requiredOption('--token <token>', 'the join token that the dashboard shows; - reads it from standard input')
    .option('--ca <file>', 'certificates (PEM) to trust instead of the system’s')
    .action((o: { url: string; token: string; ca?: string }) =>
      ending(
        import('./enroll.ts').then((c) => c.enrollCommand(config({ CARILLON_URL: o.url }), o.token, o.ca ?? null)),
      ),
    );
  program
    .command('status')
    .description("state of this host's agent: exit code 0 connected, 1 not connected, 3 not running")
    .addOption(json())
    .action((o: { json: boolean }) =>
      ending(import('./status.ts').then((c) => c.statusCommand(config().stateDir, o.json))),
    );
  program
    .command('stop')
    .description('ends all calls and registrations, then the agent')
    .action(() => ending(import('./stop.ts').then((c) => c.stopCommand(config().stateDir))));
  program
    .command('rotate')
    .description('creates a new key for this host; the old one is then refused')
    .action(() => ending(import('./rotate.ts').then((c) => c.rotateCommand(config()))));
  program
    .command('doctor')
    .description('checks this host and says how to fix each problem')
    .addOption(json())
    .option(
      '--sip-target <host:port>',
      'looks for NAT and SIP ALG on the way to this target; works best with another carillon-agent',
    )
    .action((o: { json: boolean; sipTarget?: string }) =>
      ending(import('../doctor/command.ts').then((c) => c.doctorCommand(config(), o.json, o.sipTarget ?? null))),
    );
  program
    .command('calibrate')
    .description('measures how much this host carries, which then limits what the control plane assigns')
    .addOption(json())
    .option('--seconds <n>', 'of each step', secondsOf, 12)
    .action((o: { json: boolean; seconds: number }) =>
      ending(import('../calibrate/command.ts').then((c) => c.calibrateCommand(config(), o.seconds, o.json))),
    );
  program
    .command('selftest')
    .description('injects impairments and compares the reported figures')
    .allowUnknownOption()
    .helpOption(false)
    .argument('[options...]')
    .action((options: string[]) => ending(import('../selftest/command.ts').then((c) => c.selfTestCommand(options))));
  program
    .command('policy')
    .description("the owner's policy")
    .command('check')
    .description('checks the policy, and whether these targets may be called')
    .argument('[targets...]', 'SIP or tel URIs, numbers, addresses')
    .option('--file <file>', 'instead of CARILLON_POLICY')
    .action((targets: string[], o: { file?: string }) =>
      ending(import('./policy.ts').then((c) => c.policyCommand(o.file ?? config().policyFile, targets))),
    );
  await program.parseAsync([...argv], { from: 'user' });
  return code;
}
