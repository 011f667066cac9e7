/** When each endpoint registers and calls: the load shape as instants after the start (design 4: the centre plans). Pure. */

/** A caller that registers calls this long after its REGISTER was due; a slower registrar makes the call late, and that is counted. */
export const REGISTRATION_LEAD_MS = 1000;

export type Start = { readonly registerAtMs: number; readonly callAtMs: number };

/**
 * BUILDUP: `sizes[i]` callers of share i start evenly over `buildupSeconds`, the shares interleaved so that each agent
 * carries the same part of every second. The first caller starts at 0, the last one interval before the end of the build-up.
 */
export function buildUp(sizes: readonly number[], buildupSeconds: number, registers: readonly boolean[]): Start[][] {
  const slots = sizes.flatMap((size, share) =>
    Array.from({ length: size }, (_, rank) => ({ share, rank, place: (rank + 0.5) / size })),
  );
  slots.sort((a, b) => a.place - b.place || a.share - b.share);
  const intervalMs = slots.length > 0 ? (buildupSeconds * 1000) / slots.length : 0;
  const starts: Start[][] = sizes.map(() => []);
  slots.forEach(({ share, rank }, i) => {
    const at = Math.round(i * intervalMs);
    const row = starts[share] as Start[];
    row[rank] = { registerAtMs: at, callAtMs: registers[share] ? at + REGISTRATION_LEAD_MS : at };
  });
  return starts;
}

/** Receivers' registrations spread over the build-up time, before the start; milliseconds after the order. */
export const spreadRegistrations = (count: number, buildupSeconds: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.round((i * buildupSeconds * 1000) / Math.max(1, count)));
