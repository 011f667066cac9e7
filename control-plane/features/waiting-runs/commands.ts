/** `carillon run --wait-for-agents`. */
import { type FeatureCommands, type RunHooks, wholeNumber } from '../../cli/options.ts';

export const COMMANDS: FeatureCommands = (program) => {
  for (const command of program.commands)
    if (command.name() === 'run')
      command
        .option('--wait-for-agents [n]', 'wait until so many agents are online; without n: as many as have room for it')
        .option('--wait-seconds <seconds>', 'for these seconds at most; default: 300', wholeNumber);
};

export const RUN_HOOKS: RunHooks = {
  startPart: async (_, { waitForAgents, waitSeconds }) => {
    if (waitForAgents === undefined) return null;
    const agents = typeof waitForAgents === 'string' ? wholeNumber(waitForAgents) : undefined;
    return {
      line: `Waits for ${agents === undefined ? 'the agents that it needs' : `${agents} agents`}.`,
      body: {
        waitForAgents: {
          ...(agents !== undefined && { agents }),
          ...(typeof waitSeconds === 'number' && { withinSeconds: waitSeconds }),
        },
      },
    };
  },
};
