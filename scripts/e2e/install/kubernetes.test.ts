/**
 * The chart of integrations/kubernetes, rendered with the values that its page prints: values by the chart's schema, manifests by the schemas of
 * Kubernetes, fields by its types (the compiler refuses a field that a type lacks), and everything that they name exists.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import t, { type Test } from 'tap';
import { isMap, isScalar, parse, parseDocument, visit } from 'yaml';
import { Helm, joined, type Manifest } from '../../peers/referees/helm.ts';
import { blocksProvedBy } from '../../site/proofs.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const CHART = path.join(ROOT, 'integrations', 'kubernetes', 'carillon');
const read = (...file: readonly string[]): string => readFileSync(path.join(...file), 'utf8');

type Model = new (data: never) => { validate(): void };
const MODELS: Readonly<Record<string, readonly [apiVersion: string, Model]>> = {
  Deployment: ['apps/v1', Deployment],
  StatefulSet: ['apps/v1', StatefulSet],
  Job: ['batch/v1', Job],
  HorizontalPodAutoscaler: ['autoscaling/v2', HorizontalPodAutoscaler],
  NetworkPolicy: ['networking.k8s.io/v1', NetworkPolicy],
  PodDisruptionBudget: ['policy/v1', PodDisruptionBudget],
  Service: ['v1', Service],
};
const POD_KINDS = ['Deployment', 'StatefulSet', 'Job'];
/** What Kubernetes takes as the name of an object (RFC 1123). */
const OBJECT_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const helm = new Helm();
t.teardown(() => helm.remove());
type Values = Parameters<typeof joined>[0];
const DEFAULTS = parse(read(CHART, 'values.yaml')) as Values;
const takes = new Ajv({ allErrors: true }).compile(JSON.parse(read(CHART, 'values.schema.json')));
const render = (values: Values): Manifest[] => helm.render(CHART, values, { name: 'carillon', revision: 3 });
const configurations = blocksProvedBy('scripts/e2e/install/kubernetes.test.ts').map(
  ({ text }) => parse(text) as Values & { agents: { mode: string } },
);

// Below the packages, where the compiler finds them.
const cache = path.join(ROOT, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const dir = mkdtempSync(path.join(cache, 'kubernetes-'));
t.teardown(() => rmSync(dir, { recursive: true, force: true }));

/** The compiler's findings about fields. */
function fieldFaults(given: readonly Manifest[]): string {
  const lines = given.map(
    (one, i) =>
      `import type { I${one.kind} as T${i} } from 'kubernetes-models/${one.apiVersion}';\nexport const m${i}: T${i} = ${JSON.stringify(one)};`,
  );
  const file = path.join(dir, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const how = '--noEmit --skipLibCheck --strict --module nodenext --target esnext --ignoreConfig'.split(' ');
  return spawnSync(path.join(ROOT, 'node_modules', '.bin', 'tsc'), [...how, file], { cwd: dir, encoding: 'utf8' })
    .stdout;
}

const podOf = (manifests: readonly Manifest[], kind: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name.startsWith('carillon-agent'))?.spec;
const environment = (spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } }) =>
  Object.fromEntries(spec.template.spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []);

