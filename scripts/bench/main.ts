/** `npm run bench`: what it costs on this machine, beside what others cost in the same run. Writes RESULTS.md. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { benchHttp, type HttpRow } from './http.ts';
import { benchIngest, type IngestRow } from './ingest.ts';
import { benchMedia, type MediaBenchRow } from './media.ts';
import { benchSip, type SipBenchRow } from './sip.ts';

const line = (command: string, args: string[]): string =>
  (spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .find((l) => l.trim() !== '')
    ?.trim() ?? 'not here';

/** Markdown: head, rule, rows. */
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const n = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

const sipTable = (rows: readonly SipBenchRow[]): string =>
  table(
    ['who', 'calls/s', 'calls', 'failed', 'CPU s', 'calls per CPU-second', 'of SIPp'],
    rows.map((r) => [
      r.engine,
      n(r.rate),
      n(r.calls),
      n(r.failed),
      n(r.cpuSeconds, 2),
      n(r.callsPerCpuSecond),
      `${n(r.ratio, 2)} x`,
    ]),
  );

const mediaTable = (rows: readonly MediaBenchRow[]): string =>
  table(
    [
      'adapter',
      'streams',
      'streams per CPU-second',
      'us per packet',
      'departure jitter ms (mean, p99 stream)',
      'jitter that we add, us (mean, p99 stream)',
      'skipped',
      'lost',
    ],
    rows.map((r) => [
      r.adapter,
      n(r.streams),
      n(r.streamsPerCpuSecond),
      n(r.usPerPacket, 2),
      `${n(r.departureJitterMs, 3)}, ${n(r.departureJitterP99Ms, 3)}`,
      `${n(r.addedJitterUs, 1)}, ${n(r.addedJitterP99Us, 1)}`,
      n(r.skipped),
      n(r.lost + r.lostByPeer),
    ]),
  );

const ingestTable = (rows: readonly IngestRow[]): string =>
  table(
    [
      'agents at once',
      'samples',
      'samples per second, committed',
      'CPU s of the control plane per million',
      'bytes a sample on the wire',
    ],
    rows.map((r) => [
      r.agents,
      n(r.samples),
      n(r.samplesPerSecond),
      n(r.cpuSecondsPerMillion, 1),
      n(r.bytesPerSample, 1),
    ]),
  );

const httpTable = (rows: readonly HttpRow[]): string =>
  table(
    ['what', 'requests/s', 'p50 ms', 'p99 ms', 'requests per CPU-second', 'failed'],
    rows.map((r) => [r.what, n(r.requestsPerSecond), n(r.p50Ms), n(r.p99Ms), n(r.requestsPerCpuSecond), n(r.failed)]),
  );

console.log('SIP beside SIPp, about two minutes ...');
const sip = await benchSip();
console.log('RTP ...');
const media = await benchMedia();
console.log('Ingest ...');
const ingest = await benchIngest();
console.log('HTTP ...');
const http = await benchHttp();

const text = `# What it costs

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. The machine is small and shared: absolute figures move by a factor of two,
figures of one run can be compared with each other.

${table(
  ['', ''],
  [
    [
      'machine',
      `${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    ],
    ['kernel', line('uname', ['-sr'])],
    ['Node.js', process.version],
    ['SIPp', line('sipp', ['-v'])],
  ],
)}

## Signalling: calls per CPU-second

INVITE, 180, 200, ACK, BYE, 200 over UDP on loopback against \`sipp -sn uas\`; ours with times of every call and every message
counted, SIPp as \`sipp -sn uac\`. CPU is user and system time of the calling process.

${sipTable(sip.rows)}

## Media: bidirectional G.711 streams per CPU-second

50 packets a second each way, a socket a stream, everything measured, against a peer process that knows the truth. CPU is that of
our whole process. Jitter that we add: what we report less what the peer sent.

${mediaTable(media)}

## Ingest: samples to committed rows

Batches of 500 samples from frame bytes, decoded, checked, written with their rollups, on the embedded PostgreSQL with fsync.

${ingestTable(ingest)}

## REST: requests

64 clients for 10 s against the control plane's process on the embedded PostgreSQL, key, plan and budget checked with every
request; an empty route of fastify in a process of its own beside it. CPU is that of the answering process; clients and database
have the same two cores.

${httpTable(http)}
`;
await writeFile(path.join(import.meta.dirname, 'RESULTS.md'), text);
console.log(text);
