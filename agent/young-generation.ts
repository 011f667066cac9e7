/**
 * How much of the heap a thread may leave to new objects. V8 doubles that room up to 32 MB whenever enough of what it holds survives: with
 * thousands of calls most of an agent's memory would be dead samples and batches that nobody has collected yet. A small room is
 * collected more often, for as much CPU: what costs is what survives.
 */
import type { ResourceLimits } from 'node:worker_threads';

/** Of a thread that the agent starts: three spaces of 4 MB. */
export const YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

/**
 * Of a signalling thread, 16. Thousands of calls a second fill 4 MB within a tenth of one, and what is under way then is copied for nothing:
 * a tenth of the thread's CPU. It grows so far only where that much survives, which a thousand calls that go on do not make it do.
 */
const SIGNALLING_SEMI_SPACE_MB = 16;
export const SIGNALLING_YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 3 * SIGNALLING_SEMI_SPACE_MB };

/** The same for the main thread, which only the command line can tell: how the agent is to be started. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4'];
/** And of a process that is a signalling thread and nothing else, to measure it. */
export const SIGNALLING_NODE_FLAGS: readonly string[] = [`--max-semi-space-size=${SIGNALLING_SEMI_SPACE_MB}`];
