/**
 * `npm run chaos`: every fault of the table (chaos/faults.ts) against live calls, with SIPp as an independent observer.
 * Prints the table, and exits with 1 if a row fails. With arguments: only rows whose name contains one of them.
 */
import { FAULTS } from './chaos/faults.ts';
import { openStage, type StageKind } from './chaos/stage.ts';
import { type ChaosTrial, tryFault } from './chaos/trial.ts';
import { ensurePackages, OF_CHAOS } from './test-run/packages.ts';

const words = process.argv.slice(2);
const wanted = FAULTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (wanted.length === 0) {
  console.error(`No fault is called so. There are:\n${FAULTS.map(({ name }) => `  ${name}`).join('\n')}`);
  process.exit(2);
}

const missing = await ensurePackages(OF_CHAOS);
if (missing !== null) {
  console.error(missing);
  process.exit(2);
}

const listed = (failures: ChaosTrial['failures']): string =>
  Object.entries(failures)
    .map(([cause, n]) => `${n} ${cause}`)
    .join(', ') || 'none';

const rowOf = ({ name, status, rest, sipp, failures, normalAfterSeconds, faults }: ChaosTrial): string =>
  [
    ...[name, status, `${rest.calls}, ${rest.good}`, `${sipp.calls}, ${sipp.ended}`, listed(failures)],
    ...[normalAfterSeconds?.toFixed(1) ?? 'never', faults.join('; ') || 'yes'],
  ].join(' | ');

let failed = 0;
console.log(
  '| fault | run | REST: calls, good | SIPp: calls, ended | endpoints that failed | normal after s | holds |',
);
console.log('|---|---|---|---|---|---|---|');
for (const kind of ['embedded', 'server', 'clock'] satisfies StageKind[]) {
  const rows = wanted.filter(({ on = 'embedded' }) => on === kind);
  if (rows.length === 0) continue;
  const stage = await openStage(kind);
  try {
    for (const fault of rows) {
      const trial = await tryFault(stage, fault);
      if (trial.faults.length > 0) failed++;
      console.log(`| ${rowOf(trial)} |`);
    }
  } finally {
    await stage.close();
  }
}
console.log(`${wanted.length - failed} of ${wanted.length} hold`);
process.exit(failed > 0 ? 1 : 0);
