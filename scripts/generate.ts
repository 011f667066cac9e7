/** Writes every generated file; `--check` only reports outdated ones. A test runs the check. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { policyJsonSchema } from '../agent/policy/policy.ts';
import { provisionJsonSchema } from '../control-plane/contract/provision.ts';
import { featureSums, featuresPage } from './draw-features.ts';
import { limitsPage } from './generate/draw-limits.ts';
import { drawMachines } from './generate/draw-machines.ts';
import { tableTypes } from './generate/draw-tables.ts';
import { GENERATOR_NAMES, type GeneratorName } from './generate/generators.ts';
import { referencePages } from './site/reference/pages.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '..');
const bin = (name: string) => path.join(ROOT, 'node_modules', '.bin', name);

type Files = readonly (readonly [path: string, content: string])[];

/** The files of a generator as they would be generated now, by name. */
const GENERATORS: Readonly<Record<GeneratorName, (scratch: string) => Files | Promise<Files>>> = {
  'sums of features': (scratch) =>
    Promise.all([...featureSums().map((sum) => formatted(scratch, sum)), featuresPage()]),
  'wire code': wireCode,
  'table types': async (scratch) => Promise.all((await tableTypes(scratch)).map((table) => formatted(scratch, table))),
  schemas: async (scratch) => [await provisionSchema(scratch), await policySchema(scratch)],
  pages: () => [['docs/machines.md', drawMachines()], limitsPage(), ...referencePages()],
};

async function generate(name: GeneratorName): Promise<Files> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'carillon-generate-'));
  // The user of the database must be able to pass through the folder.
  await chmod(scratch, 0o711);
  try {
    return await GENERATORS[name](scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The files whose content on disk differs from what would be generated now. */
export async function stale(name: GeneratorName): Promise<string[]> {
  const found = await Promise.all(
    (await generate(name)).map(async ([file, content]) => ({
      file,
      current: (await readFile(path.join(ROOT, file), 'utf8').catch(() => '')) === content,
    })),
  );
  return found.filter((f) => !f.current).map((f) => f.file);
}

/** The path by which the generated code imports the library. */
const CONFIGURED_PROTOBUF = '../wire/plain-numbers.ts';

async function wireCode(scratch: string): Promise<Files> {
  const out = path.join(scratch, 'link.js');
  const flags = [
    '--es6',
    '--force-number',
    '--no-verify',
    '--no-typeurl',
    '--no-delimited',
    '--no-create',
    '--no-convert',
    '--dependency',
    CONFIGURED_PROTOBUF,
  ];
  const source = path.join(ROOT, 'proto', 'carillon', 'agent', 'v1', 'link.proto');
  await run(bin('pbjs'), ['-t', 'static-module', '-w', 'esm', ...flags, '-d', '-p', 'proto', '-o', out, source], {
    cwd: ROOT,
  });
  const types = await readFile(path.join(scratch, 'link.d.ts'), 'utf8');
  return [
    ['proto/gen/link.js', await readFile(out, 'utf8')],
    // The configured library has the same types.
    ['proto/gen/link.d.ts', types.replace(CONFIGURED_PROTOBUF, 'protobufjs/minimal.js')],
  ];
}

async function provisionSchema(scratch: string): Promise<[string, string]> {
  const out = path.join(scratch, 'provision.schema.json');
  await writeFile(out, JSON.stringify(provisionJsonSchema(), null, 2));
  return ['control-plane/contract/provision.schema.json', await format(out)];
}

async function policySchema(scratch: string): Promise<[string, string]> {
  const out = path.join(scratch, 'policy.schema.json');
  await writeFile(out, JSON.stringify(policyJsonSchema(), null, 2));
  return ['agent/policy/policy.schema.json', await format(out)];
}

/** @param content is not formatted yet */
async function formatted(scratch: string, [file, content]: readonly [string, string]): Promise<[string, string]> {
  const draft = path.join(scratch, file.replaceAll('/', '-'));
  await writeFile(draft, content);
  return [file, await format(draft)];
}

async function format(file: string): Promise<string> {
  const config = path.join(ROOT, 'biome.json');
  await run(bin('biome'), ['check', '--write', '--vcs-enabled=false', `--config-path=${config}`, file], {
    cwd: path.dirname(file),
  });
  return readFile(file, 'utf8');
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  for (const name of GENERATOR_NAMES)
    if (isCheck)
      for (const file of await stale(name)) {
        console.error(`${file} is not current: npm run generate`);
        process.exitCode = 1;
      }
    else for (const [file, content] of await generate(name)) await writeFile(path.join(ROOT, file), content);
}
