/**
 * `carillon-agent-VERSION.tgz`, `carillon-VERSION.tgz` and `carillon-control-plane-VERSION.tgz`, for `npm install -g`, or npx:
 * `@carillon-voip/agent`, `@carillon-voip/cli` and `@carillon-voip/control-plane`. Without a scope, whoever registered the names could be
 * installed instead. koffi is the agent's only dependency, PostgreSQL that of the control plane.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

type Manifest = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

const manifestOf = (workspace: string): Manifest =>
  JSON.parse(readFileSync(path.join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;

/** Makes the agent's package from a bundle's folder, and returns its file. */
export function packForNpm(bundle: string, into: string): string {
  const agent = manifestOf('agent');
  const names = { name: '@carillon-voip/agent', command: 'carillon-agent' };
  const manifest = { ...agent, ...names, dependencies: { koffi: agent.dependencies['koffi'] } };
  return pack(manifest, into, (folder) => {
    cpSync(bundle, folder, { recursive: true });
    cpSync(path.join(ROOT, 'agent', 'install'), folder, { recursive: true });
    return "#!/usr/bin/env node\nimport './main.js';\n";
  });
}

/** Makes the command line's package from its bundle's folder: one script without dependencies. Returns its file. */
export function packClientForNpm(bundle: string, into: string): string {
  const description = 'SIP load tests and probes from the command line: a client of Carillon';
  const names = { name: '@carillon-voip/cli', command: 'carillon' };
  const { version, license } = manifestOf('control-plane');
  const manifest = { version, license, ...names, description, dependencies: {} };
  return pack(manifest, into, (folder) => {
    cpSync(bundle, folder, { recursive: true });
    return "#!/usr/bin/env node\nimport './carillon.cjs';\n";
  });
}

/** Makes the control plane's package from its bundle's folder, which has the command. Returns its file. */
export function packControlPlaneForNpm(bundle: string, into: string): string {
  const names = { name: '@carillon-voip/control-plane', command: 'carillon-control-plane' };
  return pack({ ...manifestOf('control-plane'), ...names, dependencies: {} }, into, (folder) => {
    cpSync(bundle, folder, { recursive: true });
    return readFileSync(path.join(bundle, 'carillon-control-plane.js'), 'utf8');
  });
}

type Packed = Pick<Manifest, 'version' | 'description' | 'license' | 'optionalDependencies'> & {
  readonly name: string;
  /** It names the file as well. */
  readonly command: string;
  readonly dependencies: Readonly<Record<string, string | undefined>>;
};

/** @param fill writes the files and returns the manifest's entries for the command */
function pack(of: Packed, into: string, fill: (folder: string) => string): string {
  const { name, command, version, description, license, dependencies, optionalDependencies } = of;
  const folder = path.join(into, 'npm');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const starter = path.join(folder, `${command}.js`);
  const text = fill(folder);
  cpSync(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  const bin = { [command]: `./${command}.js` };
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin,
    engines: { node: '>=24' },
    dependencies,
    optionalDependencies,
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(starter, text);
  chmodSync(starter, 0o755);
  // The mode must not depend on this user's umask.
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name !== `${command}.js`) chmodSync(path.join(entry.parentPath, entry.name), 0o644);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into, folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const file = path.join(into, `${command}-${version}.tgz`);
  renameSync(path.join(into, filename), file);
  return file;
}
