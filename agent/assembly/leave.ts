/** The agent ends for good: its calls end by themselves or are ended, its facts are delivered, its worker is archived. */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '../clock.ts';
import type { Link } from '../link/link.ts';
import type { Outbox } from '../link/outbox.ts';
import type { Book } from '../run/allocation/book.ts';

/** The time for BYE, un-REGISTER and the last facts. */
export const CLOSE_LIMIT_MS = 6000;
/** The time after the drain for the last facts and the answer, on a busy host too. A pod has 30 s for it (integrations/kubernetes). */
const LEAVE_LIMIT_MS = 20_000;
const AGAIN_MS = 500;
/** The interval of turns while the agent ends. */
export const LAST_TURN_MS = 20;

type Parts = {
  readonly book: Book;
  readonly outbox: Outbox;
  readonly link: Link;
  /** Moves facts from the book over the link. */
  readonly turn: () => void;
};

/** Resolves when the worker is archived, or when it is clear that it will not be. `drainMs`: how long calls may go on. */
export async function leave({ book, outbox, link, turn }: Parts, drainMs: number): Promise<void> {
  const drainedBy = nowMs() + drainMs;
  link.leave(false);
  for (let nextMs = 0; !link.isLeft && nowMs() < drainedBy + LEAVE_LIMIT_MS; await sleep(LAST_TURN_MS)) {
    if (nowMs() >= drainedBy) book.stopAll('the agent is leaving');
    turn();
    // An order may still be on its way: then the control plane does not answer, and is asked again.
    if (!book.isIdle || outbox.depth > 0 || nowMs() < nextMs) continue;
    link.leave(true);
    nextMs = nowMs() + AGAIN_MS;
  }
}
