/**
 * The sizes of the heap. V8 doubles the young generation up to 32 MB per space whenever enough objects survive, which
 * happens when the program is loaded: that is a fifth of an idle control plane's memory. Here it has its size from the
 * start: from half a MB on, a batch of facts would be copied several times. The old generation grows to 128 MB before
 * it is first collected: a start leaves 70 MB, which is close to V8's own limit, so that the first load would pay for
 * marking all of it. The memory reducer collects the whole heap some seconds after each burst of work, which in a small
 * load costs more than the facts themselves. Only the command line can set these.
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--min-semi-space-size=8',
  '--initial-old-space-size=128',
  '--no-memory-reducer',
];
