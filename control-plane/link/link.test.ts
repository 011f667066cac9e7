/** The agents' link over a real WebSocket: which agents are admitted, what is refused, the effects of garbage. */
import { randomBytes, randomUUID, sign } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { zstdCompressSync } from 'node:zlib';
import {
  decodeControlFrame,
  encodeAgentFrame,
  encodeFacts,
  MAX_FRAME_BYTES,
  PROTOCOL,
  signedChallenge,
  type wire,
} from '@carillon/proto';
import t from 'tap';
import { stringify } from 'uuid';
import { WebSocket } from 'ws';
import { bytesFrom, seeded } from '../../scripts/peers/seeded.ts';
import fc from '../../scripts/test-run/properties.ts';
import { GreetingRoom } from '../limits/greeting-room.ts';
import { RefusedWorkers } from '../limits/refused-workers.ts';
import { Turns } from '../limits/turns.ts';
import { insertCommand } from '../store/agents/commands.ts';
import { AgentWire, bytes, hello, keyPair, openDoor, type WireFrame } from '../testing/agent-wire.ts';
import { acme, openWorld, startRun, TOKENS } from '../testing/world.ts';
import { AGENT_PATH } from './gateway.ts';
import { AgentSession } from './session.ts';

const random = seeded(102);
const world = await openWorld(t);
await world.provision(acme());
const { app, metrics, url, enter, enterAsNew } = await openDoor(t, world);

const refused = async () => {
  const text = await metrics.text('NONE');
  return Number(/^carillon_agent_frames_refused_total (\d+)/m.exec(text)?.[1] ?? 0);
};

const key = keyPair();
const other = keyPair();

t.test('a join token binds a key, once', async (t) => {
  const first = await enter(key, { joinToken: TOKENS[0] });
  t.equal(first.welcome.name, 'edge-1');
  first.wire.ws.close();
  const again = await enter(key);
  t.same(again.welcome.workerId, first.welcome.workerId, 'from then on the key is enough');
  again.wire.ws.close();
  const thief = new AgentWire(url);
  const { challenge } = await thief.next();
  thief.send(hello(keyPair(), challenge?.nonce as Uint8Array, { joinToken: TOKENS[0] }));
  t.match((await thief.next()).farewell, { code: 'JOIN_TOKEN_REFUSED', retry: false });
  await thief.closed;
});

t.test('an agent that does not prove its key is refused', async (t) => {
  const old = new AgentWire(url);
  const { challenge } = await old.next();
  const replayed = hello(key, challenge?.nonce as Uint8Array);
  old.ws.close();
  const rows: [string, (nonce: Uint8Array) => wire.agent.v1.AgentFrame.$Properties, string][] = [
    ['a replayed answer', () => replayed, 'KEY_NOT_PROVED'],
    [
      'another key’s signature',
      (nonce) => ({ hello: { ...hello(key, nonce).hello, signature: sign(null, signedChallenge(nonce), keyPair()) } }),
      'KEY_NOT_PROVED',
    ],
    [
      'no signature',
      (nonce) => ({ hello: { ...hello(key, nonce).hello, signature: new Uint8Array() } }),
      'KEY_NOT_PROVED',
    ],
    ['a key that nobody knows', (nonce) => hello(keyPair(), nonce), 'UNKNOWN_AGENT'],
    ['no key', (nonce) => ({ hello: { ...hello(key, nonce).hello, publicKey: new Uint8Array(3) } }), 'FRAME_REFUSED'],
    [
      'no address',
      (nonce) => hello(key, nonce, { sipListeners: [{ address: 'example.org', port: 5060 }] }),
      'FRAME_REFUSED',
    ],
    ['a batch before the greeting', () => ({ batch: encodeFacts(1, {}) }), 'FRAME_REFUSED'],
  ];
  for (const [what, frame, code] of rows) {
    const wire = new AgentWire(url);
    const nonce = (await wire.next()).challenge?.nonce as Uint8Array;
    wire.send(frame(nonce));
    t.equal((await wire.next()).farewell?.code, code, what);
    await wire.closed;
  }
});

