/** Started like the agent's process: threads of both kinds, and the size of their heaps. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { signallingRoom, threadRoom } from '../process/thread-heap.ts';

for (const room of [threadRoom, signallingRoom]) {
  const worker = new Worker(new URL('./heap-thread.ts', import.meta.url), { resourceLimits: room() });
  const [growth] = await once(worker, 'message');
  console.log(JSON.stringify(growth));
}
