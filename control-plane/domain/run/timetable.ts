/** When each endpoint registers and calls: instants after the start (docs/decisions.md, Planning). Pure. */

/** A caller that registers calls this long after its REGISTER was due; a slower registrar makes the call late, and that is counted. */
export const REGISTRATION_LEAD_MS = 1000;

export type Start = { readonly registerAtMs: number; readonly callAtMs: number };

/**
 * Deals the instants of the whole load (load.ts) to shares of callers, `sizes[i]` of them to share i, interleaved so that each agent
 * carries the same part of every second: together they are the shape. `registers[i]`: REGISTER comes first, and then all shares wait
 * for it, or the shape would be bent. Instants: ascending, one for each caller.
 */
export function deal(sizes: readonly number[], instants: readonly number[], registers: readonly boolean[]): Start[][] {
  const slots = sizes.flatMap((size, share) =>
    Array.from({ length: size }, (_, rank) => ({ share, rank, place: (rank + 0.5) / size })),
  );
  slots.sort((a, b) => a.place - b.place || a.share - b.share);
  const leadMs = sizes.some((size, share) => size > 0 && registers[share]) ? REGISTRATION_LEAD_MS : 0;
  const starts: Start[][] = sizes.map(() => []);
  slots.forEach(({ share, rank }, i) => {
    const at = instants[i] as number;
    const row = starts[share] as Start[];
    row[rank] = { registerAtMs: at, callAtMs: at + leadMs };
  });
  return starts;
}

/** Receivers' registrations spread over the build-up time, before the start; milliseconds after the order. */
export const spreadRegistrations = (count: number, buildupSeconds: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.round((i * buildupSeconds * 1000) / Math.max(1, count)));
