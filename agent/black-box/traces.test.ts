/** Streams as far ends have sent them, packet by packet: what is said of the call, against the trace itself. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { patchRtpHeader, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import t from 'tap';
import type { AudioFormat } from '../rtp/media-engine.ts';
import { findingsOf } from '../run/outcome/call-findings.ts';
import { createNode, end, HERE, Network, open, PCMU, run, seeded, THERE } from '../testing/rtp/simulation.ts';

/** A packet; `port`: of its source, from 0. */
type Row = {
  readonly atMs: number;
  readonly marker: boolean;
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly bytes: number;
  readonly payload: string;
  readonly port: number;
};

const TRACES = path.join(import.meta.dirname, '..', 'testing', 'rtp', 'traces');
function traced(name: string): Row[] {
  const lines = readFileSync(path.join(TRACES, `${name}.tsv`), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines.map((line) => {
    const [at, marker, payloadType, sequence, timestamp, ssrc, bytes, payload = '', port] = line.split('\t');
    return {
      ...{ atMs: Number(at), marker: marker === '1', payloadType: Number(payloadType) },
      ...{ sequence: Number(sequence), timestamp: Number(timestamp), ssrc: Number.parseInt(ssrc!, 16) },
      ...{ bytes: Number(bytes), payload, port: Number(port) },
    };
  });
}

/** PCMU of 160 octets, numbered without a gap. `gapMs`: to the next packet, by its number. */
function spoken(packets: number, gapMs: (n: number) => number, marks: boolean): Row[] {
  let [atMs, timestamp] = [0, 50_000];
  return Array.from({ length: packets }, (_, n) => {
    const gap = n === 0 ? 0 : gapMs(n);
    atMs += gap;
    timestamp += gap * 8;
    const marker = marks && gap > 80;
    return {
      ...{ atMs, marker, payloadType: 0, sequence: 1000 + n, timestamp },
      ...{ ssrc: 0x5eed, bytes: 160, payload: '', port: 0 },
    };
  });
}
/** After 3 s a pause of 2 s, after 3 more one of 1.5 s. */
const paused = (marks: boolean) => spoken(400, (n) => ({ 150: 2020, 300: 1520 })[n] ?? 20, marks);

const EVENTS = { sendPayloadType: 101, receivePayloadType: 101, clockRateHz: 8000 };
const PORT = 4000;
/** A tone, which is not silent in either law. */
const TONE = [0x9e, 0x8d, 0x9e, 0xff, 0x1e, 0x0d, 0x1e, 0x7f];

/** The far end sends nothing else; the policy lets us follow it. */
function received(rows: readonly Row[]) {
  const network = new Network();
  network.refuses = true;
  const here = createNode(network, {
    random: seeded(1),
    onSource: (row, { address, port }) => here.loop.follow(row, address, port),
  });
  const [ours] = open(here, HERE, 1);
  const { payloadType } = rows[0]!;
  const codec = payloadType === 8 ? 'PCMA' : 'PCMU';
  const format: AudioFormat = {
    ...PCMU,
    codec,
    sendPayloadType: payloadType,
    receivePayloadType: payloadType,
    telephoneEvent: EVENTS,
  };
  here.loop.start(ours!.row, {
    ...{ remote: { address: THERE, rtpPort: PORT, rtcpPort: null }, format, source: 'TONE', direction: 'BOTH' },
  });
  here.loop.expect(ours!.row, true);
  const startMs = network.nowMs;
  for (const row of rows) {
    const bytes = new Uint8Array(12 + row.bytes);
    writeRtpHeader(bytes, 0, row.payloadType, row.ssrc);
    patchRtpHeader(bytes, 0, row.sequence, row.timestamp);
    if (row.marker) bytes[1]! |= 0x80;
    bytes.set(row.payload === '' ? TONE : Buffer.from(row.payload, 'hex'), 12);
    if (row.payload === '') for (let i = 8; i < row.bytes; i++) bytes[12 + i] = TONE[i % TONE.length]!;
    network.path = () => [row.atMs];
    network.transmit({
      from: `${THERE}:${PORT + 2 * row.port}`,
      to: `${HERE}:${ours!.rtpPort}`,
      bytes,
      sentMs: startMs,
    });
  }
  network.path = () => [];
  for (let second = 0; second * 1000 < rows.at(-1)!.atMs; second++) {
    run(network, [here], Math.min(1000, Math.ceil(rows.at(-1)!.atMs - second * 1000)));
    here.sampler.sample(network.nowMs);
  }
  run(network, [here], 20);
  const record = end(network, here)[0]!;
  const talkMs = network.nowMs - startMs;
  const evidence = {
    talkMs,
    endedBy: 'LOCAL',
    unansweredBye: '',
    byeStatus: 200,
    q850: null,
    hasReferred: false,
    transfer: null,
  } as const;
  const group = { farEndHangsUp: false, farEndMayPause: false, silenceExpected: false, tolerated: [], actions: [] };
  const found = findingsOf({
    ...{ records: [record], role: 'CALLER', plannedMs: talkMs, timeToFirstMediaMs: 0, group },
    evidence: { ...evidence, sentAgain: 0, cameAgain: 0, unacknowledged: 0, peerAddress: THERE, streams: 1 },
  });
  return { record, found: found.map(({ kind }) => kind) };
}

/** RFC 3550, A.3, by the numbers of the trace: all of one source. */
function lostOf(rows: readonly Row[]): number {
  let [extended, before] = [0, rows[0]!.sequence];
  const numbers = rows.map(({ sequence }) => {
    extended += ((sequence - before) << 16) >> 16;
    before = sequence;
    return extended;
  });
  return Math.max(...numbers) - Math.min(...numbers) + 1 - new Set(numbers).size;
}

t.test('two pauses, with markers and without: nothing is lost, and the pauses are said', async (t) => {
  for (const marks of [true, false]) {
    const { record, found } = received(paused(marks));
    t.match(record, { lost: 0, packetsReceived: 400, paused: 175 });
    t.ok(Math.abs(record.absence.pausedMs - 3500) < 1 && record.absence.absentMs < 21, `${record.absence.pausedMs} ms`);
    t.same(found, ['SENDER_PAUSED'], marks ? 'marked' : 'unmarked');
  }
});

t.test('a packet of 20 ms each 80 ms: three quarters are missing', async (t) => {
  const { record, found } = received(spoken(150, () => 80, false));
  t.match(record, { lost: 0, packetsReceived: 150 });
  t.ok(Math.abs(record.absence.absentMs - 149 * 60) < 61, `${record.absence.absentMs} ms are absent`);
  t.same(found, ['MEDIA_SPARSE', 'TIMESTAMP_MISMATCH'], 'the timestamps are 80 ms apart');
});

t.test('another port after a second: heard on, followed and said', async (t) => {
  const { record, found } = received(traced('port-change'));
  t.match(record, { followed: 1, remotePort: PORT + 2, ssrcChanges: 0, absence: { tailMs: 0, gaps: 0 } });
  t.ok(record.lost <= 8, `${record.lost} until others were heard again`);
  t.same(found, ['NAT_FOLLOWED']);
});

t.test('packets of 10 ms, more than half of them lost: durations are those of the packets', async (t) => {
  const rows = traced('ten-ms-lost');
  const { record, found } = received(rows);
  t.match(record, { lost: lostOf(rows), packetMs: 10, packetsReceived: rows.length });
  t.ok(record.plcMs <= record.lost * 10 + 10 * record.lateDiscarded, `${record.plcMs} ms of concealment`);
  t.same(found, ['MOSTLY_LOST']);
});

t.test('a key under an SSRC of its own: heard, and the end of the audio is not an outage of the network', async (t) => {
  const rows = traced('sipp-uac-pcap');
  const { record, found } = received(rows);
  t.match(record, { lost: 0, digitsReceived: '1', packetsReceived: rows.filter((r) => r.payloadType === 8).length });
  t.same(found, []);
});
