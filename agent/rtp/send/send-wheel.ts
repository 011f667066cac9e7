/**
 * When streams send: ticks of one millisecond, and for every packet time in use a wheel with as many slots. A stream sits in one
 * slot of the wheel of its packet time and is due once a revolution.
 */

export type Wheel = {
  readonly packetMs: number;
  /** Rows by slot, in no order. */
  readonly slots: readonly number[][];
};

export class SendWheel {
  readonly wheels: Wheel[] = [];
  private readonly slotOf: Int32Array;
  private readonly wheelOf: (Wheel | undefined)[];

  constructor(capacity: number) {
    this.slotOf = new Int32Array(capacity).fill(-1);
    this.wheelOf = new Array(capacity).fill(undefined);
  }

  /** Puts the row into the emptiest slot; the first tick after `tick` at which it is due. */
  add(row: number, packetMs: number, tick: number): number {
    const wheel = this.wheelFor(packetMs);
    let emptiest = 0;
    for (let slot = 1; slot < packetMs; slot++)
      if (wheel.slots[slot]!.length < wheel.slots[emptiest]!.length) emptiest = slot;
    wheel.slots[emptiest]!.push(row);
    this.slotOf[row] = emptiest;
    this.wheelOf[row] = wheel;
    const next = tick + 1;
    return next + ((emptiest - (next % packetMs) + packetMs) % packetMs);
  }

  /** Takes the row out; does nothing where it is in no slot. */
  remove(row: number): void {
    const slot = this.wheelOf[row]?.slots[this.slotOf[row]!];
    if (!slot) return;
    const last = slot.pop()!;
    if (last !== row) slot[slot.indexOf(row)] = last;
    this.wheelOf[row] = undefined;
  }

  private wheelFor(packetMs: number): Wheel {
    const known = this.wheels.find((wheel) => wheel.packetMs === packetMs);
    if (known) return known;
    const wheel = { packetMs, slots: Array.from({ length: packetMs }, () => []) };
    this.wheels.push(wheel);
    return wheel;
  }
}
