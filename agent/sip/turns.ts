/**
 * How often the owner of an engine serves its sockets and timers, and how it waits in between. An event loop iteration
 * only for a timer costs 20 us of CPU or more, in addition to 30 for waking up: if no events can come by it, the thread
 * sleeps in the kernel, and runs the loop only from time to time.
 */
import { nowMs } from '../clock.ts';
import { provenLibc } from '../net/datagrams/open-datagram-port.ts';
import { createPacing, NICE, preferThread } from '../net/pacing.ts';

/**
 * While there is work: within 2 ms enough messages collect to make the wake-up worthwhile. Times are the kernel's,
 * independent of reading; our responses and due messages leave up to 2 ms later.
 */
export const BUSY_TURN_MS = 2;
/**
 * The interval without work: orders wake the thread, and an unexpected request is answered well within 500 ms, its first
 * retransmission (RFC 3261, T1).
 */
export const IDLE_TURN_MS = 200;
/** At a rate of a dozen messages in 2 ms (about 1,300 calls a second), half as many wake-ups save a tenth. */
const MANY_TURN_MS = 4;
const MANY_A_MS = 4;
/** Longest wait of unexpected events of the event loop, such as the first TCP connection of a peer. */
const LOOP_EVERY_MS = 50;

/** Before ordinary threads, where the host permits it: its nice value then. */
export const preferSignalling = (): number => preferThread(NICE.SIGNALLING);

/**
 * Signals messages to a thread that may be asleep: sender and receiver each have a counter; they differ while a message
 * is pending.
 */
export class Doorbell {
  readonly #latest: Int32Array;
  #heard = 0;

  /** `memory`: the other side's. */
  constructor(memory = new SharedArrayBuffer(4)) {
    this.#latest = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#latest.buffer as SharedArrayBuffer;
  }

  /** A message was posted. */
  ring(): void {
    Atomics.add(this.#latest, 0, 1);
  }

  /** A message has come by the event loop. */
  hear(): void {
    this.#heard++;
  }

  /** A message has been posted and has not come. */
  get rings(): boolean {
    return Atomics.load(this.#latest, 0) !== this.#heard;
  }
}

/**
 * Until the next turn of a thread that only places calls of loads: most of a call's wake-ups find nothing to do. The turn
 * comes with the next call if that is due within these limits, so that it starts on time.
 */
const LOAD_TURN_MS = { least: MANY_TURN_MS, most: 5 } as const;

/** `nextMs`: until the next call is due. */
export const loadTurnMs = (nextMs: number): number => Math.min(Math.max(nextMs, LOAD_TURN_MS.least), LOAD_TURN_MS.most);

/** How long to wait while there is work, if `came` messages have come in the `sinceMs` since the last turn. */
export const busyTurnMs = (came: number, sinceMs: number): number =>
  came >= MANY_A_MS * Math.max(sinceMs, BUSY_TURN_MS) ? MANY_TURN_MS : BUSY_TURN_MS;

export type Turning = {
  /** Milliseconds to wait until the next turn; null: there is none. */
  turn(): number | null;
  /** Is anything awaited that comes only by the event loop: connections, name servers, promises? */
  needsLoop(): boolean;
  readonly doorbell: Doorbell;
};

/**
 * The first turn starts immediately.
 * @returns a function that starts the next turn now, if the thread is idle
 */
export function keepTurning({ turn, needsLoop, doorbell }: Turning): () => void {
  const libc = provenLibc();
  const pacing = typeof libc === 'string' ? null : createPacing(libc);
  let idling: NodeJS.Timeout | undefined;
  const round = (): void => {
    idling = undefined;
    const backAtMs = nowMs() + LOOP_EVERY_MS;
    for (;;) {
      const waitMs = turn();
      if (waitMs === null) return;
      const dueMs = nowMs() + waitMs;
      // A thread with little to do sleeps long, and in the event loop.
      const isIdle = waitMs >= IDLE_TURN_MS;
      if (pacing === null || isIdle || dueMs >= backAtMs || doorbell.rings || needsLoop()) {
        const waiting = setTimeout(round, waitMs);
        if (isIdle) idling = waiting;
        return;
      }
      pacing.sleepUntilMs(dueMs);
    }
  };
  round();
  return () => {
    if (idling === undefined) return;
    clearTimeout(idling);
    round();
  };
}
