/**
 * The agent as a few JavaScript files, because packages cannot contain TypeScript (node strips no types below node_modules).
 * Threads become separate entries beside `main.js`, and the video patterns are files beside them. koffi stays outside, because it
 * contains machine code.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { type Package, packageNamed, packageOf } from './lock.ts';
import { NOTICES, noticesOf } from './notices.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PATTERNS = 'media/video/pattern';

/** Writes `main.js` and the files that it needs into `folder`, which is emptied first. Returns the packages whose code is in it. */
export async function bundleAgent(folder: string): Promise<readonly Package[]> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    // The names of modules in the output are relative to this folder: they must not depend on the working directory.
    cwd: ROOT,
    input: { main: path.join(ROOT, 'agent', 'main.ts') },
    platform: 'node',
    external: ['koffi', 'bufferutil', 'utf-8-validate', 'pino-pretty'],
    plugins: [threads(), patterns()],
    checks: { pluginTimings: false },
  });
  const written = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  // This file defines the type of the files here, wherever they are installed.
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  mkdirSync(path.join(folder, 'pattern'));
  for (const name of ['pattern.ivf', 'pattern.h264', 'pattern-slices.h264', 'README.md'])
    cpSync(path.join(ROOT, PATTERNS, name), path.join(folder, 'pattern', name));
  return withNotices('carillon-agent', folder, [...packagesIn(written), packageNamed('koffi')]);
}

/** Writes `carillon.cjs`, the command line as one script that runs in any place. Returns the packages whose code is in it. */
export async function bundleClient(folder: string): Promise<readonly Package[]> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: ROOT,
    input: path.join(ROOT, 'control-plane', 'cli', 'main.ts'),
    platform: 'node',
    transform: { define: { 'import.meta.dirname': '__dirname' } },
    checks: { pluginTimings: false },
  });
  const written = await bundle.write({ file: path.join(folder, 'carillon.cjs'), format: 'cjs', codeSplitting: false });
  await bundle.close();
  return withNotices('carillon', folder, packagesIn(written));
}

export function withNotices(name: string, folder: string, shipped: readonly Package[]): readonly Package[] {
  writeFileSync(path.join(folder, NOTICES), noticesOf(name, shipped));
  return shipped;
}

export function packagesIn({ output }: RolldownOutput): Package[] {
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const found = modules.map((module) => packageOf(path.relative(ROOT, module))).filter((one) => one !== null);
  return [...new Map(found.map((one) => [one.ref, one])).values()];
}

/** `new Worker(new URL('./x-thread.ts', import.meta.url))` becomes x-thread.js, a separate entry. */
function threads(): Plugin {
  return {
    name: 'threads',
    transform(code, id) {
      return code.replace(/new URL\(\s*['"]\.\/([\w-]+)\.ts['"]\s*,\s*import\.meta\.url\s*\)/g, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: path.join(path.dirname(id), `${name}.ts`), fileName: `${name}.js` });
        return `new URL('./${name}.js', import.meta.url)`;
      });
    },
  };
}

function patterns(): Plugin {
  let replaced = 0;
  const source = /import\.meta\.resolve\(`@carillon\/media\/video\/pattern\/\$\{(\w+)\}`\)/g;
  return {
    name: 'patterns',
    transform: (code) =>
      code.replace(source, (_, name: string) => {
        replaced++;
        return `new URL(\`./pattern/\${${name}}\`, import.meta.url).href`;
      }),
    buildEnd() {
      if (replaced !== 1) throw new Error(`the video patterns are found in ${replaced} places, 1 was expected`);
    },
  };
}
