/**
 * Digits as event packets on a stream's timetable (RFC 4733, 2.5.1). Asked slot by slot what to send in place of audio; all times are in
 * timestamp units, so that a slot that is left out changes no duration.
 */
import { DIGITS, type EventPayload, LONGEST_DURATION } from './event-payload.ts';

/** The last packet of an event is sent so often in all. */
export const END_PACKETS = 3;
/** -10 dBm0: what telephones send. */
const VOLUME = 10;

export class DigitSchedule {
  /** Of the packet that `next` was last asked about. */
  readonly payload: EventPayload = { event: 0, end: false, volume: VOLUME, duration: 0 };
  timestamp = 0;
  marker = false;
  private readonly digits: string;
  private readonly on: number;
  private readonly off: number;
  private position = -1;
  /** Where the digit began, and where its present segment did; past 32 bits. */
  private start = 0;
  private segment = 0;
  private told = false;
  private ends = 0;

  /** RangeError on what is no digit; `on` and `off` in timestamp units. */
  constructor(digits: string, on: number, off: number) {
    for (const digit of digits) if (!DIGITS.includes(digit)) throw new RangeError(`${digit} is not one of ${DIGITS}`);
    this.digits = digits;
    this.on = on;
    this.off = off;
  }

  /** Every digit has been sent, and its end told often enough. */
  get done(): boolean {
    return this.position >= this.digits.length - 1 && (this.digits === '' || this.ends >= END_PACKETS);
  }

  /** Digits of which at least one packet has been asked for. */
  get begun(): number {
    return this.told ? this.position + 1 : Math.max(0, this.position);
  }

  /**
   * The packet of the slot from `from` to `from + step`, not reduced to 32 bits. False: audio. The first digit begins with the first
   * slot, each next one `on + off` after the one before, be that within a slot.
   */
  next(from: number, step: number): boolean {
    if (this.position < 0) this.begin(0, from);
    const until = from + step;
    const following = this.start + this.on + this.off;
    if (this.position + 1 < this.digits.length && until > following) this.begin(this.position + 1, following);
    if (this.position >= this.digits.length || until <= this.start || this.ends >= END_PACKETS) return false;
    const end = this.start + this.on;
    const reached = Math.min(until, end);
    this.marker = !this.told;
    this.told = true;
    this.timestamp = this.segment;
    const duration = reached - this.segment;
    const isWhole = duration <= LONGEST_DURATION;
    this.payload.duration = isWhole ? duration : LONGEST_DURATION;
    this.payload.end = isWhole && reached === end;
    if (!isWhole) this.segment += LONGEST_DURATION;
    if (this.payload.end) this.ends += 1;
    return true;
  }

  private begin(position: number, start: number): void {
    this.position = position;
    this.start = start;
    this.segment = start;
    this.told = false;
    this.ends = 0;
    this.payload.event = DIGITS.indexOf(this.digits[position] ?? '0');
  }
}
