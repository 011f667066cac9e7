/** What the features of features.ts have in commands.ts. Generated: npm run generate. */

import type { FeatureCommands } from './cli/options.ts';
import { COMMANDS as COMMANDS_OF_CAPACITY } from './features/capacity/commands.ts';

/** Commands of the command line. */
export const FEATURE_COMMANDS: readonly FeatureCommands[] = [COMMANDS_OF_CAPACITY];
