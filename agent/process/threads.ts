/** The distribution of an agent's threads over cores. Pure. */

export type Threads = { readonly signalling: number; readonly media: number };

const between = (least: number, n: number, most: number): number => Math.min(most, Math.max(least, n));

/**
 * Default for a host with this many cores: half for RTP, a quarter for SIP, the rest for the main thread, the encoder
 * and the kernel. An idle thread costs nothing.
 */
export const threadsFor = (cores: number): Threads => ({
  signalling: between(1, Math.floor(cores / 4), 16),
  media: between(1, Math.floor(cores / 2), 32),
});

/**
 * Assigns an endpoint's media to one of `count` threads, by its number. The endpoints of a share are numbered
 * consecutively, so the threads' loads differ by at most one endpoint, no thread is idle once there are enough
 * endpoints, and the assignment never changes.
 */
export const shardOf = (endpointNumber: number, count: number): number => endpointNumber % count;
