/** Threads have heaps of their own sizes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AGENT_FLAGS } from '@carillon/proto/base/agent-heap.ts';
import t from 'tap';
import type { HeapGrowth } from '../testing/heap-thread.ts';

t.test('threads have the room that is meant for them, whatever the command line says of the main thread', async (t) => {
  const file = new URL('../testing/heap-start.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [...AGENT_FLAGS, file]);
  const [other, signalling] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as HeapGrowth);
  const { youngMiB, collections } = other as HeapGrowth;
  t.ok(youngMiB > 0 && youngMiB <= 13, `others two spaces of 4 MB, and a third while V8 copies: ${youngMiB}`);
  t.ok(collections > 0, `V8 collects what others drop: ${collections}`);
  t.ok(
    signalling!.youngMiB > 24 && signalling!.youngMiB <= 49,
    `signalling threads two or three of 16: ${signalling!.youngMiB}`,
  );
  t.ok(signalling!.collections < collections, 'they may have 64 MB of old objects before V8 collects');
});
