/** A finished run on one screen; the dashboard shows the rest. Pure. */
import { heardWords } from '../../control-plane/contract/run/heard-words.ts';
import { wrap } from '../start/greeting.ts';
import type { ShownRun } from './screen.ts';

const dash = (count: number, text: string): string => (count === 0 ? '—' : text);
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

/** The verdict is about the agents; this sentence says what it means for the figures. */
const VERDICTS: Readonly<Record<NonNullable<ShownRun['validity']>['verdict'], string>> = {
  VALID:
    'The verdict is about this host, not about the calls: it was quiet enough, so the figures below describe the calls.',
  SUSPECT:
    'The verdict is about this host, not about the calls: it was disturbed, so some figures below may describe the host.',
  VOID: 'The verdict is about this host, not about the calls: it was too busy to measure, so do not use the figures below.',
};

const COLUMNS = 80;

export function summaryLines(run: ShownRun): string[] {
  const { callTiming: c, summary: s, validity } = run;
  const { callSetup } = c;
  return [
    '',
    ...wrap(`${run.testName}: ${run.status}${run.error ? ` (${run.error.code}: ${run.error.message})` : ''}`, COLUMNS),
    ...(validity
      ? [
          ...wrap(validity.sentence, COLUMNS),
          ...wrap(VERDICTS[validity.verdict], COLUMNS - 2).map((line) => `  ${line}`),
        ]
      : []),
    ...heardLines(run),
    '',
    ...table([
      ['calls', 'answered', 'timeout', 'rejected', 'error', 'ASR', 'NER'],
      [
        `${c.totalCalls}`,
        `${c.successCount}`,
        `${c.timeoutCount}`,
        `${c.rejectedCount}`,
        `${c.errorCount}`,
        dash(c.totalCalls, `${c.asr.toFixed(1)} %`),
        dash(c.totalCalls, `${c.ner.toFixed(1)} %`),
      ],
    ]),
    '',
    ...table([
      ['media', 'mean', 'worst', 'streams'],
      [
        'MOS',
        dash(s.measured.mos, s.avgMos.toFixed(2)),
        dash(s.measured.mos, s.minMos.toFixed(2)),
        `${s.measured.mos}`,
      ],
      [
        'jitter',
        dash(s.measured.jitter, ms(s.avgJitter)),
        dash(s.measured.jitter, ms(s.maxJitter)),
        `${s.measured.jitter}`,
      ],
      [
        'loss',
        dash(s.measured.loss, `${(s.avgPacketLossFraction * 100).toFixed(2)} %`),
        dash(s.measured.loss, `${s.totalPacketsLost} of ${s.totalPacketsSent}`),
        `${s.measured.loss}`,
      ],
    ]),
    `set-up of a call: ${dash(callSetup.count, `p50 ${ms(callSetup.p50)}, p99 ${ms(callSetup.p99)}`)}`,
  ];
}

/** What callers got. Findings and thresholds are included if there are any. */
function heardLines({ callQuality: q, findings, thresholds, passed }: ShownRun): string[] {
  const ended = q.successful + q.failed;
  const lines = [`${q.successful} of ${ended} calls good; ${heardWords(q) ?? 'heard both ways: —'}`];
  if (findings.length > 0) {
    const rows = findings.map((f) => [
      f.title,
      f.severity,
      f.party,
      `${f.count}${f.tolerated > 0 ? ` (${f.tolerated} tolerated)` : ''}`,
      dash(f.answered, `${f.sharePercent.toFixed(1)} %`),
    ]);
    lines.push('', ...table([['finding', 'severity', 'party', 'calls', 'of answered'], ...rows]));
  }
  if (thresholds.length > 0) {
    const rows = thresholds.map((t) => [
      t.displayName,
      dash(t.count ?? 0, `${Number(t.value.toFixed(3))} ${t.unit}`),
      `${t.higherIsBetter ? '≥' : '≤'} ${t.orangeValue} ${t.unit}`,
      t.status,
    ]);
    const told = passed === null ? 'not judged' : passed ? 'passed' : 'not passed';
    lines.push('', ...table([[`thresholds: ${told}`, 'measured', 'limit', 'status'], ...rows]));
  }
  return lines;
}

/** The first column is left-aligned, the others are right-aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   '),
  );
}

/** True: the demo run was successful, so it completed, every call was good for both ends, and no threshold was exceeded. */
export const isGood = ({ status, result }: ShownRun, calls: number): boolean =>
  status === 'COMPLETED' && result?.calls === calls && result.successful === calls && result.passed !== false;
