/** The CSV of a run: its columns, and the texts of strangers in it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FIGURES, type FigureName } from '@carillon/proto/figures/call-figures.ts';
import type { KyselyPlugin } from 'kysely';
import t from 'tap';
import { CALLS, HOSTILE, openHeardRun } from '../../../testing/heard-run.ts';
import { csvHead } from '../domain/endpoint-csv.ts';
import { exportTestRunEndpoints } from './run-files.ts';

/** The original columns: first, in this order. */
const FIRST = [
  ...['id', 'endpointType', 'outcome', 'phase', 'calleeUri', 'worker', 'registrar', 'failureCause', 'failureParty'],
  ...['failureSipStatus', 'failureReason', 'callResult', 'finalStatusCode', 'finalReasonPhrase', 'timeToTryingMs'],
  ...['timeToRingingMs', 'pddMs', 'callSetupMs', 'timeToFirstMediaMs', 'callDurationMs', 'registerRttMs'],
];

const { run, deaf, tolerant, refused, unheard } = await openHeardRun(t);

/** Records of RFC 4180. */
function parse(text: string): string[][] {
  const fields = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)];
  const lines: string[][] = [[]];
  for (const [, quoted, bare, end] of fields) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

async function file() {
  let questions = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      questions++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { ports } = run.context;
  const database = Object.create(ports.database, { db: { value: ports.database.db.withPlugin(counter) } });
  const context = { ...run.context, ports: { ...ports, database } };
  const { bytes } = await exportTestRunEndpoints(context, { projectId: run.projectId, testRunId: run.runId });
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk as Buffer);
  return { text: Buffer.concat(chunks).toString(), chunks: chunks.length, questions };
}

t.test('CSV: existing columns keep their places; call quality follows them', async (t) => {
  const { text, chunks, questions } = await file();
  const [head = [], ...lines] = parse(text);
  t.same(head.slice(0, FIRST.length), FIRST);
  t.equal(new Set(head).size, head.length);
  t.equal(lines.length, 2 * CALLS);
  t.ok(lines.every((line) => line.length === head.length));
  t.ok(chunks > 2 && questions < 10, `${chunks} parts, ${questions} questions for ${lines.length} endpoints`);
  const of = (n: number) => Object.fromEntries(head.map((name, i) => [name, lines[n]?.[i]]));
  t.match(of(deaf), {
    outcome: 'CALL_FAILED',
    callResult: 'SUCCESS',
    failureCause: 'NO_MEDIA',
    failureParty: 'network',
    failureReason: 'No audio came',
    failureSentence: 'No audio packet came in 5.0 s of the call.',
    findings: 'NO_MEDIA SIP_RETRANSMISSIONS',
    toleratedFindings: '',
    mos: '1.127',
    lossFraction: '0.346667',
    jitterMeanMs: '0.5',
    packetsSent: '750',
    packetsReceived: '490',
    longestGapMs: '',
    q850: '',
    dialledNumber: String(deaf),
    callId: 'call',
    endedBy: 'LOCAL',
  });
  t.match(of(tolerant), { outcome: 'SUCCESS', findings: '', toleratedFindings: 'NO_MEDIA', mos: '', packetsSent: '' });
  t.match(of(unheard), { outcome: 'CALL_FAILED', failureCause: 'ONE_WAY_AUDIO', findings: 'ONE_WAY_AUDIO' });
  t.match(of(refused), {
    failureSipStatus: '503',
    q850: '34',
    q850Name: 'No circuit available',
    reasonText: `'=HYPERLINK("http://x.example","y")`,
    warning: `399 ${HOSTILE}`,
    retryAfterSeconds: '30',
    dialledNumber: "'+4930901820",
    callId: "'-1+2",
    endedBy: '',
  });
  t.ok(
    lines.flat().every((cell) => !/^[=+\-@\t\r]/.test(cell)),
    'no spreadsheet takes any of it for a formula',
  );
});

t.test('every column that the CSV has got since', (t) => {
  const columns = csvHead().trimEnd().split(',');
  const added = columns.slice(columns.indexOf('registerRttMs') + 1);
  const text = readFileSync(path.join(import.meta.dirname, '../../../../docs/guide/api.md'), 'utf8');
  const said = text.slice(text.indexOf('The CSV has one line'), text.indexOf('New columns come last'));
  t.same(
    [...said.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    added.filter((name) => !FIGURES.get(name as FigureName)?.isLaterInCsv),
    'in their order; figures are told by the reference',
  );
  t.end();
});
