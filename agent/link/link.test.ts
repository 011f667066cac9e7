/** The agent's side of the link: outbox, clock, key, policy, configuration, and a control plane that restarts. */

import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  decodeAgentFrame,
  decodeFacts,
  encodeControlFrame,
  PROTOCOL,
  signedChallenge,
  type wire,
  wire as wireWords,
} from '@carillon/proto';
import t from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesFrom, seeded } from '../../scripts/peers/seeded.ts';
import fc from '../../scripts/test-run/properties.ts';
import { nowMs } from '../clock.ts';
import { readConfig } from '../config.ts';
import { reachPredicate } from '../policy/judge.ts';
import { readPolicy } from '../policy/policy.ts';
import { backOffMs } from './back-off.ts';
import { ClockOffset } from './clock-offset.ts';
import { openIdentity } from './identity.ts';
import { Link } from './link.ts';
import type { LinkEvents } from './link-options.ts';
import { Outbox, openOutbox } from './outbox.ts';
import { Quarantine } from './quarantine.ts';
import { uuidBytes, uuidText } from './uuid.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-agent-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;

async function until(condition: () => boolean, limitMs = 60_000): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (!condition() && Date.now() < deadline) await sleep(5);
  return condition();
}

t.test('outbox: numbered, kept until committed, thinned when full', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant('append' as const), fc.integer({ min: 0, max: 30 })), { maxLength: 60 }),
      (steps) => {
        const outbox = new Outbox('o');
        let committed = 0;
        let appended = 0;
        for (const step of steps) {
          if (step === 'append') {
            outbox.append({ noise: [{ seconds: ++appended }] });
          } else {
            committed = Math.max(committed, Math.min(step, appended));
            outbox.acknowledge(Math.min(step, appended));
          }
          const left = outbox.from(committed + 1, 100).map((b) => Number(b.number));
          const expected = Array.from({ length: appended - committed }, (_, i) => committed + 1 + i);
          if (JSON.stringify(left) !== JSON.stringify(expected) || outbox.last !== appended) return false;
        }
        return true;
      },
    ),
  );
  const full = new Outbox('o');
  const bytes = bytesFrom(seeded(66), 2 * 1024 * 1024);
  const facts = {
    allocations: [{ messages: [{ text: bytes }], samples: { endpoint: [1] }, outcomes: [{ outcome: 'SUCCESS' }] }],
  };
  for (let i = 0; i < 36; i++) full.append(facts);
  t.equal(full.counters.thinned, 4);
  const last = decodeFacts(full.from(36, 1)[0] ?? {}).allocations[0];
  t.same(
    [last?.messages?.length ?? 0, last?.samples ?? null, last?.outcomes?.length],
    [0, null, 1],
    'outcomes are never dropped',
  );
  full.append({ allocations: [{ outcomes: [{ outcome: 'SUCCESS' }] }] });
  t.equal(full.counters.thinned, 4, 'what had nothing to lose has lost nothing');
});

t.test('outbox: an orderly stop leaves it on disk, a crash leaves a new name', async (t) => {
  const outbox = await openOutbox(dir);
  outbox.append({ noise: [{ seconds: 1 }] });
  outbox.append({ noise: [{ seconds: 2 }] });
  outbox.acknowledge(1);
  await outbox.save(dir);
  const next = await openOutbox(dir);
  t.equal(next.id, outbox.id);
  t.equal(next.depth, 1);
  t.equal(decodeFacts(next.from(2, 1)[0] ?? {}).noise[0]?.seconds, 2);
  next.acknowledge(2);
  await next.save(dir);
  const crashed = await openOutbox(dir);
  t.not(crashed.id, outbox.id);
  t.equal(crashed.depth, 0);
});

t.test('outbox: a file that is damaged is moved aside, and told', async (t) => {
  const file = path.join(dir, 'outbox.json');
  await writeFile(file, '{"id":"x","next":');
  const told: object[] = [];
  t.equal((await openOutbox(dir, (damage) => told.push(damage))).depth, 0);
  t.match(told, [{ file: `${file}.damaged`, error: /JSON/ }]);
  t.equal(await readFile(`${file}.damaged`, 'utf8'), '{"id":"x","next":');
  await openOutbox(dir, (damage) => told.push(damage));
  t.equal(told.length, 1, 'that there is none is no damage');
});

