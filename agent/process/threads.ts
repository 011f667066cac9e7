/** How an agent's work lies on its host's cores. Pure. */

export type Threads = { readonly signalling: number; readonly media: number };

const between = (least: number, n: number, most: number): number => Math.min(most, Math.max(least, n));

/**
 * What a host with so many cores spends where nobody says otherwise: half on RTP, a quarter on SIP, the rest is the main thread's, the
 * encoder's and the kernel's. A thread that has nothing to do costs nothing.
 */
export const threadsFor = (cores: number): Threads => ({
  signalling: between(1, Math.floor(cores / 4), 16),
  media: between(1, Math.floor(cores / 2), 32),
});

/**
 * The thread of `count` that an endpoint's media lives on, by its number. The endpoints of a share are numbered one after the other: the
 * threads' loads differ by one endpoint at most, none of them is idle once there are as many endpoints, and a number's thread never changes.
 */
export const shardOf = (endpointNumber: number, count: number): number => endpointNumber % count;
