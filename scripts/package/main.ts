/**
 * `npm run package [-- npm|x64|arm64|unit|chart|image|cli|control-plane|deb|oci …]`: builds what operators install into dist/. `cli` builds only the command
 * line, `deb` and `oci` the programs as Debian packages and as images. If no kind is named, everything is built.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { AGENT_VERSION } from '../../agent/version.ts';
import { build, KINDS, type PackageKind } from './build.ts';
import { buildImage, containerEngine } from './image.ts';

const DIST = path.resolve(import.meta.dirname, '..', '..', 'dist');
const IMAGE = 'image';

const kinds = process.argv.slice(2);
const isKind = (word: string): word is PackageKind => (KINDS as readonly string[]).includes(word);
const unknown = kinds.filter((word) => !isKind(word) && word !== IMAGE);
if (unknown.length > 0) {
  console.error(`There is no package ${unknown.join(', ')}: ${[...KINDS, IMAGE].join(', ')}.`);
  process.exit(1);
}
await build(kinds.length === 0 ? KINDS : kinds.filter(isKind), DIST, (file) =>
  console.log(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  ${path.relative(process.cwd(), file)}`),
);
if (kinds.length === 0 || kinds.includes(IMAGE)) {
  const engine = containerEngine();
  const image = engine && buildImage(engine, AGENT_VERSION);
  if (image) console.log(`   image  ${image}`);
  else {
    const why = engine
      ? `${engine} could not build it; its own words are above`
      : 'neither docker nor podman answers here (docker info)';
    console.error(`The container image was not made: ${why}.`);
    process.exitCode = kinds.length > 0 ? 1 : 0;
  }
}
