/** The types of the database's tables: those of the core in one file, those of each feature in its folder. */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { FEATURES } from '../../control-plane/features.ts';
import { openDatabase } from '../../control-plane/store/db.ts';
import { startEmbeddedPostgres } from '../../control-plane/store/embedded/supervisor.ts';
import { migrate } from '../../control-plane/store/migrate.ts';
import { columnOf, FIGURE_NAMES } from '../../proto/figures/call-figures.ts';
import { STREAM_FIGURE_ROWS, streamColumnOf } from '../../proto/figures/stream-figures.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
const CORE = 'control-plane/store/tables.gen.ts';

/** The types of columns that SQL cannot say: where each type is declared, and the type of each column. */
export type ColumnTypes = {
  readonly imports: Readonly<Record<string, readonly string[]>>;
  readonly columns: Readonly<Record<string, string>>;
};

const json = (type: string) => `ColumnType<${type}, string, string>`;

const CORE_COLUMNS: ColumnTypes = {
  imports: {
    '@carillon/proto/figures/call-figures.ts': ['FigureColumns'],
    '@carillon/proto/figures/stream-figures.ts': ['StreamColumns'],
    '../contract/metric-keys.ts': ['MetricKey'],
    '../contract/notify/announcement.ts': ['AnnouncementData', 'AnnouncementKind'],
    '../contract/notify/formats.ts': ['WebhookFormat'],
    '../contract/run/findings.ts': ['CallQuality', 'RunFinding'],
    '../contract/probe/probe-instance.ts': ['ExecutionSteps'],
    '../contract/run/run.ts': [
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
    '../contract/run/stream-details.ts': ['StreamDetails'],
    '../contract/test-settings/test.ts': ['TestConfig'],
    '../contract/threshold.ts': ['JudgedThreshold', 'ThresholdResult'],
    '../contract/run/words.ts': ['CallResult', 'InstanceStatus', 'Outcome'],
    '../contract/run-status.ts': ['Party', 'RunStatus'],
    '../contract/run/measured-words.ts': ['HealthState', 'MosScale'],
    '../contract/test-settings/words.ts': ['EndpointType', 'ProbeMode'],
    '../contract/probe/words.ts': ['ScheduleType', 'Severity'],
    '../contract/people/words.ts': ['Tier'],
    '../contract/roles.ts': ['Role'],
    '../contract/notify/words.ts': ['DeliveryStatus', 'WebhookEvent'],
    '../contract/worker-words.ts': ['WorkerStatus'],
  },
  columns: {
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
    'idempotency_keys.answer': 'ColumnType<unknown, string | null | undefined, string | null>',
    'workers.status': 'Generated<WorkerStatus>',
    'workers.hello': 'ColumnType<unknown, string | undefined, string>',
    'worker_commands.body': 'ColumnType<unknown, string, string>',
  },
};

type Feature = { readonly folder: string; readonly tables: readonly string[]; readonly types: ColumnTypes };

async function featuresWithTables(): Promise<Feature[]> {
  const found = await Promise.all(
    Object.keys(FEATURES).map(async (name) => {
      const folder = `control-plane/features/${name}/store`;
      const sql = globSync(path.join(ROOT, folder, '*.sql')).map((file) => readFileSync(file, 'utf8'));
      const tables = [...sql.join('\n').matchAll(/^create table (\w+)/gm)].map((match) => match[1] as string);
      const file = path.join(ROOT, folder, 'column-types.ts');
      const types: ColumnTypes = existsSync(file)
        ? ((await import(file)) as { default: ColumnTypes }).default
        : { imports: {}, columns: {} };
      return { folder, tables, types };
    }),
  );
  return found.filter(({ tables }) => tables.length > 0);
}

/** The files, not formatted: path -> content. */
export async function tableTypes(scratch: string): Promise<[path: string, content: string][]> {
  const features = await featuresWithTables();
  const columns = Object.assign({}, CORE_COLUMNS.columns, ...features.map(({ types }) => types.columns));
  let core = withFigures(await typesOf(scratch, columns));
  const own = features.map(({ folder, tables, types }): [string, string] => {
    const taken = tables.map((table) => takeTable(core, table));
    core = taken.reduce((text, { whole, entry }) => text.replace(whole, '').replace(entry, ''), core);
    const db = taken.map(({ entry }) => entry).join('');
    const text = taken.map(({ whole }) => whole).join('\n');
    const up = path.posix.relative(folder, CORE);
    const shared = ['Generated', 'Json', 'Timestamp'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    const head = [
      '/** The tables of the feature. Generated: npm run generate. */',
      ...(/\bColumnType\b/.test(text) ? [`import type { ColumnType } from 'kysely';`] : []),
      ...(shared.length > 0 ? [`import type { ${shared.join(', ')} } from '${up}';`] : []),
      importsOf(types),
    ];
    return [
      `${folder}/tables.gen.ts`,
      `${head.join('\n')}\n${text}\ndeclare module '${up}' {\n  interface DB {\n${db}  }\n}\n`,
    ];
  });
  return [[CORE, importsOf(CORE_COLUMNS) + core], ...own];
}

const importsOf = ({ imports }: ColumnTypes): string =>
  Object.entries(imports)
    .map(([file, names]) => `import type { ${names.join(', ')} } from '${file}';\n`)
    .join('');

/** The declaration of a table, and its entry in the list of all. */
function takeTable(text: string, table: string): { readonly whole: string; readonly entry: string } {
  const entry = new RegExp(`^  ${table}: (\\w+);\\n`, 'm').exec(text);
  const whole = entry && new RegExp(`^export interface ${entry[1]} \\{[^}]*\\}\\n`, 'm').exec(text);
  if (!entry || !whole) throw new Error(`The database has no table ${table}.`);
  return { whole: whole[0], entry: entry[0] };
}

async function typesOf(scratch: string, columns: object): Promise<string> {
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
    await run(path.join(ROOT, 'node_modules', '.bin', 'kysely-codegen'), [
      ...['--dialect', 'postgres', '--url', url, '--out-file', out, '--log-level', 'error'],
      ...['--type-mapping', '{"int8":"number"}', '--overrides', JSON.stringify({ columns })],
      ...['--exclude-pattern', 'kysely_*'],
    ]);
    return await readFile(out, 'utf8');
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
