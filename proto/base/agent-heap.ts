/**
 * Sizes of an agent's heap, and when V8 compiles. V8 doubles the young generation up to 32 MB whenever enough objects
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

/** Megabytes of each half of the young generation, for the main thread and threads of media. */
export const SEMI_SPACE_MB = 4;
export const OLD_SPACE_MB = 64;
const OLD_GROWTH_PERCENT = 30;

/**
 * The flags of Node.js of an agent's process. Who starts an agent passes them; an agent that is started without them
 * restarts itself. The main thread's sizes can be set here only; the other flags apply to every thread.
 */
export const AGENT_FLAGS: readonly string[] = [
  `--max-semi-space-size=${SEMI_SPACE_MB}`,
  `--initial-old-space-size=${OLD_SPACE_MB}`,
  `--heap-growing-percent=${OLD_GROWTH_PERCENT}`,
  '--no-memory-reducer',
  '--invocation-count-for-turbofan=10000',
];
