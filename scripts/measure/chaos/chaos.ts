/**
 * Causes every fault of the table (faults.ts) during live calls, with SIPp as an independent observer, and counts what was lost.
 */
import { ensurePackages, OF_CHAOS } from '../../test-run/packages.ts';
import { markdown, n, type ResultTable } from '../table.ts';
import { FAULTS } from './faults.ts';
import { openStage, type StageKind } from './stage.ts';
import { type ChaosTrial, tryFault } from './trial.ts';

const HEADS = [
  'fault',
  'run',
  'REST: calls, good',
  'SIPp: calls, ended',
  'endpoints that failed',
  'normal after s',
  'holds',
];

/** `words` selects the rows whose name contains one of them. @throws Error if no row does, or a Debian package is missing */
export async function chaos(words: readonly string[]): Promise<ResultTable> {
  const wanted = FAULTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (wanted.length === 0)
    throw new Error(
      `No fault has one of these words in its name. There are:\n${FAULTS.map(({ name }) => `  ${name}`).join('\n')}`,
    );
  const missing = await ensurePackages(OF_CHAOS);
  if (missing !== null) throw new Error(missing);
  const trials: ChaosTrial[] = [];
  console.log(markdown({ heads: HEADS, rows: [] }));
  for (const kind of ['embedded', 'server', 'clock'] satisfies StageKind[]) {
    const rows = wanted.filter(({ on }) => on === kind);
    if (rows.length === 0) continue;
    const stage = await openStage(kind);
    try {
      for (const fault of rows) {
        const trial = await tryFault(stage, fault);
        trials.push(trial);
        console.log(`| ${cellsOf(trial).join(' | ')} |`);
      }
    } finally {
      await stage.close();
    }
  }
  return {
    heads: HEADS,
    rows: trials.map(cellsOf),
    faults: trials.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
  };
}

const listed = (failures: ChaosTrial['failures']): string =>
  Object.entries(failures)
    .map(([cause, count]) => `${count} ${cause}`)
    .join(', ') || 'none';

const cellsOf = ({ name, status, rest, sipp, failures, normalAfterSeconds, faults }: ChaosTrial): string[] => [
  ...[name, status, `${rest.calls}, ${rest.good}`, `${sipp.calls}, ${sipp.ended}`, listed(failures)],
  ...[normalAfterSeconds === null ? 'never' : n(normalAfterSeconds, 1), faults.join('; ') || 'yes'],
];
