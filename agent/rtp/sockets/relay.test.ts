/** Streams through relays that lose, duplicate and delay: our figures beside the relay's and tshark's. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { greatest } from '@carillon/media/quality/histogram.ts';
import t from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import { loadLibc } from '../../net/libc.ts';
import { type Fate, isSettled, lostBetween, meanJitterMs, openRelay, overtakenAtEnd } from '../../testing/rtp/relay.ts';
import { adapters, HOST, noFfi, numbers, PCMU, remoteOf, side, socketOn, total } from '../../testing/rtp/side.ts';
import { seeded } from '../../testing/rtp/simulation.ts';
import type { VideoFormat } from '../media-engine.ts';

const PCMU_UNITS_PER_MS = 8;

t.test('what relays do to streams is what is reported', { skip: noFfi }, async (t) => {
  const kinds: { readonly name: string; readonly streams: number; readonly fateOf: (i: number) => Fate }[] = [
    {
      name: 'loses 3 %',
      streams: 20,
      fateOf: (i) => {
        const random = seeded(i + 1);
        return () => (random() < 0.03 ? [] : [0]);
      },
    },
    {
      name: 'doubles and delays some',
      streams: 5,
      fateOf: () => (n) => (n % 50 === 7 ? [0, 0] : n % 50 === 20 ? [35] : [0]),
    },
    { name: 'delays every other', streams: 3, fateOf: () => (n) => [n % 2 === 0 ? 1 : 7] },
  ];
  const names = kinds.flatMap(({ name, streams }) => new Array<string>(streams).fill(name));
  const fates = kinds.flatMap(({ streams, fateOf }) => numbers(streams).map(fateOf));
  const here = await side({ adapter: 'ffi' });
  const there = await side({ adapter: 'ffi' });
  const ours = await here.engine.open(HOST, 1, numbers(fates.length));
  const theirs = await there.engine.open(HOST, 2, numbers(fates.length));
  const relays = await Promise.all(fates.map(openRelay));
  const format = { ...PCMU, packetMs: 10 };
  for (const [i, relay] of relays.entries()) {
    relay.aim(theirs[i]!.rtpPort);
    theirs[i]!.start({
      remote: { ...remoteOf(ours[i]!), rtpPort: relay.port },
      format,
      source: 'TONE',
      direction: 'RECEIVE',
    });
  }
  t.ok(await there.listens(theirs));
  for (const [i, relay] of relays.entries())
    ours[i]!.start({
      remote: { ...remoteOf(theirs[i]!), rtpPort: relay.port },
      format,
      source: 'TONE',
      direction: 'SEND',
    });
  await holds(() => relays.every((relay) => relay.received >= 400));
  await here.engine.close();
  await holds(() => here.collect() === fates.length);
  const sentBy = new Map(here.records.map((record) => [record.endpointNumber, record.packetsSent]));
  const settled = (): boolean =>
    relays.every((relay, i) => isSettled(relay, sentBy.get(i)!, there.packetsOf(theirs[i]!)));
  t.ok(await holds(settled), 'all that was let through was counted');
  await there.engine.close();
  await holds(() => there.collect() === fates.length);
  const jittersOff: number[] = [];
  for (const record of there.records) {
    const i = record.endpointNumber;
    const { passed } = relays[i]!;
    const copies = passed.length - new Set(passed).size;
    t.equal(record.lost, lostBetween(passed), `${names[i]}: lost`);
    t.equal(record.duplicates, copies, `${names[i]}: duplicates`);
    if (names[i] === 'loses 3 %') t.ok(record.plcEvents > 0 && record.mos < 4.4);
    if (names[i] === 'doubles and delays some') t.ok(copies >= 6 && record.reordered >= 6);
    if (names[i] === 'delays every other') {
      jittersOff.push(Math.abs(record.jitterMeanMs - meanJitterMs(relays[i]!, PCMU_UNITS_PER_MS)));
      t.ok(record.jitterMeanMs > 2);
    }
  }
  // The relay reads its clock a moment before the kernel does: a busy host may stall it in between, for one stream.
  jittersOff.sort((a, b) => a - b);
  t.ok(jittersOff[1]! < 1, `from the jitter by the relay: ${jittersOff} ms`);
  t.ok(total(there.records.map((record) => record.lost)) > 100);
  for (const relay of relays) relay.close();
  await here.thread.close();
  await there.thread.close();
});

const VP8: VideoFormat = {
  kind: 'VIDEO',
  codec: 'VP8',
  sendPayloadType: 96,
  receivePayloadType: 96,
  feedback: { nack: true, pli: true, fir: false },
};

/** A packet is requested twice, and each request waits at least this long for its answer. */
const ANSWERED_MS = 60;

