/** `carillon capacity TEST`: runs a search on the server and shows its progress; Ctrl-C cancels it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '@carillon/proto/base/plain-text.ts';
import { EXIT, type ExitCode, Stop, usage } from '../../../cli/exit-codes.ts';
import { type Io, painter, widthOf } from '../../../cli/io.ts';
import { type Api, findTest, once } from '../../../cli/session/api.ts';
import { ms } from '../../../cli/text/figures.ts';
import { table, wrapped } from '../../../cli/text/table.ts';
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';

type Search = Output<'getCapacitySearch'>;
type Trial = Search['trials'][number];

export type CapacityOptions = {
  readonly slo: readonly string[];
  readonly atOnce?: boolean;
  readonly strict?: boolean;
  readonly atLeast?: number;
  readonly least?: number;
  readonly most?: number;
  readonly trialSeconds?: number;
  readonly json?: boolean;
};

const LOOK_MS = 1000;
const OVER = ['COMPLETED', 'FAILED', 'CANCELLED'];

export async function capacityCommand(
  io: Io,
  api: Api,
  reference: string,
  options: CapacityOptions,
): Promise<ExitCode> {
  const slos = options.slo.map(sloOf);
  const { id: projectId } = await api.project();
  const test = await findTest(api, reference);
  const input = {
    projectId,
    testId: test.id,
    ...(slos.length > 0 && { slos }),
    ...(options.atOnce && { objective: 'CALLS_AT_ONCE' as const }),
    ...(options.strict && { method: 'RFC7502_STRICT' as const }),
    ...(options.least !== undefined && { least: options.least }),
    ...(options.most !== undefined && { most: options.most }),
    ...(options.trialSeconds !== undefined && { trialSeconds: options.trialSeconds }),
  } satisfies CallInput<'startCapacitySearch'>;
  const started = await api.call('startCapacitySearch', input, once());
  const out = options.json ? io.err : io.out;
  out.write(`${painter(out, io.env)('bold', plain(test.name))}: capacity search ${started.id}\n`);
  const search = await followed(io, api, { projectId, capacitySearchId: started.id }, (trial) =>
    out.write(`${lineOf(trial, started.objective)}\n`),
  );
  if (options.json) io.out.write(`${JSON.stringify(search, null, 2)}\n`);
  else io.out.write(`${lines(io, search).join('\n')}\n`);
  return codeOf(search, options.atLeast);
}

/** The sign has to be that of the metric's good side: no other limit can be searched for. */
function sloOf(text: string): { metricKey: MetricKey; limit: number } {
  const match = /^\s*([A-Za-z]+)\s*(<=|>=)\s*(\d+(?:\.\d+)?)\s*$/.exec(text);
  const [, key = '', sign, limit] = match ?? [];
  if (!Object.hasOwn(METRIC_KEYS, key))
    throw usage(`--slo ${text}: it is KEY>=NUMBER or KEY<=NUMBER, of ${Object.keys(METRIC_KEYS).join(', ')}.`);
  const wanted = METRIC_KEYS[key as MetricKey].higherIsBetter ? '>=' : '<=';
  if (sign !== wanted) throw usage(`--slo ${text}: of ${key} the good side is ${wanted}.`);
  return { metricKey: key as MetricKey, limit: Number(limit) };
}

async function followed(
  io: Io,
  api: Api,
  ref: CallInput<'getCapacitySearch'>,
  onTrial: (trial: Trial) => void,
): Promise<Search> {
  let shown = 0;
  let isCancelled = false;
  for (;;) {
    const search = await api.call('getCapacitySearch', ref);
    const ended = search.trials.filter(({ result }) => result !== null);
    for (const trial of ended.slice(shown)) onTrial(trial);
    shown = ended.length;
    if (OVER.includes(search.status)) return search;
    if (io.ending.aborted && !isCancelled) {
      io.err.write('Cancelling the search.\n');
      isCancelled = true;
      await api.call('cancelCapacitySearch', ref).catch((error: unknown) => {
        if (!(error instanceof Stop)) throw error;
      });
    }
    await sleep(LOOK_MS, undefined, isCancelled ? {} : { signal: io.ending }).catch(() => undefined);
  }
}

const unitOf = (objective: Search['objective']): string =>
  objective === 'CALLS_AT_ONCE' ? 'calls at once' : 'calls/s';

function lineOf({ number, level, phase, result, evidence }: Trial, objective: Search['objective']): string {
  const why = evidence?.reasons[0] === undefined ? '' : `: ${plain(evidence.reasons[0])}`;
  return `trial ${number} | ${phase} | ${level} ${unitOf(objective)} | ${result}${why}`;
}

function lines(io: Io, search: Search): string[] {
  const [paint, width] = [painter(io.out, io.env), widthOf(io.out)];
  const columns = [
    { title: 'trial', align: 'right' as const },
    { title: unitOf(search.objective), align: 'right' as const },
    { title: 'result' },
    ...['good', 'failed', 'not started', 'set-up p95'].map((title) => ({ title, align: 'right' as const })),
    { title: 'verdict' },
  ];
  const rows = search.trials.map(({ number, level, result, evidence: e }) => [
    `${number}`,
    `${level}`,
    result ?? '-',
    e ? `${e.successful}` : '-',
    e ? `${e.failed}` : '-',
    e ? `${e.notStarted}` : '-',
    ms(e?.setupMs?.p95 ?? null),
    e?.verdict ?? '-',
  ]);
  const sentence = search.answer?.sentence ?? search.error ?? `The search is ${search.status}.`;
  return [
    '',
    ...table(columns, rows, width, paint),
    '',
    ...(search.report === null ? [] : [search.report.form, '']),
    ...wrapped(plain(sentence), width).map((line) => paint('bold', line)),
  ];
}

function codeOf({ status, answer }: Search, atLeast: number | undefined): ExitCode {
  if (status === 'CANCELLED') return EXIT.ABORTED;
  if (status === 'FAILED') return EXIT.RUN_FAILED;
  if (answer === null || answer.found === 'UNSETTLED') return EXIT.NOT_VALID;
  return (answer.level ?? 0) >= (atLeast ?? Number.MIN_VALUE) ? EXIT.GOOD : EXIT.THRESHOLD_CROSSED;
}
