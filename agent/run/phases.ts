/** An endpoint's phases (docs/contract.md, States), in lifecycle order; the wire and the database know them by their index. */
import { PHASES, type Phase } from '@carillon/proto/words/word-lists.ts';

export { PHASES, type Phase };

export const phaseIndex = (phase: Phase): number => PHASES.indexOf(phase);
