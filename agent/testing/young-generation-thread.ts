/** A thread with the given limits: how large its new space gets while much of it survives, in MB, both halves. */
import { getHeapSpaceStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';

const MIB = 2 ** 20;
const ring = new Array<object>(200_000);
let most = 0;
for (let i = 0; i < 3_000_000; i++) {
  ring[i % ring.length] = { i, list: [i] };
  if (i % 100_000 !== 0) continue;
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  most = Math.max(most, (space?.space_size ?? 0) / MIB);
}
parentPort?.postMessage(most);
