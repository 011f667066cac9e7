import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { patchRtpHeader, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import t from 'tap';
import { ownLoopback } from '../../../scripts/peers/network/loopback.ts';
import { IdlePatience } from '../../../scripts/peers/patience.ts';
import { holds, until } from '../../../scripts/peers/process.ts';
import { nowMs } from '../../clock.ts';
import {
  adapters,
  ffi,
  HOST,
  type MediaSide,
  noFfi,
  numbers,
  PCMU,
  remoteOf,
  side,
  socketOn,
  total,
} from '../../testing/rtp/side.ts';
import { seeded } from '../../testing/rtp/simulation.ts';
import { ACTIVE, CLOSED, DOORBELL } from '../figures/stream-memory.ts';
import {
  type AudioFormat,
  MediaBindFailed,
  MediaEngineClosed,
  MediaPortsExhausted,
  type MediaStream,
  type StreamDirection,
} from '../media-engine.ts';
import { createMediaEngine } from './media-client.ts';
import { startMediaThread } from './media-thread-host.ts';

for (const adapter of adapters) {
  const streams = adapter === 'ffi' ? 200 : 20;
  t.test(`${streams} calls between two engines over ${adapter}`, async (t) => {
    const here = await side({ adapter });
    const there = await side({ adapter });
    t.match(here.thread, {
      adapter,
      stamps: adapter === 'ffi' ? 'kernel' : 'user',
      fallbackReason: null,
      realtime: false,
    });
    const ours = await here.engine.open(HOST, 1, numbers(streams));
    const theirs = await there.engine.open(HOST, 2, numbers(streams));
    for (const i of numbers(streams))
      theirs[i]!.start({ remote: remoteOf(ours[i]!), format: PCMU, source: 'SPEECH', direction: 'BOTH' });
    t.ok(await there.listens(theirs));
    for (const i of numbers(streams))
      ours[i]!.start({ remote: remoteOf(theirs[i]!), format: PCMU, source: 'TONE', direction: 'BOTH' });
    const flows = ({ thread, packetsOf }: MediaSide, opened: readonly MediaStream[]): boolean =>
      opened.every((stream) => packetsOf(stream) > 60 && thread.memory.streams.rttCount[stream.index]! > 0);
    t.ok(await holds(() => flows(here, ours) && flows(there, theirs)), 'media and reports flow');
    t.ok(ours.every((stream) => Math.abs(stream.firstPacketAtMs()! - nowMs()) < 100_000));

    await here.engine.close();
    t.ok(await holds(() => here.collect() === streams));
    // Its columns are read one after the other: nothing changes any more.
    const noise = here.noise.read();
    t.equal(noise.slotsPlanned, noise.slotsSent + noise.slotsSkipped + noise.sendErrors);
    t.ok(noise.received > streams * 60);
    t.equal(noise.receiveDrops, 0);
    const sent = total(here.records.map((record) => record.packetsSent));
    const arrived = (): number => total(theirs.map((stream) => there.packetsOf(stream)));
    const hasArrived = await holds(() => arrived() === sent);
    t.ok(
      hasArrived,
      `of ${sent} packets sent ${arrived()} have arrived, the kernel dropped ${there.noise.read().receiveDrops}`,
    );
    await there.engine.close();
    t.ok(await holds(() => there.collect() === streams));

    t.equal(total(there.records.map((record) => record.packetsReceived)), sent, 'packets sent = packets received');
    for (const records of [here.records, there.records]) {
      t.equal(total(records.map((record) => record.lost)), 0, 'nothing lost');
      t.equal(total(records.map((record) => record.duplicates + record.malformed + record.strays)), 0);
      t.ok(records.every((record) => record.rttCount > 0 && record.rttMeanMs >= 0 && record.hasFeedback));
      // How large they are depends on the host; loop.test.ts proves the figures, without one.
      t.ok(records.every(({ jitterMeanMs, mos }) => Number.isFinite(jitterMeanMs) && mos > 1 && mos < 4.5));
      t.ok(
        records.every((record) => record.remoteLost === 0),
        'and the far end says the same',
      );
    }
    t.same(
      here.records.map((record) => record.endpointNumber).sort((a, b) => a - b),
      numbers(streams),
    );
    await here.thread.close();
    await there.thread.close();
  });
}

t.test('garbage from the peer’s own address', async (t) => {
  for (const adapter of adapters) {
    const here = await side({ adapter });
    const [stream] = await here.engine.open(HOST, 1, [1]);
    const rtp = await socketOn();
    const rtcp = await socketOn();
    stream!.start({
      remote: { address: HOST, rtpPort: rtp.port, rtcpPort: rtcp.port },
      format: PCMU,
      source: 'TONE',
      direction: 'BOTH',
    });
    const [packet] = (await once(rtp.socket, 'message')) as [Buffer];
    const [report] = (await once(rtcp.socket, 'message')) as [Buffer];
    const random = seeded(4);
    const mutated = (bytes: Buffer): Buffer => {
      const copy = Buffer.from(bytes.subarray(0, 1 + Math.floor(random() * bytes.length)));
      for (let i = 0; i < 3; i++) copy[Math.floor(random() * Math.min(copy.length, 20))] = random() * 256;
      return copy;
    };
    const { noise } = here.thread.memory;
    const seen = (): number => noise.received[0]! + noise.receiveDrops[0]!;
    const before = seen();
    const datagrams = adapter === 'ffi' ? 100_000 : 10_000;
    for (let i = 0; i < datagrams; i++) {
      const bytes =
        i % 2 === 0
          ? Buffer.from({ length: Math.floor(random() * 300) } as never, 0).map(() => random() * 256)
          : mutated(i % 4 === 1 ? packet : report);
      const { socket } = i % 4 < 2 ? rtp : rtcp;
      socket.send(bytes, i % 4 < 2 ? stream!.rtpPort : stream!.rtcpPort, HOST);
      if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    }
    const good = Buffer.alloc(172);
    let sequence = 0;
    const counted = here.packetsOf(stream!);
    let sent = datagrams;
    const sendGood = () => {
      writeRtpHeader(good, 0, 0, 42);
      patchRtpHeader(good, 0, sequence++, sequence * 160);
      rtp.socket.send(good, stream!.rtpPort, HOST);
      rtcp.socket.send(report, stream!.rtcpPort, HOST);
      sent += 2;
    };
    const timer = setInterval(sendGood, 5);
    t.ok(await holds(() => here.packetsOf(stream!) > counted + 20), 'good packets are counted as before');
    clearInterval(timer);
    // node:dgram does not report kernel drops. The kernel reports drops with the next packet that is read: one has to follow.
    const allCounted = (): boolean => {
      if (seen() - before === sent) return true;
      sendGood();
      return false;
    };
    if (adapter === 'ffi') t.ok(await holds(allCounted), 'and all were read, or dropped and counted');
    await here.engine.close();
    t.ok(await holds(() => here.collect() === 1));
    const [record] = here.records;
    t.ok(record!.malformed > 1000, `${record!.malformed} malformed`);
    t.ok(record!.lost >= 0 && Number.isFinite(record!.mos));
    await here.thread.close();
    rtp.socket.close();
    rtcp.socket.close();
  }
});

t.test('ports and rows', async (t) => {
  // If no other process can have taken one of the few ports.
  const address = ownLoopback().address(1);
  for (const adapter of adapters) {
    t.test(adapter, async (t) => {
      const here = await side({ adapter, firstPort: 14_000, lastPort: 14_015, capacity: 12 });
      const descriptors = (): number => (ffi ? readdirSync('/proc/self/fd').length : 0);
      const before = descriptors();
      await t.rejects(here.engine.open(address, 1, numbers(9)), MediaPortsExhausted);
      t.ok(await holds(() => descriptors() <= before), 'no socket was left behind');
      await t.rejects(here.engine.open('192.0.2.1', 1, [1]), MediaBindFailed);
      t.same(await here.engine.open(address, 1, []), []);
      const streams = await here.engine.open(address, 1, numbers(8));
      t.equal(new Set(streams.map((stream) => stream.rtpPort)).size, 8);
      t.ok(streams.every(({ rtpPort, rtcpPort }) => rtpPort % 2 === 0 && rtcpPort === rtpPort + 1));
      await t.rejects(here.engine.open(address, 1, [1]), MediaPortsExhausted);
      for (const stream of streams) stream.close();
      t.ok(await holds(() => descriptors() <= before), 'closing gives the ports back');
      const again = await here.engine.open(address, 1, numbers(8));
      t.equal(again.length, 8);
      t.throws(
        () =>
          again[0]!.start({
            remote: remoteOf(again[1]!),
            format: { ...PCMU, packetMs: 7.5 },
            source: 'TONE',
            direction: 'BOTH',
          }),
        RangeError,
      );
      await here.thread.close();
      t.equal(await here.thread.ended, null);
    });
  }

  t.test('a row is another’s only when the sampler has taken the last figures', async (t) => {
    const here = await side({ capacity: 2 });
    const [a, b] = await here.engine.open(HOST, 1, [1, 2]);
    a!.start({ remote: remoteOf(b!), format: PCMU, source: 'TONE', direction: 'BOTH' });
    b!.start({ remote: remoteOf(a!), format: PCMU, source: 'TONE', direction: 'BOTH' });
    t.ok(await holds(() => a!.firstPacketAtMs() !== null));
    const firstPacketAtMs = a!.firstPacketAtMs();
    a!.close();
    b!.close();
    await t.rejects(here.engine.open(HOST, 1, [3]), MediaPortsExhausted);
    t.ok(await holds(() => here.collect() === 2));
    const [c] = await here.engine.open(HOST, 1, [3]);
    t.equal(c!.firstPacketAtMs(), null, 'nothing of the stream before is left');
    t.equal(a!.firstPacketAtMs(), firstPacketAtMs, 'a late request gets the earlier result');
    await here.thread.close();
  });
});

t.test('several client threads share a media thread', async (t) => {
  const here = await side({});
  const other = createMediaEngine(here.thread.connect());
  const [stream] = await other.open(HOST, 5, [77]);
  const connection = here.thread.connect();
  const worker = new Worker(new URL('../../testing/rtp/client-thread.ts', import.meta.url), {
    workerData: connection,
    transferList: [connection.port],
  });
  const exit = once(worker, 'exit');
  const [{ rtpPort }] = (await once(worker, 'message')) as [{ rtpPort: number }];
  const format: AudioFormat = { kind: 'AUDIO', codec: 'PCMA', sendPayloadType: 8, receivePayloadType: 8, packetMs: 20 };
  stream!.start({
    remote: { address: HOST, rtpPort, rtcpPort: rtpPort + 1 },
    format,
    source: 'SPEECH',
    direction: 'BOTH',
  });
  worker.postMessage({ rtpPort: stream!.rtpPort });
  const [{ firstPacketAtMs }] = (await once(worker, 'message')) as [{ firstPacketAtMs: number }];
  t.ok(Math.abs(firstPacketAtMs - nowMs()) < 100_000);
  await exit;
  t.ok(await holds(() => here.collect() === 1), 'closing the other thread’s engine ended only its own stream');
  t.match(here.records[0], { owner: 9, endpointNumber: 1, codec: 'PCMA' });
  await other.close();
  t.ok(await holds(() => here.collect() === 2));
  await here.thread.close();
});

t.test('where a stream has turned to is known until its session aims it elsewhere', async (t) => {
  const here = await side({});
  const asked: string[] = [];
  const client = createMediaEngine(here.thread.connect(), (address) => asked.push(address) > 0);
  const [ours] = await client.open(HOST, 1, [1]);
  const [theirs] = await here.engine.open(HOST, 2, [2]);
  const session = { format: PCMU, source: 'TONE', direction: 'BOTH' } as const;
  const nobody = { address: '127.0.0.9', rtpPort: 4000, rtcpPort: 4001 };
  ours!.start({ ...session, remote: nobody });
  t.equal(ours!.followedAddress!(), null);
  theirs!.start({ ...session, remote: remoteOf(ours!) });
  t.ok(await holds(() => here.packetsOf(theirs!) > 0), 'its media goes to whom it heard');
  t.same([asked, ours!.followedAddress!()], [[HOST], HOST]);
  ours!.change({ ...session, remote: { ...nobody } });
  t.equal(ours!.followedAddress!(), HOST, 'a session that is refreshed leaves it there');
  ours!.change({ ...session, remote: remoteOf(theirs!) });
  t.equal(ours!.followedAddress!(), null);
  await here.thread.close();
});

t.test('closing', async (t) => {
  t.test('open rejects once the engine or the thread is closed', async (t) => {
    const here = await side({});
    const other = createMediaEngine(here.thread.connect());
    await here.engine.close();
    await here.engine.close();
    await t.rejects(here.engine.open(HOST, 1, [1]), MediaEngineClosed);
    await here.thread.close();
    await t.rejects(other.open(HOST, 1, [1]), MediaEngineClosed);
  });

  t.test('an open that is under way is not left hanging', async (t) => {
    const here = await side({});
    const opening = here.engine.open(HOST, 1, numbers(500)).catch((error) => error);
    await here.thread.close();
    const result = await opening;
    t.ok(Array.isArray(result) || result instanceof MediaEngineClosed);
  });

  for (const adapter of adapters) {
    t.test(`an endpoint that leaves while its ports are bound keeps none, over ${adapter}`, async (t) => {
      const address = ownLoopback().address(1);
      const here = await side({ adapter, firstPort: 15_000, lastPort: 15_799, capacity: 400 });
      const other = createMediaEngine(here.thread.connect());
      const opening = t.rejects(here.engine.open(address, 1, numbers(300)), MediaEngineClosed);
      await here.engine.close();
      await opening;
      // Commands of two clients have no order: the other one's may come first.
      const opened = await until('its ports are free', () => {
        return other.open(address, 1, numbers(300)).catch((error) => {
          if (!(error instanceof MediaPortsExhausted)) throw error;
          return null;
        });
      });
      t.equal(opened.length, 300);
      await here.thread.close();
    });
  }

  t.test('an endpoint that disappears holds no ports', async (t) => {
    const here = await side({ adapter: 'dgram' });
    const connection = here.thread.connect();
    const [stream] = await createMediaEngine(connection).open(HOST, 1, [1]);
    const { state } = here.thread.memory.streams;
    stream!.start({ remote: remoteOf(stream!), format: PCMU, source: 'TONE', direction: 'BOTH' });
    t.ok(await holds(() => state[stream!.index] === ACTIVE));
    connection.port.close();
    t.ok(await holds(() => state[stream!.index] === CLOSED));
    await here.thread.close();
  });

  t.test('closed streams send BYE', async (t) => {
    const here = await side({});
    const there = await side({});
    const [a] = await here.engine.open(HOST, 1, [1]);
    const [b] = await there.engine.open(HOST, 1, [1]);
    a!.start({ remote: remoteOf(b!), format: PCMU, source: 'TONE', direction: 'BOTH' });
    b!.start({ remote: remoteOf(a!), format: PCMU, source: 'TONE', direction: 'BOTH' });
    t.ok(await holds(() => b!.firstPacketAtMs() !== null));
    await here.thread.close();
    t.ok(await holds(() => there.thread.memory.streams.byes[b!.index] === 1));
    await there.thread.close();
  });
});

t.test('a peer that has gone', { skip: noFfi }, async (t) => {
  const here = await side({ adapter: 'ffi' });
  const [stream] = await here.engine.open(HOST, 1, [1]);
  const peer = await socketOn();
  stream!.start({
    remote: { address: HOST, rtpPort: peer.port, rtcpPort: peer.port },
    format: PCMU,
    source: 'TONE',
    direction: 'BOTH',
  });
  const packet = Buffer.alloc(172);
  writeRtpHeader(packet, 0, 0, 42);
  patchRtpHeader(packet, 0, 1, 160);
  peer.socket.send(packet, stream!.rtpPort, HOST);
  t.ok(await holds(() => here.packetsOf(stream!) === 1), 'its address is confirmed');
  peer.socket.close();
  const { unreachable, packetsSent } = here.thread.memory.streams;
  t.ok(await holds(() => unreachable[stream!.index]! > 3), 'ICMP says that nobody is there');
  const sent = packetsSent[stream!.index]!;
  t.ok(await holds(() => packetsSent[stream!.index]! > sent + 10), 'sending goes on');
  await here.engine.close();
  t.ok(await holds(() => here.collect() === 1));
  t.equal(here.records[0]!.sendErrors, 0);
  await here.thread.close();
});

t.test('only the directions that were negotiated carry packets', async (t) => {
  const here = await side({});
  const there = await side({});
  const kinds: [StreamDirection, StreamDirection][] = [
    ['SEND', 'RECEIVE'],
    ['RECEIVE', 'SEND'],
    ['SEND', 'BOTH'],
  ];
  const ours = await here.engine.open(HOST, 1, numbers(kinds.length));
  const theirs = await there.engine.open(HOST, 2, numbers(kinds.length));
  for (const [i, [direction, opposite]] of kinds.entries()) {
    ours[i]!.start({ remote: remoteOf(theirs[i]!), format: PCMU, source: 'TONE', direction });
    theirs[i]!.start({ remote: remoteOf(ours[i]!), format: PCMU, source: 'TONE', direction: opposite });
  }
  t.ok(
    await holds(
      () => there.packetsOf(theirs[0]!) > 20 && here.packetsOf(ours[1]!) > 20 && there.packetsOf(theirs[2]!) > 20,
    ),
  );
  await here.engine.close();
  await there.engine.close();
  t.ok(await holds(() => here.collect() === 3 && there.collect() === 3));
  t.match(
    here.records.map((r) => [r.packetsSent > 0, r.packetsReceived > 0]),
    [
      [true, false],
      [false, true],
      [true, false],
    ],
  );
  t.match(
    there.records.map((r) => [r.packetsSent > 0, r.packetsReceived > 0]),
    [
      [false, true],
      [true, false],
      [true, true],
    ],
  );
  await here.thread.close();
  await there.thread.close();
});

t.test('a thread without streams turns no wheel', { skip: noFfi }, async (t) => {
  const here = await side({ adapter: 'ffi' });
  const busy = await side({ adapter: 'ffi' });
  const [other] = await busy.engine.open(HOST, 1, [1]);
  other!.start({ remote: remoteOf(other!), format: PCMU, source: 'TONE', direction: 'BOTH' });
  const [a, b] = await here.engine.open(HOST, 1, [1, 2]);
  a!.start({ remote: remoteOf(b!), format: PCMU, source: 'TONE', direction: 'BOTH' });
  b!.start({ remote: remoteOf(a!), format: PCMU, source: 'TONE', direction: 'BOTH' });
  t.ok(await holds(() => here.packetsOf(a!) > 10));
  a!.close();
  b!.close();
  t.ok(await holds(() => here.collect() === 2));
  // A thread that is awake writes this every second.
  const [ours, theirs] = [here, busy].map(({ thread }) => thread.memory.noise.cpuAtMs) as [Float64Array, Float64Array];
  let last = { ours: 0, theirs: 0 };
  let writes = 0;
  const rests = (): boolean => {
    if (ours[0] !== last.ours) writes = 0;
    else if (theirs[0] !== last.theirs) writes += 1;
    last = { ours: ours[0]!, theirs: theirs[0]! };
    return writes >= 2;
  };
  t.ok(await holds(rests), 'it does not look at its clock while another looks twice');
  await busy.thread.close();
  const { doorbell } = here.thread.memory;
  let woken = 0;
  // Being told wakes it: asked again, it may be awake.
  const isWoken = (): boolean => {
    if (woken === 0) woken = Atomics.notify(doorbell, DOORBELL);
    return woken === 1;
  };
  t.ok(await holds(isWoken), 'it waits for its doorbell');
  here.noise.read();
  const [c] = await here.engine.open(HOST, 1, [3]);
  t.ok(c, 'and wakes at a command');
  t.equal(here.noise.read().slotsPlanned, 0, 'nothing was due in the pause');
  await here.thread.close();
});

t.test('an adapter that is not available', async (t) => {
  await t.rejects(startMediaThread({ adapter: 'none' as never, capacity: -1 }));
  const auto = await startMediaThread({ adapter: 'auto' });
  t.equal(auto.adapter === 'ffi', auto.fallbackReason === null);
  await auto.close();
});

t.test('a thread that sleeps between its turns hears of its streams by them', async (t) => {
  const here = await side({ capacity: 4 });
  const told: (number | string)[] = [];
  const ask = (numbers: number[]) =>
    here.engine.request(HOST, 1, numbers, undefined, (opened) => {
      told.push(opened instanceof Error ? opened.name : opened.length);
    });
  const until = (count: number): void => {
    // Never returns to the event loop.
    for (const patience = new IdlePatience(); told.length < count && !patience.isOver; ) here.engine.turn();
  };
  ask([1, 2]);
  t.same(told, []);
  until(1);
  ask([3]);
  ask([4, 5]);
  until(3);
  t.same(told, [2, 1, 'MediaPortsExhausted']);
  await here.engine.close();
  ask([6]);
  t.equal(told.at(-1), 'MediaEngineClosed');
  await here.thread.close();
});
