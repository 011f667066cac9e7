/**
 * The control plane and the agent as a few JavaScript files each, made once for all tests: a process that loads a thousand
 * modules one by one needs twice the processor time to start, and the tests start hundreds of processes. Both are bundled
 * as in `npm run package`, and find their other files in the checkout. A test file that is run on its own starts the checkout.
 */
import path from 'node:path';
import { bundleAgent } from '../package/bundle.ts';
import { rollControlPlane } from '../package/control-plane-bundle.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/**
 * The folder is below node_modules, where external packages are found. It is always the same, so that V8 finds its compiled code.
 */
export const PROGRAMS = path.join(ROOT, 'node_modules', '.cache', 'carillon', 'programs');

/** Writes `control-plane/main.js`, `control-plane/cli/main.js` and `agent/main.js` into `PROGRAMS`. */
export async function bundlePrograms(): Promise<void> {
  const entries = { main: 'main.ts', 'cli/main': 'cli/main.ts' };
  const input = Object.entries(entries).map(([name, file]) => [name, path.join(ROOT, 'control-plane', file)]);
  await Promise.all([
    rollControlPlane(path.join(PROGRAMS, 'control-plane'), Object.fromEntries(input), JSON.stringify(ROOT)),
    bundleAgent(path.join(PROGRAMS, 'agent')),
  ]);
}
