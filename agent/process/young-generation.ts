/**
 * Limits the young generation of a thread. V8 doubles it up to 32 MB whenever enough objects survive: with thousands of
 * calls most of an agent's memory would be dead samples and batches. A small one is collected more often, at the same
 * CPU cost if survivors are old, because they are moved once. It costs more if each collection finds calls in progress.
 */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** V8 has two such spaces, and calculates with three. */
const SPACES = 3;
const SEMI_SPACE_MB = 4;
/**
 * For a signalling thread: thousands of calls a second fill 4 MB within 0.1 s, and calls in progress are then copied
 * for nothing, a tenth of the process's CPU. 16 gain no more, and cost 8 kB more for each of a thousand calls with
 * media.
 */
const SIGNALLING_SEMI_SPACE_MB = 8;

/** Resource limits of a thread that the agent starts. */
export const threadRoom = (): ResourceLimits => roomOf(SEMI_SPACE_MB);
export const signallingRoom = (): ResourceLimits => roomOf(SIGNALLING_SEMI_SPACE_MB);

/** The same for the main thread, which only the command line can set. */
export const NODE_FLAGS: readonly string[] = [`--max-semi-space-size=${SEMI_SPACE_MB}`];
/** For a process with only a signalling thread, for measurements. */
export const SIGNALLING_NODE_FLAGS: readonly string[] = [`--max-semi-space-size=${SIGNALLING_SEMI_SPACE_MB}`];

/**
 * V8 takes the command line's word before a thread's own limits, unless it is taken back: the main thread's heap has
 * its size by now.
 */
function roomOf(semiSpaceMb: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  return { maxYoungGenerationSizeMb: SPACES * semiSpaceMb };
}