t.test('the door itself', async (t) => {
  const refusedAt = (protocols: string[], to: string) =>
    new Promise<number>((resolve) => {
      const ws = new WebSocket(to, protocols);
      ws.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      ws.on('open', () => resolve(101));
      ws.on('error', () => undefined);
    });
  t.equal(await refusedAt(['something.else'], url), 426);
  t.equal(await refusedAt([PROTOCOL], url.replace(AGENT_PATH, '/nothing')), 404);
});

t.test('an agent before the new numbering, and a database that came back older', async (t) => {
  const { id, key } = await enterAsNew();
  const outboxId = bytes();
  const { wire, welcome } = await enter(key, { outboxId });
  t.equal(welcome.nextBatch, 1);
  wire.send({ batch: encodeFacts(8, {}) });
  t.match(await wire.nextOf('batchReceipt'), { number: 8 }, 'it continues with the number that it had reached');
  wire.send({ batch: encodeFacts(9, {}) });
  t.match(await wire.nextOf('batchReceipt'), { number: 9 });
  wire.send({ batch: encodeFacts(11, {}) });
  t.match(await wire.nextOf('farewell'), { code: 'FRAME_REFUSED' }, 'once: a later gap is a fault');
  await wire.closed;
  const again = await enter(key, { outboxId });
  t.equal(again.welcome.nextBatch, 10);
  again.wire.ws.close();
  const entries = await world.database.db
    .selectFrom('audit_entries')
    .where('action', '=', 'agentFactsLost')
    .select('target')
    .execute();
  t.match(entries, [{ target: { workerId: id, facts: 'batches 1 to 7', advice: /^Upgrade this agent/ } }]);
});

t.test('garbage closes its own connection and is counted, nothing else happens', async (t) => {
  const good = await enter(other, { joinToken: TOKENS[1] });
  const before = await refused();
  const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
  const rows: [string, (wire: AgentWire) => void][] = [
    ['random bytes', ({ ws }) => ws.send(bytesFrom(random, 200))],
    ['nothing', ({ ws }) => ws.send(Buffer.alloc(0))],
    ['text', ({ ws }) => ws.send('hello')],
    ['a compression bomb', (wire) => wire.send({ batch: { number: 1, zstd: true, facts: bomb } })],
    ['not zstd', (wire) => wire.send({ batch: { number: 1, zstd: true, facts: bytesFrom(random, 50) } })],
    ['an allocation without id', (wire) => wire.send({ batch: encodeFacts(1, { allocations: [{ baseUnixMs: 1 }] }) })],
    [
      'uneven columns',
      (wire) =>
        wire.send({
          batch: encodeFacts(1, {
            allocations: [{ allocationId: bytes(), samples: { endpoint: [1, 2], stream: [0] } }],
          }),
        }),
    ],
    [
      'an unknown outcome',
      (wire) =>
        wire.send({
          batch: encodeFacts(1, { allocations: [{ allocationId: bytes(), outcomes: [{ outcome: 'FINE' }] }] }),
        }),
    ],
    [
      'a batch out of turn',
      (wire) => {
        wire.send({ batch: encodeFacts(1, {}) });
        wire.send({ batch: encodeFacts(7, {}) });
      },
    ],
    ['a second greeting', (wire) => wire.send(hello(key, randomBytes(32)))],
  ];
  for (const [what, act] of rows) {
    const { wire } = await enterAsNew();
    act(wire);
    t.match(await wire.nextOf('farewell'), { code: 'FRAME_REFUSED', retry: true }, what);
    await wire.closed;
  }
  t.equal((await refused()) - before, rows.length);
  const huge = await enter(key);
  huge.wire.ws.send(Buffer.alloc(MAX_FRAME_BYTES + 1));
  t.equal(await huge.wire.closed, 1009, 'a frame over the limit');
  t.equal(good.wire.ws.readyState, WebSocket.OPEN, 'other connections go on');
  good.wire.ws.close();
});

t.test('a batch that cannot be read is not asked for again', async (t) => {
  const outboxId = bytes();
  const { wire } = await enter(key, { outboxId });
  wire.send({ batch: { number: 1, zstd: true, facts: bytesFrom(random, 50) } });
  t.match((await wire.next()).farewell, { code: 'FRAME_REFUSED' });
  await wire.closed;
  const back = await enter(key, { outboxId });
  t.equal(back.welcome.nextBatch, 2, 'what follows it arrives');
  back.wire.ws.close();
});

