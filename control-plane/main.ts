/** The process: environment and signals; control-plane.ts has the rest. */
import { restartWith } from '@carillon/proto/base/restart.ts';
import { NODE_FLAGS } from './heap.ts';
import { VERSION } from './version.ts';

if (process.argv.includes('--version')) {
  console.log(VERSION);
  process.exit();
}
restartWith(NODE_FLAGS);
const { live } = await import('./lifetime.ts');
await live(async ({ ending }) => {
  const { installMessages } = await import('./contract/plain-issues.ts');
  installMessages();
  const { startControlPlane } = await import('./control-plane.ts');
  const { readConfig } = await import('./config.ts');
  const running = await startControlPlane(readConfig(process.env), process.env, ending);
  if (running.setupLink) console.log(`No account exists yet. Create the owner's account at ${running.setupLink}`);
  return running;
});
