/**
 * A thread whose old generation fills with dead objects while it is watched. Posts the bytes that it held before them, with
 * them, and once they have been collected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { boundOldGeneration, heldBytes } from '../process/old-generation.ts';

const MIB = 2 ** 20;
const LOOK_MS = 20;
const DEAD_BYTES = 24 * MIB;

boundOldGeneration(4 * MIB, LOOK_MS);
// Timers of one length end in the order of their start: the watch has looked once.
await sleep(LOOK_MS);
const before = heldBytes();
const kept: object[] = [];
while (heldBytes() < before + DEAD_BYTES) kept.push({ list: new Array(100).fill(kept.length) });
const filled = heldBytes();
kept.length = 0;
let after = heldBytes();
while (after > before + DEAD_BYTES / 4) {
  await sleep(LOOK_MS);
  after = heldBytes();
}
parentPort?.postMessage({ before, filled, after });
