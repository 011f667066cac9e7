/** Dependencies and callbacks of the link. */
import type { wire } from '@carillon/proto';
import type { Log } from '../log.ts';
import type { Identity } from './identity.ts';
import type { Outbox } from './outbox.ts';
import type { Quarantine } from './quarantine.ts';

export type Hello = wire.agent.v1.Hello.$Properties;
export type Command = wire.agent.v1.Command;

export type LinkOptions = {
  readonly url: string;
  /** The PEM certificates that the control plane's must lead to; null: the system's roots. */
  readonly ca?: string | null;
  readonly identity: Identity;
  readonly outbox: Outbox;
  readonly log: Log;
  /** The time from the first byte to the welcome; 15 s by default. */
  readonly onlineWithinMs?: number;
  readonly quarantine?: Quarantine;
};

export type LinkEvents = {
  /** The greeting without key and signature; built for each connection. */
  readonly hello: () => Hello;
  readonly onWelcome: (welcome: wire.agent.v1.Welcome) => void;
  /** An order; it is acknowledged when this returns, and may arrive again. */
  readonly onCommand: (command: Command) => void;
  /** A requested part of a recording (`send`). */
  readonly onMediaChunk?: (chunk: wire.agent.v1.MediaChunk) => void;
  /** Batches up to this one are committed. */
  readonly onCommitted: (number: number) => void;
  /** The numbers of waiting batches are lower by this from now on. */
  readonly onRenumbered?: (by: number) => void;
  /** The control plane refuses this agent: only an operator can change that. */
  readonly onRefused: (code: string, message: string) => void;
  /** Another agent uses this key, and this one may join its pool anew. */
  readonly onCopied?: () => void;
  /** The control plane has the new key, or refuses it (`refused`). */
  readonly onKey?: (refused: string | null) => void;
};

/** Before the link is opened, its events have no receiver. */
export const NOBODY: LinkEvents = {
  hello: () => ({}),
  onWelcome: () => undefined,
  onCommand: () => undefined,
  onCommitted: () => undefined,
  onRefused: () => undefined,
};