t.test('mutated frames never do more than close their connection', async (t) => {
  const sample = encodeAgentFrame({
    batch: encodeFacts(1, {
      allocations: [{ allocationId: bytes(), baseUnixMs: 1, reason: 'x' }],
      noise: [{ seconds: 1 }],
    }),
  });
  const mutation = fc.record({
    at: fc.nat(sample.length - 1),
    value: fc.integer({ min: 0, max: 255 }),
    cut: fc.nat(sample.length),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (changes) => {
      const frame = Buffer.from(sample);
      for (const { at, value } of changes) frame[at] = value;
      const { wire } = await enterAsNew();
      wire.ws.send(frame.subarray(0, Math.max(1, changes[0]?.cut ?? 1)));
      // Fields that look like those of a newer agent are ignored.
      wire.send({ beat: { unixMs: 1 } });
      const answer = await wire.next();
      wire.ws.terminate();
      return Boolean(answer.farewell ?? answer.batchReceipt ?? answer.beat);
    }),
    { numRuns: 60 },
  );
  t.equal((await app.inject({ url: '/readyz' })).statusCode, 200);
});

t.test('orders come at once, and again until they are acknowledged', async (t) => {
  const second = await enter(other);
  const { wire } = await enter(key);
  await startRun(world);
  await world.work();
  const first = await wire.next();
  t.ok(first.command?.allocate, 'NOTIFY wakes the connection');
  wire.ws.terminate();
  const back = await enter(key);
  const repeated = await back.wire.next();
  t.equal(repeated.command?.id, first.command?.id);
  const { id } = repeated.command as { id: number };
  back.wire.send({ commandReceipt: { id } });
  back.wire.send({ beat: { unixMs: 5 } });
  let frame = await back.wire.next();
  while (!frame.beat) frame = await back.wire.next();
  t.equal(frame.beat.echoUnixMs, 5, 'a beat is echoed');
  back.wire.ws.terminate();
  const third = await enter(key);
  const next = await third.wire.next();
  t.not(next.command?.id, id, 'what was acknowledged does not come again');
  third.wire.ws.close();
  second.wire.ws.close();
});

/** A run whose allocation for `key` is stored as `change` leaves it, then the orders for `key` on its next connection. */
async function ordersAfter(change: (body: { group: unknown }) => void) {
  const { wire, welcome } = await enter(key);
  const workerId = stringify(welcome.workerId);
  const { db } = world.database;
  await db.deleteFrom('worker_commands').execute();
  await startRun(world);
  await world.work();
  for (let frame = await wire.next(); !frame.command?.allocate; ) frame = await wire.next();
  wire.ws.terminate();
  await wire.closed;
  const row = await db
    .selectFrom('worker_commands')
    .where('worker_id', '=', workerId)
    .where('kind', '=', 'allocate')
    .select(['id', 'body'])
    .executeTakeFirstOrThrow();
  const body = row.body as unknown as { group: unknown };
  change(body);
  await db
    .updateTable('worker_commands')
    .set({ body: JSON.stringify(body) })
    .where('id', '=', row.id)
    .execute();
  return { back: await enter(key) };
}

t.test('an order of an older control plane is delivered', async (t) => {
  const second = await enter(other);
  const { back } = await ordersAfter((body) => {
    const names =
      'audioDscp videoCodecs videoSource videoDirection videoDscp encryption telephoneEvent dtmf impairment';
    const group = body.group as Record<string, unknown>;
    for (const name of names.split(' ')) delete group[name];
    // The run's other allocation for this agent is complete.
    group['domain'] = 'stored.before';
  });
  let group = (await back.wire.next()).command?.allocate?.group;
  while (group?.domain !== 'stored.before') group = (await back.wire.next()).command?.allocate?.group;
  t.match(group, { audioCodecs: ['PCMU'], videoCodecs: [] });
  back.wire.ws.close();
  second.wire.ws.close();
});

