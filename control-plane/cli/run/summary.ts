/** A run that has ended, as text for people: verdict, limits, calls, media, timings, failures. Pure. */

import { plain } from '@carillon/proto/base/plain-text.ts';
import { SPREADS } from '@carillon/proto/figures/call-figures.ts';
import { heardHere, heardWords, reportWords } from '../../contract/run/heard-words.ts';
import { outcomeOf } from '../../contract/run-outcome.ts';
import { FEATURE_RUN_HOOKS } from '../../feature-sums/commands.ts';
import type { Paint } from '../io.ts';
import type { RunTable } from '../options.ts';
import { whatToDo } from '../session/api.ts';
import { figure, measured, ms, NONE, percent } from '../text/figures.ts';
import { type TextColumn, table, wrapped } from '../text/table.ts';
import type { RunJudgement } from './judgement.ts';
import type { LimitCheck, RunOfTest } from './limits.ts';
import { failuresOf } from './live.ts';

const MAX_CLUSTERS = 5;
const right = (title: string): TextColumn => ({ title, align: 'right' });

const COLOURS = { good: 'green', warn: 'yellow', bad: 'red', none: 'dim', accent: 'cyan' } as const;
const TONES = { VALID: 'green', SUSPECT: 'yellow', VOID: 'red' } as const;
const SOURCES: ReadonlyMap<LimitCheck['by'], string> = new Map([
  ['TEST', 'test'],
  ['COMMAND', '--threshold'],
  ['DEFAULT', 'default'],
]);

/** What features found out about the run. */
export const tablesOf = (run: RunOfTest): RunTable[] => FEATURE_RUN_HOOKS.flatMap(({ table }) => table?.(run) ?? []);

/** `url`: of the control plane. */
export function summaryOf(run: RunOfTest, url: string, width: number, paint: Paint): string[] {
  const tables = [callsTable, mediaTable, timingTable].map((make) => make(run, width, paint));
  const ofFeatures = tablesOf(run).map((t) => linesOf(t, width, paint));
  const verdict = run.validity?.verdict;
  const { tone, sentence } = outcomeOf(run.status, run.result);
  return [
    `${paint('bold', plain(run.testName))}  ${paint('dim', run.id)}`,
    ...labelsOf(run).map((label) => paint('dim', label)),
    ...wrapped(`${sentence}${run.error ? `: ${run.error.code}, ${plain(run.error.message)}` : ''}`, width).map((line) =>
      paint(COLOURS[tone], line),
    ),
    ...(run.error ? [whatToDo(url, run.error.code)] : []),
    ...(run.validity && verdict
      ? wrapped(plain(run.validity.sentence), width).map((line) => paint(TONES[verdict], line))
      : []),
    ...(run.validity?.reasons.slice(1).flatMap((r) => wrapped(`  ${plain(r.message)}`, width)) ?? []),
    ...[...tables, ...ofFeatures].filter((t) => t.length > 0).flatMap((lines) => ['', ...lines]),
    ...failures(run, paint),
  ];
}

function callsTable({ callTiming: c, callQuality: q }: RunOfTest, width: number, paint: Paint): string[] {
  if (c.totalCalls === 0) return [];
  const columns = ['calls', 'answered', 'good', 'timeout', 'rejected', 'error', 'ASR', 'NER', 'heard'].map(right);
  const attempts = c.totalCalls - c.inProgressCount;
  const row = [
    `${c.totalCalls}`,
    `${c.successCount}`,
    `${q.successful}`,
    `${c.timeoutCount}`,
    `${c.rejectedCount}`,
    `${c.errorCount}`,
    percent(c.asr, attempts),
    percent(c.ner, attempts),
    q.soundAsked === 0 ? NONE : `${heardHere(q)}/${q.soundAsked}`,
  ];
  const lines = table(columns, [row], width, paint);
  return reportWords(q) === null ? lines : [...lines, ...wrapped(`Of the calls with audio ${heardWords(q)}.`, width)];
}

