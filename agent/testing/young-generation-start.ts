/** As the agent's process is started: threads of both kinds, and what room they get. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { signallingRoom, threadRoom } from '../process/young-generation.ts';

for (const room of [threadRoom, signallingRoom]) {
  const worker = new Worker(new URL('./young-generation-thread.ts', import.meta.url), { resourceLimits: room() });
  const [most] = await once(worker, 'message');
  console.log(most);
}