t.test('an order that cannot be encoded refuses its instance, and the agent stays', async (t) => {
  const second = await enter(other);
  const { back } = await ordersAfter((body) => {
    body.group = null;
  });
  // Stop orders of earlier runs may still arrive.
  for (let reason = ''; reason !== 'another agent refused'; )
    reason = (await back.wire.next()).command?.stop?.reason ?? '';
  t.pass('the run is given up, and the agent hears of it');
  back.wire.send({ beat: { unixMs: 6 } });
  let frame = await back.wire.next();
  while (!frame.beat) frame = await back.wire.next();
  t.equal(frame.beat.echoUnixMs, 6);
  back.wire.ws.close();
  second.wire.ws.close();
});

t.test('an order that commits after a later one is delivered, too', async (t) => {
  const { wire, welcome } = await enter(key);
  const workerId = stringify(welcome.workerId);
  await world.database.db.deleteFrom('worker_commands').execute();
  const stop = (reason: string) => {
    const runId = randomUUID();
    return { workerId, runId, kind: 'stop', body: { kind: 'stop', runId, allocationIds: [], reason } } as const;
  };
  const inserted = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = world.database.transaction(async (tx) => {
    await insertCommand(tx, stop('first drawn'));
    inserted.resolve();
    await mayCommit.promise;
  });
  await inserted.promise;
  await insertCommand(world.database.db, stop('first committed'));
  const reasons: string[] = [];
  const take = async () => {
    for (;;) {
      const { command } = await wire.next();
      const reason = command?.stop?.reason ?? '';
      // Stop orders of earlier runs may still arrive.
      if (reason.startsWith('first')) return reasons.push(reason);
    }
  };
  await take();
  mayCommit.resolve();
  await slow;
  await take();
  t.same(reasons, ['first committed', 'first drawn']);
  wire.ws.close();
});

t.test('an agent that requests recordings and does not read gets a limited amount of data', async (t) => {
  const joined = await enter(key);
  joined.wire.ws.close();
  await joined.wire.closed;
  const sent: { frame: WireFrame; done: () => void }[] = [];
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    isPaused: false,
    pause: () => undefined,
    resume: () => undefined,
    terminate: () => undefined,
    close: () => undefined,
    send: (data: Buffer, done: () => void = () => undefined) => {
      sent.push({ frame: decodeControlFrame(data), done });
    },
  });
  const count = { inc: () => undefined };
  const counters = { batches: count, samples: count, refusedFrames: count, refusals: count, recordingChunks: count };
  const connection = { id: randomUUID(), address: '127.0.0.1' };
  const door = {
    refused: new RefusedWorkers(),
    greetings: new Turns(1, 1),
    room: new GreetingRoom(),
    strangerLog: { note: () => undefined, close: async () => undefined },
  };
  new AgentSession({
    ports: world.ports,
    ws: ws as unknown as WebSocket,
    connection,
    counters,
    door,
    onEnd: () => undefined,
  }).open();
  const say = (frame: wire.agent.v1.AgentFrame.$Properties) => ws.emit('message', encodeAgentFrame(frame), true);
  say(hello(key, sent[0]?.frame.challenge?.nonce as Uint8Array));
  for (let i = 0; i < 200; i++) say({ mediaRequest: { sha256: randomBytes(32), offset: 0 } });
  const chunks = () => sent.filter(({ frame }) => frame.mediaChunk);
  const pass = () => world.database.db.selectFrom('workers').select('id').execute();
  for (let n = 1; n <= 5; n++) {
    while (chunks().length < n) await pass();
    for (let i = 0; i < 10; i++) await pass();
    t.equal(chunks().length, n, 'the next one when this one has left');
    chunks()[n - 1]?.done();
  }
  ws.readyState = 3;
  ws.emit('close');
  chunks().at(-1)?.done();
});

t.test('an order whose notification was lost is found, and a connection that was replaced is dropped', async (t) => {
  const first = await enter(key);
  const { wire, welcome } = await enter(key);
  const runId = randomUUID();
  const body = { kind: 'stop', runId, allocationIds: [], reason: 'unheard' };
  await world.database.db
    .insertInto('worker_commands')
    .values({ worker_id: stringify(welcome.workerId), run_id: runId, kind: 'stop', body: JSON.stringify(body) })
    .execute();
  for (let reason = ''; reason !== 'unheard'; ) reason = (await wire.next()).command?.stop?.reason ?? '';
  await first.wire.closed;
  t.equal(wire.ws.readyState, WebSocket.OPEN);
  wire.ws.close();
});
