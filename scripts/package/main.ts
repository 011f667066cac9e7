/** `npm run package [-- npm|x64|arm64|unit|image|cli …]`: what operators install, into dist/; cli: the command line only. All of it where nothing is named. */
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AGENT_VERSION } from '../../agent/version.ts';
import { bundleAgent, bundleClient } from './bundle.ts';
import { buildImage, containerEngine } from './image.ts';
import { packClientForNpm, packForNpm } from './npm-package.ts';
import { type Architecture, buildClient, buildExecutable } from './single-executable.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const DIST = path.join(ROOT, 'dist');
const UNIT = 'carillon-agent.service';
const KINDS = ['npm', 'x64', 'arm64', 'unit', 'image', 'cli'] as const;

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
if (wanted('npm') || wanted('x64') || wanted('arm64')) await bundleAgent(bundle);
if (wanted('npm')) made(packForNpm(bundle, DIST));
for (const architecture of ['x64', 'arm64'] as const satisfies readonly Architecture[])
  if (wanted(architecture)) made(buildExecutable(bundle, architecture, DIST));
if (wanted('cli')) {
  const script = path.join(DIST, 'carillon.cjs');
  await bundleClient(script);
  made(packClientForNpm(script, DIST));
  for (const architecture of ['x64', 'arm64'] as const satisfies readonly Architecture[])
    made(buildClient(script, architecture, DIST));
}
if (wanted('unit')) {
  copyFileSync(path.join(ROOT, 'agent', 'install', UNIT), path.join(DIST, UNIT));
  made(path.join(DIST, UNIT));
}
if (wanted('image')) {
  const engine = containerEngine();
  const image = engine && buildImage(engine, AGENT_VERSION);
  if (image) console.log(`   image  ${image}`);
  else {
    const why = engine
      ? `${engine} could not build it; its own words are above`
      : 'neither docker nor podman answers here (docker info)';
    console.error(`The container image was not made: ${why}.`);
    process.exitCode = asked.length > 0 ? 1 : 0;
  }
}