t.test('clock: the shortest exchange is believed, and wrong by at most half of it', async () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.array(fc.tuple(fc.double({ min: 0, max: 500, noNaN: true }), fc.double({ min: 0, max: 500, noNaN: true })), {
        minLength: 1,
        maxLength: 16,
      }),
      (offset, delays) => {
        const clock = new ClockOffset();
        let at = 1000;
        for (const [there, back] of delays) {
          clock.observe(at, at + there + offset, at + there + back);
          at += 5000;
        }
        const best = Math.min(...delays.map(([there, back]) => there + back));
        return Math.abs(clock.offsetMs - offset) <= best / 2 + 1e-6 && Math.abs(clock.errorMs - best / 2) <= 1e-6;
      },
    ),
  );
});

t.test('back-off: it doubles to 5 s, and half of it is chance', async (t) => {
  fc.assert(
    fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
      const [least, wait, most] = [0, random, 1].map((r) => backOffMs(attempt, r)) as [number, number, number];
      const bounded = least >= 100 && most <= 5000 && least * 2 === most && wait >= least && wait <= most;
      return bounded && backOffMs(attempt + 1, random) >= wait;
    }),
  );
  t.same(
    [0, 1, 2, 3, 4, 5, 100].map((n) => backOffMs(n, 1)),
    [200, 400, 800, 1600, 3200, 5000, 5000],
  );
  // A thousand agents that lost one control plane at the same instant: no more than a few percent of them return within any 50 ms of their longest wait.
  const waits = Array.from({ length: 1000 }, (_, i) => backOffMs(9, ((i * 7919) % 1000) / 1000));
  const slots = Map.groupBy(waits, (ms) => Math.floor(ms / 50));
  t.ok([...slots.values()].every((slot) => slot.length <= 30));
});

t.test('a new key: two until it is known which of them is, one afterwards', async (t) => {
  const folder = path.join(dir, 'changing');
  const identity = await openIdentity(folder);
  const old = identity.publicKey;
  t.equal(identity.known(old), false, 'nothing changes');
  identity.prepare();
  const next = identity.change?.to.publicKey as Uint8Array;
  identity.prepare();
  t.same(identity.change?.to.publicKey, next, 'asked for twice, made once');
  t.same(identity.publicKey, old, 'the connection that is open goes on with the old one');
  const killed = await openIdentity(folder);
  t.ok(killed.isNext, 'after a restart the agent shows the next key first');
  t.ok(killed.unknown(), 'and has another where nobody knows it');
  t.same([killed.isNext, killed.publicKey], [false, old]);
  t.ok(killed.unknown(), 'then the next one again: it may be known by now');
  t.ok(killed.isNext);
  t.notOk(killed.unknown(), 'then none');
  killed.again();
  t.ok(killed.isNext);
  t.ok(killed.known(next));
  t.same((await openIdentity(folder)).publicKey, next);
  t.equal((await openIdentity(folder)).change, null);
  t.equal((await stat(path.join(folder, 'agent.key'))).mode & 0o777, 0o600);
  killed.prepare();
  killed.abandon(killed.change?.to.publicKey ?? Buffer.alloc(0));
  t.same((await openIdentity(folder)).publicKey, next, 'a next key that is refused is forgotten');
});

t.test('identity: made once, kept, never replaced', async (t) => {
  const first = await openIdentity(path.join(dir, 'id'));
  const second = await openIdentity(path.join(dir, 'id'));
  t.same(first.publicKey, second.publicKey);
  const file = path.join(dir, 'id', 'agent.key');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), first.publicKey]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  t.ok(verify(null, Buffer.from('x'), key, first.sign(Buffer.from('x'))));
  await writeFile(file, 'no key');
  await t.rejects(openIdentity(path.join(dir, 'id')), /damaged/);
  t.equal(await readFile(file, 'utf8'), 'no key');
});

t.test('policy: what the owner allows', async (t) => {
  const byDefault = reachPredicate(await readPolicy(null));
  for (const [address, expected] of [
    ['127.0.0.1', true],
    ['10.1.2.3', true],
    ['192.168.1.1', true],
    ['8.8.8.8', false],
    ['172.32.0.1', false],
    ['::1', true],
    ['fd00::1', true],
    ['2001:4860:4860::8888', false],
    ['::ffff:8.8.8.8', false],
    ['::ffff:10.0.0.1', true],
    ['example.org', false],
    ['', false],
  ] as const) {
    t.equal(byDefault(address), expected, address);
  }
  const file = path.join(dir, 'policy.yaml');
  await writeFile(file, 'targetNetworks: ["203.0.113.0/24"]\nmaxCallsPerSecond: 5\n');
  const policy = await readPolicy(file);
  t.equal(policy.maxCallsPerSecond, 5);
  t.equal(policy.maxEndpoints, 1000);
  t.ok(reachPredicate(policy)('203.0.113.9'));
  t.notOk(reachPredicate(policy)('127.0.0.1'));
  for (const [text, message] of [
    ['targetNetworks: [nonsense]', /targetNetworks\.0/],
    ['maxCps: 5', /maxCps|Unrecognized/],
    ['a: [', /cannot be used/],
  ] as const) {
    await writeFile(file, text);
    await t.rejects(readPolicy(file), { message });
  }
  await t.rejects(readPolicy(path.join(dir, 'none.yaml')), /none\.yaml cannot be used/);
});

