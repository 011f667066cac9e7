/**
 * Sizes of a thread's heap, and when V8 compiles. V8 doubles the young generation up to 32 MB whenever enough objects
 * survive: with thousands of calls most of an agent's memory would be dead samples and batches. A small one is collected
 * more often, at the same CPU cost if survivors are old, because they are moved once. It costs more if each collection
 * finds calls in progress.
 *
 * The old generation of the main thread and of signalling threads may have 128 MB before V8 first collects it: its own
 * limit is close to what an idle agent holds, so a load had a collection every two seconds, a fifth of the CPU.
 * `old-generation.ts` collects it earlier, when it has grown. The memory reducer would collect after each burst of
 * work. A function is optimized after 10,000 invocations instead of 3,000: by then a load lasts long enough to repay
 * the compiler.
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
const OLD_SPACE_MB = 128;
const V8_DECIDES = 0;

/** Resource limits of a thread that the agent starts. */
export const threadRoom = (): ResourceLimits => roomOf(SEMI_SPACE_MB, V8_DECIDES);
export const signallingRoom = (): ResourceLimits => roomOf(SIGNALLING_SEMI_SPACE_MB, OLD_SPACE_MB);

/** The same for the main thread, which only the command line can set; the others apply to every thread. */
export const NODE_FLAGS: readonly string[] = flagsOf(SEMI_SPACE_MB);
/** For a process with only a signalling thread, for measurements. */
export const SIGNALLING_NODE_FLAGS: readonly string[] = flagsOf(SIGNALLING_SEMI_SPACE_MB);

function flagsOf(semiSpaceMb: number): string[] {
  return [
    `--max-semi-space-size=${semiSpaceMb}`,
    `--initial-old-space-size=${OLD_SPACE_MB}`,
    '--no-memory-reducer',
    '--invocation-count-for-turbofan=10000',
  ];
}

/**
 * V8 takes the command line's word before a thread's own limits, unless it is taken back: the main thread's heap has
 * its size by now. A new thread reads the flags when it starts: threads of the two kinds must not start together.
 */
function roomOf(semiSpaceMb: number, oldSpaceMb: number): ResourceLimits {
  setFlagsFromString('--max-semi-space-size=0');
  setFlagsFromString(`--initial-old-space-size=${oldSpaceMb}`);
  return { maxYoungGenerationSizeMb: SPACES * semiSpaceMb };
}
