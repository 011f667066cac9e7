/** The sending side of the WebSocket to one agent. */
import { encodeControlFrame, type wire } from '@carillon/proto';
import type { WebSocket } from 'ws';

export type ControlFrame = wire.agent.v1.ControlFrame.$Properties;

/** A frame that the socket has not accepted within this time never will be. */
const SEND_LIMIT_MS = 20_000;

export class ControlSocket {
  readonly #ws: WebSocket;
  readonly #sendLimitMs: number;

  constructor(ws: WebSocket, sendLimitMs = SEND_LIMIT_MS) {
    this.#ws = ws;
    this.#sendLimitMs = sendLimitMs;
  }

  send(frame: ControlFrame): void {
    this.sendBytes(encodeControlFrame(frame));
  }

  sendBytes(frame: Uint8Array): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(frame);
  }

  /**
   * Sends the frame and waits until the socket has accepted it: an agent that requests much and does not read would
   * fill this process's memory. False: the agent does not read.
   */
  sendAndWait(frame: ControlFrame): Promise<boolean> {
    if (this.#ws.readyState !== this.#ws.OPEN) return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), this.#sendLimitMs);
    this.#ws.send(encodeControlFrame(frame), () => {
      clearTimeout(late);
      resolve(true);
    });
    return promise;
  }
}
