import { execFile } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import { KernelClock } from '../kernel-clock.ts';
import { C, loadLibc } from '../libc.ts';
import type { StreamSockets } from './stream-sockets.ts';
import { openStreamSockets } from './stream-sockets-open.ts';

const libc = loadLibc();
const ffi = !(libc instanceof Error);
const adapters = ffi ? (['ffi', 'dgram'] as const) : (['dgram'] as const);

/** Of kernel stamps on this host: two clocks that are compared may differ by twice the error of one. */
const stampErrorMs = ffi ? 2 * new KernelClock(libc).errorMs : 0;

type Seen = { socket: number; text: string; atMs: number; fromPeer: boolean };

function create(adapter: 'ffi' | 'dgram') {
  const seen: Seen[] = [];
  const unreachable: number[] = [];
  const dropped: number[] = [];
  const again: boolean[] = [];
  const { sockets, fallbackReason } = openStreamSockets(adapter, {
    capacity: 8,
    outgoingBytes: 4096,
    events: {
      onDatagram: (socket, length, atMs, fromPeer) => {
        again.push(sockets.isSourceAgain(socket));
        seen.push({
          socket,
          text: Buffer.from(sockets.incoming.subarray(0, length)).toString('latin1'),
          atMs,
          fromPeer,
        });
      },
      onUnreachable: (socket) => unreachable.push(socket),
      onDropped: (_, count) => dropped.push(count),
    },
  });
  return { sockets: sockets as StreamSockets, seen, again, unreachable, dropped, fallbackReason };
}

const open = (sockets: StreamSockets, socket: number, address: string, port: number): Promise<string | null> =>
  new Promise((resolve) => sockets.open(socket, address, port, resolve));

const until = (sockets: StreamSockets, condition: () => boolean): Promise<boolean> =>
  holds(condition, { everyMs: 5, turn: () => sockets.receive(sockets.nowMs() + 1) });

function sendOn(sockets: StreamSockets, socket: number, text: string): boolean {
  sockets.outgoing.set(Buffer.from(text, 'latin1'));
  return sockets.send(socket, 0, text.length);
}

async function stranger(address = '127.0.0.1', at = 0): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.bind(at, address);
  await once(socket, 'listening');
  return { socket, port: (socket.address() as AddressInfo).port };
}

/** Below the range from which the system assigns ports. */
let nextPort = 14_400;

/** A port that no process uses. */
async function freePort(address = '127.0.0.1'): Promise<number> {
  for (;;) {
    nextPort += 1;
    const bound = await stranger(address, nextPort).catch(() => null);
    if (!bound) continue;
    bound.socket.close();
    await once(bound.socket, 'close');
    return bound.port;
  }
}

