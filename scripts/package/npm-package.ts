/** `carillon-agent-VERSION.tgz`: for `npm install -g`, or npx. koffi is its only dependency. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NODE_FLAGS } from '../../agent/process/young-generation.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

type Manifest = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Of a bundle's folder; returns the package's file. */
export function packForNpm(bundle: string, into: string): string {
  const agent = JSON.parse(readFileSync(path.join(ROOT, 'agent', 'package.json'), 'utf8')) as Manifest;
  const manifest = {
    name: 'carillon-agent',
    version: agent.version,
    description: agent.description,
    license: agent.license,
    type: 'module',
    bin: { 'carillon-agent': './carillon-agent.js' },
    engines: { node: '>=24' },
    dependencies: { koffi: agent.dependencies['koffi'] },
  };
  const folder = path.join(into, 'npm');
  rmSync(folder, { recursive: true, force: true });
  cpSync(bundle, folder, { recursive: true });
  cpSync(path.join(ROOT, 'agent', 'install'), folder, { recursive: true });
  cpSync(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const starter = path.join(folder, 'carillon-agent.js');
  writeFileSync(starter, `#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}\nimport './main.js';\n`);
  chmodSync(starter, 0o755);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into, folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  return path.join(into, filename);
}
