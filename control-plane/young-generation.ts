/**
 * Limits the heap's young generation. V8 doubles it up to 32 MB per space whenever enough objects survive, which
 * loading the program does: a fifth of an idle control plane's memory. Only the command line can set it.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