t.test('configuration: every wrong variable is named', async (t) => {
  const config = readConfig({ CARILLON_URL: 'ws://127.0.0.1:1/agent/v1', CARILLON_IO: '' });
  t.match(config, {
    io: 'auto',
    rtpPorts: { from: 16_384, to: 32_767 },
    drachtio: null,
    signallingThreads: 1,
    metrics: { port: 9464 },
  });
  t.equal(config.hep, null, 'nobody is told unless somebody is named');
  const url = 'ws://127.0.0.1:1/agent/v1';
  t.match(readConfig({ CARILLON_URL: url, CARILLON_HEP: 'tcp:[2001:db8::1]:9060', CARILLON_HEP_CAPTURE_ID: '7' }), {
    hep: { transport: 'TCP', host: '2001:db8::1', port: 9060, captureId: 7 },
  });
  t.throws(() => readConfig({ CARILLON_URL: url, CARILLON_HEP: 'homer' }), /CARILLON_HEP/);
  t.equal(readConfig({}).url, '', 'the enrolment may tell');
  t.throws(
    () => readConfig({ CARILLON_URL: 'http://x', CARILLON_IO: 'fast', CARILLON_RTP_PORTS: '5-6' }),
    /CARILLON_URL[\s\S]*CARILLON_IO|CARILLON_IO[\s\S]*CARILLON_URL/,
  );
});

t.test('identifiers', async (t) => {
  const id = '01a1fd6e-dbe2-722e-9be9-9d24c9cf334e';
  t.equal(uuidText(uuidBytes(id)), id);
});