for (const adapter of adapters)
  t.test(`${adapter}: video that a relay loses is asked for, and comes`, async (t) => {
    const streams = 6;
    const here = await side({ adapter });
    const there = await side({ adapter });
    t.teardown(() => Promise.all([here.thread.close(), there.thread.close()]));
    const ours = await here.engine.open(HOST, 1, numbers(streams), { stream: 1 });
    const theirs = await there.engine.open(HOST, 2, numbers(streams), { stream: 1 });
    const relays = await Promise.all(numbers(streams).map((i) => openRelay((n) => (n % 13 === i + 5 ? [] : [0]))));
    t.teardown(() => {
      for (const relay of relays) relay.close();
    });
    const relaysStoodStill = monitorEventLoopDelay({ resolution: 5 });
    relaysStoodStill.enable();
    const session = { format: VP8, source: 'PATTERN' } as const;
    // Reports and feedback are not delayed.
    for (const [i, relay] of relays.entries()) {
      relay.aim(theirs[i]!.rtpPort);
      theirs[i]!.start({ ...session, remote: { ...remoteOf(ours[i]!), rtpPort: relay.port }, direction: 'RECEIVE' });
    }
    t.ok(await there.listens(theirs));
    for (const [i, relay] of relays.entries())
      ours[i]!.start({ ...session, remote: { ...remoteOf(theirs[i]!), rtpPort: relay.port }, direction: 'SEND' });
    const { keyframesReceived } = there.thread.memory.streams;
    const { nacksReceived } = here.thread.memory.streams;
    // Three seconds of the pattern.
    t.ok(await holds(() => theirs.every(({ index }) => keyframesReceived[index]! >= 3)));
    await there.engine.close();
    t.ok(await holds(() => there.collect() === streams));
    const asked = new Map(there.records.map((record) => [record.endpointNumber, record.video!.nacksSent]));
    t.ok(await holds(() => ours.every(({ index }, i) => nacksReceived[index] === asked.get(i))), 'each NACK was heard');
    await here.engine.close();
    t.ok(await holds(() => here.collect() === streams));
    relaysStoodStill.disable();
    const stoodStillMs = Math.max(
      relaysStoodStill.max / 1e6,
      ...[here, there].map(({ noise }) => greatest(noise.read().turnDelayMs)),
    );
    t.comment(`a process stalled for ${stoodStillMs.toFixed(1)} ms`);
    const sentBy = new Map(here.records.map((record) => [record.endpointNumber, record]));
    for (const record of there.records) {
      const i = record.endpointNumber;
      const sender = sentBy.get(i)!;
      const passed = relays[i]!.passed.slice(0, record.packetsReceived);
      const again = passed.length - new Set(passed).size;
      t.equal(record.lost, lostBetween(passed), `what is lost in the end of stream ${i}`);
      t.ok(record.video!.nacksSent > 0 && record.video!.recoveredPackets > 0);
      t.ok(record.video!.recoveredPackets <= sender.video!.packetsResent);
      t.equal(record.duplicates, again, 'nothing came twice that was not asked for twice');
      // If a process stalled, a requested packet may have come after its frame was given up.
      t.ok(
        record.video!.framesReceived > 5 * record.video!.framesLost || stoodStillMs > ANSWERED_MS,
        JSON.stringify(record.video),
      );
      t.equal(sender.nackCount, record.nackCount);
      t.ok(Number.isNaN(record.mos));
    }
  });

const STREAMS = 6;
const PACKETS = 300;

