/**
 * Uses pages of 2 MiB for memory of which every packet touches small, scattered parts. With pages of 4 kB most accesses
 * miss the TLB (in a virtual machine a miss takes about 30 loads), which was a third of the cost of counting a received
 * packet.
 */
import { addressOfShared, C, loadLibc } from './libc.ts';

export const HUGE_PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Asks the kernel to back the buffer with huge pages (madvise(2)); the buffer must be untouched. Returns the number of
 * bytes before the first huge page: used data should start there. 0, without a request, if libc is not available.
 */
export function preferHugePages(buffer: SharedArrayBuffer): number {
  const libc = loadLibc();
  if (libc instanceof Error) return 0;
  const address = addressOfShared(buffer);
  const first = Math.ceil(address / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  const length = Math.floor((address + buffer.byteLength - first) / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  if (length <= 0) return 0;
  // A kernel built without support refuses this: everything works as usual, a little slower.
  libc.madvise(first, length, C.MADV_HUGEPAGE);
  return first - address;
}
