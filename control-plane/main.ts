/** The process: environment in, signals handled, everything else in control-plane.ts. */
import { readConfig } from './config.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { exitCode } from './exit-code.ts';

let running: ControlPlane | undefined;
let stopping = false;

async function stop(): Promise<void> {
  // A second Ctrl-C ends at once.
  if (stopping) process.exit(130);
  stopping = true;
  process.exit(await exitCode(running?.close()));
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
// Tied to the program that started us (an IPC channel): when that one is killed, we end in order.
process.on('disconnect', () => stopping || void stop());

try {
  running = await startControlPlane(readConfig(process.env), process.env);
  if (running.setupLink) console.log(`Nobody can log in yet. Make the owner's account at ${running.setupLink}`);
  if (stopping) await running.close();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
