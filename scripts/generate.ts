/** Writes every generated file; `--check` only reports outdated ones. A test runs the check. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { policyJsonSchema } from '../agent/policy/policy.ts';
import { provisionJsonSchema } from '../control-plane/contract/provision.ts';
import { openDatabase } from '../control-plane/store/db.ts';
import { startEmbeddedPostgres } from '../control-plane/store/embedded/supervisor.ts';
import { migrate } from '../control-plane/store/migrate.ts';
import { columnOf, FIGURE_NAMES } from '../proto/figures/call-figures.ts';
import { STREAM_FIGURE_ROWS, streamColumnOf } from '../proto/figures/stream-figures.ts';
import { limitsPage } from './draw-limits.ts';
import { drawMachines } from './draw-machines.ts';
import { GENERATOR_NAMES, type GeneratorName } from './generators.ts';
import { referencePages } from './site/reference/pages.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '..');
const bin = (name: string) => path.join(ROOT, 'node_modules', '.bin', name);

/** The contract's types that columns have. */
const COLUMN_TYPES = {
  'capacity/capacity': ['SearchAnswer', 'SearchSettings', 'TrialEvidence'],
  'capacity/words': ['SearchStatus', 'TrialPhase', 'TrialResult'],
  'metric-keys': ['MetricKey'],
  'notify/announcement': ['AnnouncementData', 'AnnouncementKind'],
  'run/findings': ['CallQuality', 'RunFinding'],
  'probe/probe-instance': ['ExecutionSteps'],
  'run/run': [
    'CallTiming',
    'FailureClusters',
    'ProgressCounts',
    'Starts',
    'RunError',
    'SipRequest',
    'SipResponse',
    'Summary',
    'Validity',
  ],
  'run/stream-details': ['StreamDetails'],
  'test-settings/test': ['TestConfig'],
  threshold: ['JudgedThreshold', 'ThresholdResult'],
  words: [
    'CallResult',
    'EndpointType',
    'HealthState',
    'InstanceStatus',
    'MosScale',
    'Outcome',
    'Party',
    'ProbeMode',
    'Tier',
    'Role',
    'RunStatus',
    'ScheduleType',
    'Severity',
    'DeliveryStatus',
    'WebhookEvent',
    'WebhookFormat',
    'WorkerStatus',
  ],
};
const columnImports = (): string =>
  [
    `import type { FigureColumns } from '@carillon/proto/figures/call-figures.ts';\n`,
    `import type { StreamColumns } from '@carillon/proto/figures/stream-figures.ts';\n`,
    ...Object.entries(COLUMN_TYPES).map(
      ([file, names]) => `import type { ${names.join(', ')} } from '../contract/${file}.ts';\n`,
    ),
  ].join('');

type Files = readonly (readonly [path: string, content: string])[];

