/** The number of sockets that the host allows a process. node raises the soft limit to the hard one when it starts. */
import { readFileSync } from 'node:fs';

/** Descriptors other than media sockets: SIP, the link, files, node's own. */
const OTHERS = 200;

/** The descriptor limit of this process; infinite if the host sets or reports none. */
export function openFilesLimit(): number {
  try {
    return parseOpenFilesLimit(readFileSync('/proc/self/limits', 'latin1'));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The soft limit in the text of /proc/PID/limits (proc(5)). */
export function parseOpenFilesLimit(text: string): number {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  return soft === undefined || soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** The number of streams within a limit: each has a socket for RTP and one for RTCP. */
export const streamsWithin = (limit: number): number => Math.max(0, Math.floor((limit - OTHERS) / 2));
