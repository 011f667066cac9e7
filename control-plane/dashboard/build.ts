/**
 * `node control-plane/dashboard/build.ts FOLDER`: builds the dashboard as files that the control plane serves
 * (http/dashboard.ts), each with its compressed forms beside it. They make no requests to other hosts.
 */
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { CATALOGUE } from '../catalogue.ts';
import * as kinds from '../contract/form-fields.ts';
import { MAX_MEDIA_BYTES } from '../contract/project/media-file.ts';
import { RESOLUTION_SECONDS } from '../contract/run/metrics.ts';
import { ANSWER_CLASSES, DROP_WORDS, DROPS } from '../contract/run/timeline.ts';
import * as defaults from '../contract/test-settings/defaults.ts';

const HERE = import.meta.dirname;
const MAIN = path.join(HERE, 'main.tsx');
const ROUTES = 'virtual:routes';
/** The browsers of the last two and a half years. */
const TARGET = ['chrome111', 'edge111', 'firefox114', 'safari16.4'];
/** One level more takes ten times as long, and saves a twentieth of the bytes. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };

/** The browser needs methods and paths of the catalogue; its schemas are three times as large as the rest. */
const routes = (): Plugin => ({
  name: 'routes',
  resolveId: (id) => (id === ROUTES ? `\0${ROUTES}` : null),
  load(id) {
    if (id !== `\0${ROUTES}`) return null;
    const rows = Object.entries(CATALOGUE).map(([name, { method, path, answers }]) => [
      name,
      { method, path, answers },
    ]);
    return `export const ROUTES = ${JSON.stringify(Object.fromEntries(rows))};`;
  },
});

/** The browser needs only plain values of settings and of other fields. They are read from the schemas here. */
const PLAIN: readonly (readonly [file: string, values: object])[] = [
  ['/contract/test-settings/defaults.ts', defaults],
  ['/contract/form-fields.ts', kinds],
  ['/contract/project/media-file.ts', { MAX_MEDIA_BYTES }],
  ['/contract/run/metrics.ts', { RESOLUTION_SECONDS }],
  ['/contract/run/timeline.ts', { ANSWER_CLASSES, DROP_WORDS, DROPS }],
];
const plainValues = (): Plugin => ({
  name: 'plain-values',
  load(id) {
    const [, values] = PLAIN.find(([file]) => id.endsWith(file)) ?? [];
    if (values === undefined) return null;
    return Object.entries(values)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
      .join('');
  },
});

/** The test runner installs an older React at the root of the packages, so the workspace's own is resolved. */
const oneReact = (): Plugin => ({
  name: 'one-react',
  resolveId(id, importer) {
    return /^react(-dom)?(\/|$)/.test(id) && importer !== MAIN ? this.resolve(id, MAIN) : null;
  },
});

/** The library's table brings an area with scroll bars of its own, which no page uses: it is no part of the script. */
const withoutScrollContainer = (): Plugin => ({
  name: 'without-scroll-container',
  load: (id) => (id.endsWith('/Table/TableScrollContainer.mjs') ? 'export const TableScrollContainer = null;' : null),
});

/** Joins the imported style sheets into one file, those of lazy pages last. The modules in their places are empty. */
function styles(done: (css: string) => void): Plugin {
  const sheets = new Map<string, string>();
  return {
    name: 'styles',
    load(id) {
      if (!id.endsWith('.css')) return null;
      const text = readFileSync(id, 'utf8');
      if (/@import|url\((?!["']?data:)/.test(text))
        throw new Error(`${id} names another file, which is not brought along`);
      sheets.set(id, text);
      return { code: '', moduleType: 'js', moduleSideEffects: true };
    },
    buildEnd() {
      const seen = new Set([MAIN]);
      for (const id of seen) {
        const inOrder = (from: string): void => {
          for (const next of this.getModuleInfo(from)?.importedIds ?? [])
            if (!seen.has(next)) {
              seen.add(next);
              inOrder(next);
            }
        };
        inOrder(id);
        for (const next of this.getModuleInfo(id)?.dynamicallyImportedIds ?? []) seen.add(next);
      }
      done([...seen].flatMap((id) => sheets.get(id) ?? []).join('\n'));
    },
  };
}

async function build(folder: string): Promise<void> {
  let css = '';
  const bundle = await rolldown({
    cwd: HERE,
    input: { index: MAIN },
    platform: 'browser',
    transform: { target: TARGET, define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [routes(), plainValues(), oneReact(), withoutScrollContainer(), styles((text) => (css = text))],
    checks: { pluginTimings: false },
    // Libraries mark modules with 'use client', which has no meaning here: all code runs in clients.
    onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
  });
  const { output } = await bundle.write({
    dir: folder,
    minify: true,
    // What many pages need is one file: small ones compress badly.
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 12 }] },
    comments: { annotation: false },
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
  });
  await bundle.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  const files = chunks.map(({ fileName }) => fileName);
  const withSchemas = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/zod/')));
  if (withSchemas) throw new Error(`${withSchemas.fileName} has the library of the schemas`);
  const sheet = `assets/index-${hash('sha256', css, 'base64url').slice(0, 8)}.css`;
  writeFileSync(path.join(folder, sheet), css);
  cpSync(path.join(HERE, 'public'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), page(chunks, sheet));
  await Promise.all([...files, sheet].map((file) => compress(path.join(folder, file))));
}

/** The first page's scripts are requested at once, not one after the other. */
function page(chunks: readonly OutputChunk[], sheet: string): string {
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('no script to begin with');
  const needed = new Set<string>();
  const need = (chunk: OutputChunk | undefined): void => {
    for (const name of chunk?.imports ?? [])
      if (!needed.has(name)) {
        needed.add(name);
        need(chunks.find(({ fileName }) => fileName === name));
      }
  };
  need(entry);
  const tags = [
    `<script type="module" crossorigin src="/${entry.fileName}"></script>`,
    ...[...needed].map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    `<link rel="stylesheet" crossorigin href="/${sheet}">`,
  ];
  const html = readFileSync(path.join(HERE, 'index.html'), 'utf8');
  return html
    .replace(/ *<script type="module" src="\/main.tsx"><\/script>\n/, '')
    .replace('  </head>', `${tags.map((tag) => `    ${tag}\n`).join('')}  </head>`);
}

/** Files are compressed once for all requests: the control plane sends the compressed file beside the original. */
async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, BROTLI));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Which folder?');
mkdirSync(folder, { recursive: true });
await build(path.resolve(folder));
