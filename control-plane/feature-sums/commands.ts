/** What the features of features.ts have in commands.ts. Generated: npm run generate. */

import type { FeatureCommands, RunHooks } from '../cli/options.ts';
import { COMMANDS as COMMANDS_OF_CANARY, RUN_HOOKS as RUN_HOOKS_OF_CANARY } from '../features/canary/commands.ts';
import { COMMANDS as COMMANDS_OF_CAPACITY } from '../features/capacity/commands.ts';
import {
  COMMANDS as COMMANDS_OF_COMPARISON,
  RUN_HOOKS as RUN_HOOKS_OF_COMPARISON,
} from '../features/comparison/commands.ts';
import { COMMANDS as COMMANDS_OF_EXPORTS, RUN_HOOKS as RUN_HOOKS_OF_EXPORTS } from '../features/exports/commands.ts';
import { COMMANDS as COMMANDS_OF_SHARE_LINKS } from '../features/share-links/commands.ts';
import {
  COMMANDS as COMMANDS_OF_WAITING_RUNS,
  RUN_HOOKS as RUN_HOOKS_OF_WAITING_RUNS,
} from '../features/waiting-runs/commands.ts';

/** Commands of the command line. */
export const FEATURE_COMMANDS: readonly FeatureCommands[] = [
  COMMANDS_OF_CANARY,
  COMMANDS_OF_CAPACITY,
  COMMANDS_OF_COMPARISON,
  COMMANDS_OF_WAITING_RUNS,
  COMMANDS_OF_EXPORTS,
  COMMANDS_OF_SHARE_LINKS,
];
/** What features do with runs of the command line. */
export const FEATURE_RUN_HOOKS: readonly RunHooks[] = [
  RUN_HOOKS_OF_CANARY,
  RUN_HOOKS_OF_COMPARISON,
  RUN_HOOKS_OF_WAITING_RUNS,
  RUN_HOOKS_OF_EXPORTS,
];
