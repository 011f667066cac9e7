/** The fields that waits add to the start of a run, and to a run in full. */
import { WaitForAgents, Waiting } from './contract/wait.ts';

export const RUN_START_FIELDS = { waitForAgents: WaitForAgents.optional() };

export const RUN_FIELDS = {
  waiting: Waiting.nullable().describe('for which agents a PENDING run waits; null: it does not'),
};
