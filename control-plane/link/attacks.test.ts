/**
 * Attacks on the agents' link over real sockets: each is refused, counted by reason, and reported to the organization that it
 * concerns, once an hour.
 */

import { type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import zlib, { deflateRawSync, zstdCompressSync } from 'node:zlib';
import { encodeFacts, MAX_FRAME_BYTES, PROTOCOL, signedKeyChange, wire } from '@carillon/proto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { stringify } from 'uuid';
import { WebSocket } from 'ws';
import { MAX_FACTS_BYTES } from '../../proto/wire/frame.ts';
import { holds, until } from '../../scripts/peers/process.ts';
import { changeWorkerKey, revokeWorker } from '../operations/agents/workers.ts';
import { hashOf } from '../operations/request/actor.ts';
import { AgentWire, bytes, hello, keyPair, openDoor, raw } from '../testing/agent-wire.ts';
import { acme, openWorld, ownerContext, startRun, TOKENS } from '../testing/world.ts';

const world = await openWorld(t);
const rival = { slug: 'rival', name: 'Rival', workers: [{ name: 'spy', joinToken: 'the join token of a spy' }] };
await world.provision({ organizations: [...acme().organizations, rival] });
const { app, metrics, port, url, enter, enterAsNew } = await openDoor(t, world);
const { db } = world.database;
const owner = await ownerContext(world);

const [honest, second, spy, next] = [keyPair(), keyPair(), keyPair(), keyPair()] as const;
const first = await enter(honest, { joinToken: TOKENS[0] });
const other = await enter(second, { joinToken: TOKENS[1] });
const spying = await enter(spy, { joinToken: 'the join token of a spy' });
const workerId = stringify(first.welcome.workerId);
const spyId = stringify(spying.welcome.workerId);

const counts = async (): Promise<Map<string, number>> =>
  new Map(
    [...(await metrics.text('NONE')).matchAll(/^carillon_agent_refusals_total\{reason="(\w+)"\} (\d+)/gm)].map(
      ([, reason, n]) => [reason as string, Number(n)],
    ),
  );
const LOOKS = { everyMs: 10 };
const entries = (id: string) =>
  db
    .selectFrom('audit_entries')
    .where('via', '=', 'AGENT')
    .where('action', '=', 'agentRefused')
    .select(['target', 'address'])
    .orderBy('id')
    .execute()
    .then((rows) => rows.filter((r) => (r.target as Record<string, string>)['workerId'] === id));
const reasonsOf = async (id: string): Promise<string[]> =>
  (await entries(id)).map((e) => (e.target as Record<string, string>)['reason'] as string);

/** Counted once, and in the log of `told` (a worker), or of no worker. */
async function refused(t: Test, what: string, reason: string, told: string | null, act: () => Promise<unknown>) {
  const before = await counts();
  const entriesBefore = await refusalReasons();
  await act();
  await until(
    `${what}: a count of ${reason}`,
    async () => ((await counts()).get(reason) ?? 0) !== (before.get(reason) ?? 0),
    LOOKS,
  );
  t.equal(((await counts()).get(reason) ?? 0) - (before.get(reason) ?? 0), 1, `${what}: counted as ${reason}`);
  if (told !== null) t.ok(await isInAuditLog(told, reason), `${what}: in the audit log`);
  else t.same(await refusalReasons(), entriesBefore, `${what}: in nobody’s log`);
}
/** An agent hears of its refusal before its organization does. */
const isInAuditLog = (id: string, reason: string): Promise<boolean> =>
  until(`the refusal for ${reason}`, async () => (await reasonsOf(id)).includes(reason), LOOKS);
/** Reasons that were reported to any worker; the count is written a little later. */
const refusalReasons = () =>
  db.selectFrom('link_refusals').select(['worker_id', 'reason']).orderBy('worker_id').orderBy('reason').execute();

/** The answer to the greeting that `make` builds from the challenge. */
async function greetWith(make: (nonce: Uint8Array) => wire.agent.v1.AgentFrame.$Properties): Promise<string> {
  const stranger = new AgentWire(url);
  const nonce = (await stranger.next()).challenge?.nonce as Uint8Array;
  stranger.send(make(nonce));
  const { code } = await stranger.nextOf('farewell');
  await stranger.closed;
  return code as string;
}
const greetAs = (key: KeyObject, joinToken = '') => greetWith((nonce) => hello(key, nonce, { joinToken }));

t.test('join tokens', async (t) => {
  await refused(t, 'a stolen token that was used', 'JOIN_TOKEN_USED', workerId, async () =>
    t.equal(await greetAs(keyPair(), TOKENS[0]), 'JOIN_TOKEN_REFUSED'),
  );
  await refused(t, 'a guessed one', 'JOIN_TOKEN_UNKNOWN', null, async () =>
    t.equal(await greetAs(keyPair(), 'guessed'), 'JOIN_TOKEN_REFUSED'),
  );
  const late = randomUUID();
  const hash = hashOf(new Secret('too late'));
  const expires_at = new Date(Date.now() - 1000);
  await db.insertInto('join_tokens').values({ id: late, worker_id: workerId, hash, expires_at }).execute();
  await refused(t, 'one that has expired', 'JOIN_TOKEN_EXPIRED', workerId, async () =>
    t.equal(await greetAs(keyPair(), 'too late'), 'JOIN_TOKEN_REFUSED'),
  );
});

t.test('keys', async (t) => {
  const old = new AgentWire(url);
  const replayed = hello(honest, (await old.next()).challenge?.nonce as Uint8Array);
  await refused(t, 'an answer to another connection’s challenge', 'KEY_NOT_PROVED', workerId, async () =>
    t.equal(await greetWith(() => replayed), 'KEY_NOT_PROVED'),
  );
  old.ws.terminate();
  await refused(t, 'a liar with a key of nobody', 'KEY_NOT_PROVED', null, () =>
    greetWith((nonce) => ({ hello: { ...hello(keyPair(), nonce).hello, signature: randomBytes(64) } })),
  );
  await refused(t, 'a key that nobody knows', 'KEY_UNKNOWN', null, async () =>
    t.equal(await greetAs(keyPair()), 'UNKNOWN_AGENT'),
  );
});

t.test('a key changes; the old one is nobody’s', async (t) => {
  const change = (from: KeyObject, to: KeyObject, by = from) => {
    const signed = signedKeyChange(raw(from), raw(to));
    return { keyChange: { publicKey: raw(to), consent: sign(null, signed, by), proof: sign(null, signed, to) } };
  };
  await refused(t, 'without the consent of the old one', 'KEY_CHANGE_REFUSED', spyId, async () => {
    spying.wire.send(change(spy, next, keyPair()));
    t.match((await spying.wire.nextOf('keyReceipt')).refused, /do not prove/);
  });
  spying.wire.send(change(spy, second));
  t.match((await spying.wire.nextOf('keyReceipt')).refused, /used before/, 'another worker’s key cannot be taken');
  for (const _ of ['at first', 'its receipt was lost: once more']) {
    other.wire.send(change(second, next));
    t.equal((await other.wire.nextOf('keyReceipt')).refused, '');
  }
  const log = await db.selectFrom('audit_entries').where('action', '=', 'changeAgentKey').selectAll().execute();
  t.match(log, [{ via: 'AGENT', actor: 'edge-2' }], 'once in the audit log');
  await refused(t, 'the old one', 'KEY_RETIRED', stringify(other.welcome.workerId), async () =>
    t.equal(await greetAs(second), 'UNKNOWN_AGENT'),
  );
  const back = await enter(next);
  t.same(back.welcome.workerId, other.welcome.workerId);
  const worker = await changeWorkerKey(owner, { workerId: stringify(back.welcome.workerId) });
  t.type(worker.keyChangedAt, 'string');
  t.ok((await back.wire.nextOf('command')).changeKey, 'a request for a new key is handled at once');
  back.wire.ws.close();
});

t.test('facts of a run', async (t) => {
  const again = await enter(next);
  await startRun(world);
  await world.work();
  const { allocate } = await first.wire.nextOf('command');
  const allocationId = allocate?.allocationId as Uint8Array;
  const own = allocate?.endpoints?.number as number[];
  const baseUnixMs = world.ports.now().getTime();
  const outcome = { outcome: 'SUCCESS', attempted: true, callResult: 'SUCCESS', plannedUnixMs: baseUnixMs };
  const facts = (endpoint: number) => ({
    allocations: [
      { allocationId, baseUnixMs, outcomes: [{ endpoint, ...outcome }], streams: [{ endpoint, stream: 0 }] },
    ],
  });
  /** A block of messages of these, `length` bytes each. */
  const block = (endpoint: number[], length: number) => {
    const all = <T>(value: T): T[] => endpoint.map(() => value);
    const zeros = { number: all(0), atMs: all(0), method: all(0), callId: all(0), peer: all(0), transport: all(0) };
    const text = zstdCompressSync(Buffer.from('OPTIONS'.repeat(endpoint.length)));
    const words = { words: ['OPTIONS'], kind: all(1), localPort: all(0) };
    const messageBlocks = [{ endpoint, length: all(length), text, ...zeros, ...words }];
    return { allocations: [{ allocationId, baseUnixMs, messageBlocks }] };
  };
  const stored = async () => [
    ...(await db.selectFrom('streams').select('endpoint_number').execute()),
    ...(await db.selectFrom('sip_messages').select('endpoint_number').execute()),
    ...(await db.selectFrom('sip_chunks').select('endpoint_number').execute()),
  ];
  await refused(t, 'of another organization', 'FOREIGN_FACTS', spyId, async () => {
    spying.wire.send({ batch: encodeFacts(1, facts(own[0] as number)) });
    await spying.wire.nextOf('batchReceipt');
  });
  await refused(t, 'endpoints of others', 'FOREIGN_FACTS', workerId, async () => {
    first.wire.send({ batch: encodeFacts(1, facts((own.at(-1) as number) + 1)) });
    await first.wire.nextOf('batchReceipt');
  });
  await refused(t, 'messages of others in a block with its own', 'FOREIGN_FACTS', workerId, async () => {
    first.wire.send({ batch: encodeFacts(2, block([own[0] as number, (own.at(-1) as number) + 1], 7)) });
    await first.wire.nextOf('batchReceipt');
  });
  t.same(await stored(), [], 'nothing of it is stored');
  const [one, two] = own as [number, number];
  for (const _ of ['at first', 'its receipt was lost: once more']) {
    first.wire.send({ batch: encodeFacts(3, block([one, two], 7)) });
    await first.wire.nextOf('batchReceipt');
  }
  const rows = [one, two, one].map((endpoint_number) => ({ endpoint_number }));
  t.same(await stored(), rows, 'two messages, one chunk');
  await refused(t, 'a block that is not as long as its messages', 'FRAME_REFUSED', workerId, async () => {
    first.wire.send({ batch: encodeFacts(4, block([one, two], 8)) });
    t.match(await first.wire.nextOf('farewell'), { message: /not the 16 bytes that its messages say/ });
  });
  t.same(await stored(), rows);
  const claimed = await enter(spy, { allocationIds: [allocationId] });
  t.same(
    claimed.welcome.stopAllocationIds.map((id) => stringify(id)),
    [stringify(allocationId)],
    'an agent that claims another’s share is told to stop it',
  );
  t.equal(
    (await db.selectFrom('sub_population_instances').where('worker_id', '=', spyId).selectAll().execute()).length,
    0,
  );
  again.wire.ws.close();
});

t.test('batch numbers', async (t) => {
  const outboxId = bytes();
  const rows: [string, number, 'receipt' | 'refused'][] = [
    ['the first', 1, 'receipt'],
    ['again', 1, 'receipt'],
    ['none', 0, 'receipt'],
    ['a gap', 3, 'refused'],
    ['2^53', 2 ** 53, 'refused'],
  ];
  for (const [what, number, answer] of rows) {
    const { wire, welcome } = await enter(spy, { outboxId });
    const send = async (number: number) => {
      wire.send({ batch: { number, zstd: false, facts: new Uint8Array() } });
      for (let frame = await wire.next(); ; frame = await wire.next()) {
        if (frame.batchReceipt ?? frame.farewell) return frame.farewell?.code ?? 'receipt';
      }
    };
    if (answer === 'receipt') t.equal(await send(number), 'receipt', what);
    else {
      t.equal(await send(1), 'receipt', 'in turn');
      const act = async () => t.equal(await send(number), 'FRAME_REFUSED', what);
      await refused(t, what, 'BATCH_OUT_OF_TURN', spyId, act);
    }
    t.ok(Number(welcome.nextBatch) <= 2, 'the outbox has not moved');
    wire.ws.terminate();
  }
});

t.test('frames', async (t) => {
  const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
  const varint = (n: bigint) => {
    const out: number[] = [];
    for (let rest = BigInt.asUintN(64, n); ; rest >>= 7n) {
      if (rest < 128n) return Buffer.from([...out, Number(rest)]);
      out.push(Number(rest & 127n) | 128);
    }
  };
  const tagged = (field: number, type: number, rest: Buffer) =>
    Buffer.concat([varint(BigInt((field << 3) | type)), rest]);
  const batch = (body: Buffer) => tagged(2, 2, Buffer.concat([varint(BigInt(body.length)), body]));
  const rows: [string, Uint8Array][] = [
    [
      'a bomb of zstd',
      batch(
        Buffer.concat([
          tagged(1, 0, varint(1n)),
          tagged(2, 0, varint(1n)),
          tagged(3, 2, Buffer.concat([varint(BigInt(bomb.length)), bomb])),
        ]),
      ),
    ],
    ['a length of 4 GiB', tagged(2, 2, varint(0xffff_ffffn))],
    ['a negative length', tagged(2, 2, varint(-1n))],
    ['a group that never ends', Buffer.alloc(1000, (2 << 3) | 3)],
    ['a varint of eleven bytes', tagged(2, 0, Buffer.alloc(11, 0xff))],
    ['nothing', Buffer.alloc(0)],
    [
      'random bytes of a batch',
      batch(
        Buffer.concat([tagged(1, 0, varint(1n)), tagged(3, 2, Buffer.concat([varint(50n), Buffer.alloc(50, 0xf7)]))]),
      ),
    ],
  ];
  for (const [what, frame] of rows) {
    const { id, wire } = await enterAsNew();
    await refused(t, what, 'FRAME_REFUSED', id, async () => {
      wire.ws.send(frame);
      t.equal((await wire.nextOf('farewell')).code, 'FRAME_REFUSED', what);
    });
    await wire.closed;
  }
  const { wire } = await enter(spy);
  wire.ws.send(tagged(900, 2, Buffer.concat([varint(3n), Buffer.from('new')])));
  wire.send({ beat: { unixMs: 7 } });
  t.equal((await wire.nextOf('beat')).echoUnixMs, 7, 'a body that we do not know is a newer agent’s');
  await refused(t, 'a frame over the limit', 'FRAME_TOO_LARGE', spyId, async () => {
    wire.ws.send(Buffer.alloc(MAX_FRAME_BYTES + 1));
    t.equal(await wire.closed, 1009);
  });
  const deflating = new WebSocket(url, [PROTOCOL], { perMessageDeflate: true });
  await new Promise((resolve) => deflating.once('open', resolve));
  t.equal(deflating.extensions, '', 'permessage-deflate is not agreed to');
  const ended = new Promise((resolve) => deflating.once('close', resolve));
  const inflated = deflateRawSync(Buffer.alloc(10_000_000));
  // RSV1 set, binary, masked with zeros: without effect.
  const head = Buffer.from([0xc2, 0xfe, inflated.length >> 8, inflated.length & 255, 0, 0, 0, 0]);
  (deflating as unknown as { _socket: import('node:net').Socket })._socket.write(Buffer.concat([head, inflated]));
  t.equal(await ended, 1002, 'a compressed frame all the same ends the connection');
});

/** Counts the batches whose facts were decoded to objects, and the bytes that were unpacked. */
function countBuilt(t: Test): { decoded: number; unpackedBytes: number } {
  const counts = { decoded: 0, unpackedBytes: 0 };
  const { Facts } = wire.agent.v1;
  const { decode } = Facts;
  const { zstdDecompressSync } = zlib;
  Facts.decode = (...input: Parameters<typeof decode>) => {
    counts.decoded += 1;
    return decode(...input);
  };
  zlib.zstdDecompressSync = (...input) => {
    const unpacked = zstdDecompressSync(...input);
    counts.unpackedBytes += unpacked.length;
    return unpacked;
  };
  syncBuiltinESMExports();
  t.teardown(() => {
    Facts.decode = decode;
    zlib.zstdDecompressSync = zstdDecompressSync;
    syncBuiltinESMExports();
  });
  return counts;
}

t.test('few bytes that stand for much are refused before it is built', async (t) => {
  const many = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);
  const text = zstdCompressSync(Buffer.alloc(1024 * 1024));
  const words = { words: ['A'], method: [0], callId: [0], peer: [0], transport: [0], localPort: [0] };
  const block = { endpoint: [0], number: [0], length: [1024 * 1024], atMs: [0], kind: [1], text, ...words };
  const zeros = many(10_000_000, 0);
  const BOMB = 'a bomb in a bomb';
  const rows: [string, wire.agent.v1.Facts.$Properties][] = [
    [BOMB, { allocations: [{ allocationId: bytes(), messageBlocks: many(2000, block) }] }],
    ['ten million phases', { allocations: [{ allocationId: bytes(), phases: { endpoint: zeros, phase: zeros } }] }],
    ['two million empty allocations', { allocations: many(2_000_000, {}) }],
    ['a million empty outcomes', { allocations: [{ allocationId: bytes(), outcomes: many(1_000_000, {}) }] }],
    [
      'a million empty findings',
      { allocations: [{ allocationId: bytes(), outcomes: [{ findings: many(1_000_000, {}) }] }] },
    ],
  ];
  const built = countBuilt(t);
  for (const [what, facts] of rows) {
    // A different agent each time: one with repeatedly refused frames has to wait.
    const { id, wire } = await enterAsNew();
    const batch = encodeFacts(1, facts);
    const before = { ...built };
    wire.send({ batch });
    t.equal((await wire.nextOf('farewell')).code, 'FRAME_REFUSED', `${what}: ${batch.facts?.length} bytes`);
    t.equal(built.decoded - before.decoded, what === BOMB ? 1 : 0, `${what}: decoded`);
    // Of the batch itself; nothing of the texts in it.
    const unpacked = built.unpackedBytes - before.unpackedBytes;
    t.ok(unpacked <= MAX_FACTS_BYTES, `${what}: ${unpacked} bytes are unpacked`);
    t.ok(await isInAuditLog(id, 'FRAME_REFUSED'), `${what}: in the audit log`);
    await wire.closed;
  }
});

