/** A call by the peer's own log: the lengths and instants that a caller's figures are compared with. Pure. */
import type { PeerCallLog } from './call.ts';

export type CallByLog = {
  /** When it sent its first 200, Unix ms. */
  readonly answeredAtMs: number;
  /** From then until its BYE, or ours. */
  readonly talkMs: number;
  /** From the answer to its first packet; all of the call if it sent none. */
  readonly headMs: number;
  /** From its last packet to the end. */
  readonly tailMs: number;
  /** The longest time between two of its packets, and when it began. */
  readonly gapMs: number;
  readonly gapAtMs: number;
};

export function callByLog({ messages, sent, byeAtMs }: PeerCallLog): CallByLog {
  const answeredAtMs = messages.find(({ sent, name }) => sent && name === '200 INVITE')?.atMs ?? Number.NaN;
  const talkMs = byeAtMs - answeredAtMs;
  const [first, last] = [sent.at(0)?.atMs ?? byeAtMs, sent.at(-1)?.atMs ?? answeredAtMs];
  let [gapMs, gapAtMs] = [0, Number.NaN];
  for (const [i, { atMs }] of sent.entries()) {
    const before = sent[i - 1]?.atMs ?? atMs;
    if (atMs - before > gapMs) [gapMs, gapAtMs] = [atMs - before, before];
  }
  return { answeredAtMs, talkMs, headMs: first - answeredAtMs, tailMs: byeAtMs - last, gapMs, gapAtMs };
}

/** The first length in a sentence, `900 ms` or `7.5 s`, in ms; NaN: there is none. */
export function msIn(sentence: string): number {
  const [, number, unit] = /(\d+(?:\.\d+)?) (ms|s)\b/.exec(sentence) ?? [];
  return Number(number) * (unit === 's' ? 1000 : 1);
}