function mediaTable({ summary: s }: RunOfTest, width: number, paint: Paint): string[] {
  if (s.totalStreams === 0) return [];
  const m = s.measured;
  const rows = [
    ['MOS', figure(s.avgMos, 2, m.mos), figure(s.minMos, 2, m.mos), `${m.mos}`],
    ['jitter', ms(s.avgJitter, m.jitter), ms(s.maxJitter, m.jitter), `${m.jitter}`],
    ['round trip', ms(s.avgRtt, m.rtt), ms(s.maxRtt, m.rtt), `${m.rtt}`],
    [
      'packet loss',
      percent(s.avgPacketLossFraction * 100, m.loss, 2),
      m.loss === 0 ? NONE : `${s.totalPacketsLost} lost`,
      `${m.loss}`,
    ],
  ];
  return table([{ title: 'media' }, right('mean'), right('worst'), right('streams')], rows, width, paint);
}

function timingTable({ callTiming }: RunOfTest, width: number, paint: Paint): string[] {
  const rows = SPREADS.map(({ key, title }) => [title, callTiming[key]] as const)
    .filter(([, d]) => d.count > 0)
    .map(([title, d]) => [title, ms(d.p50), ms(d.p95), ms(d.p99), ms(d.max), `${d.count}`]);
  if (rows.length === 0) return [];
  return table([{ title: 'timing' }, ...['p50', 'p95', 'p99', 'max', 'values'].map(right)], rows, width, paint);
}

function linesOf({ title: [kind, name], columns, rows, sentences }: RunTable, width: number, paint: Paint): string[] {
  const lines = rows.map(([first, cells]) => [first, ...cells]);
  return [
    ...table([{ title: `${kind} ${plain(name)}` }, ...columns.map(right)], lines, width, paint),
    ...sentences.flatMap((sentence) => wrapped(plain(sentence), width)),
  ];
}

function failures(run: RunOfTest, paint: Paint): string[] {
  const faults = run.findings.filter((f) => f.severity === 'FAULT');
  const all = failuresOf(run);
  const shown = all.slice(0, MAX_CLUSTERS);
  if (shown.length + faults.length === 0) return [];
  const more = all.slice(MAX_CLUSTERS).reduce((sum, c) => sum + c.count, run.otherFailures);
  return [
    '',
    paint('dim', 'failures'),
    ...shown.map(({ text, count }) => `${paint('red', String(count).padStart(6))}  ${text}`),
    ...(more > 0 ? [`${String(more).padStart(6)}  others`] : []),
    ...faults.map((f) => `${paint('red', String(f.count).padStart(6))}  ${f.title}`),
  ];
}

/** The final output: limits, warnings, result. */
export function judgementOf({ checks, warnings, sentence, code }: RunJudgement, width: number, paint: Paint): string[] {
  const rows = checks.map((c) => [
    c.passed ? 'kept' : 'NOT KEPT',
    c.name,
    measured(c.measured, c.unit),
    c.by === 'COMMAND' || c.by === 'DEFAULT' ? '' : `${c.limit} ${c.unit}`.trim(),
    SOURCES.get(c.by) ?? `--${c.by.toLowerCase()}`,
  ]);
  const columns: TextColumn[] = [
    { title: '' },
    { title: 'limit' },
    { title: 'measured', align: 'right' },
    { title: 'wanted', align: 'right' },
    { title: 'by' },
  ];
  const lines = rows.length === 0 ? [] : table(columns, rows, width, paint);
  return [
    ...(lines.length > 0 ? ['', lines[0] as string] : []),
    ...lines.slice(1).map((line, i) => paint(checks[i]?.passed ? 'green' : 'red', line)),
    ...warnings.map((warning) => paint('yellow', `Warning: ${plain(warning)}`)),
    '',
    paint(['bold', code === 0 ? 'green' : 'red'], plain(sentence)),
  ];
}

const labelsOf = ({ labels, overrides }: RunOfTest): string[] => {
  const texts = [
    // Answers of older servers have no labels.
    ...Object.entries(labels ?? {}).map(([name, value]) => `${name}=${plain(value)}`),
    ...Object.entries(overrides ?? {}).map(([name, value]) => `set ${name}=${plain(JSON.stringify(value))}`),
  ];
  return texts.length === 0 ? [] : [texts.join('  ')];
};
