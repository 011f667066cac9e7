/** Builds each kind of package into a folder: its files, and the packages of others that it contains. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleAgent, bundleClient } from './bundle.ts';
import { packChart } from './chart.ts';
import { bundleControlPlane } from './control-plane-bundle.ts';
import { buildAgentDeb, buildClientDeb, buildControlPlaneDeb } from './deb.ts';
import { type Package, packageNamed } from './lock.ts';
import { packClientForNpm, packControlPlaneForNpm, packForNpm } from './npm-package.ts';
import { buildAgentImage, buildControlPlaneImage } from './oci.ts';
import { type Architecture, buildClient, buildExecutable, copyNode } from './single-executable.ts';

const UNIT = 'carillon-agent.service';
const UNIT_FILE = path.resolve(import.meta.dirname, '..', '..', 'agent', 'install', UNIT);
const ARCHITECTURES: readonly Architecture[] = ['x64', 'arm64'];
/** `deb`, `oci`: the programs that are made, as Debian packages and as images, too. */
export const KINDS = ['npm', 'x64', 'arm64', 'cli', 'control-plane', 'unit', 'chart', 'deb', 'oci'] as const;
export type PackageKind = (typeof KINDS)[number];

export type Built = {
  readonly files: readonly string[];
  /** The contents of the agent's packages, of those of the command line, and of those of the control plane. */
  readonly agent: readonly Package[];
  readonly client: readonly Package[];
  readonly controlPlane: readonly Package[];
};

/** What these contain is made as well. */
const FORMS: readonly PackageKind[] = ['deb', 'oci'];
const CONTAINED: readonly PackageKind[] = [...ARCHITECTURES, 'cli', 'control-plane'];

/** What is made, where it goes, and a function that is called with each file as soon as it exists. */
type Order = {
  readonly kinds: readonly PackageKind[];
  readonly into: string;
  readonly made: (file: string) => void;
};

/** @param told a function that is called with each file as soon as it exists */
export async function build(asked: readonly PackageKind[], into: string, told: (file: string) => void): Promise<Built> {
  const kinds = asked.every((one) => FORMS.includes(one)) ? [...CONTAINED, ...asked] : asked;
  const files: string[] = [];
  const made = (file: string): void => {
    files.push(file);
    told(file);
  };
  mkdirSync(into, { recursive: true });
  const order = { kinds, into, made };
  const agent = await buildAgent(order);
  const client = await buildCommandLine(order);
  const controlPlane = await buildControlPlane(order);
  if (kinds.includes('unit')) {
    copyFileSync(UNIT_FILE, path.join(into, UNIT));
    made(path.join(into, UNIT));
  }
  if (kinds.includes('chart')) made(packChart(into));
  return { files, agent, client, controlPlane };
}

async function buildAgent({ kinds, into, made }: Order): Promise<Package[]> {
  const bundle = path.join(into, 'bundle');
  const executables = ARCHITECTURES.filter((one) => kinds.includes(one));
  const shipped = kinds.includes('npm') || executables.length > 0 ? await bundleAgent(bundle) : [];
  if (kinds.includes('npm')) made(packForNpm(bundle, into));
  for (const one of executables) {
    const executable = buildExecutable(bundle, one, into);
    made(executable);
    if (kinds.includes('deb')) made(buildAgentDeb(executable, bundle, one, into));
    if (kinds.includes('oci')) made(await buildAgentImage(executable, one, into));
  }
  return [...shipped, ...executables.flatMap((one) => [nodeOf(one), packageNamed(`@koromix/koffi-linux-${one}`)])];
}

async function buildCommandLine({ kinds, into, made }: Order): Promise<Package[]> {
  if (!kinds.includes('cli')) return [];
  const bundle = path.join(into, 'cli');
  const client = [...(await bundleClient(bundle)), ...ARCHITECTURES.map(nodeOf)];
  made(packClientForNpm(bundle, into));
  for (const one of ARCHITECTURES) {
    const executable = buildClient(bundle, one, into);
    made(executable);
    if (kinds.includes('deb')) made(buildClientDeb(executable, bundle, one, into));
  }
  return client;
}

async function buildControlPlane({ kinds, into, made }: Order): Promise<Package[]> {
  if (!kinds.includes('control-plane')) return [];
  const folder = path.join(into, 'control-plane');
  const controlPlane = await bundleControlPlane(folder);
  made(packControlPlaneForNpm(folder, into));
  const withNode = FORMS.some((form) => kinds.includes(form)) ? ARCHITECTURES : [];
  for (const one of withNode) {
    const node = copyNode(one, into);
    if (kinds.includes('deb')) made(buildControlPlaneDeb(folder, node, one, into));
    if (kinds.includes('oci')) made(await buildControlPlaneImage(folder, node, one, into));
    rmSync(node);
  }
  return [...controlPlane, ...withNode.map(nodeOf)];
}

const nodeOf = (architecture: Architecture): Package => packageNamed(`node-linux-${architecture}`);
