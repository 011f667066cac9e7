/**
 * The control plane as a few JavaScript files, with the files that it serves: `main.js`, a file for each command of the operator, and
 * `carillon-control-plane.js`, which starts them by name.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { buildDashboard } from '../build-dashboard.ts';
import { STAMP } from '../build-once.ts';
import { buildSite } from '../site/build.ts';
import { shippedTree } from './bom.ts';
import { packagesIn, withNotices } from './bundle.ts';
import { type Package, packageNamed } from './lock.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const SWAGGER_UI = '@fastify/swagger-ui';
const STARTER = 'carillon-control-plane.js';
/** What the program reads while it runs, at the same places as in a checkout. */
const READ = ['control-plane/{store/migrations,features/*/store}/*.sql', 'control-plane/dashboard/dist', 'docs/dist'];

/** Writes the bundle into `folder`, which is emptied first. Returns the packages whose code is in it. */
export async function bundleControlPlane(folder: string): Promise<readonly Package[]> {
  await Promise.all([buildDashboard(), buildSite()]);
  rmSync(folder, { recursive: true, force: true });
  const commands = commandsOfOperator();
  const files = Object.fromEntries(commands.map(({ name, file }) => [name, path.join(ROOT, file)]));
  const main = path.join(ROOT, 'control-plane', 'main.ts');
  const written = await rollControlPlane(folder, { main, ...files }, 'import.meta.dirname');
  for (const name of globSync(READ, { cwd: ROOT }))
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: (one) => !one.endsWith(STAMP) });
  const starter = readFileSync(path.join(import.meta.dirname, 'starter.js'), 'utf8');
  const texts = Object.fromEntries(commands.map(({ name, text }) => [name, text]));
  writeFileSync(path.join(folder, STARTER), starter.replace('COMMANDS = {}', `COMMANDS = ${JSON.stringify(texts)}`));
  return withNotices('carillon-control-plane', folder, [...packagesIn(written), ...packagesServed()]);
}

/** What the dashboard and the pages bring to browsers: the imports of their code, without types. */
export const packagesServed = (): readonly Package[] => [
  ...shippedTree('@carillon/dashboard', (name) => !name.startsWith('@types/')),
  packageNamed('minisearch'),
];

/**
 * Bundles entries of the control plane. Modules find files beside their own below another root: there they are at the same places
 * as in a checkout.
 * @param root an expression of JavaScript
 */
export async function rollControlPlane(
  folder: string,
  input: Readonly<Record<string, string>>,
  root: string,
): Promise<RolldownOutput> {
  const bundle = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: ['pg-native', 'bufferutil', 'utf-8-validate', 'pino-pretty'],
    plugins: [places()],
    checks: { pluginTimings: false },
  });
  mkdirSync(folder, { recursive: true });
  const banner = `const BUNDLE_ROOT = ${root};\nconst BUNDLE = import.meta.dirname;`;
  const written = await bundle.write({ dir: folder, format: 'esm', cleanDir: true, banner });
  await bundle.close();
  // Of all packages, only this one reads files beside its own. npm packs nothing that is below a folder node_modules.
  cpSync(path.join(ROOT, 'node_modules', SWAGGER_UI, 'static'), path.join(folder, SWAGGER_UI, 'static'), {
    recursive: true,
  });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  return written;
}

function places(): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      const folder = path.dirname(path.relative(ROOT, id));
      const below = (root: string, place: string): string => `(${root} + ${JSON.stringify(`/${place}`)})`;
      if (!folder.includes('node_modules')) return code.replaceAll('import.meta.dirname', below('BUNDLE_ROOT', folder));
      const [, place] = folder.split('node_modules/');
      return place?.startsWith(SWAGGER_UI) ? code.replaceAll('__dirname', below('BUNDLE', place)) : null;
    },
  };
}

/** Programs of the control plane that package.json starts, except the command line, which is a package by itself. */
function commandsOfOperator(): { name: string; file: string; text: string }[] {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return Object.entries(scripts).flatMap(([name, line]) => {
    const file = / node (control-plane\/\S*\/?commands\/\S+\.ts)$/.exec(line)?.[1];
    if (file === undefined) return [];
    const comment = readFileSync(path.join(ROOT, file), 'utf8').replaceAll('\n * ', ' ');
    const text = /^\/\*\*\s+`[^`]+`: ([^.]+)\./.exec(comment)?.[1];
    if (text === undefined) throw new Error(`the comment of ${file} does not begin with the command and what it does`);
    return [{ name, file, text }];
  });
}
