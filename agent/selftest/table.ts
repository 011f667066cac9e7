/** The self-test as a table for terminals: each trial with its figures. */
import type { TrialFigure } from './judge.ts';
import type { SelfTest } from './run.ts';

const number = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(3));

const HEADINGS = ['impairment', 'figure', 'injected', 'reported', 'interval', 'verdict'] as const;

const rowOf = (name: string, { figure, injected, reported, interval, verdict }: TrialFigure): string[] => [
  name,
  figure,
  number(injected),
  number(reported),
  interval === null ? '-' : `${number(interval.low)} to ${number(interval.high)}`,
  verdict,
];

export function selfTestTable(test: SelfTest): string {
  const rows: string[][] = [[...HEADINGS]];
  for (const { trial, figures } of test.trials)
    figures.forEach((figure, i) => {
      rows.push(rowOf(i === 0 ? trial.name : '', figure));
    });
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isNumber = (column: number): boolean => column >= 2 && column <= 4;
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ...summary(test)].join('\n');
}

function summary({
  adapter,
  stamps,
  fallbackReason,
  seconds,
  streams,
  packets,
  host,
  trials,
  failures,
}: SelfTest): string[] {
  const figures = trials.reduce((sum, trial) => sum + trial.figures.length, 0);
  const fallback = fallbackReason === null ? '' : ` (no FFI: ${fallbackReason})`;
  return [
    `Sockets: ${adapter}${fallback}; arrival times by the ${stamps === 'kernel' ? 'kernel' : 'process'}.`,
    `${trials.length} impairments, ${streams} calls each, all at once for ${seconds} s: ${packets} packets.`,
    `Host: packets left ${number(host.pacingMeanMs)} ms late on average (p99 ${number(host.pacingP99Ms)}), ` +
      `${host.slotsSkipped} of ${host.slotsPlanned} skipped, ${host.receiveDrops} dropped by the kernel, ` +
      `${number(host.jitterMs)} ms of jitter before any was added.`,
    ...host.tooNoisy.map((reason) => `The host is too noisy to measure on: ${reason}.`),
    failures === 0
      ? `All ${figures} figures are inside their intervals, which one in 10,000 misses by chance, and match the injection.`
      : `${failures} of ${figures} figures are not what they must be.`,
  ];
}
