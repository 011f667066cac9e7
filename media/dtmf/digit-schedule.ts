/**
 * Sends digits as event packets on a stream's timetable (RFC 4733, 2.5.1). The sender asks for each slot what to send
 * instead of audio. All times are in timestamp units, so a skipped slot changes no duration.
 */
import { DIGITS, type EventPayload, MAX_DURATION } from './event-payload.ts';

/** Total number of copies of an event's last packet. */
export const END_PACKETS = 3;
/** The level -10 dBm0, as telephones send. */
const VOLUME = 10;

export class DigitSchedule {
  /** The payload of the last packet that `next` returned. */
  readonly payload: EventPayload = { event: 0, end: false, volume: VOLUME, duration: 0 };
  timestamp = 0;
  marker = false;
  readonly #digits: string;
  readonly #on: number;
  readonly #off: number;
  #position = -1;
  /** The start of the digit and of its current segment; may exceed 32 bits. */
  #start = 0;
  #segment = 0;
  #started = false;
  #ends = 0;

  /** `on` and `off` are in timestamp units. Throws RangeError for an invalid digit. */
  constructor(digits: string, on: number, off: number) {
    for (const digit of digits) if (!DIGITS.includes(digit)) throw new RangeError(`${digit} is not one of ${DIGITS}`);
    this.#digits = digits;
    this.#on = on;
    this.#off = off;
  }

  /** Whether all digits and all copies of their last packets have been sent. */
  get done(): boolean {
    return this.#position >= this.#digits.length - 1 && (this.#digits === '' || this.#ends >= END_PACKETS);
  }

  /** The number of digits for which at least one packet has been requested. */
  get begun(): number {
    return this.#started ? this.#position + 1 : Math.max(0, this.#position);
  }

  /**
   * Sets the packet of the slot from `from` to `from + step`, not reduced to 32 bits. False: the slot is for audio. The
   * first digit starts with the first slot, each later one `on + off` after the previous one, possibly within a slot.
   */
  next(from: number, step: number): boolean {
    if (this.#position < 0) this.#begin(0, from);
    const until = from + step;
    const following = this.#start + this.#on + this.#off;
    if (this.#position + 1 < this.#digits.length && until > following) this.#begin(this.#position + 1, following);
    if (this.#position >= this.#digits.length || until <= this.#start || this.#ends >= END_PACKETS) return false;
    const end = this.#start + this.#on;
    const reached = Math.min(until, end);
    this.marker = !this.#started;
    this.#started = true;
    this.timestamp = this.#segment;
    const duration = reached - this.#segment;
    const isWhole = duration <= MAX_DURATION;
    this.payload.duration = isWhole ? duration : MAX_DURATION;
    this.payload.end = isWhole && reached === end;
    if (!isWhole) this.#segment += MAX_DURATION;
    if (this.payload.end) this.#ends += 1;
    return true;
  }

  #begin(position: number, start: number): void {
    this.#position = position;
    this.#start = start;
    this.#segment = start;
    this.#started = false;
    this.#ends = 0;
    this.payload.event = DIGITS.indexOf(this.#digits[position] ?? '0');
  }
}
