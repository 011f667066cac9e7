/** Shows a run in progress: a few lines that are redrawn on a terminal, or a plain line from time to time. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { PHASES } from '../../contract/run/words.ts';
import { type Io, type Paint, painter, type TextOutput, widthOf } from '../io.ts';
import { figure, ms, percent, span } from '../text/figures.ts';
import { shortened } from '../text/table.ts';
import type { RunOfTest } from './limits.ts';

const FIRST_PLAIN_MS = 2000;
/** Plain lines are at least this share of the elapsed time apart, so that a long run does not fill a pipeline's log. */
const PLAIN_SHARE = 0.05;
const MIN_BAR = 10;

function bar(fraction: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`;
}

const doneOf = ({ endedAt, progress: p }: RunOfTest): number =>
  endedAt !== null ? 1 : Math.min(0.99, p.elapsedSeconds / Math.max(1, p.expectedSeconds));

const mosOf = ({ progress: p, summary: s }: RunOfTest): number | null =>
  p.currentMos ?? (s.measured.mos > 0 ? s.avgMos : null);

function inCall({ progress: p }: RunOfTest): number {
  return Math.max(0, p.callsAnswered - p.callsEnded);
}

/** The lines of a terminal. */
function pictureOf(run: RunOfTest, width: number, paint: Paint): string[] {
  const { progress: p, callTiming: c, summary: s } = run;
  const done = doneOf(run);
  const time =
    run.startedAt === null ? 'waiting for workers' : `${span(p.elapsedSeconds)} of about ${span(p.expectedSeconds)}`;
  const percentDone = `${String(Math.round(done * 100)).padStart(3)} %`;
  const room = Math.max(MIN_BAR, Math.min(40, width - run.status.length - percentDone.length - time.length - 6));
  const attempts = c.totalCalls - c.inProgressCount;
  const failures = p.failures > 0 ? paint(['red', 'bold'], String(p.failures)) : '0';
  const phases = PHASES.filter((phase) => p.phases[phase] > 0).map((phase) => `${phase} ${p.phases[phase]}`);
  const label = (text: string) => paint('dim', text.padEnd(10));
  const lines = [
    `${paint('bold', run.status)} ${paint('cyan', bar(done, room))} ${percentDone}  ${paint('dim', time)}`,
    `${label('calls')}started ${c.totalCalls}   answered ${p.callsAnswered}   in call ${inCall(run)}   failed ${failures}`,
    `${label('quality')}ASR ${percent(c.asr, attempts)}   MOS ${figure(mosOf(run), 2)}   loss ${s.measured.loss > 0 ? percent(s.avgPacketLossFraction * 100, 1, 2) : '-'}   PDD p95 ${ms(c.pdd.p95, c.pdd.count)}`,
    `${label('endpoints')}${shortened(phases.join('   '), width - 10)}`,
  ];
  const [worst] = failuresOf(run);
  if (worst !== undefined) lines.push(paint('red', shortened(`${worst.count} × ${worst.text}`, width)));
  return lines;
}

const textOf = (c: RunOfTest['failureClusters'][number]): string =>
  plain(
    `${c.sipStatus === null ? c.cause : `${c.sipStatus} ${c.reason}`} at ${c.target}${c.explanation ? ` (${c.explanation})` : ''}`,
  );

/** The failures of a run. Those with the same text are counted together, and the most frequent come first. */
export function failuresOf(run: RunOfTest): { readonly text: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const cluster of run.failureClusters) {
    const text = textOf(cluster);
    counts.set(text, (counts.get(text) ?? 0) + cluster.count);
  }
  return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
}

/** The one line of a log. */
function lineOf(run: RunOfTest): string {
  const { progress: p, callTiming: c } = run;
  const attempts = c.totalCalls - c.inProgressCount;
  return [
    `${run.status} ${span(p.elapsedSeconds)} of about ${span(p.expectedSeconds)}`,
    `calls ${c.totalCalls} started, ${p.callsAnswered} answered, ${inCall(run)} in call, ${p.failures} failed`,
    `ASR ${percent(c.asr, attempts)}`,
    `MOS ${figure(mosOf(run), 2)}`,
  ].join(' | ');
}

export class LivePicture {
  readonly #out: TextOutput;
  readonly #paint: Paint;
  #drawn = 0;
  #status = '';
  #beganMs = 0;
  #printedMs = 0;

  constructor(out: TextOutput, env: Io['env']) {
    this.#out = out;
    this.#paint = painter(out, env);
  }

  draw(run: RunOfTest, nowMs: number): void {
    if (this.#out.isTTY) {
      const lines = pictureOf(run, widthOf(this.#out), this.#paint);
      this.#out.write(`${this.#up()}${lines.map((line) => `\x1b[2K${line}\n`).join('')}`);
      this.#drawn = lines.length;
      return;
    }
    if (this.#beganMs === 0) this.#beganMs = nowMs;
    const pauseMs = Math.max(FIRST_PLAIN_MS, (nowMs - this.#beganMs) * PLAIN_SHARE);
    if (run.status === this.#status && nowMs - this.#printedMs < pauseMs) return;
    this.#status = run.status;
    this.#printedMs = nowMs;
    this.#out.write(`${lineOf(run)}\n`);
  }

  /** Called before other output: the drawn lines stay, or are removed. */
  end(keep: boolean): void {
    if (!keep && this.#drawn > 0) this.#out.write(`${this.#up()}\x1b[J`);
    this.#drawn = 0;
  }

  #up(): string {
    return this.#drawn > 0 ? `\x1b[${this.#drawn}A` : '';
  }
}
