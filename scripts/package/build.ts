/** Builds each kind of package into a folder: its files, and the packages of others that it contains. */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { bundleAgent, bundleClient } from './bundle.ts';
import { buildAgentDeb, buildClientDeb } from './deb.ts';
import { type Package, packageNamed } from './lock.ts';
import { packClientForNpm, packForNpm } from './npm-package.ts';
import { type Architecture, buildClient, buildExecutable } from './single-executable.ts';

const UNIT = 'carillon-agent.service';
const UNIT_FILE = path.resolve(import.meta.dirname, '..', '..', 'agent', 'install', UNIT);
const ARCHITECTURES: readonly Architecture[] = ['x64', 'arm64'];
/** `deb`: the executables that are made, as Debian packages, too. */
export const KINDS = ['npm', 'x64', 'arm64', 'cli', 'unit', 'deb'] as const;
export type PackageKind = (typeof KINDS)[number];

export type Built = {
  readonly files: readonly string[];
  /** The contents of the agent's packages, and of those of the command line. */
  readonly agent: readonly Package[];
  readonly client: readonly Package[];
};

/** What a Debian package contains is made as well. */
const WITH_DEB: readonly PackageKind[] = [...ARCHITECTURES, 'cli', 'deb'];

/** @param told a function that is called with each file as soon as it exists */
export async function build(asked: readonly PackageKind[], into: string, told: (file: string) => void): Promise<Built> {
  const kinds = asked.length === 1 && asked[0] === 'deb' ? WITH_DEB : asked;
  const files: string[] = [];
  const made = (file: string): void => {
    files.push(file);
    told(file);
  };
  mkdirSync(into, { recursive: true });
  const bundle = path.join(into, 'bundle');
  const executables = ARCHITECTURES.filter((one) => kinds.includes(one));
  const shipped = kinds.includes('npm') || executables.length > 0 ? await bundleAgent(bundle) : [];
  if (kinds.includes('npm')) made(packForNpm(bundle, into));
  for (const one of executables) {
    const executable = buildExecutable(bundle, one, into);
    made(executable);
    if (kinds.includes('deb')) made(buildAgentDeb(executable, bundle, one, into));
  }
  let client: readonly Package[] = [];
  if (kinds.includes('cli')) {
    const clientBundle = path.join(into, 'cli');
    client = [...(await bundleClient(clientBundle)), ...ARCHITECTURES.map(nodeOf)];
    made(packClientForNpm(clientBundle, into));
    for (const one of ARCHITECTURES) {
      const executable = buildClient(clientBundle, one, into);
      made(executable);
      if (kinds.includes('deb')) made(buildClientDeb(executable, clientBundle, one, into));
    }
  }
  if (kinds.includes('unit')) {
    copyFileSync(UNIT_FILE, path.join(into, UNIT));
    made(path.join(into, UNIT));
  }
  const native = executables.flatMap((one) => [nodeOf(one), packageNamed(`@koromix/koffi-linux-${one}`)]);
  return { files, agent: [...shipped, ...native], client };
}

const nodeOf = (architecture: Architecture): Package => packageNamed(`node-linux-${architecture}`);