t.test('an agent whose frames are refused is let in later each time', async (t) => {
  const { id, key: hostile, wire: joined } = await enterAsNew();
  joined.ws.terminate();
  const spoil = async (wire: AgentWire) => {
    wire.ws.send(Buffer.alloc(0));
    t.equal((await wire.nextOf('farewell')).code, 'FRAME_REFUSED');
    await wire.closed;
  };
  for (let n = 0; n < 4; n++) await spoil((await enter(hostile)).wire);
  t.ok(await isInAuditLog(id, 'FRAME_REFUSED'), 'its organization is told why');
  await refused(t, 'the fifth time', 'REFUSED_TOO_OFTEN', null, async () => {
    // On a stalled machine the wait may be over by then; the next one is twice as long.
    for (let longestMs = 1000; longestMs <= 60_000; longestMs *= 2) {
      const waiting = new AgentWire(url);
      const { challenge } = await waiting.next();
      waiting.send(hello(hostile, challenge?.nonce as Uint8Array));
      const { farewell } = await waiting.next();
      if (!farewell) {
        await spoil(waiting);
        continue;
      }
      const { code, retry, retryAfterMs } = farewell;
      t.match({ code, retry }, { code: 'REFUSED_TOO_OFTEN', retry: true });
      t.ok((retryAfterMs as number) > 0 && (retryAfterMs as number) <= longestMs, `in ${retryAfterMs} ms`);
      await waiting.closed;
      return;
    }
  });
  t.ok(await greetAs(keyPair(), 'no token'), 'others are served meanwhile');
});

