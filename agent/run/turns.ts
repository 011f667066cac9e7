/** How often a signalling thread looks after its sockets and timers. */

/**
 * While there is work: in 2 ms enough messages gather that waking up for them costs less than they do. Times are the kernel's, whenever a
 * message is read; what we answer, and what is due, leaves up to 2 ms later.
 */
export const BUSY_TURN_MS = 2;
export const IDLE_TURN_MS = 20;
