/**
 * Refused clients without an identity, for the audit log. A flood must not cost the database a statement each: refusals
 * are summed in memory by reason and network, and written one after the other, once a second. In memory, per replica.
 */
import { networkOf } from '../../domain/network.ts';
import type { Ports } from '../../ports.ts';
import type { LinkRefusal } from '../agents/refusals.ts';
import { noteRefusal, STRANGER_REFUSED } from './refusals.ts';

export type StrangerRefusal =
  | LinkRefusal
  | 'FOREIGN_PAGE'
  | 'FOREIGN_HOST'
  | 'UNREADABLE_REQUEST'
  | 'HEADERS_TOO_LONG'
  | 'SLOW_REQUEST'
  | 'SLOW_BODY'
  | 'SHARE_LINK_UNKNOWN';

export type StrangerLog = {
  /** `address` of the peer; '' unknown. */
  note(reason: StrangerRefusal, address: string): void;
  /** Writes what is waiting, as far as the database answers soon. */
  close(): Promise<void>;
};

const PAUSE_MS = 1000;
/** Reasons and networks that wait; further networks are summed without theirs. */
const MOST_WAITING = 200;
const CLOSING_MS = 2000;

type PendingEntry = { readonly reason: StrangerRefusal; readonly address: string; count: number };

export function openStrangerLog(ports: Ports, via: 'LOGIN' | 'AGENT'): StrangerLog {
  let waiting = new Map<string, PendingEntry>();
  let writing: Promise<void> | null = null;
  let pause: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    for (const { reason, address, count } of taken.values()) {
      const stranger = { organizationId: null, userId: null, actor: '', via, address };
      await noteRefusal(ports, { ...stranger, action: STRANGER_REFUSED, target: { reason } }, count);
    }
  }

  function begin(): void {
    writing = write().finally(() => {
      writing = null;
      pause = setTimeout(() => {
        pause = null;
        if (waiting.size > 0) begin();
      }, PAUSE_MS).unref();
    });
  }

  return {
    note(reason, peer) {
      const isFull = waiting.size >= MOST_WAITING && !waiting.has(keyOf(reason, peer));
      const address = isFull ? '' : peer;
      const known = waiting.get(keyOf(reason, address));
      if (known) known.count++;
      else waiting.set(keyOf(reason, address), { reason, address, count: 1 });
      if (writing === null && pause === null) begin();
    },
    async close() {
      if (pause !== null) clearTimeout(pause);
      const rest = (writing ?? Promise.resolve()).then(write);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, CLOSING_MS);
      await Promise.race([rest, late]);
      clearTimeout(limit);
      if (pause !== null) clearTimeout(pause);
    },
  };
}

const keyOf = (reason: StrangerRefusal, address: string): string =>
  `${reason} ${address === '' ? '' : networkOf(address)}`;