t.test('texts of an agent are cut and made safe', async (t) => {
  const evil = 'a\n2026-01-01 ERROR root logged in\u001b[2J\u202e\u0000';
  const { wire } = await enter(spy, { agentVersion: evil, hostname: evil, platform: 'x'.repeat(50_000) });
  const row = await db.selectFrom('workers').where('id', '=', spyId).select('hello').executeTakeFirstOrThrow();
  const said = row.hello as unknown as Record<string, string>;
  t.equal(said['hostname'], 'a\uFFFD2026-01-01 ERROR root logged in\uFFFD[2J\uFFFD\uFFFD');
  t.equal(said['platform']?.length, 200);
  wire.ws.close();
});

t.test('a flood of strangers, one who dawdles', async (t) => {
  const entriesBefore = await db.selectFrom('audit_entries').select('id').execute();
  const links = await Promise.all(
    Array.from(
      { length: 260 },
      () =>
        new Promise<{ ws: WebSocket; status: number }>((resolve) => {
          const ws = new WebSocket(url, [PROTOCOL]);
          ws.on('error', () => undefined);
          ws.on('open', () => resolve({ ws, status: 101 }));
          ws.on('unexpected-response', (_, response) => resolve({ ws, status: response.statusCode ?? 0 }));
        }),
    ),
  );
  // One that has been silent for 2 s makes room for another.
  const away = () => links.filter((l) => l.status === 503 || l.ws.readyState === WebSocket.CLOSED).length;
  const counted = async () => (await counts()).get('TOO_MANY_STRANGERS');
  t.ok(await holds(async () => (await counted()) === away(), LOOKS), 'each is counted');
  t.ok(away() >= 60, `${away()} of 260 are turned away`);
  for (const { ws } of links) ws.terminate();
  const { headersTimeout } = app.server;
  t.equal(headersTimeout, 10_000);
  app.server.headersTimeout = 300;
  const slow = connect(port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    let text = '';
    slow.on('data', (data) => {
      text += data;
    });
    slow.on('error', () => undefined);
    slow.on('close', () => resolve(text));
  });
  slow.write('GET /agent/v1 HTTP/1.1\r\nUpgrade: websocket\r\n');
  t.match(await answer, /^HTTP\/1.1 4\d\d /, 'a client that sends half an upgrade is refused');
  app.server.headersTimeout = headersTimeout;
  t.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  t.same(await db.selectFrom('audit_entries').select('id').execute(), entriesBefore, 'the audit log is not flooded');
});

