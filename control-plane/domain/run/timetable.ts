/** When each endpoint registers and calls: instants after the start (docs/decisions.md, Planning). Pure. */

/** A caller that registers calls this long after its REGISTER was due; a slower registrar makes the call late, and that is counted. */
export const REGISTRATION_LEAD_MS = 1000;

export type Start = { readonly registerAtMs: number; readonly callAtMs: number };

/**
 * Deals the instants of the whole load (load.ts) to parts of callers, `sizes[i]` of them to part i, interleaved so that each agent
 * carries the same part of every second: together they are the shape. `registers[i]`: REGISTER comes first, and then all parts wait
 * for it, or the shape would be bent. Instants: ascending, one for each caller.
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

/** Of callees, and of callers that place call after call: spread over so many seconds, before the start; milliseconds after the order. */
export const spreadRegistrations = (count: number, seconds: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.round((i * seconds * 1000) / Math.max(1, count)));

/** What any registrar takes in a second. */
const LEAST_REGISTRATIONS = 10;

/** They take as long as the build-up, but where a load goes on for longer no longer than its rate makes them. `perSecond`: null where none does. */
export const registrationSeconds = (count: number, buildupSeconds: number, perSecond: number | null): number =>
  perSecond === null ? buildupSeconds : Math.min(buildupSeconds, count / Math.max(LEAST_REGISTRATIONS, perSecond));
