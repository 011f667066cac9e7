/**
 * Pages of 2 MiB for memory that is touched all over, a little with every packet: of pages of 4 kB the processor forgets where they lie
 * (in a virtual machine finding one again takes some 30 loads), and that was a third of what counting a received packet took.
 */
import { addressOfShared, C, loadLibc } from './libc.ts';

export const HUGE_PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Asks the kernel to keep the buffer in huge pages (madvise(2)); nothing of it may have been touched. Returns how many of its bytes
 * lie in front of the first of them: what is used should begin there. 0, and nothing is asked, where no libc is available.
 */
export function preferHugePages(buffer: SharedArrayBuffer): number {
  const libc = loadLibc();
  if (libc instanceof Error) return 0;
  const address = addressOfShared(buffer);
  const first = Math.ceil(address / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  const length = Math.floor((address + buffer.byteLength - first) / HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES;
  if (length <= 0) return 0;
  // Refused where the kernel was built without: everything works as before, a little slower.
  libc.madvise(first, length, C.MADV_HUGEPAGE);
  return first - address;
}
