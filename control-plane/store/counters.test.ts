/**
 * No counter of a run overflows at the limits of a run: each whole number of a table or a message that grows with a run is named
 * here with the largest value that it can have. A new one is added with its own.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_CALLS, MAX_CALLS_PER_SECOND, MAX_LOAD_SECONDS } from '@carillon/proto/load/shapes/shape.ts';
import t from 'tap';
import { MAX_ENDPOINTS } from '../contract/fields.ts';
import { RESOLUTION_SECONDS } from '../contract/run/metrics.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const INT16 = 2 ** 15 - 1;
const INT32 = 2 ** 31 - 1;
const UINT32 = 2 ** 32 - 1;

/** An agent gives no call a number beyond this one (`hasCall` of agent/run/plan.ts). */
const NUMBER = INT32;
const STATUS = 999;
const PORT = 65_535;
/** Events of all calls in one second: those that end because of a common cause, and those that start. */
const A_SECOND = MAX_ENDPOINTS + MAX_CALLS_PER_SECOND;
/** The longest step into which the seconds of a run are gathered. */
const A_STEP = A_SECOND * Math.max(...Object.values(RESOLUTION_SECONDS));
/** A frame is at most a few MiB, so no message has more parts than this. */
const A_FRAME = 2 ** 26;
/** Packets of one stream in the longest call, every 10 ms; of one interval of a minute. */
const A_STREAM = 100 * MAX_LOAD_SECONDS;
const AN_INTERVAL = 100 * 60;
const OCTETS = 1500 * AN_INTERVAL;
/** Shortest possible time between two refreshes or attempts: a second. */
const ATTEMPTS = MAX_LOAD_SECONDS;
/** Streams of one agent's instance that have a sample in the same second. */
const STREAMS = 2 * MAX_ENDPOINTS;
const MS = 1000 * 2 * MAX_LOAD_SECONDS + 3_600_000;
const SETTING = 10_000_000;

/** The largest value of a table's columns, and of those that differ. */
type Reach = Readonly<Record<string, number>>;
const TABLES: Readonly<Record<string, Reach>> = {
  test_runs: { '*': 2 * MAX_LOAD_SECONDS + 3600, endpoints: MAX_ENDPOINTS },
  sub_population_instances: { '*': MAX_ENDPOINTS },
  endpoints: { '*': ATTEMPTS, number: NUMBER, peer_number: NUMBER, phase: 7, reached: 7, q850: 127 },
  findings: { endpoint_number: NUMBER, place: 100, stream: 1 },
  call_tallies: { '*': A_SECOND },
  call_seconds: { '*': A_STEP },
  run_events: { endpoint_number: NUMBER },
  streams: { '*': A_STREAM, endpoint_number: NUMBER, stream: 1, local_port: PORT },
  samples: { '*': AN_INTERVAL, octets_received: OCTETS, endpoint_number: NUMBER, stream: 1 },
  rollups: { '*': STREAMS },
  mos_counts: { count: STREAMS, bucket: 100 },
  sip_counts: { status: STATUS },
  sip_messages: { '*': A_FRAME, endpoint_number: NUMBER, chunk_endpoint: NUMBER, status: STATUS },
  sip_chunks: { chunk: A_FRAME, endpoint_number: NUMBER },
  rtp_headers: { '*': A_FRAME, endpoint_number: NUMBER, stream: 1, header_bytes: 200 },
  noise: { '*': A_FRAME },
  start_noise: { '*': MAX_CALLS },
};

