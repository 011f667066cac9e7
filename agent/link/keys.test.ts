/** A key that becomes known or unknown between two greetings. */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeAgentFrame, encodeControlFrame, PROTOCOL, type wire } from '@carillon/proto';
import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { until } from '../../scripts/peers/process.ts';
import { type Identity, openIdentity } from './identity.ts';
import { KeyChange } from './key-change.ts';
import { Link } from './link.ts';
import type { LinkEvents } from './link-options.ts';
import { Outbox } from './outbox.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-link-keys-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

type Frame = wire.agent.v1.ControlFrame.$Properties;
const text = (key: Uint8Array): string => Buffer.from(key).toString('hex');
const farewell = (code: string): Frame => ({ farewell: { code, message: '', retry: false } });
const welcome: Frame = {
  welcome: {
    name: 'w',
    region: 'r',
    workerId: Buffer.alloc(16),
    unixMs: Date.now(),
    nextBatch: 1,
    beatSeconds: 1,
    takesKeyChanges: true,
  },
};

/** A control plane that knows one key at a time; `greeted`: the keys that were presented, in order. */
async function opened(
  t: Test,
  name: string,
  known: (key: string, greetings: number) => boolean,
  code = 'UNKNOWN_AGENT',
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => PROTOCOL });
  await once(server, 'listening');
  const greeted: string[] = [];
  const expel: WebSocket[] = [];
  server.on('connection', (ws) => {
    const send = (frame: Frame): void => ws.send(encodeControlFrame(frame));
    expel.push(ws);
    send({ challenge: { nonce: Buffer.alloc(32), unixMs: Date.now() } });
    ws.on('message', (data: Buffer) => {
      const { hello } = decodeAgentFrame(data);
      if (!hello) return;
      const key = text(hello.publicKey as Uint8Array);
      greeted.push(key);
      send(known(key, greeted.length) ? welcome : farewell(code));
    });
  });
  const identity = await openIdentity(path.join(dir, name));
  const first = text(identity.publicKey);
  const ended = Promise.withResolvers<string>();
  const online = Promise.withResolvers<string>();
  const link = new Link({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent/v1`,
    identity,
    outbox: new Outbox(),
    log: quiet,
  });
  const events: LinkEvents = {
    hello: () => ({ bootId: Buffer.alloc(16), joinToken: 'spent' }),
    onWelcome: () => online.resolve('online'),
    onCommand: () => undefined,
    onCommitted: () => undefined,
    onRefused: (refusal) => ended.resolve(refusal),
  };
  t.teardown(() => {
    link.close();
    server.close();
    for (const client of server.clients) client.terminate();
  });
  return {
    identity,
    first,
    greeted,
    expel,
    link,
    open: () => link.open(events),
    outcome: () => Promise.race([online.promise, ended.promise]),
    ended,
  };
}

const nextOf = (identity: Identity): string => text(identity.change?.to.publicKey ?? Buffer.alloc(0));

for (const code of ['UNKNOWN_AGENT', 'JOIN_TOKEN_REFUSED'])
  t.test(`the next key becomes known after it was tried, and the present one is told ${code}`, async (t) => {
    let next = '';
    const bed = await opened(t, `late-${code}`, (key, greetings) => key === next && greetings > 1, code);
    bed.identity.prepare();
    next = nextOf(bed.identity);
    bed.open();
    t.equal(await bed.outcome(), 'online');
    t.same(bed.greeted, [next, bed.first, next]);
    t.equal(bed.identity.change, null, 'it is the only one from now on');
  });

t.test('a connection that is expelled because its key was changed comes back with the next one', async (t) => {
  let key = '';
  const bed = await opened(t, 'expelled', (shown) => shown === key);
  key = bed.first;
  bed.open();
  await bed.outcome();
  bed.link.changeKey();
  key = nextOf(bed.identity);
  bed.expel[0]?.send(encodeControlFrame(farewell('UNKNOWN_AGENT')));
  await until('the next key is the only one', () => bed.identity.change === null);
  t.same(bed.greeted, [bed.first, key]);
});

t.test('a control plane that knows neither key is asked three times, and no more', async (t) => {
  const bed = await opened(t, 'nobody', () => false);
  bed.identity.prepare();
  const next = nextOf(bed.identity);
  bed.open();
  t.equal(await bed.outcome(), 'UNKNOWN_AGENT');
  t.same(bed.greeted, [next, bed.first, next]);
  t.equal(bed.link.state, 'ENDED');
});

t.test('a request for a new key is answered with the result, at the latest when the agent stops', async (t) => {
  const change = new KeyChange();
  const asked = [change.answered(), change.answered()];
  change.answer('no');
  t.same(await Promise.all(asked), ['no', 'no']);
  const again = change.answered();
  change.answer(null);
  t.equal(await again, null);
  const late = change.answered();
  change.close();
  t.equal(await late, 'the agent is stopping');
  t.equal(await change.answered(), 'the agent is stopping', 'a request after the end does not wait');
});
