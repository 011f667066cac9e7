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
  /** PEM that the control plane's certificate must lead to; null: the system's roots. */
  readonly ca?: string | null;
  readonly identity: Identity;
  readonly outbox: Outbox;
  readonly log: Log;
  /** From the first byte to the welcome; 15 s where it is left out. */
  readonly onlineWithinMs?: number;
  readonly quarantine?: Quarantine;
};

export type LinkEvents = {
  /** The greeting without key and signature; built for each connection. */
  readonly hello: () => Hello;
  readonly onWelcome: (welcome: wire.agent.v1.Welcome) => void;
  /** An order; it is acknowledged when this returns, and may come again. */
  readonly onCommand: (command: Command) => void;
  /** A requested part of a recording (`send`). */
  readonly onMediaChunk?: (chunk: wire.agent.v1.MediaChunk) => void;
  /** Batches up to this one are committed. */
  readonly onCommitted: (number: number) => void;
  /** Batches that wait have numbers that are less by this. */
  readonly onRenumbered?: (by: number) => void;
  /** The control plane will not have this agent: only an operator can change that. */
  readonly onRefused: (code: string, message: string) => void;
  /** The control plane has the new key, or (`refused`) will not have it. */
  readonly onKey?: (refused: string | null) => void;
};

/** Before it is opened. */
export const NOBODY: LinkEvents = {
  hello: () => ({}),
  onWelcome: () => undefined,
  onCommand: () => undefined,
  onCommitted: () => undefined,
  onRefused: () => undefined,
};