const MESSAGES: Readonly<Record<string, Reach>> = {
  Allocation: { '*': MS, at_once: MAX_ENDPOINTS },
  Keeping: { one_in: MAX_CALLS, seed: UINT32, of_cluster: SETTING },
  Load: { '*': MAX_CALLS, seed: UINT32 },
  RtpTrace: { endpoint: MAX_ENDPOINTS, packets: A_STREAM },
  Endpoints: { '*': MS, number: MAX_ENDPOINTS, listener: 1000 },
  RegistrationEnds: { '*': ATTEMPTS, endpoint: NUMBER },
  ActionsDone: { endpoint: NUMBER },
  Strangers: { count: A_SECOND },
  CallTally: { '*': A_SECOND },
  Phases: { endpoint: NUMBER },
  Outcome: { '*': ATTEMPTS, endpoint: NUMBER, peer_endpoint: NUMBER },
  Finding: { stream: 1 },
  SipCounts: { '*': A_FRAME, status: STATUS },
  MessageChunk: { '*': A_FRAME, endpoint: NUMBER },
  MessageBlock: { '*': A_FRAME, endpoint: NUMBER },
  RtpHeaders: { '*': A_FRAME, endpoint: NUMBER },
  Samples: { '*': AN_INTERVAL, endpoint: NUMBER },
  StreamTotals: { '*': A_STREAM, endpoint: NUMBER, ssrc_sent: UINT32, ssrc_received: UINT32 },
  StreamDetails: { '*': A_STREAM },
  StartNoise: { '*': A_FRAME },
  Noise: { '*': A_FRAME },
};

type Counter = { readonly name: string; readonly most: number };

const COLUMN = /^ {2}"?(\w+)"? (integer|smallint)\b/gm;
const columnsOf = (sql: string): (Counter & { readonly table: string })[] =>
  [...sql.matchAll(/create table (\w+) \(\n([\s\S]*?)\n\)/g)].flatMap(([, table = '', body = '']) =>
    [...body.matchAll(COLUMN)].map(([, name = '', type]) => ({
      table,
      name,
      most: type === 'integer' ? INT32 : INT16,
    })),
  );

const FIELD = /^ {2}(?:optional |repeated )?(uint32|sint32|int32) (\w+) = /gm;
const fieldsOf = (proto: string): (Counter & { readonly table: string })[] =>
  [...proto.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(([, table = '', body = '']) =>
    [...body.matchAll(FIELD)].map(([, type, name = '']) => ({
      table,
      name,
      most: type === 'uint32' ? UINT32 : INT32,
    })),
  );

function holds(t: Tap, of: Readonly<Record<string, Reach>>, counters: readonly (Counter & { table: string })[]) {
  for (const { table, name, most } of counters) {
    const reach = of[table];
    if (reach === undefined) continue;
    const value = reach[name] ?? reach['*'] ?? Number.NaN;
    t.ok(value <= most, `${table}.${name}: up to ${value}, of ${most}`);
  }
  for (const [table, reach] of Object.entries(of))
    for (const name of ['', ...Object.keys(reach).filter((name) => name !== '*')])
      t.ok(
        counters.some((c) => c.table === table && (name === '' || c.name === name)),
        `${table}.${name} exists`,
      );
}
type Tap = { ok(condition: boolean, message: string): unknown };

const RUN_TABLES = ['0004-runs', '0005-measured'].map((name) => textOf(`control-plane/store/migrations/${name}.sql`));
const columns = RUN_TABLES.flatMap(columnsOf);

t.test('columns of 16 and 32 bits hold all that a run can count', async (t) => {
  t.same(
    columns.filter(({ table }) => !(table in TABLES)).map(({ table, name }) => `${table}.${name}`),
    [],
    'each table that a run fills is named',
  );
  holds(t, TABLES, columns);
});

t.test('and so do fields of the wire', async (t) => {
  const files = ['allocation', 'facts'].map((name) => textOf(`proto/carillon/agent/v1/${name}.proto`));
  holds(t, MESSAGES, files.flatMap(fieldsOf));
});

t.test('sums of a whole run exceed 32 bits, so columns that add up over a run have 64', async (t) => {
  t.ok(MAX_CALLS <= NUMBER, 'calls themselves can be counted in 32');
  t.ok(20 * MAX_CALLS > INT32, 'their messages cannot');
  for (const [table, ...names] of [
    ['sip_counts', 'count', 'retransmissions'],
    ['run_counts', 'events', 'messages', 'kept'],
    ['rollups', 'packets_sent', 'packets_received', 'expected', 'lost', 'discarded', 'absent', 'paused'],
    ['streams', 'packets_sent', 'packets_received', 'octets_received', 'expected', 'lost'],
  ] as const)
    for (const name of names) {
      const body = new RegExp(`create table ${table} \\(\\n([\\s\\S]*?)\\n\\)`).exec(RUN_TABLES.join('\n'))?.[1] ?? '';
      t.match(body, new RegExp(`^ {2}${name} bigint`, 'm'), `${table}.${name}`);
    }
});
