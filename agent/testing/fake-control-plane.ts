/** A control plane of the test on a real WebSocket: challenges, welcomes, commits when told to. */
import { createPublicKey, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { decodeAgentFrame, encodeControlFrame, PROTOCOL, signedChallenge, type wire } from '@carillon/proto';
import { type WebSocket, WebSocketServer } from 'ws';

export class FakeControlPlane {
  readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => PROTOCOL });
  readonly received: number[] = [];
  readonly receipts: number[] = [];
  connection: WebSocket | null = null;
  connections = 0;
  committed = 0;
  committing = true;
  signatureOk = false;
  welcoming: wire.agent.v1.ControlFrame.$Properties | null = null;
  silent = false;
  /** A batch that it refuses while this is set. */
  refusing: (batch: wire.agent.v1.Batch) => boolean = () => false;

  constructor() {
    this.server.on('connection', (ws) => {
      this.connection = ws;
      this.connections++;
      if (this.silent) return;
      const nonce = Buffer.alloc(32, this.connections);
      this.send({ challenge: { nonce, unixMs: Date.now() } });
      ws.on('message', (data: Buffer) => ws === this.connection && this.#handle(data, nonce));
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/agent/v1`;
  }

  send(frame: wire.agent.v1.ControlFrame.$Properties): void {
    this.connection?.send(encodeControlFrame(frame));
  }

  close(): void {
    this.server.close();
    for (const client of this.server.clients) client.terminate();
  }

  commit(number: number): void {
    this.committed = Math.max(this.committed, number);
    this.send({ batchReceipt: { number } });
  }

  #handle(data: Buffer, nonce: Buffer): void {
    const frame = decodeAgentFrame(data);
    if (frame.hello) {
      const { publicKey, signature } = frame.hello as wire.agent.v1.Hello;
      const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
      const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
      this.signatureOk = verify(null, signedChallenge(nonce), key, signature);
      this.send(
        this.welcoming ?? {
          welcome: {
            name: 'w',
            unixMs: Date.now() + 5000,
            nextBatch: this.committed + 1,
            beatSeconds: 1,
            workerId: Buffer.alloc(16),
            region: 'r',
          },
        },
      );
    }
    if (frame.batch && this.refusing(frame.batch as wire.agent.v1.Batch)) {
      this.send({ farewell: { code: 'TRY_AGAIN', message: 'cannot store this', retry: true } });
      this.connection?.close();
      this.connection = null;
      return;
    }
    if (frame.batch) {
      this.received.push(Number(frame.batch.number));
      if (this.committing) this.commit(Number(frame.batch.number));
    }
    if (frame.commandReceipt) this.receipts.push(Number(frame.commandReceipt.id));
    if (frame.beat) this.send({ beat: { unixMs: Date.now() + 5000, echoUnixMs: frame.beat.unixMs ?? 0 } });
  }
}
