/**
 * The agent's clock: CLOCK_MONOTONIC in milliseconds since boot, the same in every thread and process of the host. A
 * float64 is exact to better than 0.1 us for years of uptime.
 */

/**
 * `performance.now()` counts from the thread's own origin; its difference to CLOCK_MONOTONIC never changes. Both are read
 * in turn, and the narrowest of many readings counts: the first ones are slow by as much as a millisecond.
 */
function originMs(): number {
  let best = { widthNs: Number.POSITIVE_INFINITY, originMs: 0 };
  for (let i = 0; i < 100; i++) {
    const before = process.hrtime.bigint();
    const now = performance.now();
    const after = process.hrtime.bigint();
    const widthNs = Number(after - before);
    if (widthNs < best.widthNs) best = { widthNs, originMs: (Number(before) + widthNs / 2) / 1e6 - now };
  }
  return best.originMs;
}

const ORIGIN_MS = originMs();

/** Milliseconds on CLOCK_MONOTONIC. */
export const nowMs = (): number => ORIGIN_MS + performance.now();
