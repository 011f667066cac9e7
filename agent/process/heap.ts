/**
 * Sizes of a thread's heap, and when V8 compiles. V8 doubles the young generation up to 32 MB whenever enough objects
 * survive: with thousands of calls most of an agent's memory would be dead samples and batches. A small one is
 * collected more often, at the same CPU cost if survivors are old, because they are moved once. It costs more if each
 * collection finds calls in progress.
 *
 * The old generation of the main thread and of signalling threads may have 64 MB before V8 first collects it: its own
 * limit is close to what an idle agent holds, so a load had a collection every two seconds, a fifth of the CPU. From
 * then on it may grow by 30 % between collections: V8 lets it grow two- to fourfold, and dead calls and acknowledged
 * batches were a third of an agent's memory. The memory reducer would collect after each burst of work. A function is
 * optimized after 10,000 invocations instead of 3,000: by then a load lasts long enough to repay the compiler.
 */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** V8 has two such spaces, and calculates with three. */
const SPACES = 3;
const SEMI_SPACE_MB = 4;
/**
 * For a signalling thread: at 500 calls a second 8 MB are full twice a second, and calls of a second or more outlive two
 * collections. 32 gain little more, and cost 8 kB more for each of a thousand calls with media.
 */
const SIGNALLING_SEMI_SPACE_MB = 16;
const OLD_SPACE_MB = 64;
const OLD_GROWTH_PERCENT = 30;
const V8_DECIDES = 0;

/** The resource limits of a thread that the agent starts. */
export const threadRoom = (): ResourceLimits => roomOf(SEMI_SPACE_MB, V8_DECIDES);
export const signallingRoom = (): ResourceLimits => roomOf(SIGNALLING_SEMI_SPACE_MB, OLD_SPACE_MB);

/** The same limits for the main thread, which only the command line can set; the other flags apply to every thread. */
export const NODE_FLAGS: readonly string[] = [
  `--max-semi-space-size=${SEMI_SPACE_MB}`,
  `--initial-old-space-size=${OLD_SPACE_MB}`,
  `--heap-growing-percent=${OLD_GROWTH_PERCENT}`,
  '--no-memory-reducer',
  '--invocation-count-for-turbofan=10000',
];

/**
 * V8 prefers the command line's values to a thread's own limits, unless they are reset: the main thread's heap already
 * has its size. A new thread reads the flags when it starts: threads of the two kinds must not start together.
 */
function roomOf(semiSpaceMb: number, oldSpaceMb: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  setFlagsFromString(`--initial-old-space-size=${oldSpaceMb}`);
  return { maxYoungGenerationSizeMb: SPACES * semiSpaceMb };
}
