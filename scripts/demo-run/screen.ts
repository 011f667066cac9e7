/** Shows a run in progress: a few lines that are redrawn on a terminal, or a plain line from time to time. Pure except `draw`. */
import type { Output } from '../../control-plane/contract/catalogue.ts';
import { PHASES } from '../../control-plane/contract/run/words.ts';

export type ShownRun = Output<'getTestRun'>;

const WIDTH = 40;

function progressBar(fraction: number): string {
  const done = Math.min(1, Math.max(0, fraction));
  const full = Math.round(done * WIDTH);
  return `[${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}] ${String(Math.round(done * 100)).padStart(3)} %`;
}

const dash = (value: number | null, digits: number): string => (value === null ? '—' : value.toFixed(digits));

/** The value, or a dash if nothing was measured, never 0. */
export function progressLines(run: ShownRun): string[] {
  const { progress: p, callTiming: c, summary: s } = run;
  const done = run.endedAt !== null;
  const fraction = done ? 1 : Math.min(0.99, p.elapsedSeconds / p.expectedSeconds);
  const phases = PHASES.filter((phase) => p.phases[phase] > 0).map((phase) => `${phase} ${p.phases[phase]}`);
  const mos = p.currentMos ?? (s.measured.mos > 0 ? s.avgMos : null);
  return [
    `${run.status.padEnd(9)} ${progressBar(fraction)}  ${p.elapsedSeconds.toFixed(0)} s of about ${p.expectedSeconds.toFixed(0)} s`,
    `calls     started ${c.totalCalls}   answered ${p.callsAnswered}   ended ${p.callsEnded}   failed ${p.failures}`,
    `media     MOS ${dash(mos, 2)}   loss ${s.measured.loss > 0 ? `${(s.avgPacketLossFraction * 100).toFixed(2)} %` : '—'}   streams ${s.totalStreams}`,
    `endpoints ${phases.join('   ')}`,
  ];
}

export class Screen {
  #drawn = 0;
  #lastStatus = '';
  #lastPlainMs = 0;
  readonly #out: NodeJS.WriteStream;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  draw(lines: readonly string[], status: string): void {
    if (this.#out.isTTY) {
      const width = this.#out.columns || 80;
      this.#out.write(
        `${this.#drawn > 0 ? `\x1b[${this.#drawn}A` : ''}${lines.map((l) => `\x1b[2K${l.slice(0, width)}\n`).join('')}`,
      );
      this.#drawn = lines.length;
      return;
    }
    const now = Date.now();
    if (status === this.#lastStatus && now - this.#lastPlainMs < 2000) return;
    this.#lastStatus = status;
    this.#lastPlainMs = now;
    this.#out.write(
      `${lines
        .slice(0, 3)
        .map((l) => l.replace(/\s+/g, ' '))
        .join(' | ')}\n`,
    );
  }
}