t.test('the audit log has one entry an hour for each worker and reason', async (t) => {
  for (let n = 0; n < 20; n++) await greetAs(keyPair(), TOKENS[0]);
  const isUsed = (list: string[]) => list.filter((reason) => reason === 'JOIN_TOKEN_USED').length;
  t.equal(isUsed(await reasonsOf(workerId)), 1);
  const row = await db
    .selectFrom('link_refusals')
    .where('worker_id', '=', workerId)
    .where('reason', '=', 'JOIN_TOKEN_USED')
    .selectAll()
    .executeTakeFirstOrThrow();
  t.ok(Number(row.attempts) >= 20, `${row.attempts} attempts are counted`);
  world.pass(3601);
  await greetAs(keyPair(), TOKENS[0]);
  t.equal(isUsed(await reasonsOf(workerId)), 2);
});

t.test('revoked: out at once, its share given up, its key nobody’s', async (t) => {
  const row = await db.selectFrom('sub_population_instances').where('worker_id', '=', workerId).selectAll().execute();
  t.ok(row.some((i) => i.status === 'ALLOCATED'));
  const { closed } = first.wire;
  await revokeWorker(owner, { workerId });
  await closed;
  t.ok((await world.work()).includes('instances.lost'));
  const after = await db.selectFrom('sub_population_instances').where('worker_id', '=', workerId).selectAll().execute();
  t.notOk(
    after.some((i) => i.status === 'ALLOCATED'),
    'without any grace',
  );
  await refused(t, 'it comes back', 'KEY_RETIRED', workerId, async () =>
    t.equal(await greetAs(honest), 'UNKNOWN_AGENT'),
  );
});

