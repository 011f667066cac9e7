/**
 * Decodes and checks SIP messages from the wire: in blocks of any endpoints, and by endpoint from older agents. Errors
 * are FrameErrors.
 */
import { isIP } from 'node:net';
import { FrameError, type wire } from '@carillon/proto';
import { SIP_TRANSPORTS } from '../../contract/run/words.ts';
import type { MessageChunkFact } from '../../domain/run/facts.ts';
import { columns } from './columns.ts';

type Wire = typeof wire.agent.v1;
type Decoded<K extends keyof Wire> = Wire[K] extends { decode(...args: never[]): infer T } ? T : never;

/** Converts milliseconds after the facts' base to Unix milliseconds, if they are plausible. */
type Instants = (ms: readonly number[]) => number[];

const refuse = (what: string): never => {
  throw new FrameError(`facts: ${what}`);
};

const MAX_PORT = 65_535;
/** The maximum of PostgreSQL's integer. */
const MAX_NUMBER = 2 ** 31 - 1;
/** A status has three digits (RFC 3261, 25.1). */
const MAX_STATUS = 999;
/** The value of a block's `kind` for sent messages. */
const SENT = 1;
const RETRANSMISSION = 2;
const STATUS_UNIT = 4;

/** Chunks without messages are left out. @throws FrameError */
export const messageFacts = (
  blocks: readonly Decoded<'MessageBlock'>[],
  chunks: readonly Decoded<'MessageChunk'>[],
  at: Instants,
): MessageChunkFact[] =>
  [...blocks.map((block) => blockFact(block, at)), ...chunks.map((chunk) => chunkFact(chunk, at))].filter(
    ({ endpoint }) => endpoint.length > 0,
  );

const BLOCK_COLUMNS = [
  'endpoint',
  'number',
  'length',
  'atMs',
  'kind',
  'method',
  'callId',
  'peer',
  'transport',
  'localPort',
] as const;

function blockFact(b: Decoded<'MessageBlock'>, at: Instants): MessageChunkFact {
  const { endpoint, number, length, kind, ...rest } = columns('message_blocks', b, BLOCK_COLUMNS);
  if (number.some((n) => n > MAX_NUMBER)) refuse('a number of message_blocks is out of range');
  if (kind.some((k) => k >= (MAX_STATUS + 1) * STATUS_UNIT)) refuse('a status of message_blocks is none');
  const words = (indices: readonly number[]): string[] =>
    indices.map((i) => b.words[i] ?? refuse('message_blocks point to words that are not there'));
  return {
    text: b.text,
    localAddress: addressOf(b.localAddress),
    endpoint,
    number,
    length,
    unixMs: at(rest.atMs),
    sent: kind.map((k) => (k & SENT) !== 0),
    retransmission: kind.map((k) => (k & RETRANSMISSION) !== 0),
    status: kind.map((k) => Math.floor(k / STATUS_UNIT)),
    method: words(rest.method),
    callId: words(rest.callId),
    peer: words(rest.peer),
    // A transport that only a newer agent knows counts as unknown.
    transport: rest.transport.map((i) => SIP_TRANSPORTS[i] ?? null),
    localPort: rest.localPort.map(portOf),
  };
}

function chunkFact(c: Decoded<'MessageChunk'>, at: Instants): MessageChunkFact {
  const named = ['sent', 'length', 'method', 'status', 'retransmission', 'peer', 'callId', 'atMs'] as const;
  const { sent, length, method, status, retransmission, peer, callId, atMs } = columns('messages', c, named);
  return {
    text: c.text,
    localAddress: addressOf(c.localAddress),
    endpoint: length.map(() => c.endpoint),
    number: length.map((_, i) => c.first + i),
    length,
    unixMs: at(atMs),
    sent,
    retransmission,
    status,
    method,
    callId,
    peer,
    // The messages of the first agents have neither.
    transport: length.map((_, i) => SIP_TRANSPORTS.find((one) => one === c.transport[i]) ?? null),
    localPort: length.map((_, i) => portOf(c.localPort[i] ?? 0)),
  };
}

const addressOf = (text: string): string | null => (isIP(text) === 0 ? null : text);
const portOf = (port: number): number => Math.min(port, MAX_PORT);