/** The files of a generator as they would be generated now, by name. */
const GENERATORS: Readonly<Record<GeneratorName, (scratch: string) => Files | Promise<Files>>> = {
  'wire code': wireCode,
  'table types': tableTypes,
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
const CONFIGURED_PROTOBUF = '../plain-numbers.ts';

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

async function tableTypes(scratch: string): Promise<Files> {
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(scratch, 'data'),
    unsafe: true,
    log: () => undefined,
  });
  try {
    const database = openDatabase(postgres.connection, { onError: () => undefined });
    await migrate(database);
    await database.close();
    const out = path.join(scratch, 'tables.ts');
    const { host, user, database: name } = postgres.connection;
    const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`;
    const json = (type: string) => `ColumnType<${type}, string, string>`;
    const columns = {
      'capacity_searches.status': 'SearchStatus',
      'capacity_searches.settings': json('SearchSettings'),
      'capacity_searches.config': json('TestConfig'),
      'capacity_searches.answer': `${json('SearchAnswer')} | null`,
      'capacity_trials.phase': 'TrialPhase',
      'capacity_trials.result': 'TrialResult | null',
      'capacity_trials.evidence': `${json('TrialEvidence')} | null`,
      'tests.config': json('TestConfig'),
      'probes.config': json('TestConfig'),
      'probes.mode': 'ProbeMode',
      'probes.status': 'Generated<HealthState>',
      'probes.told_status': 'Generated<HealthState>',
      'probes.schedule_type': 'ScheduleType',
      'probe_instances.status': 'Generated<HealthState>',
      'announcements.body': 'ColumnType<AnnouncementData, string, string>',
      'announcements.kind': 'AnnouncementKind',
      'probe_instances.party': 'Party | null',
      'probe_instances.steps': 'ColumnType<ExecutionSteps | null, string | null, string | null>',
      'probe_instances.threshold_results': 'ColumnType<ThresholdResult[], string | undefined, string>',
      'probe_thresholds.metric_key': 'MetricKey',
      'probe_incidents.severity': 'Severity',
      'probe_incident_totals.severity': 'Severity',
      'probe_instance_totals.status': 'HealthState',
      'test_runs.config': json('TestConfig'),
      'test_runs.status': 'RunStatus',
      'test_runs.error': `${json('RunError')} | null`,
      'test_runs.ending_error': `${json('RunError')} | null`,
      'test_runs.summary': `${json('Summary')} | null`,
      'test_runs.call_timing': `${json('CallTiming')} | null`,
      'test_runs.sip_responses': `${json('SipResponse[]')} | null`,
      'test_runs.sip_requests': `${json('SipRequest[]')} | null`,
      'test_runs.validity': `${json('Validity')} | null`,
      'test_runs.findings': `${json('RunFinding[]')} | null`,
      'test_runs.call_quality': `${json('CallQuality')} | null`,
      'test_runs.thresholds': `${json('JudgedThreshold[]')} | null`,
      'test_runs.failure_clusters': `${json('FailureClusters')} | null`,
      'test_runs.progress': `${json('ProgressCounts')} | null`,
      'test_runs.starts': `${json('Starts')} | null`,
      'streams.scale': 'MosScale | null',
      'streams.details': `${json('Partial<StreamDetails>')} | null`,
      'run_history.to_status': 'RunStatus',
      'run_history.from_status': 'RunStatus | null',
      'sub_population_instances.status': 'InstanceStatus',
      'sub_population_instances.role': 'EndpointType',
      'endpoints.endpoint_type': 'EndpointType',
      'endpoints.outcome': 'Outcome | null',
      'endpoints.call_result': 'CallResult | null',
      'organizations.plan': 'Tier',
      'memberships.role': 'Role',
      'project_members.role': 'Role | null',
      'invitations.role': 'Role',
      'webhooks.events': 'ColumnType<WebhookEvent[], readonly WebhookEvent[], readonly WebhookEvent[]>',
      'webhooks.format': 'Generated<WebhookFormat>',
      'webhook_deliveries.status': 'Generated<DeliveryStatus>',
      'mails.status': 'Generated<DeliveryStatus>',
      'idempotency_keys.answer': 'ColumnType<unknown, string | null | undefined, string | null>',
      'workers.status': 'Generated<WorkerStatus>',
      'workers.hello': 'ColumnType<unknown, string | undefined, string>',
      'worker_commands.body': 'ColumnType<unknown, string, string>',
    };
    await run(bin('kysely-codegen'), [
      '--dialect',
      'postgres',
      '--url',
      url,
      '--out-file',
      out,
      '--log-level',
      'error',
      '--type-mapping',
      '{"int8":"number"}',
      '--overrides',
      JSON.stringify({ columns }),
      '--exclude-pattern',
      'kysely_*',
    ]);
    await writeFile(out, `${columnImports()}${withFigures(await readFile(out, 'utf8'))}`);
    return [['control-plane/store/tables.gen.ts', await format(out)]];
  } finally {
    await postgres.stop();
  }
}

/** The tables whose columns of figures are declared in proto/figures. This proves that the database has them. */
const FIGURES = [
  { table: 'Endpoints', type: 'FigureColumns', columns: FIGURE_NAMES.map(columnOf) },
  { table: 'Streams', type: 'StreamColumns', columns: STREAM_FIGURE_ROWS.map(([name]) => streamColumnOf(name)) },
];

function withFigures(tables: string): string {
  let text = tables;
  for (const { table, type, columns } of FIGURES) {
    const head = `export interface ${table} {`;
    const begin = text.indexOf(head);
    const end = text.indexOf('\n}', begin);
    const declared = new Set<string>(columns);
    const isFigure = (line: string) => declared.has(line.trim().split(':')[0] ?? '');
    const lines = text.slice(begin + head.length, end).split('\n');
    if (lines.filter(isFigure).length < declared.size)
      throw new Error(
        `${table} lacks columns of its figures: it has ${lines.join('')}, declared are ${columns.join(', ')}`,
      );
    const own = lines.filter((line) => !isFigure(line)).join('\n');
    text = `${text.slice(0, begin)}export interface ${table} extends ${type} {${own}${text.slice(end)}`;
  }
  return text;
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
