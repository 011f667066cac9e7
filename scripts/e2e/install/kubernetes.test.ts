/**
 * The manifests of integrations/kubernetes: values checked with the schemas of Kubernetes, fields with its types (the compiler
 * refuses a field that a type lacks), and everything that they name exists in the images.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import t from 'tap';
import { parseAllDocuments } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const FOLDER = path.join(ROOT, 'integrations', 'kubernetes');
type Model = new (data: never) => { validate(): void };
const MODELS: Readonly<Record<string, { readonly model: Model; readonly from: string }>> = {
  Deployment: { model: Deployment as Model, from: 'kubernetes-models/apps/v1' },
  StatefulSet: { model: StatefulSet as Model, from: 'kubernetes-models/apps/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget as Model, from: 'kubernetes-models/policy/v1' },
  Service: { model: Service as Model, from: 'kubernetes-models/v1' },
};
type Manifest = { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } };

const manifests = globSync('*.yaml', { cwd: FOLDER })
  .sort()
  .flatMap((file) => parseAllDocuments(readFileSync(path.join(FOLDER, file), 'utf8')))
  .map((document) => document.toJS() as Manifest);

// Below the packages, where the compiler finds them.
const cache = path.join(ROOT, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const dir = mkdtempSync(path.join(cache, 'kubernetes-'));
t.teardown(() => rmSync(dir, { recursive: true, force: true }));

/** The compiler's findings about fields. */
function fieldFaults(given: readonly unknown[]): string {
  const lines = (given as readonly Manifest[]).map(
    (one, i) =>
      `import type { I${one.kind} as T${i} } from '${MODELS[one.kind]?.from}';\nexport const m${i}: T${i} = ${JSON.stringify(one)};`,
  );
  const file = path.join(dir, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const how = [
    '--noEmit',
    '--skipLibCheck',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--ignoreConfig',
  ];
  return spawnSync(path.join(ROOT, 'node_modules', '.bin', 'tsc'), [...how, file], { cwd: dir, encoding: 'utf8' })
    .stdout;
}

t.test('every manifest is what Kubernetes takes', async (t) => {
  t.equal(manifests.length, 5);
  for (const manifest of manifests) {
    const model = MODELS[manifest.kind]?.model;
    if (!model) t.fail(`no model for ${manifest.kind}`);
    else t.doesNotThrow(() => new model(manifest as never).validate(), `${manifest.kind} ${manifest.metadata.name}`);
  }
  t.equal(fieldFaults(manifests), '');
});

t.test('a field that there is not, and a value that may not be, are refused', async (t) => {
  const [agents] = manifests.filter(({ kind }) => kind === 'StatefulSet') as unknown as [{ spec: object }];
  t.match(fieldFaults([{ ...agents, spec: { ...agents.spec, replica: 2 } }]), /replica/);
  t.throws(() => new StatefulSet({ ...agents, spec: { ...agents.spec, replicas: 'two' } } as never).validate());
});

t.test('containers are confined, and give variables that the programs read', async (t) => {
  const known = readFileSync(path.join(ROOT, 'docs', 'reference', 'environment.md'), 'utf8');
  const text = manifests.map((one) => JSON.stringify(one)).join('\n');
  for (const [name] of text.matchAll(/CARILLON_[A-Z_]+/g)) t.match(known, `\`${name}\``, name);
  const confined = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
  const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  t.equal(pods.length, 2);
  for (const pod of pods)
    t.match(pod, {
      spec: {
        template: { spec: { securityContext: { runAsNonRoot: true }, containers: [{ securityContext: confined }] } },
      },
    });
});
