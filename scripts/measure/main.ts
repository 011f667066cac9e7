/**
 * `npm run bench [-- NAME …]`, `npm run chaos [-- WORD …]`, `npm run prove -- NAME …`: measures, prints each table, and writes it
 * into docs/benchmarks.md. Ends with 1 if a claim does not hold.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { idleShare, processors } from '../peers/patience.ts';
import { writeSection } from './page.ts';
import { type Measurement, SECTIONS } from './sections.ts';
import { markdown, n } from './table.ts';

const LOOK_MS = 3000;
/** If less than this part of the processors' time is idle, the host is too busy for measurements. */
const MIN_IDLE = 0.8;

async function howBusy(): Promise<string> {
  const before = processors();
  await sleep(LOOK_MS);
  const idle = idleShare(before, processors());
  const found = `processors ${n(idle * 100)} % idle before`;
  return idle < MIN_IDLE ? `on a **busy host** (${found})` : `on a quiet host (${found})`;
}

/** The sections that are named. Without names, these are every benchmark, all faults, or no proof. */
function wanted(by: string, words: readonly string[]): string[] {
  const own = Object.keys(SECTIONS).filter((name) => SECTIONS[name]?.by === by);
  const unknown = by === 'chaos' ? [] : words.filter((word) => !own.includes(word));
  if (own.length === 0 || unknown.length > 0 || (by === 'prove' && words.length === 0)) {
    const which = own.length === 0 ? 'bench, chaos, prove' : own.join(', ');
    console.error(`${unknown.length > 0 ? `There is no ${unknown.join(', ')}. ` : ''}One or more of: ${which}`);
    process.exit(2);
  }
  return by === 'chaos' || words.length === 0 ? own : [...words];
}

async function make(name: string, section: Measurement, words: readonly string[]): Promise<readonly string[]> {
  console.log(`${section.title} ...`);
  const busy = await howBusy();
  const table = await section.run(words);
  const load = `load ${n(loadavg()[0] ?? Number.NaN, 1)} on ${availableParallelism()} processors at the end`;
  console.log(markdown(table));
  const { faults = [] } = table;
  // A table of only some rows is not stored in the page.
  if (section.by !== 'chaos' || words.length === 0) writeSection(name, `${busy}, ${load}`, table);
  for (const fault of faults) console.error(fault);
  return faults;
}

const [by = '', ...words] = process.argv.slice(2);
let failed = 0;
for (const name of wanted(by, words))
  try {
    const faults = await make(name, SECTIONS[name] as Measurement, words);
    if (faults.length > 0) failed++;
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`);
    failed++;
  }
process.exit(failed > 0 ? 1 : 0);
