/** The agents' link as tests use it: a server on a real socket, and connections that are read frame by frame. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { decodeControlFrame, encodeAgentFrame, PROTOCOL, signedChallenge, type wire } from '@carillon/proto';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { IdlePatience } from '../../scripts/peers/patience.ts';
import { createHttpServer } from '../http/server.ts';
import { AGENT_PATH, openGateway } from '../link/gateway.ts';
import { createWorker } from '../operations/agents/workers.ts';
import { ownerContext, type World } from './world.ts';

export type WireFrame = wire.agent.v1.ControlFrame;

/** Opens a world's door for agents on a separate port, closed with the test. */
export async function openDoor(t: Test, world: World) {
  const { app, metrics } = await createHttpServer(world.ports);
  await app.ready();
  const gateway = openGateway(world.ports, app.server, metrics);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}${AGENT_PATH}`;
  t.teardown(async () => {
    await gateway.close();
    await app.close();
  });
  /** Connected, and the answer to the greeting: a welcome. */
  const enter = async (key: KeyObject, more: object = {}) => {
    const connection = new AgentWire(url);
    const { challenge } = await connection.next();
    connection.send(hello(key, challenge?.nonce as Uint8Array, more));
    const frame = await connection.next();
    if (!frame.welcome) throw new Error(`not welcome: ${JSON.stringify(frame)}`);
    return { wire: connection, welcome: frame.welcome as wire.agent.v1.Welcome };
  };
  const owner = await ownerContext(world);
  let made = 0;
  /** The same with a separate agent: one with repeatedly refused frames is admitted later each time. */
  const enterAsNew = async () => {
    const worker = { name: `new-${++made}`, region: 'local', capacity: 10 };
    const { id, joinToken } = await createWorker(owner, worker);
    const key = keyPair();
    return { id, key, ...(await enter(key, { joinToken })) };
  };
  return { app, metrics, port, url, enter, enterAsNew };
}

/** As an agent does: the gateway drops a connection that is silent for 20 s, and a busy machine takes longer for a test. */
const BEAT_MS = 5000;
const LOOK_MS = 200;
/** Of these beats: their echoes are for no test. */
const OWN_BEAT = 20_261_127;

/** A connection that can be read frame by frame. Once welcome, it stays open until one side closes it. */
export class AgentWire {
  readonly ws: WebSocket;
  readonly closed: Promise<number>;
  readonly #frames: WireFrame[] = [];
  #wake: () => void = () => undefined;

  constructor(url: string, protocols: string[] = [PROTOCOL], options: { readonly origin?: string } = {}) {
    this.ws = new WebSocket(url, protocols, options);
    this.ws.on('error', () => undefined);
    let beats: NodeJS.Timeout | undefined;
    this.ws.on('message', (data: Buffer) => {
      const frame = decodeControlFrame(data);
      if (frame.beat?.echoUnixMs === OWN_BEAT) return;
      if (frame.welcome) beats ??= setInterval(() => this.#beat(), BEAT_MS).unref();
      this.#frames.push(frame);
      this.#wake();
    });
    this.ws.on('close', () => clearInterval(beats));
    this.closed = new Promise((resolve) => this.ws.on('close', resolve));
  }

  async next(): Promise<WireFrame> {
    for (const patience = new IdlePatience(); this.#frames.length === 0; ) {
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error('no frame comes: the connection is closed');
      if (patience.isOver) throw new Error('no frame comes');
      await new Promise<void>((resolve) => {
        const look = setTimeout(resolve, LOOK_MS);
        this.#wake = () => {
          clearTimeout(look);
          resolve();
        };
      });
    }
    return this.#frames.shift() as WireFrame;
  }

  /** The next frame of that kind; earlier frames are skipped. */
  async nextOf<K extends keyof WireFrame>(kind: K): Promise<NonNullable<WireFrame[K]>> {
    for (;;) {
      const found = (await this.next())[kind];
      if (found) return found as NonNullable<WireFrame[K]>;
    }
  }

  send(frame: wire.agent.v1.AgentFrame.$Properties): void {
    this.ws.send(encodeAgentFrame(frame));
  }

  #beat(): void {
    if (this.ws.readyState === WebSocket.OPEN) this.send({ beat: { unixMs: OWN_BEAT } });
  }
}

export const bytes = (): Uint8Array => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
export const keyPair = () => generateKeyPairSync('ed25519').privateKey;
export const raw = (key: KeyObject): Uint8Array => Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url');

export const hello = (key: KeyObject, nonce: Uint8Array, more: object = {}) => ({
  hello: {
    publicKey: raw(key),
    signature: sign(null, signedChallenge(nonce), key),
    bootId: bytes(),
    outboxId: bytes(),
    sipListeners: [{ address: '127.0.0.1', port: 5060 }],
    capacity: 10,
    audioCodecs: ['PCMU', 'PCMA'],
    policy: { maxEndpoints: 10 },
    ...more,
  },
});
