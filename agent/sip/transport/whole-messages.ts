/** Messages of a WebSocket: each has one of its own (RFC 7118, 5), so that none has to be found in a stream, and Content-Length is not needed. */
import type { FrameReader } from './framer.ts';

const PING = '\r\n\r\n';
const PONG = '\r\n';

export class WholeMessages {
  /** A message of WebSockets comes whole. */
  readonly pendingBytes = 0;
  readonly #reader: FrameReader;
  #stopped = false;

  constructor(reader: FrameReader) {
    this.#reader = reader;
  }

  push(text: string): void {
    if (this.#stopped) return;
    if (text === PING) this.#reader.onPing();
    else if (text !== PONG) this.#reader.onMessage(text);
  }

  /** No more data are needed: the connection is closed. */
  stop(): void {
    this.#stopped = true;
  }
}
