/** A run for the comment of a merge request. Pure. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import type { RunOutcome } from '../../../cli/options.ts';
import { failuresOf } from '../../../cli/run/live.ts';
import { figure, measured, ms, percent } from '../../../cli/text/figures.ts';

const MAX_CLUSTERS = 10;

/** Escapes text from untrusted peers: it may have no markup, no link (GitHub makes some of its own) and no mention. */
const escaped = (text: string): string =>
  plain(text)
    .replace(/[\\`*_{}[\]()#+!|<>~&-]/g, (one) => `\\${one}`)
    .replace(/@|:(?=\/\/)|\bwww(?=\.)/gi, (one) => `${one}\u{200b}`);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (cells: readonly string[]): string[] => [row(cells), row(cells.map(() => '---'))];

export function markdownOf({ run, judgement, url, tables }: RunOutcome): string {
  const { checks, warnings, sentence, code } = judgement;
  const { callTiming: c, summary: s } = run;
  const failures = failuresOf(run);
  const attempts = c.totalCalls - c.inProgressCount;
  const facts: [string, string][] = [
    ['Status', escaped(run.status)],
    ['Figures', run.validity?.verdict ?? 'not judged'],
    ['Calls', `${c.totalCalls}, ${c.successCount} answered, ${run.progress.failures} failed`],
    ['ASR, NER', `${percent(c.asr, attempts)}, ${percent(c.ner, attempts)}`],
    ['PDD p50, p95, p99', [c.pdd.p50, c.pdd.p95, c.pdd.p99].map((v) => ms(v, c.pdd.count)).join(', ')],
    [
      'Set-up p50, p95, p99',
      [c.callSetup.p50, c.callSetup.p95, c.callSetup.p99].map((v) => ms(v, c.callSetup.count)).join(', '),
    ],
    ['MOS mean, lowest', `${figure(s.avgMos, 2, s.measured.mos)}, ${figure(s.minMos, 2, s.measured.mos)}`],
    ['Packet loss', percent(s.avgPacketLossFraction * 100, s.measured.loss, 2)],
  ];
  const lines = [
    `### ${code === EXIT.GOOD ? '✅' : '❌'} ${escaped(run.testName)}`,
    '',
    escaped(sentence),
    ...(run.validity && code === EXIT.NOT_VALID ? ['', escaped(run.validity.sentence)] : []),
    '',
    ...head(['', '']),
    ...facts.map(row),
  ];
  for (const {
    title: [kind, name],
    rows,
    columns,
    sentences,
  } of tables)
    lines.push(
      '',
      ...head([`${capital(kind)} ${escaped(name)}`, ...rows.map(([first]) => first)]),
      ...columns.map((column, i) => row([column, ...rows.map(([, cells]) => cells[i] ?? '')])),
      '',
      ...sentences.map(escaped),
    );
  if (checks.length > 0)
    lines.push(
      '',
      ...head(['Limit', 'Measured', 'Wanted', '']),
      ...checks.map((k) =>
        row([
          escaped(k.name),
          escaped(measured(k.measured, k.unit)),
          escaped(`${k.limit} ${k.unit}`.trim()),
          k.passed ? '✅' : '❌',
        ]),
      ),
    );
  if (failures.length > 0)
    lines.push(
      '',
      ...head(['Calls', 'Failure']),
      ...failures.slice(0, MAX_CLUSTERS).map(({ text, count }) => row([`${count}`, escaped(text)])),
    );
  for (const warning of warnings) lines.push('', `⚠️ ${escaped(warning)}`);
  return `${[...lines, '', `[The run in full](${url})`].join('\n')}\n`;
}
