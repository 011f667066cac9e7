/** A webhook server: the received messages, and whether the sender's signature is valid. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type ReceivedHook = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
  readonly data: any;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly secret: string;
  /** Messages with a valid signature, in order of arrival. */
  readonly received: readonly ReceivedHook[];
  /** The number without one. */
  readonly unsigned: () => number;
  stop(): Promise<void>;
};

/** On a free port of 127.0.0.1. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const secret = `whsec_${Buffer.alloc(32, 'carillon').toString('base64')}`;
  const webhook = new Webhook(secret);
  const received: ReceivedHook[] = [];
  let unsigned = 0;
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
    const headers = incoming.headers as Record<string, string>;
    try {
      const told = webhook.verify(body, headers) as Omit<ReceivedHook, 'id'>;
      received.push({ id: String(headers['webhook-id']), ...told });
      response.writeHead(204).end();
    } catch {
      unsigned++;
      response.writeHead(401).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/carillon`,
    secret,
    received,
    unsigned: () => unsigned,
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
