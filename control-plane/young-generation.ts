/**
 * How much of the heap is left to new objects. V8 doubles that room up to 32 MB a space whenever enough survives, which loading the
 * program alone does: a fifth of what an idle control plane would hold. Only the command line can tell: how it is to be started.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8'];