for (const adapter of adapters) {
  t.test(adapter, async (t) => {
    t.test('the adapter and its source of time are named', async (t) => {
      const { sockets, fallbackReason } = create(adapter);
      t.equal(sockets.adapter, adapter);
      t.equal(sockets.stamps, adapter === 'ffi' ? 'kernel' : 'user');
      t.equal(fallbackReason, null);
      sockets.closeAll();
    });

    for (const address of ['127.0.0.1', '::1']) {
      t.test(`both ways over ${address}, peers told from strangers`, async (t) => {
        const { sockets, seen } = create(adapter);
        const [a, b] = [await freePort(address), await freePort(address)];
        t.equal(await open(sockets, 0, address, a), null);
        t.equal(await open(sockets, 1, address, b), null);
        sockets.aim(0, address, b);
        sockets.aim(1, address, a);
        sockets.listen(0);
        sockets.listen(1);
        const beforeMs = sockets.nowMs();
        t.ok(sendOn(sockets, 0, 'to one'));
        t.ok(await until(sockets, () => seen.length === 1));
        t.match(seen[0], { socket: 1, text: 'to one', fromPeer: true });
        t.ok(seen[0]!.atMs >= beforeMs - stampErrorMs && seen[0]!.atMs <= sockets.nowMs() + stampErrorMs);
        sockets.confirm(0);
        t.ok(sendOn(sockets, 0, 'connected'));
        t.ok(await until(sockets, () => seen.length === 2));
        const other = await stranger(address);
        other.socket.send('hello', b, address);
        t.ok(await until(sockets, () => seen.length === 3));
        t.match(seen[2], { socket: 1, text: 'hello', fromPeer: false });
        other.socket.close();
        sockets.closeAll();
      });
    }

    for (const address of ['127.0.0.1', '::1']) {
      t.test(`aimed again over ${address}, at a source that was heard`, async (t) => {
        const { sockets, seen, again } = create(adapter);
        const port = await freePort(address);
        await open(sockets, 0, address, port);
        const [first, second] = [await stranger(address), await stranger(address)];
        sockets.aim(0, address, first.port);
        sockets.listen(0);
        sockets.confirm(0);
        sockets.aim(0, address, second.port);
        for (const [i, { socket }] of [first, second, second].entries()) {
          socket.send(`${i}`, port, address);
          t.ok(await until(sockets, () => seen.length === i + 1), 'no longer connected to the first');
        }
        t.same(
          seen.map(({ fromPeer }) => fromPeer),
          [false, true, true],
        );
        t.same(again, [false, false, true]);
        t.same(sockets.sourceOf(0), { address, port: second.port });
        const heard = once(second.socket, 'message');
        t.ok(sendOn(sockets, 0, 'hello'));
        t.equal(String((await heard)[0]), 'hello');
        first.socket.close();
        second.socket.close();
        sockets.closeAll();
      });
    }

    t.test('a port that nobody can be sent to', async (t) => {
      const { sockets, seen } = create(adapter);
      const port = await freePort();
      await open(sockets, 0, '127.0.0.1', port);
      sockets.aim(0, '127.0.0.1', 0);
      t.notOk(sendOn(sockets, 0, 'nobody'), 'false, and no exception');
      sockets.aim(0, '127.0.0.1', port);
      sockets.listen(0);
      t.ok(sendOn(sockets, 0, 'myself'));
      t.ok(await until(sockets, () => seen.length === 1));
      sockets.closeAll();
    });

    t.test('a port in use, and an address that is not ours', async (t) => {
      const { sockets } = create(adapter);
      const other = await stranger();
      t.equal(await open(sockets, 0, '127.0.0.1', other.port), 'EADDRINUSE');
      t.equal(await open(sockets, 0, '192.0.2.1', 20_000), 'EADDRNOTAVAIL');
      const port = await freePort();
      t.equal(await open(sockets, 0, '127.0.0.1', port), null, 'the number is free again');
      sockets.close(0);
      t.equal(await open(sockets, 0, '127.0.0.1', port), null, 'and so is the port after closing');
      other.socket.close();
      sockets.closeAll();
    });

    t.test('what comes before listen is kept, what comes after close is not told', async (t) => {
      const { sockets, seen } = create(adapter);
      const port = await freePort();
      await open(sockets, 0, '127.0.0.1', port);
      const marks = await freePort();
      await open(sockets, 1, '127.0.0.1', marks);
      sockets.listen(1);
      const peer = await stranger();
      // A mark that arrives later is told later: by then everything before it would be.
      const mark = async (text: string): Promise<void> => {
        peer.socket.send(text, marks, '127.0.0.1');
        t.ok(await until(sockets, () => seen.at(-1)?.text === text));
      };
      for (let i = 0; i < 5; i++) peer.socket.send(`${i}`, port, '127.0.0.1');
      await mark('after five');
      t.same(
        seen.splice(0).map(({ text }) => text),
        ['after five'],
      );
      sockets.aim(0, '127.0.0.1', peer.port);
      const listenedMs = sockets.nowMs();
      sockets.listen(0);
      t.ok(await until(sockets, () => seen.length === 5));
      t.same(
        seen.map(({ text }) => text),
        ['0', '1', '2', '3', '4'],
      );
      // node:dgram takes the time when it reads; a busy event loop reads late.
      const latestMs = adapter === 'ffi' ? listenedMs : sockets.nowMs();
      t.ok(
        seen.every(({ atMs }) => atMs < latestMs),
        'with the times of their arrival',
      );
      sockets.close(0);
      peer.socket.send('late', port, '127.0.0.1');
      await mark('after the end');
      t.same(
        seen.slice(5).map(({ text }) => text),
        ['after the end'],
      );
      peer.socket.close();
      sockets.closeAll();
    });

    t.test('a datagram longer than the buffer arrives cut, an empty one empty', async (t) => {
      const { sockets, seen } = create(adapter);
      const port = await freePort();
      await open(sockets, 0, '127.0.0.1', port);
      sockets.listen(0);
      const peer = await stranger();
      peer.socket.send(new Uint8Array(9000).fill(65), port, '127.0.0.1');
      peer.socket.send('', port, '127.0.0.1');
      t.ok(await until(sockets, () => seen.length === 2));
      t.same(seen.map(({ text }) => text.length).sort(), [0, 2048]);
      peer.socket.close();
      sockets.closeAll();
    });
  });
}

