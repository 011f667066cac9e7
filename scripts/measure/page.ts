/**
 * docs/benchmarks.md has the table of each section, all from one commit and one machine. A section that is measured replaces its
 * own table; a newer commit, or another machine, empties the others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { SECTIONS } from './sections.ts';
import { markdown } from './table.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PAGE = 'docs/benchmarks.md';
const NOT_MEASURED = 'Not measured on this commit.';

/** Everything except the page itself, so that a commit that only stores the page is not a newer one. */
const MEASURED = ['--', '.', `:!${PAGE}`];
const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

function commit(): string {
  const isChanged = git('status', '--porcelain', ...MEASURED) !== '';
  return `\`${git('log', '-1', '--format=%h', ...MEASURED)}\`${isChanged ? ' with changes' : ''}`;
}

const firstLine = (command: string, args: string[]): string =>
  (spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '').trim().split('\n', 1)[0] || 'not here';

function origin(): string {
  const processors = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  return markdown({
    heads: ['commit', commit()],
    rows: [
      ['machine', `${processors}, ${Math.round(totalmem() / 2 ** 30)} GiB`],
      ['Node.js', process.version],
      ['SIPp', firstLine('sipp', ['-v']).replace(/^SIPp |\.$/g, '')],
    ],
  });
}

const headOf = (measuredOn: string, day: string): string => `# Benchmarks

What Carillon costs, beside other tools at the same moment, and what its faults and proofs have shown. The command above a table
makes it again; \`npm run bench\` makes the first six, in about 15 minutes. Absolute figures of other machines differ; ratios move
less. Plan with \`carillon-agent calibrate\` on your own host, and let the verdict of each run decide: see [Trust](guide/trust.md).

${measuredOn}
| date | ${day} |`;

const commandOf = (name: string): string =>
  SECTIONS[name]?.by === 'chaos' ? '`npm run chaos`' : `\`npm run ${SECTIONS[name]?.by} -- ${name}\``;

/** The sections of the page by title. The result is empty if the page is of another commit or machine. */
function known(text: string, measuredOn: string): ReadonlyMap<string, string> {
  const [head = '', ...sections] = text.split(/^## /m);
  if (!head.includes(measuredOn)) return new Map();
  return new Map(
    sections.map((one) => {
      const [title = '', ...lines] = one.split('\n');
      return [title, lines.join('\n').trim()] as const;
    }),
  );
}

/** `said` states how busy the host was, and which claims do not hold. */
export function writeSection(name: string, said: string, table: string): void {
  const measuredOn = origin();
  const day = new Date().toISOString().slice(0, 10);
  const before = known(readFileSync(path.join(ROOT, PAGE), 'utf8'), measuredOn);
  const bodies = Object.entries(SECTIONS).map(([one, { title, about }]) => {
    const made =
      one === name ? `${about}\n\n${commandOf(one)}, ${said}\n\n${table}` : (before.get(title) ?? NOT_MEASURED);
    return `## ${title}\n\n${made === NOT_MEASURED ? `${about}\n\n${commandOf(one)}. ${NOT_MEASURED}` : made}\n`;
  });
  writeFileSync(path.join(ROOT, PAGE), `${headOf(measuredOn, day)}\n\n${bodies.join('\n')}`);
}
