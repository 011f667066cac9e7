/** `npm run package [-- npm|x64|arm64 …]`: what operators install, into dist/. All of it where nothing is named. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundleAgent } from './bundle.ts';
import { packForNpm } from './npm-package.ts';
import { type Architecture, buildExecutable } from './single-executable.ts';

const DIST = path.resolve(import.meta.dirname, '..', '..', 'dist');
const KINDS = ['npm', 'x64', 'arm64'] as const;

const asked = process.argv.slice(2);
const unknown = asked.filter((word) => !KINDS.includes(word as (typeof KINDS)[number]));
if (unknown.length > 0) {
  console.error(`There is no package ${unknown.join(', ')}: ${KINDS.join(', ')}.`);
  process.exit(1);
}
const wanted = (kind: (typeof KINDS)[number]) => asked.length === 0 || asked.includes(kind);
const made = (file: string) =>
  console.log(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  ${path.relative(process.cwd(), file)}`);

mkdirSync(DIST, { recursive: true });
const bundle = path.join(DIST, 'bundle');
await bundleAgent(bundle);
if (wanted('npm')) made(packForNpm(bundle, DIST));
for (const architecture of ['x64', 'arm64'] as const satisfies readonly Architecture[])
  if (wanted(architecture)) made(buildExecutable(bundle, architecture, DIST));
