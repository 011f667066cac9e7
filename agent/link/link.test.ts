/** The agent's side of the link, with a control plane that restarts, refuses and is silent. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeFacts, wire as wireWords } from '@carillon/proto';
import t from 'tap';
import { holds } from '../../scripts/peers/process.ts';
import { nowMs } from '../clock.ts';
import { readConfig } from '../config.ts';
import { reachPredicate } from '../policy/judge.ts';
import { readPolicy } from '../policy/policy.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { openIdentity } from './identity.ts';
import { Link } from './link.ts';
import type { LinkEvents } from './link-options.ts';
import { Outbox } from './outbox.ts';
import { Quarantine } from './quarantine.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-agent-'));

t.teardown(() => rm(dir, { recursive: true, force: true }));

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } as never;

const until = (condition: () => boolean): Promise<boolean> => holds(condition, { everyMs: 5 });

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
  t.equal(readConfig({}).url, '', 'the enrollment may tell');
  t.throws(
    () => readConfig({ CARILLON_URL: 'http://x', CARILLON_IO: 'fast', CARILLON_RTP_PORTS: '5-6' }),
    /CARILLON_URL[\s\S]*CARILLON_IO|CARILLON_IO[\s\S]*CARILLON_URL/,
  );
});

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