t.test('FFI only', { skip: ffi ? false : 'no libc' }, async (t) => {
  t.test('the kernel takes the time of arrival, however late it is read', async (t) => {
    const { sockets, seen } = create('ffi');
    const [a, b] = [await freePort(), await freePort()];
    await open(sockets, 0, '127.0.0.1', a);
    await open(sockets, 1, '127.0.0.1', b);
    sockets.aim(0, '127.0.0.1', b);
    sockets.listen(1);
    const errors: number[] = [];
    for (let i = 0; i < 20; i++) {
      const beforeMs = sockets.nowMs();
      sendOn(sockets, 0, `${i}`);
      const afterMs = sockets.nowMs();
      // Read so late that the time of reading would be wrong by more than the clocks are.
      while (sockets.nowMs() <= afterMs + 2 * stampErrorMs) await sleep(1);
      t.ok(await until(sockets, () => seen.length === i + 1));
      const { atMs } = seen.at(-1)!;
      errors.push(Math.max(beforeMs - atMs, atMs - afterMs, 0));
    }
    errors.sort((x, y) => x - y);
    t.ok(errors[10]! <= stampErrorMs, `median outside of the send: ${errors[10]} ms`);
    sockets.closeAll();
  });

  for (const isProved of [true, false])
    t.test(
      `ICMP errors are told, and the next packet goes out; the peer was ${isProved ? '' : 'not '}heard`,
      async (t) => {
        const { sockets, unreachable } = create('ffi');
        const [a, b] = [await freePort(), await freePort()];
        await open(sockets, 0, '127.0.0.1', a);
        sockets.aim(0, '127.0.0.1', b);
        sockets.listen(0);
        if (isProved) sockets.confirm(0);
        t.ok(sendOn(sockets, 0, 'nobody hears'));
        t.ok(await until(sockets, () => unreachable.length === 1));
        t.ok(sendOn(sockets, 0, 'nobody hears either'));
        t.ok(sendOn(sockets, 0, 'told by the sending'));
        t.ok(await until(sockets, () => unreachable.length === 3));
        const { seen, sockets: there } = create('ffi');
        await open(there, 0, '127.0.0.1', b);
        there.aim(0, '127.0.0.1', a);
        there.listen(0);
        t.ok(sendOn(sockets, 0, 'somebody hears'));
        t.ok(await until(there, () => seen.length === 1));
        sockets.closeAll();
        there.closeAll();
      },
    );

  t.test('what the kernel drops is counted', async (t) => {
    const { sockets, seen, dropped } = create('ffi');
    const [a, b] = [await freePort(), await freePort()];
    await open(sockets, 0, '127.0.0.1', a);
    await open(sockets, 1, '127.0.0.1', b);
    sockets.aim(0, '127.0.0.1', b);
    sockets.listen(1);
    const sent = 2000;
    for (let i = 0; i < sent; i++) sendOn(sockets, 0, 'x'.repeat(172));
    const emptied = (): boolean => {
      const before = seen.length;
      sockets.receive(sockets.nowMs() + 5);
      return before > 0 && seen.length === before;
    };
    t.ok(await until(sockets, emptied));
    sendOn(sockets, 0, 'the last one brings the count');
    t.ok(await until(sockets, () => seen.at(-1)?.text === 'the last one brings the count'));
    t.equal(seen.length + dropped.reduce((sum, n) => sum + n, 0), sent + 1);
    t.ok(dropped.length > 0);
    sockets.closeAll();
  });

  for (const address of ['127.0.0.1', '::1'])
    t.test(`what the kernel drops of node:dgram's is looked up (${address})`, async (t) => {
      const [fast, slow] = [create('ffi'), create('dgram')];
      const [a, b] = [await freePort(address), await freePort(address)];
      await open(fast.sockets, 0, address, a);
      await open(slow.sockets, 1, address, b);
      fast.sockets.aim(0, address, b);
      slow.sockets.listen(1);
      const sent = 2000;
      for (let i = 0; i < sent; i++) sendOn(fast.sockets, 0, 'x'.repeat(172));
      const told = (): number => slow.dropped.reduce((sum, n) => sum + n, 0);
      t.ok(await until(slow.sockets, () => told() > 0 && slow.seen.length + told() >= sent));
      t.equal(slow.seen.length + told(), sent);
      fast.sockets.closeAll();
      slow.sockets.closeAll();
    });

  t.test('a step of the wall clock is counted and followed', async (t) => {
    if (libc instanceof Error) return;
    let stepped = false;
    // With a stepped clock, the wall clock shows the time since the start of the host: decades in the past.
    const clockGettime = (clock: number, at: number): number =>
      libc.clockGettime(stepped && clock === C.CLOCK_REALTIME ? C.CLOCK_MONOTONIC : clock, at);
    const clock = new KernelClock({ ...libc, clockGettime });
    for (let i = 0; i < 100; i++) clock.sample();
    t.equal(clock.steps, 0);
    stepped = true;
    for (let i = 0; i < 100; i++) clock.sample();
    t.equal(clock.steps, 1);
    const nowMs = clock.nowMs();
    const stampMs = clock.toMonotonicMs(Math.floor(nowMs / 1000), (nowMs % 1000) * 1e6);
    t.ok(Math.abs(stampMs - nowMs) <= clock.errorMs, `${stampMs - nowMs} ms`);
  });

  t.test('clocks that are slow to read are compared as well as they can be', async (t) => {
    if (libc instanceof Error) return;
    const clockGettime = (clock: number, at: number): number => {
      for (const from = performance.now(); performance.now() - from < 0.05; );
      return libc.clockGettime(clock, at);
    };
    const clock = new KernelClock({ ...libc, clockGettime });
    for (let i = 0; i < 100; i++) clock.sample();
    t.equal(clock.steps, 0);
    const wallMs = Date.now();
    const offMs = clock.toMonotonicMs(Math.floor(wallMs / 1000), (wallMs % 1000) * 1e6) - clock.nowMs();
    t.ok(Math.abs(offMs) < 5000, `${offMs} ms`);
  });

  t.test('no descriptor is left behind', async (t) => {
    const count = (): number => readdirSync('/proc/self/fd').length;
    create('ffi').sockets.closeAll();
    const before = count();
    for (let i = 0; i < 20; i++) {
      const { sockets } = create('ffi');
      await open(sockets, 0, '127.0.0.1', await freePort());
      await open(sockets, 1, '192.0.2.1', 20_000);
      sockets.closeAll();
    }
    t.ok(await holds(() => count() <= before), `${before} were open before`);
  });
});

