/** The agents' link without an agent: any bytes, any subprotocol, and the control plane's answers. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import {
  decodeAgentFrame,
  decodeControlFrame,
  encodeAgentFrame,
  PROTOCOL,
  signedChallenge,
  type wire,
} from '@carillon/proto';
import { WebSocket } from 'ws';
import { bytesFrom, type Random } from '../seeded.ts';

type ControlFrame = wire.agent.v1.ControlFrame;
type Hello = wire.agent.v1.Hello.$Properties;

export type RawLink = {
  readonly ws: WebSocket;
  /** The next frame; null once the connection has ended. */
  next(): Promise<ControlFrame | null>;
  /** Close code. */
  readonly closed: Promise<number>;
};

export type RefusedUpgrade = { readonly status: number };

/** Connects; the status of the answer if the upgrade is refused. */
export function openRawLink(
  url: string,
  { path = '/agent/v1', protocols = [PROTOCOL] as readonly string[] } = {},
): Promise<RawLink | RefusedUpgrade> {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, [...protocols]);
  const frames: ControlFrame[] = [];
  const waiting: ((frame: ControlFrame | null) => void)[] = [];
  let over = false;
  const closed = new Promise<number>((resolve) => {
    ws.on('close', (code) => {
      over = true;
      for (const wait of waiting.splice(0)) wait(null);
      resolve(code);
    });
  });
  ws.on('message', (data: Buffer) => {
    const frame = decodeControlFrame(data);
    const wait = waiting.shift();
    if (wait) wait(frame);
    else frames.push(frame);
  });
  ws.on('error', () => undefined);
  const link: RawLink = {
    ws,
    closed,
    next: () => {
      const frame = frames.shift();
      if (frame || over) return Promise.resolve(frame ?? null);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
  return new Promise((resolve) => {
    ws.once('unexpected-response', (_request, response) => resolve({ status: response.statusCode ?? 0 }));
    ws.once('open', () => resolve(link));
    ws.once('close', () => resolve({ status: 0 }));
  });
}

/** Bytes that cannot be read as a frame: random ones may be an unknown body, which a control plane ignores. */
export function bytesOfNoFrame(random: Random, length: number): Uint8Array {
  for (;;) {
    const bytes = bytesFrom(random, length);
    try {
      decodeAgentFrame(bytes);
    } catch {
      return bytes;
    }
  }
}

/** A greeting as a correct agent would send it; `change` makes it invalid. */
export async function greeting(link: RawLink, joinToken: string, change: Partial<Hello> = {}): Promise<Uint8Array> {
  const challenge = (await link.next())?.challenge;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const id = () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
  return encodeAgentFrame({
    hello: {
      publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
      signature: sign(null, signedChallenge(challenge?.nonce ?? new Uint8Array()), privateKey),
      joinToken,
      bootId: id(),
      outboxId: id(),
      sipListeners: [{ address: '127.0.0.1', port: 5060 }],
      capacity: 1,
      hostname: 'stranger',
      policy: { targetNetworks: [], maxEndpoints: 1 },
      ...change,
    },
  });
}
