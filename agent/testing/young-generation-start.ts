/** Started like the agent's process: threads of both kinds, and the size of their heaps. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { signallingRoom, threadRoom } from '../process/young-generation.ts';

for (const room of [threadRoom, signallingRoom]) {
  const worker = new Worker(new URL('./young-generation-thread.ts', import.meta.url), { resourceLimits: room() });
  const [most] = await once(worker, 'message');
  console.log(most);
}
