/** Refused clients without an identity, in the audit log of the only organization: the first ones individually, a flood as counts. */
import { connect } from 'node:net';
import { PROTOCOL } from '@carillon/proto';
import t from 'tap';
import { WebSocket } from 'ws';
import { holds } from '../../scripts/peers/process.ts';
import { SESSION_HEADER } from '../client.ts';
import { sumRefusals } from '../limits/refusals.ts';
import { AgentWire, hello, keyPair, openDoor } from '../testing/agent-wire.ts';
import { acme, openWorld } from '../testing/world.ts';

const world = await openWorld(t);
await world.provision(acme());
world.hold();
const { metrics, port, url } = await openDoor(t, world);
const { db } = world.database;
const FLOOD = 500;

async function entries(reason: string) {
  const rows = await db
    .selectFrom('audit_entries')
    .where('action', '=', 'strangerRefused')
    .select(['via', 'address', 'actor', 'target'])
    .orderBy('id')
    .execute();
  return rows
    .map((row) => ({ ...row, target: row.target as unknown as Record<string, string> }))
    .filter((row) => row.target['reason'] === reason);
}

const counted = async (reason: string): Promise<number> => {
  const sum = db.fn.sum<string>('refusals').as('n');
  const ofKind = db.selectFrom('refusals').where('action', '=', `strangerRefused ${reason}`).where('network', '=', '');
  return Number((await ofKind.select(sum).executeTakeFirstOrThrow()).n);
};

const upgrade = (origin: string): Promise<number> =>
  new Promise((resolve) => {
    const ws = new WebSocket(url, [PROTOCOL], { origin });
    ws.on('error', () => undefined);
    ws.on('open', () => resolve(101));
    ws.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
  });

const send = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer.slice(9, 12)));
    socket.write(text);
  });

const logIn = async (headers: Record<string, string>): Promise<number> => {
  const body = JSON.stringify({ email: 'ada@acme.example', password: 'a guess' });
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
  return (await fetch(`http://127.0.0.1:${port}/api/v1/entrance/log-in`, init)).status;
};

async function greetWithToken(): Promise<string | undefined> {
  const wire = new AgentWire(url);
  const { challenge } = await wire.next();
  wire.send(hello(keyPair(), challenge?.nonce as Uint8Array, { joinToken: 'a token of nobody' }));
  return (await wire.nextOf('farewell')).code ?? undefined;
}

t.jobs = 1;
const EVIL = 'https://evil.example';

for (const [reason, via, refused, act] of [
  ['FOREIGN_ORIGIN', 'AGENT', 403, () => upgrade(EVIL)],
  ['FOREIGN_PAGE', 'LOGIN', 403, () => logIn({ origin: EVIL, [SESSION_HEADER]: '1' })],
  ['UNREADABLE_REQUEST', 'LOGIN', '400', () => send('no request\r\n\r\n')],
  ['JOIN_TOKEN_UNKNOWN', 'AGENT', 'JOIN_TOKEN_REFUSED', greetWithToken],
] as const)
  t.test(reason, async (t) => {
    t.equal(await act(), refused);
    await holds(async () => (await entries(reason)).length > 0);
    t.match(await entries(reason), [{ via, address: '127.0.0.1', actor: '', target: { reason } }]);
  });

t.test('a connection that the client closes itself is not refused', async (t) => {
  const before = await counted('UNREADABLE_REQUEST');
  for (let n = 0; n < 5; n++) {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('GET / HTTP/1.1\r\n');
    socket.resetAndDestroy();
  }
  t.equal(await send('no request\r\n\r\n'), '400');
  await holds(async () => (await counted('UNREADABLE_REQUEST')) > before);
  t.equal(await counted('UNREADABLE_REQUEST'), before + 1);
});

t.test('a flood is counted exactly, in few entries', async (t) => {
  const before = (await entries('FOREIGN_ORIGIN')).length;
  for (let n = 0; n < FLOOD / 10; n++)
    t.same([...new Set(await Promise.all(Array.from({ length: 10 }, () => upgrade(EVIL))))], [403]);
  await holds(async () => (await counted('FOREIGN_ORIGIN')) === FLOOD + 1);
  const told = (await entries('FOREIGN_ORIGIN')).length - before;
  t.ok(told >= 1 && told <= 12, `${told} entries`);
  t.match(await metrics.text('NONE'), `reason="FOREIGN_ORIGIN"} ${FLOOD + 1}`);
  world.pass(7200);
  await sumRefusals(world.ports);
  const [last] = (await entries('FOREIGN_ORIGIN')).filter((e) => e.target['from'] !== undefined);
  t.match(last, { target: { reason: 'FOREIGN_ORIGIN', count: String(FLOOD + 1) }, address: '' });
});
