/** TCP over loopback, by system calls and by the event loop: both must report the same. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import t from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import { nowMs } from '../../clock.ts';
import { hasDelivered } from '../../testing/kernel-queues.ts';
import { provenLibc } from '../datagrams/open-datagram-port.ts';
import { openStreamPort } from './stream-node.ts';
import type { Stream, StreamHandler, StreamPort } from './stream-port.ts';

const ADDRESS = '127.0.0.1';
const libc = provenLibc();

class Log implements StreamHandler {
  text = '';
  textAtMs = Number.NaN;
  opened = false;
  closed: string | null = null;
  onOpen(): void {
    this.opened = true;
  }
  onText(text: string, atMs: number): void {
    this.text += text;
    this.textAtMs = atMs;
  }
  onClosed(reason: string): void {
    this.closed = reason;
  }
}

/** With turns of the port, if there is one. */
const until = (condition: () => boolean, port?: StreamPort): Promise<boolean> => {
  const turn = (): void => {
    port?.poll();
    port?.flush();
  };
  return holds(condition, { everyMs: 1, turn });
};

async function peer(): Promise<{ server: Server; port: number; socket: () => Promise<Socket> }> {
  const server = createServer({ pauseOnConnect: true }).listen(0, ADDRESS);
  const arrived = once(server, 'connection');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, port, socket: async () => (await arrived)[0] as Socket };
}

for (const adapter of typeof libc === 'string' ? (['node'] as const) : (['ffi', 'node'] as const)) {
  const options = { address: ADDRESS, port: 0, maxIncoming: 8, onAccepted: () => null };
  const open = (changes = {}): Promise<StreamPort> =>
    openStreamPort({ ...options, ...(adapter === 'ffi' && typeof libc !== 'string' ? { libc } : {}), ...changes });

  t.test(`${adapter}: a peer that reads late gets every byte, in order`, async (t) => {
    const [port, far] = [await open(), await peer()];
    const log = new Log();
    const stream = port.connect({ transport: 'TCP', address: ADDRESS, port: far.port }, null, log);
    await until(() => log.opened, port);
    const socket = await far.socket();
    const pieces = Array.from({ length: 200 }, (_, i) => `${i} ${'\xe4x'.repeat(20_000)}\r\n`);
    for (const piece of pieces) {
      stream.write(piece);
      port.flush();
    }
    t.ok(stream.backlogBytes > 1 << 20, 'what the kernel does not take waits, and is told of');
    let heard = '';
    socket.setEncoding('latin1').on('data', (text) => {
      heard += text;
    });
    socket.resume();
    await until(() => heard.length === pieces.join('').length, port);
    t.ok(heard === pieces.join(''));
    t.equal(stream.backlogBytes, 0);
    stream.write('the last words');
    stream.end();
    await once(socket, 'end');
    t.ok(heard.endsWith('the last words'), 'what was written goes out before the end');
    await until(() => log.closed !== null, port);
    t.equal(log.closed, '');
    port.close();
    far.server.close();
  });

  t.test(`${adapter}: who connects to us, when it spoke, and how it ends`, async (t) => {
    const ends: [name: string, end: (socket: Socket) => unknown, reason: string][] = [
      ['in good order', (socket) => socket.end(), ''],
      ['by a reset', (socket) => socket.resetAndDestroy(), 'read ECONNRESET'],
    ];
    for (const [name, end, reason] of ends) {
      const log = new Log();
      let stream: Stream | null = null;
      const port = await open({
        onAccepted: (accepted: Stream) => {
          stream = accepted;
          return log;
        },
      });
      const client = connect(port.port, ADDRESS);
      await until(() => stream !== null, port);
      const beforeMs = nowMs();
      client.write('f\xfcr uns', 'latin1');
      const [ours, theirs] = [client.localPort ?? 0, port.port].map((port) => ({ address: ADDRESS, port }));
      await until(() => hasDelivered(ours!, theirs!));
      const arrivedAtMs = nowMs();
      // More than the kernel's clock and ours differ by. Then a whole turn of the event loop, which reads what has arrived.
      await until(() => nowMs() > arrivedAtMs + 1);
      for (let turn = 0; turn < 2; turn++) await immediate();
      const readAtMs = nowMs();
      await until(() => log.text !== '', port);
      t.equal(log.text, 'f\xfcr uns');
      t.ok(log.textAtMs >= beforeMs - 1 && log.textAtMs < readAtMs, `when it came, not when it was read: ${name}`);
      t.equal(port.needsLoop, adapter === 'node', 'system calls need no event loop');
      end(client);
      await until(() => log.closed !== null, port);
      t.equal(log.closed, reason, name);
      t.notOk(port.needsLoop);
      port.close();
    }
  });
}
