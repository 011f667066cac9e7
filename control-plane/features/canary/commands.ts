/** `carillon run --canary`. */
import { type FeatureCommands, type RunHooks, wholeNumber } from '../../cli/options.ts';
import { canaryTable, isCanaryOpen } from './cli/canary-table.ts';

export const COMMANDS: FeatureCommands = (program) => {
  for (const command of program.commands)
    if (command.name() === 'run')
      command
        .option('--canary <probe>', 'execute a probe before the load and while it is on, and compare: slug, name or id')
        .option('--canary-calls <n>', 'executions before the load; default: 3', wholeNumber)
        .option('--canary-every <seconds>', 'seconds between executions during the load; default: 5', wholeNumber);
};

export const RUN_HOOKS: RunHooks = {
  startPart: async (api, { canary, ...more }) =>
    typeof canary === 'string' ? (await import('./cli/canary.ts')).canaryStart(api, canary, more) : null,
  isOpen: isCanaryOpen,
  table: canaryTable,
};