/** A control plane of the test: challenges, welcomes, commits when told to. */
class FakeControlPlane {
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

t.test('a control plane that comes and goes', async (t) => {
  const plane = new FakeControlPlane();
  await once(plane.server, 'listening');
  const outbox = new Outbox('01a1fd6e-dbe2-722e-9be9-9d24c9cf334e');
  const commands: number[] = [];
  const refusals: string[] = [];
  const link = new Link({
    url: plane.url,
    identity: await openIdentity(path.join(dir, 'link')),
    outbox,
    log: quiet,
  });
  const events: LinkEvents = {
    hello: () => ({ bootId: Buffer.alloc(16) }),
    onWelcome: () => undefined,
    onCommand: (command) => commands.push(Number(command.id)),
    onCommitted: () => undefined,
    onRefused: (code) => refusals.push(code),
  };
  t.teardown(() => {
    link.close();
    plane.close();
  });

  link.open(events);
  t.ok(await until(() => link.state === 'ONLINE'));
  t.ok(plane.signatureOk, 'the challenge is answered with the key');
  t.equal(link.offlineMs(1e12), 0);
  for (let i = 0; i < 3; i++) outbox.append({ noise: [{ seconds: i }] });
  link.pump();
  t.ok(await until(() => outbox.depth === 0));
  t.same(plane.received, [1, 2, 3]);
  t.ok(
    await until(() => Math.abs(link.clock.offsetMs - (Date.now() + 5000 - nowMs())) < 100),
    'the clock of a control plane that is 5 s ahead is known',
  );

  plane.send({ command: { id: 9, finish: { runId: Buffer.alloc(16) } } });
  t.ok(await until(() => plane.receipts.includes(9)), 'an order is acknowledged');
  t.same(commands, [9]);

  await t.test('a window of batches, no more', async (t) => {
    plane.committing = false;
    for (let i = 0; i < 20; i++) outbox.append({ noise: [{ seconds: i }] });
    link.pump();
    t.ok(await until(() => plane.received.length === 11));
    link.pump();
    plane.send({ command: { id: 10, finish: { runId: Buffer.alloc(16) } } });
    t.ok(await until(() => plane.receipts.includes(10)), 'frames arrive in order: any other batch would be here');
    t.equal(plane.received.length, 11, 'eight under way');
    plane.commit(7);
    t.ok(await until(() => plane.received.length === 15), 'as they are committed, others follow');
  });

  await t.test('cut: sent again from where it was committed, in order', async (t) => {
    plane.received.length = 0;
    plane.connection?.terminate();
    t.ok(await until(() => link.state !== 'ONLINE'));
    plane.committing = true;
    t.ok(await until(() => outbox.depth === 0), 'it came back and everything is committed');
    t.same(
      plane.received,
      Array.from({ length: 16 }, (_, i) => 8 + i),
    );
    t.equal(plane.connections, 2);
  });

  await t.test('garbage from the control plane ends the connection, not the agent', async (t) => {
    plane.connection?.send(Buffer.from('garbage'));
    t.ok(await until(() => plane.connections === 3 && link.state === 'ONLINE'));
  });

  await t.test('refused for good', async (t) => {
    plane.welcoming = { farewell: { code: 'UNKNOWN_AGENT', message: 'who?', retry: false } };
    plane.connection?.terminate();
    t.ok(await until(() => refusals.length > 0));
    t.same(refusals, ['UNKNOWN_AGENT']);
    t.equal(link.state, 'ENDED');
    link.open(events);
    t.equal(link.state, 'ENDED', 'no way leads back');
  });
});

t.test('a control plane of another major version', async (t) => {
  const server = createServer();
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = new Link({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent/v1`,
    identity: await openIdentity(path.join(dir, 'link')),
    outbox: new Outbox(),
    log: quiet,
  });
  const events: LinkEvents = {
    hello: () => ({}),
    onWelcome: () => undefined,
    onCommand: () => undefined,
    onCommitted: () => undefined,
    onRefused: () => undefined,
  };
  link.open(events);
  t.ok(await until(() => link.lastFault !== ''));
  t.match(link.lastFault, /another major version: it does not support carillon\.agent\.v1\. Install the agent/);
  link.close();
  server.close();
});

t.test('a control plane that is silent, or will not have a batch', async (t) => {
  const LIMIT_MS = 300;
  const plane = new FakeControlPlane();
  await once(plane.server, 'listening');
  const outbox = new Outbox('01a1fd6e-dbe2-722e-9be9-9d24c9cf334e');
  const errors: object[] = [];
  const link = new Link({
    url: plane.url,
    identity: await openIdentity(path.join(dir, 'link')),
    outbox,
    log: { ...(quiet as object), error: (what: object) => errors.push(what) } as never,
    onlineWithinMs: LIMIT_MS,
    quarantine: new Quarantine(1, 0),
  });
  const events: LinkEvents = {
    hello: () => ({ bootId: Buffer.alloc(16) }),
    onWelcome: () => undefined,
    onCommand: () => undefined,
    onCommitted: () => undefined,
    onRefused: () => undefined,
  };
  t.teardown(() => {
    link.close();
    plane.close();
  });

  plane.silent = true;
  link.open(events);
  t.ok(await until(() => plane.connections >= 2), 'it is given up and tried again');
  plane.silent = false;
  t.ok(await until(() => link.state === 'ONLINE'));
  const { connections } = plane;
  const mute = new FakeControlPlane();
  mute.silent = true;
  await once(mute.server, 'listening');
  const later = new Link({
    url: mute.url,
    identity: await openIdentity(path.join(dir, 'link')),
    outbox: new Outbox(),
    log: quiet,
    onlineWithinMs: LIMIT_MS,
  });
  later.open(events);
  t.ok(await until(() => mute.connections >= 2), 'a link that was opened after it has reached the limit');
  later.close();
  mute.close();
  t.same([link.state, plane.connections], ['ONLINE', connections], 'a welcome stops the clock');

  const seen: number[] = [];
  plane.refusing = (batch) => {
    const { allocations } = decodeFacts(batch);
    if (Number(batch.number) === 2) seen.push(allocations.flatMap((a) => a.outcomes ?? []).length, allocations.length);
    return allocations.length > 0;
  };
  const { READY } = wireWords.agent.v1.AllocationState;
  outbox.append({ noise: [{ seconds: 1 }] });
  outbox.append({ allocations: [{ allocationId: Buffer.alloc(16), outcomes: [{ endpoint: 1 }], state: READY }] });
  outbox.append({ noise: [{ seconds: 3 }] });
  link.pump();
  t.ok(await until(() => outbox.depth === 0), 'what follows it arrives');
  t.same(seen, [1, 1, 0, 1, 0, 0], 'as it was, states only, nothing');
  t.same(plane.received, [1, 2, 3]);
  t.match(errors, [
    { batch: 2, left: 'STATES', dropped: { outcomes: 1 } },
    { batch: 2, left: 'NOTHING', dropped: { states: 1 } },
  ]);
});
