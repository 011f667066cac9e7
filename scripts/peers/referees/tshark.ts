/** tshark as the reference: packets on the loopback interface, seen by an observer. Needs the right to capture. */

import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startPeer, until } from '../process.ts';

/** `atMs` is Unix time, `from` and `to` are `address:port`. */
export type OnWire = { readonly atMs: number; readonly from: string; readonly to: string };

export type SipOnWire = OnWire & {
  readonly callId: string;
  /** Request method, or the method in CSeq. */
  readonly method: string;
  /** 0 for a request. */
  readonly status: number;
};

export type RtpOnWire = {
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly sequence: number;
  readonly payloadType: number;
  readonly payload: Buffer;
};

/** Frames that a display filter selects, with the values of the named fields as text; '' if a frame has none. */
export type Selected = OnWire & { readonly values: readonly string[] };

/** A row of `-z rtp,streams`. */
export type StreamOnWire = {
  readonly from: string;
  readonly to: string;
  readonly ssrc: number;
  readonly packets: number;
  readonly lost: number;
  readonly meanJitterMs: number;
  readonly maxJitterMs: number;
};

export type CallRecording = {
  sip(): Promise<SipOnWire[]>;
  rtp(): Promise<RtpOnWire[]>;
  rtpStreams(): Promise<StreamOnWire[]>;
  /** Display filter and fields in tshark's syntax. */
  select(filter: string, names: readonly string[]): Promise<Selected[]>;
  /** RTCP BYE. */
  byes(): Promise<OnWire[]>;
  remove(): Promise<void>;
};

export type Capture = { stop(): Promise<CallRecording> };

const LAST = 'the last packet of this capture';

/**
 * Records the UDP traffic of a network, with `ipv6` also all of that family; `sipPorts` are dissected as SIP, and the ports in
 * their SDP as RTP.
 */
export async function startCapture(network: string, sipPorts: () => readonly number[], ipv6 = false): Promise<Capture> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-tshark-'));
  const file = path.join(dir, 'capture.pcapng');
  const closing = createSocket('udp4').bind(0, '127.0.0.1');
  await once(closing, 'listening');
  const { port } = closing.address();
  const filter = `udp and (net ${network}${ipv6 ? ' or ip6' : ''} or (dst host 127.0.0.1 and dst port ${port}))`;
  // A big kernel buffer: tshark does not get much processor time on this host.
  const peer = startPeer('dumpcap', ['-q', '-i', 'lo', '-B', '64', '-f', filter, '-w', file]);
  await until('the capture runs', () => peer.output().includes('File:'));
  return {
    async stop() {
      // Packets that wait in the kernel's buffer are lost when the capture ends: it continues until the last one, ours, is in the file.
      closing.send(LAST, port, '127.0.0.1');
      await until('the last packet is in the capture', async () => (await readFile(file)).includes(LAST));
      closing.close();
      await peer.stop('SIGINT');
      const lost = /dropped on interface '[^']*': \d+\/(\d+)/.exec(peer.output())?.[1];
      if (lost !== undefined && lost !== '0') throw new Error(`the capture itself lost ${lost} packets`);
      const ports = sipPorts().flatMap((port) => ['-d', `udp.port==${port},sip`]);
      return openRecording(file, ports, () => rm(dir, { recursive: true, force: true }));
    },
  };
}

const run = promisify(execFile);

const tshark = async (args: readonly string[]): Promise<string[]> =>
  (await run('tshark', [...args], { maxBuffer: 512 * 1024 * 1024 })).stdout.split('\n');

/** An existing file; `decode`: arguments that define protocols. */
export function openRecording(file: string, decode: readonly string[], remove: () => Promise<void>): CallRecording {
  const fields = async (filter: string, names: readonly string[]): Promise<string[][]> => {
    const addresses = ['ip.src', 'ipv6.src', 'udp.srcport', 'ip.dst', 'ipv6.dst', 'udp.dstport'];
    const columns = ['frame.time_epoch', ...addresses, ...names];
    const out = await tshark([
      '-n',
      '-r',
      file,
      ...decode,
      '-Y',
      filter,
      '-T',
      'fields',
      ...columns.flatMap((c) => ['-e', c]),
    ]);
    return out
      .filter((line) => line !== '')
      .map((line) => line.split('\t'))
      .map(([at, from4, from6, fromPort, to4, to6, toPort, ...values]) => [
        ...[at, from4 || from6, fromPort, to4 || to6, toPort].map((value) => value ?? ''),
        ...values,
      ]);
  };
  const wire = ([at, fromAddress, fromPort, toAddress, toPort]: readonly string[]) => ({
    atMs: Number(at) * 1000,
    from: `${fromAddress}:${fromPort}`,
    to: `${toAddress}:${toPort}`,
  });
  return {
    async sip() {
      const rows = await fields('sip', ['sip.Call-ID', 'sip.CSeq.method', 'sip.Status-Code']);
      return rows.map((row) => ({ ...wire(row), callId: row[5] ?? '', method: row[6] ?? '', status: Number(row[7]) }));
    },
    async rtp() {
      const rows = await fields('rtp', ['rtp.seq', 'rtp.p_type', 'rtp.payload']);
      return rows.map((row) => ({
        ...wire(row),
        sequence: Number(row[5]),
        payloadType: Number(row[6]),
        payload: Buffer.from((row[7] ?? '').replaceAll(':', ''), 'hex'),
      }));
    },
    async select(filter, names) {
      return (await fields(filter, names)).map((row) => ({ ...wire(row), values: row.slice(5) }));
    },
    async byes() {
      return (await fields('rtcp.pt == 203', [])).map(wire);
    },
    async rtpStreams() {
      const out = await tshark(['-n', '-r', file, ...decode, '-q', '-z', 'rtp,streams']);
      return out.flatMap((line) => streamOf(line) ?? []);
    },
    remove,
  };
}

/** Start, end, source, port, destination, port, SSRC, payload, packets, lost (percent), three deltas, three jitters. */
const STREAM =
  /^\s*[\d.]+\s+[\d.]+\s+(\S+)\s+(\d+)\s+(\S+)\s+(\d+)\s+0x([0-9a-f]+)\s+.+?\s+(\d+)\s+(-?\d+) \([^)]*\)\s+[\d.-]+\s+[\d.-]+\s+[\d.-]+\s+[\d.-]+\s+([\d.-]+)\s+([\d.-]+)/i;

function streamOf(line: string): StreamOnWire | null {
  const found = STREAM.exec(line);
  if (!found) return null;
  const [, from, fromPort, to, toPort, ssrc, packets, lost, mean, max] = found;
  return {
    from: `${from}:${fromPort}`,
    to: `${to}:${toPort}`,
    ssrc: Number.parseInt(ssrc ?? '', 16),
    packets: Number(packets),
    lost: Number(lost),
    meanJitterMs: Number(mean),
    maxJitterMs: Number(max),
  };
}