/** What must hold of any manifests of the chart. */
function sound(t: Test, manifests: readonly Manifest[]): void {
  const labels = (part: string) => ({
    'app.kubernetes.io/name': 'carillon',
    'app.kubernetes.io/instance': 'carillon',
    'app.kubernetes.io/component': part,
  });
  for (const manifest of manifests) {
    const { kind, apiVersion, spec, metadata } = manifest;
    const [version, model] = MODELS[kind] ?? [];
    t.equal(apiVersion, version, kind);
    if (model) t.doesNotThrow(() => new model(manifest as never).validate(), `${kind} ${metadata.name}`);
    t.match(metadata.name, OBJECT_NAME);
    const own = labels(metadata.name.startsWith('carillon-agent') ? 'agent' : 'control-plane');
    const selector = { Service: spec.selector, NetworkPolicy: spec.podSelector?.matchLabels }[kind as 'Service'];
    if (kind !== 'HorizontalPodAutoscaler' && kind !== 'Job') t.same(selector ?? spec.selector.matchLabels, own);
    if (!POD_KINDS.includes(kind)) continue;
    t.same(spec.template.metadata.labels, own);
    t.notMatch(JSON.stringify(spec), /"(command|exec)":/, 'the images of a release have no shell');
    t.match(spec.template.spec, {
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
      containers: [
        {
          image: /:0\.1\.0$/,
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    });
  }
  t.equal(fieldFaults(manifests), '');
  const known = read(ROOT, 'docs', 'reference', 'environment.md');
  for (const [name] of JSON.stringify(manifests).matchAll(/CARILLON_[A-Z_]+/g)) t.match(known, `\`${name}\``, name);
}

t.test('the chart is one, of this version', async (t) => {
  const { version } = JSON.parse(read(ROOT, 'package.json')) as { version: string };
  const about = parse(read(CHART, 'Chart.yaml'));
  t.match(about, { apiVersion: 'v2', name: path.basename(CHART), type: 'application', version, appVersion: version });
  sound(t, render({}));
});

t.test('every value is described, in the schema, and used', async (t) => {
  t.ok(takes(DEFAULTS), JSON.stringify(takes.errors));
  const templates = ['agents.yaml', 'control-plane.yaml', 'network-policy.yaml', '_parts.tpl'];
  const text = templates.map((file) => read(CHART, 'templates', file)).join('\n');
  const described = new Set<unknown>();
  visit(parseDocument(read(CHART, 'values.yaml')), {
    Map(_, map) {
      map.items.forEach(({ key, value }, i) => {
        if (!isScalar(key)) return;
        const name = String(key.value);
        t.match(text, new RegExp(`\\.${name}\\b`), `${name} is used`);
        const isSection = isMap(value) && !value.flow;
        // The parser gives the comment before the first key of a map to the map.
        const comment = i === 0 ? (key.commentBefore ?? map.commentBefore) : key.commentBefore;
        if (!isSection && name !== 'max') t.ok(comment, `${name} has a comment`);
        if (!isSection || name === 'resources') described.add(key);
      });
      return undefined;
    },
    Pair: (_, { key }) => (isScalar(key) && key.value === 'resources' ? visit.SKIP : undefined),
  });
  t.ok(described.size > 20);
});

t.test('the three ways of the page', async (t) => {
  t.same(
    configurations.map(({ agents }) => agents.mode),
    ['fixed', 'job', 'scaled'],
  );
  for (const values of configurations) {
    t.ok(takes(joined(DEFAULTS, values)), JSON.stringify(takes.errors));
    sound(t, render(values));
  }
});

const [fixed, job, scaled] = configurations.map(render) as [Manifest[], Manifest[], Manifest[]];

t.test('fixed agents keep their state, one a node, with the addresses of the node', async (t) => {
  const spec = podOf(fixed, 'StatefulSet');
  t.match(spec, { replicas: 3, template: { spec: { hostNetwork: true, terminationGracePeriodSeconds: 90 } } });
  t.match(spec.volumeClaimTemplates, [{ metadata: { name: 'state' } }]);
  t.ok(spec.template.spec.affinity.podAntiAffinity);
  t.match(JSON.stringify(spec), /CARILLON_SIP_ADDRESS","valueFrom":\{"fieldRef":\{"fieldPath":"status.hostIP/);
  t.match(environment(spec), { CARILLON_URL: 'ws://carillon/agent/v1', CARILLON_DISPOSABLE: undefined });
});

t.test('a Job has disposable agents with the addresses of their pods, and nothing else', async (t) => {
  t.same(job.map(({ kind, metadata: { name } }) => `${kind} ${name}`).toSorted(), [
    'Job carillon-agent-3',
    'NetworkPolicy carillon-agent',
    'Service carillon-agent',
  ]);
  const spec = podOf(job, 'Job');
  t.match(spec, {
    parallelism: 20,
    completions: 20,
    activeDeadlineSeconds: 1800,
    template: { spec: { terminationGracePeriodSeconds: 60 } },
  });
  t.notOk(spec.template.spec.hostNetwork);
  t.match(JSON.stringify(spec), /status\.podIP/);
  t.match(environment(spec), { CARILLON_DISPOSABLE: 'true', CARILLON_DRAIN_SECONDS: '30' });
  const target = [{ ipBlock: { cidr: '10.0.0.0/8' } }];
  t.match(job.find(({ kind }) => kind === 'NetworkPolicy')?.spec, {
    ingress: [{ ports: [{ port: 'metrics' }] }, { from: target }],
    egress: [{ to: target }, { ports: [{ port: 53 }, { port: 53 }] }, { ports: [{ port: 443 }] }],
  });
});

t.test('scaled agents follow the gauge of the control plane', async (t) => {
  const spec = podOf(scaled, 'Deployment');
  t.equal(spec.replicas, undefined, 'the autoscaler decides');
  t.match(spec.template.spec, {
    terminationGracePeriodSeconds: 150,
    nodeSelector: { 'carillon.example/agents': 'true' },
  });
  const [metric] = podOf(scaled, 'HorizontalPodAutoscaler').metrics;
  t.match(metric.external.target, { averageValue: environment(spec)['CARILLON_CAPACITY'] });
  t.match(read(ROOT, 'control-plane', 'http', 'metrics.ts'), `'${metric.external.metric.name}'`);
});

t.test('what may not be is refused: values, fields, and what they may hold', async (t) => {
  for (const agents of [{ mode: 'daemon' }, { replicas: 2 }, { url: 'https://carillon.example' }, { count: '2' }])
    t.notOk(takes(joined(DEFAULTS, { agents })), JSON.stringify(agents));
  const [agents] = fixed.filter(({ kind }) => kind === 'StatefulSet') as [Manifest];
  t.match(fieldFaults([{ ...agents, spec: { ...agents.spec, replica: 2 } }]), /replica/);
  t.throws(() => new StatefulSet({ ...agents, spec: { ...agents.spec, replicas: 'two' } } as never).validate());
  t.throws(() => render({ agents: { mode: 'none' }, controlPlane: { enabled: true, env: 5 } }), /range/);
});
