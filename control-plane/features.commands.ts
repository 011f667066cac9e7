/** What the features of features.ts have in commands.ts. Generated: npm run generate. */

import type { FeatureCommands } from './cli/options.ts';
import { COMMANDS as COMMANDS_OF_CAPACITY } from './features/capacity/commands.ts';
import { COMMANDS as COMMANDS_OF_SHARE_LINKS } from './features/share-links/commands.ts';

/** Commands of the command line. */
export const FEATURE_COMMANDS: readonly FeatureCommands[] = [COMMANDS_OF_CAPACITY, COMMANDS_OF_SHARE_LINKS];
