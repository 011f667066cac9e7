/**
 * The send timetable: ticks of one millisecond, and a wheel for every packet time in use, with one slot per tick. A
 * stream is in one slot of its wheel and is due once per revolution.
 */

export type Wheel = {
  readonly packetMs: number;
  /** The rows by slot, in no order. */
  readonly slots: readonly number[][];
};

/**
 * Rows that are adjacent in the columns should be due together, because their numbers share cache lines. This many fill
 * one line of the widest column.
 */
const NEIGHBOURS = 8;

export class SendWheel {
  readonly wheels: Wheel[] = [];
  readonly #slotOf: Int32Array;
  readonly #wheelOf: (Wheel | undefined)[];

  constructor(capacity: number) {
    this.#slotOf = new Int32Array(capacity).fill(-1);
    this.#wheelOf = new Array(capacity).fill(undefined);
  }

  /** Puts the row into a slot; returns the first tick after `tick` at which it is due. */
  add(row: number, packetMs: number, tick: number): number {
    const wheel = this.#wheelFor(packetMs);
    const slot = this.#slotFor(row, wheel);
    wheel.slots[slot]!.push(row);
    this.#slotOf[row] = slot;
    this.#wheelOf[row] = wheel;
    const next = tick + 1;
    return next + ((slot - (next % packetMs) + packetMs) % packetMs);
  }

  /** The emptiest slot, or that of the previous row as long as it has less than `NEIGHBOURS` more. */
  #slotFor(row: number, { slots }: Wheel): number {
    let emptiest = 0;
    for (let slot = 1; slot < slots.length; slot++) if (slots[slot]!.length < slots[emptiest]!.length) emptiest = slot;
    if (row === 0 || this.#wheelOf[row - 1]?.slots !== slots) return emptiest;
    const near = this.#slotOf[row - 1]!;
    return slots[near]!.length < slots[emptiest]!.length + NEIGHBOURS ? near : emptiest;
  }

  /** Removes the row; no effect if it is in no slot. */
  remove(row: number): void {
    const slot = this.#wheelOf[row]?.slots[this.#slotOf[row]!];
    if (!slot) return;
    const last = slot.pop()!;
    if (last !== row) slot[slot.indexOf(row)] = last;
    this.#wheelOf[row] = undefined;
  }

  #wheelFor(packetMs: number): Wheel {
    const known = this.wheels.find((wheel) => wheel.packetMs === packetMs);
    if (known) return known;
    const wheel = { packetMs, slots: Array.from({ length: packetMs }, () => []) };
    this.wheels.push(wheel);
    return wheel;
  }
}
