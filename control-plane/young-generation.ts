/**
 * Limits the heap's young generation. V8 doubles it up to 32 MB per space whenever enough objects survive, which
 * loading the program does: a fifth of an idle control plane's memory. It has that size from the start: from half a MB
 * on, a batch of facts would be copied several times. The memory reducer collects the whole heap some seconds after
 * each burst of work, which in a small load costs more than the facts themselves. Only the command line can set it.
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--min-semi-space-size=8',
  '--no-memory-reducer',
];
