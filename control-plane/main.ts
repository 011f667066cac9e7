/** The process: environment and signals; control-plane.ts has the rest. */
import { readConfig } from './config.ts';
import { startControlPlane } from './control-plane.ts';
import { live } from './lifetime.ts';

await live(async ({ ending }) => {
  const running = await startControlPlane(readConfig(process.env), process.env, ending);
  if (running.setupLink) console.log(`No account exists yet. Create the owner's account at ${running.setupLink}`);
  return running;
});
