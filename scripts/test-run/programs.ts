/**
 * The control plane and the agent as a few JavaScript files each, made once for all tests: a process that loads a thousand
 * modules one by one needs twice the processor time to start, and the tests start hundreds of processes. The agent is bundled as
 * in `npm run package`. Both find their other files in the checkout. A test file that is run on its own starts the checkout.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleAgent } from '../package/bundle.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/**
 * The folder is below node_modules, where external packages are found. It is always the same, so that V8 finds its compiled code.
 */
export const PROGRAMS = path.join(ROOT, 'node_modules', '.cache', 'carillon', 'programs');

/** Writes `control-plane/main.js`, `control-plane/cli/main.js` and `agent/main.js` into `PROGRAMS`. */
export async function bundlePrograms(): Promise<void> {
  await Promise.all([
    bundleControlPlane(path.join(PROGRAMS, 'control-plane')),
    bundleAgent(path.join(PROGRAMS, 'agent')),
  ]);
}

async function bundleControlPlane(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: {
      main: path.join(ROOT, 'control-plane', 'main.ts'),
      'cli/main': path.join(ROOT, 'control-plane', 'cli', 'main.ts'),
    },
    platform: 'node',
    // The programs read files beside their own.
    external: [/^@fastify\//, 'nodemailer', 'pg-native', 'bufferutil', 'utf-8-validate', 'pino-pretty'],
    plugins: [
      {
        name: 'places',
        transform: (code, id) =>
          id.includes('node_modules')
            ? null
            : code
                .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
                .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      },
    ],
    checks: { pluginTimings: false },
  });
  await bundle.write({ dir: folder, format: 'esm', cleanDir: true });
  await bundle.close();
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
}