t.test('a page of another host, and a flood of silence from the address of an honest agent', async (t) => {
  await refused(t, 'a foreign page', 'FOREIGN_ORIGIN', null, async () => {
    const page = new WebSocket(url, [PROTOCOL], { origin: 'https://evil.example' });
    const status = await new Promise((resolve) => {
      page.on('unexpected-response', (_, response) => resolve(response.statusCode));
      page.on('error', () => undefined);
      page.on('open', () => resolve(101));
    });
    t.equal(status, 403);
  });
  const own = new WebSocket(url, [PROTOCOL], { origin: `http://127.0.0.1:${port}` });
  await new Promise<void>((resolve) => own.on('open', () => resolve()));
  own.terminate();

  const crowd = openStandIns(url, 200);
  t.teardown(() => crowd.close());
  // Each refused or closed connection is replaced by another: there is only the space that closing makes.
  t.ok(await holds(() => isWelcome(spy), LOOKS), 'the honest agent comes in all the same');
});

/** This many silent connections; each that ends is replaced by another. */
function openStandIns(to: string, count: number) {
  const present = new Set<WebSocket>();
  let isClosed = false;
  const open = () => {
    if (isClosed) return;
    const ws = new WebSocket(to, [PROTOCOL]);
    present.add(ws);
    ws.on('error', () => undefined);
    ws.on('close', () => {
      present.delete(ws);
      setTimeout(open, 100);
    });
  };
  for (let n = 0; n < count; n++) open();
  return {
    close() {
      isClosed = true;
      for (const ws of present) ws.terminate();
    },
  };
}

async function isWelcome(key: KeyObject): Promise<boolean> {
  const wire = new AgentWire(url);
  const nextFrame = () => Promise.race([wire.next(), wire.closed.then(() => null)]);
  const nonce = (await nextFrame())?.challenge?.nonce;
  if (!nonce) return false;
  wire.send(hello(key, nonce as Uint8Array));
  const frame = await nextFrame();
  wire.ws.terminate();
  return frame?.welcome !== undefined && frame.welcome !== null;
}
