/**
 * docs/benchmarks.md has the table of each section, with the commit, the day and the machine of its own. A section that is measured
 * replaces its own text, and no other one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { type Measurement, SECTIONS } from './sections.ts';
import { markdown, type ResultTable } from './table.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PAGE = 'docs/benchmarks.md';

/** Everything except the page itself, so that a commit that only stores the page is not a newer one. */
const MEASURED = ['--', '.', `:!${PAGE}`];
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

function commit(): string {
  const isChanged = git('status', '--porcelain', ...MEASURED) !== '';
  return `\`${git('log', '-1', '--format=%h', '--abbrev=8', ...MEASURED)}\`${isChanged ? ' with changes' : ''}`;
}

const firstLine = (command: string, args: string[]): string =>
  (spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '').trim().split('\n', 1)[0] || 'not here';

/** What was measured, when and where. */
function origin(): string {
  const processors = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const machine = `${processors}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const sipp = firstLine('sipp', ['-v']).replace(/^SIPp |\.$/g, '');
  const day = new Date().toISOString().slice(0, 10);
  return `on commit ${commit()} of ${day} (${machine}, Node.js ${process.version}, SIPp ${sipp})`;
}

const HEAD = `# Benchmarks

What Carillon costs, beside other tools at the same moment, and what its faults and proofs have shown. The command above a table
makes it again; \`npm run bench\` makes the first seven, in about 25 minutes. The same line names the commit that was measured: if it is
not the commit of your release, the figures are of an older Carillon. Absolute figures of other machines differ; ratios move
less. Plan with \`carillon-agent calibrate\` on your own host, and let the verdict of each run decide: see [Trust](guide/trust.md).`;

const commandOf = (name: string, by: Measurement['by']): string =>
  by === 'chaos' ? '`npm run chaos`' : `\`npm run ${by} -- ${name}\``;

type Made = { readonly name: string; readonly line: string; readonly table: string };

/** The page with a section that was made: the others stay as they are, in the order of `sections`. */
export function pageWith(
  before: string,
  made: Made,
  sections: Readonly<Record<string, Pick<Measurement, 'by' | 'title' | 'about'>>> = SECTIONS,
): string {
  const known = new Map(
    before
      .split(/^## /m)
      .slice(1)
      .map((one) => [one.slice(0, one.indexOf('\n')), one.slice(one.indexOf('\n')).trim()] as const),
  );
  const bodies = Object.entries(sections).map(([name, { by, title, about }]) => {
    const start = `${about}\n\n${commandOf(name, by)}`;
    const old = known.get(title);
    const kept = old === undefined || !old.includes('\n| ') ? `${start}. Not measured.` : old;
    return `## ${title}\n\n${name === made.name ? `${start}, ${made.line}\n\n${made.table}` : kept}\n`;
  });
  return `${HEAD}\n\n${bodies.join('\n')}`;
}

/** `said` states how busy the host was. */
export function writeSection(name: string, said: string, table: ResultTable): void {
  const { faults = [] } = table;
  const held = faults.length === 0 ? '' : ` **What does not hold:** ${faults.join('; ')}.`;
  const made = { name, line: `${origin()}, ${said}.${held}`, table: markdown(table) };
  writeFileSync(path.join(ROOT, PAGE), pageWith(readFileSync(path.join(ROOT, PAGE), 'utf8'), made));
}
