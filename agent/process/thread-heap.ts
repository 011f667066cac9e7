/** The limits of a thread's heap (proto/base/agent-heap.ts says why, and has those of the main thread). */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { OLD_SPACE_MB, SEMI_SPACE_MB } from '@carillon/proto/base/agent-heap.ts';

/** V8 has two such spaces, and calculates with three. */
const SPACES = 3;
/**
 * For a signalling thread: at 500 calls a second 8 MB are full twice a second, and calls of a second or more outlive two
 * collections. 32 gain little more, and cost 8 kB more for each of a thousand calls with media.
 */
const SIGNALLING_SEMI_SPACE_MB = 16;
const V8_DECIDES = 0;

/** The resource limits of a thread that the agent starts. */
export const threadRoom = (): ResourceLimits => roomOf(SEMI_SPACE_MB, V8_DECIDES);
export const signallingRoom = (): ResourceLimits => roomOf(SIGNALLING_SEMI_SPACE_MB, OLD_SPACE_MB);

/**
 * V8 prefers the command line's values to a thread's own limits, unless they are reset: the main thread's heap already
 * has its size. A new thread reads the flags when it starts: threads of the two kinds must not start together.
 */
function roomOf(semiSpaceMb: number, oldSpaceMb: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  setFlagsFromString(`--initial-old-space-size=${oldSpaceMb}`);
  return { maxYoungGenerationSizeMb: SPACES * semiSpaceMb };
}
