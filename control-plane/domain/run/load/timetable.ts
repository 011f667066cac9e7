/** The times at which each endpoint registers and calls: instants after the start (docs/decisions.md, Planning). Pure. */

/**
 * A caller that registers calls this long after its REGISTER was due; a slower registrar makes the call late, which is
 * counted.
 */
export const REGISTRATION_LEAD_MS = 1000;

export type Start = { readonly registerAtMs: number; readonly callAtMs: number };

/**
 * Deals the instants of the whole load (load.ts) to parts of callers, `sizes[i]` of them to part i, interleaved so that
 * each agent has the same share of every second: together they form the shape. `registers[i]`: REGISTER is sent first,
 * and then all parts wait for it to keep the shape. Instants are ascending, one for each caller.
 */
export function deal(sizes: readonly number[], instants: readonly number[], registers: readonly boolean[]): Start[][] {
  const slots = sizes.flatMap((size, part) =>
    Array.from({ length: size }, (_, rank) => ({ part, rank, place: (rank + 0.5) / size })),
  );
  slots.sort((a, b) => a.place - b.place || a.part - b.part);
  const leadMs = sizes.some((size, part) => size > 0 && registers[part]) ? REGISTRATION_LEAD_MS : 0;
  const starts: Start[][] = sizes.map(() => []);
  slots.forEach(({ part, rank }, i) => {
    const at = instants[i] as number;
    const row = starts[part] as Start[];
    row[rank] = { registerAtMs: at, callAtMs: at + leadMs };
  });
  return starts;
}

/**
 * The registrations of callees, and of callers with several calls, distributed over this many seconds before the start;
 * in milliseconds after the order.
 */
export const spreadRegistrations = (count: number, seconds: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.round((i * seconds * 1000) / Math.max(1, count)));

/** A rate that any registrar supports. */
const MIN_REGISTRATIONS = 10;

/**
 * The time is as long as the build-up or, for longer loads, at most as long as its rate requires. `perSecond` null: no
 * rate.
 */
export const registrationSeconds = (count: number, buildupSeconds: number, perSecond: number | null): number =>
  perSecond === null ? buildupSeconds : Math.min(buildupSeconds, count / Math.max(MIN_REGISTRATIONS, perSecond));
