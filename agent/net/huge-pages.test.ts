import { readFileSync } from 'node:fs';
import { t } from 'tap';
import { createMediaMemory, mapMediaMemory } from '../rtp/figures/stream-memory.ts';
import { HUGE_PAGE_BYTES, preferHugePages } from './huge-pages.ts';
import { addressOfShared, loadLibc } from './libc.ts';

const noLibc = loadLibc() instanceof Error ? 'no libc' : false;

/** Flags of the mapping that contains the address (proc(5), smaps). */
function flagsAt(address: number): string {
  let inside = false;
  for (const line of readFileSync('/proc/self/smaps', 'latin1').split('\n')) {
    const range = /^([0-9a-f]+)-([0-9a-f]+) /.exec(line);
    if (range) inside = Number.parseInt(range[1]!, 16) <= address && address < Number.parseInt(range[2]!, 16);
    else if (inside && line.startsWith('VmFlags:')) return line;
  }
  return '';
}

t.test('a media thread’s memory begins with a huge page, and every thread finds it there', { skip: noLibc }, (t) => {
  const memory = createMediaMemory(1000, { unit: HUGE_PAGE_BYTES, place: preferHugePages });
  const begins = addressOfShared(memory.buffer) + memory.doorbell.byteOffset;
  t.equal(begins % HUGE_PAGE_BYTES, 0);
  t.match(flagsAt(begins), / hg( |$)/, 'the kernel has been asked');
  memory.received.packets[999] = 7;
  memory.doorbell[0] = 3;
  const seen = mapMediaMemory(memory.buffer, 1000);
  t.same([seen.received.packets[999], seen.doorbell[0], seen.noise.slotsSent[0]], [7, 3, 0]);
  t.end();
});

t.test('memory that is too small for one has none, and works', (t) => {
  const memory = createMediaMemory(1);
  t.equal(memory.doorbell.byteOffset, 0);
  t.ok(memory.buffer.byteLength < HUGE_PAGE_BYTES);
  t.ok(preferHugePages(new SharedArrayBuffer(4096)) >= 0);
  t.end();
});
