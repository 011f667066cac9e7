/**
 * A block of messages from the endpoints of a share, as a signalling thread passes them on: consecutive bytes, and a
 * row of numbers for each message, so that neither a copy between threads nor the garbage collector visits each one.
 * Other text is in `words`, once per word.
 */
import { SIP_TRANSPORTS, type SipTransport } from '@carillon/proto/words/word-lists.ts';

export type MessageBlock = {
  /** The bytes of all messages as on the wire. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Whether credentials are masked in the text (mask-block.ts). */
  readonly isMasked: boolean;
  /** Each message has COLUMNS numbers. */
  readonly columns: Int32Array<ArrayBuffer>;
  /** The instants on the agent's clock. */
  readonly atMs: Float64Array<ArrayBuffer>;
  /** Methods, Call-IDs and peers that columns point to. */
  readonly words: readonly string[];
  /** The address of the engine; '': unknown. */
  readonly localAddress: string;
};

export const COLUMN = {
  ENDPOINT: 0,
  /** The number within the endpoint: 0, 1, 2 … */
  NUMBER: 1,
  BYTES: 2,
  /** The status, then two bits. */
  KIND: 3,
  METHOD: 4,
  CALL_ID: 5,
  PEER: 6,
  TRANSPORT: 7,
  /** 0: unknown. */
  LOCAL_PORT: 8,
  /** The number of the endpoint that placed the call if it is known, otherwise the endpoint's own. */
  CALLER: 9,
} as const;
export const COLUMNS = 10;

/** The bits of KIND, and the factor of its status. */
export const SENT = 1;
export const RETRANSMISSION = 2;
export const STATUS_UNIT = 4;

/** One message; `text` is a view of the block's memory. */
export type KeptMessage = {
  readonly endpoint: number;
  readonly number: number;
  readonly caller: number;
  readonly text: Buffer;
  readonly atMs: number;
  readonly sent: boolean;
  /** A method of the IANA registry, or OTHER. */
  readonly method: string;
  /** 0: a request. */
  readonly status: number;
  readonly retransmission: boolean;
  /** For example `192.0.2.1:5060` or `[2001:db8::1]:5060`. */
  readonly peer: string;
  readonly callId: string;
  readonly transport: SipTransport;
  readonly localPort: number;
};

/**
 * The block's memory in one piece, transferred to another thread: a copy would stay until the garbage collection of the
 * sending thread.
 */
export const memoryOf = ({ text }: MessageBlock): ArrayBuffer[] => [text.buffer];

/** The messages in their order. */
export function messagesOf(block: MessageBlock): KeptMessage[] {
  const { columns, words } = block;
  const bytes = Buffer.from(block.text.buffer, block.text.byteOffset, block.text.length);
  let offset = 0;
  return Array.from(block.atMs, (atMs, i) => {
    const row = columns.subarray(i * COLUMNS, (i + 1) * COLUMNS);
    const word = (column: number): string => words[row[column] as number] as string;
    const kind = row[COLUMN.KIND] as number;
    const from = offset;
    offset += row[COLUMN.BYTES] as number;
    return {
      endpoint: row[COLUMN.ENDPOINT] as number,
      number: row[COLUMN.NUMBER] as number,
      caller: row[COLUMN.CALLER] as number,
      text: bytes.subarray(from, offset),
      atMs,
      sent: (kind & SENT) !== 0,
      method: word(COLUMN.METHOD),
      status: kind >> 2,
      retransmission: (kind & RETRANSMISSION) !== 0,
      peer: word(COLUMN.PEER),
      callId: word(COLUMN.CALL_ID),
      transport: SIP_TRANSPORTS[row[COLUMN.TRANSPORT] as number] as SipTransport,
      localPort: row[COLUMN.LOCAL_PORT] as number,
    };
  });
}
