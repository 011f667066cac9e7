/**
 * `npm run release [-- FOLDER [KIND …]]`: makes packages, bills of materials, licenses, SHA256SUMS and its signature, in
 * dist/release or FOLDER. The same commit gives the same bytes with the same npm. CARILLON_RELEASE_KEY is an SSH key, or the
 * public half of one in ssh-agent.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AGENT_VERSION } from '../../agent/version.ts';
import { billOfMaterials, type Product, shippedTree } from './bom.ts';
import { build, KINDS, type PackageKind } from './build.ts';
import { packagesServed } from './control-plane-bundle.ts';
import { commitSeconds } from './deb.ts';
import type { Package } from './lock.ts';
import { NOTICES, noticesOf } from './notices.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const SUMS = 'SHA256SUMS';
/** The purpose of the signature, so that a signature by the same key for another purpose is refused (ssh-keygen(1), -n). */
const NAMESPACE = 'file';

const [folder = path.join(ROOT, 'dist', 'release'), ...kinds] = process.argv.slice(2);
const unknown = kinds.filter((word) => !(KINDS as readonly string[]).includes(word));
if (unknown.length > 0) {
  console.error(`There is no package ${unknown.join(', ')}: ${KINDS.join(', ')}.`);
  process.exit(1);
}
const into = path.resolve(folder);
rmSync(into, { recursive: true, force: true });
const files: string[] = [];
const made = (file: string): void => {
  files.push(file);
  console.log(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  ${path.relative(process.cwd(), file)}`);
};
const write = (name: string, text: string): void => {
  writeFileSync(path.join(into, name), text);
  made(path.join(into, name));
};

const { agent, client, controlPlane } = await build(kinds.length > 0 ? (kinds as PackageKind[]) : KINDS, into, made);
for (const name of ['bundle', 'cli', 'control-plane']) rmSync(path.join(into, name), { recursive: true, force: true });

const at = new Date(commitSeconds() * 1000);
const product = (name: string, workspace: string): Product => ({ name, version: AGENT_VERSION, workspace });
const image = [...shippedTree('@carillon/control-plane', null), ...packagesServed()];
const rows: readonly (readonly [Product, readonly Package[]])[] = [
  [product('carillon-agent', '@carillon/agent'), agent],
  [product('carillon', '@carillon/control-plane'), client],
  [product('carillon-control-plane', '@carillon/control-plane'), once([...image, ...controlPlane])],
];
for (const [of, shipped] of rows.filter(([, { length }]) => length > 0))
  write(`${of.name}-${of.version}.cdx.json`, billOfMaterials(of, shipped, at));
write(NOTICES, noticesOf('Carillon', once([...agent, ...client, ...image, ...controlPlane])));

const sums = files
  .map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${path.basename(file)}\n`)
  .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
write(SUMS, sums.join(''));
sign(path.join(into, SUMS));

function once(packages: readonly Package[]): Package[] {
  return [...new Map(packages.map((one) => [one.ref, one])).values()];
}

function sign(file: string): void {
  const key = process.env['CARILLON_RELEASE_KEY'];
  if (!key) {
    console.log(`   ${SUMS} is not signed: CARILLON_RELEASE_KEY names no key.`);
    return;
  }
  const args = ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE, file];
  execFileSync('ssh-keygen', args, { stdio: ['inherit', 'inherit', 'pipe'] });
  made(`${file}.sig`);
}