t.test('what waits for room in a socket leaves as it was when it was sent', async (t) => {
  const program = `
    import { createSocket } from 'node:dgram';
    import { NodeStreamSockets } from '${new URL('./stream-sockets-node.ts', import.meta.url)}';
    const peer = createSocket('udp4');
    await new Promise((done) => peer.bind(0, '127.0.0.1', done));
    const events = { onDatagram() {}, onUnreachable() {}, onDropped() {} };
    const sockets = new NodeStreamSockets({ capacity: 2, outgoingBytes: 64, events });
    await new Promise((done) => sockets.open(0, '127.0.0.1', 0, done));
    sockets.aim(0, '127.0.0.1', peer.address().port);
    let heard = '';
    peer.on('message', (message) => {
      heard += message;
      if (heard.length < 8) return;
      process.stdout.write(heard);
      sockets.closeAll();
      peer.close();
    });
    for (const text of ['ours', 'mine']) {
      sockets.outgoing.set(Buffer.from(text));
      sockets.send(0, 0, 4);
    }
    sockets.outgoing.set(Buffer.from('your'));`;
  // As with a full socket: following messages wait for the first one.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--test-udp-no-try-send',
    '--input-type=module',
    '-e',
    program,
  ]);
  t.equal(stdout, 'oursmine');
});
