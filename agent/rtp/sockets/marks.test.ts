/** What an observer sees of our packets: DSCP and digits, over IPv4 and IPv6. tshark captures on loopback if it may. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import { adapters, HOST, PCMU, side, socketOn } from '../../testing/rtp/side.ts';
import type { StreamRecord } from '../figures/stream-record.ts';
import type { AudioFormat, MediaStream } from '../media-engine.ts';

const DSCP = 46;
const WITH_EVENTS: AudioFormat = {
  ...PCMU,
  telephoneEvent: { sendPayloadType: 101, receivePayloadType: 101, clockRateHz: 8000 },
};
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const addresses = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];

const directory = mkdtempSync(join(tmpdir(), 'carillon-marks-'));
t.teardown(() => rmSync(directory, { recursive: true }));

/** Not of the stream: what was sent before it is in the file, too. */
const LAST_WORDS = 'the last that is captured';

async function capture(file: string, port: number, lastPort: number): Promise<ChildProcess | null> {
  let told = '';
  const filter = `udp and (src port ${port} or dst port ${lastPort})`;
  const child = spawn('dumpcap', ['-q', '-i', 'lo', '-B', '16', '-f', filter, '-w', file]);
  child.stderr.on('data', (text) => {
    told += text;
  });
  child.on('error', () => undefined);
  return (await holds(() => told.includes('File:') || child.exitCode !== null)) && child.exitCode === null
    ? child
    : null;
}

/** Of every packet: DSCP (from either header), payload type, event, its duration, E bit, timestamp, marker, seconds. */
const FIELDS = [
  'ip.dsfield.dscp',
  'ipv6.tclass.dscp',
  'rtp.p_type',
  'rtpevent.event_id',
  'rtpevent.duration',
  'rtpevent.end_of_event',
  'rtp.timestamp',
  'rtp.marker',
  'frame.time_epoch',
];

function packetsIn(file: string, port: number): string[][] {
  const text = execFileSync('tshark', [
    ...[
      '-n',
      '-r',
      file,
      '-Y',
      `udp.srcport==${port}`,
      '-d',
      `udp.port==${port},rtp`,
      '-o',
      'rtpevent.event_payload_type_value:101',
      '-T',
      'fields',
    ],
    ...FIELDS.flatMap((field) => ['-e', field]),
  ]).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

/** The result of two keys: the records of both ends, and the packets that an observer saw (null: it may not capture). */
type Pressed = { readonly ours: StreamRecord; readonly theirs: StreamRecord; readonly packets: string[][] | null };

async function press(t: Test, adapter: (typeof adapters)[number], address: string): Promise<Pressed> {
  const here = await side({ adapter });
  const there = await side({ adapter });
  const [ours] = (await here.engine.open(address, 1, [0], { stream: 0, dscp: DSCP })) as [MediaStream];
  const [theirs] = (await there.engine.open(address, 2, [0])) as [MediaStream];
  const file = join(directory, `${adapter}-${address.length}.pcapng`);
  const last = await socketOn();
  const capturing = await capture(file, ours.rtpPort, last.port);
  const to = ({ rtpPort, rtcpPort }: MediaStream) => ({ address, rtpPort, rtcpPort });
  const session = { format: WITH_EVENTS, source: 'TONE', direction: 'BOTH' } as const;
  theirs.start({ ...session, remote: to(ours) });
  ours.start({ ...session, remote: to(theirs) });
  t.throws(() => ours.sendDigits!('12x'), RangeError);
  t.throws(() => ours.sendDigits!('1', 0), RangeError);
  t.ok(await holds(() => here.packetsOf(ours) > 10 && there.packetsOf(theirs) > 10), 'media flows both ways');
  const { sendsSkipped } = here.thread.memory.streams;
  const before = sendsSkipped[ours.index]!;
  ours.sendDigits!('4*', 120, 80);
  const isPressed = () => theirs.digits!().length === 2 && theirs.digits!()[1]!.durationMs === 120;
  t.ok(await holds(() => isPressed() || sendsSkipped[ours.index]! > before), 'digits arrive, or a slot came too late');
  const heard = there.packetsOf(theirs);
  t.ok(await holds(() => there.packetsOf(theirs) > heard + 10));
  if (capturing !== null) {
    last.socket.send(LAST_WORDS, last.port, HOST);
    t.ok(await holds(() => readFileSync(file).includes(LAST_WORDS)), 'the whole was captured');
    capturing.kill('SIGINT');
  }
  last.socket.close();
  await holds(() => capturing === null || capturing.exitCode !== null || capturing.signalCode !== null);
  await here.engine.close();
  await there.engine.close();
  t.ok(await holds(() => here.collect() === 1 && there.collect() === 1));
  await here.thread.close();
  await there.thread.close();
  const packets = capturing && packetsIn(file, ours.rtpPort);
  return { ours: here.records[0]!, theirs: there.records[0]!, packets };
}

for (const adapter of adapters)
  for (const address of addresses)
    t.test(`${adapter} over ${address}`, async (t) => {
      let pressed = await press(t, adapter, address);
      // A sender without processor time skips late packets, also of digits: then the test repeats.
      for (let again = 0; again < 9 && pressed.ours.sendsSkipped > 0; again++)
        pressed = await press(t, adapter, address);
      const { ours, theirs, packets } = pressed;
      t.match(ours, { remoteAddress: address, digitsSent: '4*', dscp: adapter === 'ffi' ? DSCP : null });
      t.match(theirs, { digitsReceived: '4*', lost: 0 });
      if (packets === null) {
        t.comment('no right to capture here');
        return;
      }
      t.ok(packets.length > 20, `${packets.length} packets captured`);
      if (adapter === 'ffi')
        t.ok(
          packets.every(([v4, v6]) => Number(v4 || v6) === DSCP),
          'every packet is marked',
        );
      const events = packets.filter(([, , type]) => type === '101');
      const starts = events.filter((packet) => packet[7] === '1' || packet[7] === 'True');
      t.same(
        starts.map((packet) => packet[3]),
        ['4', '10'],
        'tshark reads the same digits',
      );
      t.equal(((Number(starts[1]![6]) - Number(starts[0]![6])) >>> 0) / 8, 200, 'begun 200 ms apart');
      const ends = events.filter((packet) => packet[5] === '1' || packet[5] === 'True');
      t.ok(ends.length >= 2 && ends.every((packet) => packet[4] === '960'), 'of 120 ms');
    });

t.test('what no stream can be is refused', async (t) => {
  const here = await side({ adapter: 'dgram' });
  for (const dscp of [-1, 64, 1.5])
    await t.rejects(here.engine.open('127.0.0.1', 1, [0], { stream: 0, dscp }), RangeError);
  await here.thread.close();
});
