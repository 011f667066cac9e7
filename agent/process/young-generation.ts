/**
 * How much of the heap a thread may leave to new objects. V8 doubles that room up to 32 MB whenever enough of what it holds survives: with
 * thousands of calls most of an agent's memory would be dead samples and batches that nobody has collected yet. A small room is
 * collected more often, for as much CPU where what survives is old: that is moved once. Where each collection finds calls under way it costs more.
 */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** V8 has two such spaces, and reckons with three. */
const SPACES = 3;
const SEMI_SPACE_MB = 4;
/**
 * Of a signalling thread: thousands of calls a second fill 4 MB within a tenth of one, and what is under way then is copied for nothing:
 * a tenth of the process's CPU. 16 gain no more, and a thousand calls with media would have 8 kB more each.
 */
const SIGNALLING_SEMI_SPACE_MB = 8;

/** Of a thread that the agent starts. */
export const threadRoom = (): ResourceLimits => roomOf(SEMI_SPACE_MB);
export const signallingRoom = (): ResourceLimits => roomOf(SIGNALLING_SEMI_SPACE_MB);

/** The same for the main thread, which only the command line can tell: how the agent is to be started. */
export const NODE_FLAGS: readonly string[] = [`--max-semi-space-size=${SEMI_SPACE_MB}`];
/** And of a process that is a signalling thread and nothing else, to measure it. */
export const SIGNALLING_NODE_FLAGS: readonly string[] = [`--max-semi-space-size=${SIGNALLING_SEMI_SPACE_MB}`];

/** V8 takes the command line's word before a thread's own limits, unless it is taken back: the main thread's heap has its size by now. */
function roomOf(semiSpaceMb: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  return { maxYoungGenerationSizeMb: SPACES * semiSpaceMb };
}
