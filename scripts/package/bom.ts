/**
 * The bill of materials of a package, in CycloneDX. `npm sbom` lists the packages of the lock file, and this keeps those in the
 * package. The same commit gives the same bytes: there is no serial number, and the time is that of the commit.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { allPackages, type Package } from './lock.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

type Component = { readonly 'bom-ref': string; readonly licenses?: readonly object[]; readonly purl?: string };
type Dependency = { readonly ref: string; readonly dependsOn: readonly string[] };
type Bom = {
  readonly metadata: { readonly component: Component; readonly tools: object };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
};

/** The product: its name, its version, and where it is distributed. */
export type Product = {
  readonly name: string;
  readonly version: string;
  readonly workspace: string;
};

function npmSbom(workspace: string, ...more: string[]): Bom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--workspace', workspace, ...more];
  return JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })) as Bom;
}

/**
 * The packages of `product` that are shipped, from the tree that npm installs: everything that `roots` (`name`s) lead to, or all.
 */
export function shippedTree(workspace: string, roots: ((name: string) => boolean) | null): readonly Package[] {
  const omit = roots ? [] : ['--omit', 'dev', '--omit', 'optional'];
  const { components, dependencies } = npmSbom(workspace, ...omit);
  const known = allPackages();
  const own = components.map((component) => component['bom-ref']).filter((ref) => known.has(ref));
  if (!roots) return own.map((ref) => known.get(ref) as Package);
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const direct = [...needs].find(([ref]) => ref.startsWith(`${workspace}@`))?.[1] ?? [];
  const reached = new Set<string>();
  const visit = (ref: string): void => {
    if (reached.has(ref) || !known.has(ref)) return;
    reached.add(ref);
    for (const next of needs.get(ref) ?? []) visit(next);
  };
  for (const ref of direct) if (roots((known.get(ref) as Package | undefined)?.name ?? '')) visit(ref);
  return [...reached].map((ref) => known.get(ref) as Package);
}

/** The text of the file. @param at the time of the commit */
export function billOfMaterials(product: Product, shipped: readonly Package[], at: Date): string {
  const ref = `${product.name}@${product.version}`;
  const { metadata, dependencies } = npmSbom(product.workspace);
  const refs = new Set(shipped.map((one) => one.ref));
  const byRef = <T extends { readonly ref: string }>(a: T, b: T): number => (a.ref < b.ref ? -1 : 1);
  const needs = dependencies
    .filter((one) => refs.has(one.ref))
    .map((one) => ({ ref: one.ref, dependsOn: [...new Set(one.dependsOn)].filter((on) => refs.has(on)).sort() }));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      tools: metadata.tools,
      component: {
        type: 'application',
        'bom-ref': ref,
        name: product.name,
        version: product.version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: shipped.toSorted(byRef).map(componentOf),
    dependencies: [{ ref, dependsOn: [...refs].sort() }, ...needs.sort(byRef)],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

const componentOf = ({ ref, name, version, license, integrity }: Package) => ({
  type: name.startsWith('node-linux-') ? 'platform' : 'library',
  'bom-ref': ref,
  ...(name.startsWith('@') ? { group: name.split('/')[0], name: name.split('/')[1] } : { name }),
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
  hashes: hashesOf(integrity),
});

const hashesOf = (integrity: string) =>
  [...integrity.matchAll(/sha512-(\S+)/g)].map(([, base64 = '']) => ({
    alg: 'SHA-512',
    content: Buffer.from(base64, 'base64').toString('hex'),
  }));
