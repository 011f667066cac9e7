/**
 * Refused clients without an identity, for the audit log. A flood must not cost the database a statement each: refusals
 * are summed in memory by reason and network, and written one after the other, once a second. In memory, per replica.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { networkOf } from '../domain/network.ts';
import type { Ports } from '../ports.ts';
import { LIMITS } from './limits.ts';
import { noteRefusal, STRANGER_REFUSED } from './refusals.ts';

/** The reason, in the words of the metric and of the audit log; a closed set. */
export type LinkRefusal =
  | 'JOIN_TOKEN_UNKNOWN'
  | 'JOIN_TOKEN_USED'
  | 'JOIN_TOKEN_EXPIRED'
  | 'JOIN_TOKEN_REVOKED'
  | 'JOIN_TOKEN_FULL'
  | 'POLICY_TOO_WIDE'
  | 'KEY_UNKNOWN'
  | 'KEY_NOT_PROVED'
  | 'KEY_RETIRED'
  | 'KEY_COPIED'
  | 'KEY_CHANGE_REFUSED'
  | 'FOREIGN_FACTS'
  | 'BATCH_OUT_OF_TURN'
  | 'FRAME_REFUSED'
  | 'FRAME_TOO_LARGE'
  | 'REFUSED_TOO_OFTEN'
  | 'NO_GREETING'
  | 'TOO_MANY_GREETINGS'
  | 'TOO_MANY_STRANGERS'
  | 'WRONG_DOOR'
  | 'FOREIGN_ORIGIN';

export type StrangerRefusal =
  | LinkRefusal
  | 'FOREIGN_PAGE'
  | 'FOREIGN_HOST'
  | 'UNREADABLE_REQUEST'
  | 'HEADERS_TOO_LONG'
  | 'SLOW_REQUEST'
  | 'SLOW_BODY'
  | keyof FeatureRefusals;
/** Features add theirs to it. */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged with those of features
export interface FeatureRefusals {}

export type StrangerLog = {
  /** `address`: the address of the peer; '': unknown. */
  note(reason: StrangerRefusal, address: string): void;
  /** Writes the waiting refusals, if the database answers soon. */
  close(): Promise<void>;
};

const { max: MAX_WAITING, withinMs: PAUSE_MS } = LIMITS.auditWaiting;
const CLOSING_MS = 2000;

type PendingEntry = { readonly reason: StrangerRefusal; readonly address: string; count: number };

export function openStrangerLog(ports: Ports, via: 'LOGIN' | 'AGENT'): StrangerLog {
  const closing = new AbortController();
  let waiting = new Map<string, PendingEntry>();
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    for (const { reason, address, count } of taken.values()) {
      const stranger = { organizationId: null, userId: null, actor: '', via, address };
      await noteRefusal(ports, { ...stranger, action: STRANGER_REFUSED, target: { reason } }, count);
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      await write();
      await sleep(PAUSE_MS, null, { ref: false, signal: closing.signal }).catch(() => null);
    }
    writing = null;
  }

  return {
    note(reason, peer) {
      const isFull = waiting.size >= MAX_WAITING && !waiting.has(keyOf(reason, peer));
      const address = isFull ? '' : peer;
      const known = waiting.get(keyOf(reason, address));
      if (known) known.count++;
      else waiting.set(keyOf(reason, address), { reason, address, count: 1 });
      writing ??= writeAll();
    },
    async close() {
      closing.abort();
      const late = new AbortController();
      await Promise.race([writing, sleep(CLOSING_MS, null, { signal: late.signal }).catch(() => null)]);
      late.abort();
    },
  };
}

const keyOf = (reason: StrangerRefusal, address: string): string =>
  `${reason} ${address === '' ? '' : networkOf(address)}`;
