/** Builds each kind of package into a folder: its files, and the packages of others that it contains. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleAgent, bundleClient } from './bundle.ts';
import { bundleControlPlane } from './control-plane-bundle.ts';
import { buildAgentDeb, buildClientDeb, buildControlPlaneDeb } from './deb.ts';
import { type Package, packageNamed } from './lock.ts';
import { packClientForNpm, packControlPlaneForNpm, packForNpm } from './npm-package.ts';
import { type Architecture, buildClient, buildExecutable, copyNode } from './single-executable.ts';

const UNIT = 'carillon-agent.service';
const UNIT_FILE = path.resolve(import.meta.dirname, '..', '..', 'agent', 'install', UNIT);
const ARCHITECTURES: readonly Architecture[] = ['x64', 'arm64'];
/** `deb`: the programs that are made, as Debian packages, too. */
export const KINDS = ['npm', 'x64', 'arm64', 'cli', 'control-plane', 'unit', 'deb'] as const;
export type PackageKind = (typeof KINDS)[number];

export type Built = {
  readonly files: readonly string[];
  /** The contents of the agent's packages, of those of the command line, and of those of the control plane. */
  readonly agent: readonly Package[];
  readonly client: readonly Package[];
  readonly controlPlane: readonly Package[];
};

/** What a Debian package contains is made as well. */
const WITH_DEB: readonly PackageKind[] = [...ARCHITECTURES, 'cli', 'control-plane', 'deb'];

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
  let controlPlane: readonly Package[] = [];
  if (kinds.includes('control-plane')) {
    const folder = path.join(into, 'control-plane');
    controlPlane = await bundleControlPlane(folder);
    made(packControlPlaneForNpm(folder, into));
    if (kinds.includes('deb')) {
      controlPlane = [...controlPlane, ...ARCHITECTURES.map(nodeOf)];
      for (const one of ARCHITECTURES) {
        const node = copyNode(one, into);
        made(buildControlPlaneDeb(folder, node, one, into));
        rmSync(node);
      }
    }
  }
  if (kinds.includes('unit')) {
    copyFileSync(UNIT_FILE, path.join(into, UNIT));
    made(path.join(into, UNIT));
  }
  const native = executables.flatMap((one) => [nodeOf(one), packageNamed(`@koromix/koffi-linux-${one}`)]);
  return { files, agent: [...shipped, ...native], client, controlPlane };
}

const nodeOf = (architecture: Architecture): Package => packageNamed(`node-linux-${architecture}`);
