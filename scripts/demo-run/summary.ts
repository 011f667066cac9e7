/** A finished run as a table. Pure. */
import type { Distribution } from '../../control-plane/contract/run/run.ts';
import type { ShownRun } from './screen.ts';

const dash = (count: number, text: string): string => (count === 0 ? '—' : text);
const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

const timing = (name: string, d: Distribution): string[] => [
  name,
  dash(d.count, ms(d.p50)),
  dash(d.count, ms(d.p95)),
  dash(d.count, ms(d.p99)),
  dash(d.count, ms(d.max)),
  String(d.count),
];

/** The verdict is about the agents; this sentence says what it means for the figures. */
const VERDICTS: Readonly<Record<NonNullable<ShownRun['validity']>['verdict'], string>> = {
  VALID:
    'The verdict is about this host, not about the calls: it was quiet enough, so the figures below describe the calls.',
  SUSPECT:
    'The verdict is about this host, not about the calls: it was disturbed, so some figures below may describe the host.',
  VOID: 'The verdict is about this host, not about the calls: it was too busy to measure, so do not use the figures below.',
};

export function summaryLines(run: ShownRun): string[] {
  const { callTiming: c, summary: s } = run;
  return [
    '',
    `${run.testName}: ${run.status}${run.error ? ` (${run.error.code}: ${run.error.message})` : ''}`,
    ...(run.validity
      ? [
          run.validity.sentence,
          ...run.validity.reasons.slice(1).map((r) => `  ${r.message}`),
          `  ${VERDICTS[run.validity.verdict]}`,
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
        'R factor',
        dash(s.measured.rFactor, s.avgRFactor.toFixed(1)),
        dash(s.measured.rFactor, s.minRFactor.toFixed(1)),
        `${s.measured.rFactor}`,
      ],
      [
        'jitter',
        dash(s.measured.jitter, ms(s.avgJitter)),
        dash(s.measured.jitter, ms(s.maxJitter)),
        `${s.measured.jitter}`,
      ],
      ['round trip', dash(s.measured.rtt, ms(s.avgRtt)), dash(s.measured.rtt, ms(s.maxRtt)), `${s.measured.rtt}`],
      [
        'loss',
        dash(s.measured.loss, `${(s.avgPacketLossFraction * 100).toFixed(2)} %`),
        dash(s.measured.loss, `${s.totalPacketsLost} of ${s.totalPacketsSent}`),
        `${s.measured.loss}`,
      ],
    ]),
    '',
    ...table([
      ['timing', 'p50', 'p95', 'p99', 'max', 'calls'],
      timing('post-dial delay', c.pdd),
      timing('call set-up', c.callSetup),
      timing('first media', c.timeToFirstMedia),
      timing('call duration', c.callDuration),
    ]),
    '',
    ...table([
      ['SIP response', 'count', 'share'],
      ...run.sipResponses.map((r) => [
        `${r.statusCode} ${r.reasonPhrase}`,
        `${r.count}`,
        `${r.percentage.toFixed(1)} %`,
      ]),
    ]),
  ];
}

/** What callers got; findings and thresholds if there are any. */
function heardLines({ callQuality: q, findings, thresholds, passed }: ShownRun): string[] {
  const ended = q.successful + q.failed;
  const heard = dash(q.soundAsked, `${q.heard} of ${q.soundAsked}`);
  const lines = [`${q.successful} of ${ended} calls good; heard both ways: ${heard}`];
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

/** First column to the left, the rest to the right, a rule under the head. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   '),
  );
  const rule = widths.map((w) => '─'.repeat(w)).join('───');
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}

/** A successful demo run: completed, every call good for both ends, no threshold exceeded. */
export const isGood = ({ status, result }: ShownRun, calls: number): boolean =>
  status === 'COMPLETED' && result?.calls === calls && result.successful === calls && result.passed !== false;