function version(): string | null {
  try {
    return execFileSync('tshark', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}

/** Captures the ports on loopback; null if the host does not permit it. */
async function capture(file: string, ports: string): Promise<ChildProcess | null> {
  const tshark = spawn('tshark', ['-q', '-i', 'lo', '-f', `udp portrange ${ports}`, '-w', file], { stdio: 'ignore' });
  const running = await holds(() => tshark.exitCode !== null || (existsSync(file) && statSync(file).size > 0));
  return running && tshark.exitCode === null ? tshark : null;
}

/** To an odd port of the captured range: no RTP. */
const LAST_WORDS = 'the last that is captured';

type Line = { readonly packets: number; readonly lost: number; readonly meanJitterMs: number };

/** The table of `-z rtp,streams`, by destination port. */
function rtpStreams(file: string, ports: readonly number[]): Map<number, Line> {
  const decodeAs = ports.flatMap((port) => ['-d', `udp.port==${port},rtp`]);
  const table = execFileSync('tshark', ['-r', file, '-q', '-z', 'rtp,streams', ...decodeAs], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = new Map<number, Line>();
  for (const line of table.split('\n')) {
    // start, end, source, port, destination, port, SSRC, payload, packets, lost (percent), min mean max delta, min mean max jitter
    const match = /^\s*[\d.]+\s+[\d.]+\s+\S+\s+\d+\s+\S+\s+(\d+)\s+0x\w+\s+.*?(\d+)\s+(-?\d+) \([^)]*\)\s+(.*)$/.exec(
      line,
    );
    if (!match) continue;
    const [, port, packets, lost, figures] = match;
    const jitter = figures!.trim().split(/\s+/)[4];
    lines.set(Number(port), { packets: Number(packets), lost: Number(lost), meanJitterMs: Number(jitter) });
  }
  return lines;
}

const skip = version() === null ? 'no tshark' : loadLibc() instanceof Error ? 'no libc' : false;

t.test('tshark computes the same loss and jitter', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'rtp.pcapng');
  const here = await side({ firstPort: 14_100, lastPort: 14_199 });
  const there = await side({ firstPort: 14_200, lastPort: 14_299 });
  t.teardown(() => Promise.all([here.thread.close(), there.thread.close()]));
  const tshark = await capture(file, '14200-14299');
  if (!tshark) {
    t.pass('this host does not permit a capture');
    return;
  }
  const ours = await here.engine.open(HOST, 1, numbers(STREAMS));
  const theirs = await there.engine.open(HOST, 2, numbers(STREAMS));
  const relays = await Promise.all(
    numbers(STREAMS).map((i) => {
      const random = seeded(i + 100);
      // tshark takes the first packet that it sees as the first that was sent: the head must not be reordered.
      return openRelay((n) => (n < 20 ? [0] : random() < 0.04 ? [] : [Math.floor(random() * 3 * i)]));
    }),
  );
  const format = { ...PCMU, packetMs: 10 };
  for (const [i, relay] of relays.entries()) {
    relay.aim(theirs[i]!.rtpPort);
    theirs[i]!.start({
      remote: { ...remoteOf(ours[i]!), rtpPort: relay.port },
      format,
      source: 'TONE',
      direction: 'RECEIVE',
    });
  }
  t.ok(await there.listens(theirs));
  for (const [i, relay] of relays.entries())
    ours[i]!.start({
      remote: { ...remoteOf(theirs[i]!), rtpPort: relay.port },
      format,
      source: 'TONE',
      direction: 'SEND',
    });
  t.ok(await holds(() => relays.every((relay) => relay.received >= PACKETS)));
  await here.engine.close();
  t.ok(await holds(() => here.collect() === STREAMS));
  const sentBy = new Map(here.records.map((record) => [record.endpointNumber, record.packetsSent]));
  t.ok(await holds(() => relays.every((relay, i) => isSettled(relay, sentBy.get(i)!, there.packetsOf(theirs[i]!)))));
  await there.engine.close();
  t.ok(await holds(() => there.collect() === STREAMS));
  // Captured packets reach the file in order, and in pieces.
  const { socket } = await socketOn();
  t.teardown(() => socket.close());
  socket.send(LAST_WORDS, 14_299, HOST);
  t.ok(await holds(() => readFileSync(file).includes(LAST_WORDS)), 'the whole was captured');
  tshark.kill('SIGINT');
  await holds(() => tshark.exitCode !== null || tshark.signalCode !== null);

  const ports = theirs.map((stream) => stream.rtpPort);
  const lines = rtpStreams(file, ports);
  const jittersOff: number[] = [];
  for (const record of there.records) {
    const line = lines.get(record.localPort);
    jittersOff.push(Math.abs((line?.meanJitterMs ?? Number.NaN) - record.jitterMeanMs));
    t.equal(line?.packets, record.packetsReceived, 'packets');
    // tshark counts up to the packet that arrived last, we up to the highest number.
    const overtaken = overtakenAtEnd(relays[record.endpointNumber]!.passed);
    t.equal(line?.lost, record.lost - overtaken, `lost, ${record.reordered} reordered, ${overtaken} at the end`);
  }
  // The kernel takes both times, at two places: it may run another process in between.
  jittersOff.sort((a, b) => a - b);
  t.ok(jittersOff[Math.floor(STREAMS / 2)]! < 0.1 && jittersOff.at(-1)! < 1, `jitter off by ${jittersOff} ms`);
  for (const relay of relays) relay.close();
});
