/** Many agents: their database load while idle, and strangers at their address. */
import { connect } from 'node:net';
import { PROTOCOL } from '@carillon/proto';
import t from 'tap';
import { stringify } from 'uuid';
import { holds } from '../../scripts/peers/process.ts';
import { insertCommand } from '../store/agents/commands.ts';
import { AgentWire, hello, openDoor } from '../testing/agent-wire.ts';
import { acme, openWorld } from '../testing/world.ts';
import { AGENT_PATH } from './gateway.ts';

const AGENTS = 12;
const world = await openWorld(t);
await world.provision(acme());
let statements = 0;
let transactions = 0;
const { database } = world;
const counted = database.db.withPlugin({
  transformQuery: ({ node }) => {
    statements++;
    return node;
  },
  transformResult: async ({ result }) => result,
});
const { port, url, enterAsNew } = await openDoor(t, {
  ...world,
  ports: {
    ...world.ports,
    database: {
      ...database,
      db: counted,
      transaction: (work) => {
        transactions++;
        return database.transaction(work);
      },
    },
  },
});
const LOOKS = { everyMs: 20 };

const agents: Awaited<ReturnType<typeof enterAsNew>>[] = [];
for (let n = 0; n < AGENTS; n++) agents.push(await enterAsNew());

t.test('connections that have nothing to do are asked for together', async (t) => {
  // Work that a greeting started has ended by then.
  const began = transactions;
  await holds(() => transactions >= began + 2, LOOKS);
  const before = { statements, transactions };
  await holds(() => transactions >= before.transactions + 3, LOOKS);
  const looks = transactions - before.transactions;
  const asked = statements - before.statements;
  t.ok(asked <= looks + 1, `${asked} questions in ${looks} looks at ${AGENTS} agents`);
  const last = agents.at(-1)!;
  const workerId = stringify(last.welcome.workerId);
  const body = { kind: 'stop', runId: workerId, allocationIds: [], reason: 'unheard' } as const;
  await insertCommand(database.db, { workerId, runId: workerId, kind: 'stop', body });
  t.equal((await last.wire.nextOf('command')).stop?.reason, 'unheard', 'an order is told to the one that it is for');
});

/** Upgraded, has sent an invalid frame, and neither reads nor closes. */
const stayer = async (): Promise<() => void> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET ${AGENT_PATH} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${PROTOCOL}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  // An empty binary frame, masked (RFC 6455, 5.2).
  socket.write(Buffer.from([0x82, 0x80, 0, 0, 0, 0]));
  return () => socket.destroy();
};

t.test('those that were sent away and stay make room for an agent of their address', async (t) => {
  const ends = await Promise.all(Array.from({ length: 100 }, stayer));
  const { key } = agents[0]!;
  const comesIn = async (): Promise<boolean> => {
    const wire = new AgentWire(url);
    const opened = await Promise.race([wire.next().catch(() => null), wire.closed.then(() => null)]);
    if (!opened?.challenge) return false;
    wire.send(hello(key, opened.challenge.nonce as Uint8Array));
    return (await wire.next().catch(() => null))?.welcome != null;
  };
  t.ok(await holds(comesIn, LOOKS));
  for (const end of ends) end();
});
