/**
 * Sockets that are polled instead of watched: a stream that sends every 20 ms is visited anyway, and one read during
 * that visit replaces the epoll event. The packet read is the oldest one waiting: only if it came more than a round ago
 * may more be waiting, and only then is the socket read again. So a peer with the same packet time costs one system
 * call per packet, and nothing waits longer than two rounds.
 */

const WATCHED = 0;
const POLLED = 1;
const DUE = 2;

export class PollRounds {
  /** Sockets to read now: the first `count`. */
  due: Int32Array;
  readonly #states: Uint8Array;
  /** The time between the polls of each socket. */
  readonly #everyMs: Uint16Array;
  #waiting: Int32Array;
  #waitingCount = 0;

  constructor(capacity: number) {
    this.#states = new Uint8Array(capacity);
    this.#everyMs = new Uint16Array(capacity);
    this.due = new Int32Array(capacity);
    this.#waiting = new Int32Array(capacity);
  }

  begin(socket: number, everyMs: number): void {
    this.#everyMs[socket] = everyMs;
    if (this.#states[socket] === WATCHED) this.#states[socket] = POLLED;
  }

  /** False: the socket was not polled. */
  end(socket: number): boolean {
    const was = this.#states[socket];
    this.#states[socket] = WATCHED;
    if (was === DUE) this.#waiting[this.#waiting.indexOf(socket)] = this.#waiting[--this.#waitingCount]!;
    return was !== WATCHED;
  }

  isPolled(socket: number): boolean {
    return this.#states[socket] !== WATCHED;
  }

  /** Schedules the socket for the next round; no effect if it is watched. */
  poll(socket: number): void {
    if (this.#states[socket] !== POLLED) return;
    this.#states[socket] = DUE;
    this.#waiting[this.#waitingCount++] = socket;
  }

  /** Reports whether a polled socket may have more waiting; then the next round reads it again. */
  ask(socket: number, ageMs: number): void {
    if (ageMs >= this.#everyMs[socket]!) this.poll(socket);
  }

  /** Starts a round; returns how many sockets are `due`. */
  take(): number {
    const count = this.#waitingCount;
    [this.due, this.#waiting] = [this.#waiting, this.due];
    this.#waitingCount = 0;
    for (let i = 0; i < count; i++) this.#states[this.due[i]!] = POLLED;
    return count;
  }
}
