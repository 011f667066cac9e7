/**
 * `npm run bench [-- PART …]`: costs on this machine, next to those of other programs in the same run. Writes
 * RESULTS.md.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import { n, table } from './markdown.ts';
import { benchMedia } from './media/duplex.ts';
import { benchGarbage } from './media/garbage.ts';
import { soak } from './media/soak.ts';
import { benchStreams } from './media/streams.ts';
import { benchCallPrice } from './product/call-price.ts';
import { benchDeletion } from './product/deletion.ts';
import { benchDoorGarbage } from './product/door-garbage.ts';
import { benchFleet } from './product/fleet.ts';
import { fleetTables } from './product/fleet-tables.ts';
import { benchHttp } from './product/http.ts';
import { benchIdle } from './product/idle.ts';
import { benchIngest } from './product/ingest.ts';
import { benchLongRuns } from './product/long-runs.ts';
import { benchProbes } from './product/probes.ts';
import { manyCalls } from './product/thousand-calls.ts';
import { benchSip } from './sip/calls.ts';
import { benchSipGarbage } from './sip/garbage.ts';
import { benchSipMemory } from './sip/memory.ts';
import { benchRegistrations } from './sip/registrations.ts';
import {
  callPriceTable,
  callsTable,
  deletionTable,
  httpTable,
  ingestTable,
  list,
  longRunsTable,
  mediaTable,
  memoryTable,
  registrationsTable,
  sipTable,
  streamsTable,
  videoTable,
} from './tables.ts';

const line = (command: string, args: string[]): string =>
  (spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .find((l) => l.trim() !== '')
    ?.trim() ?? 'not here';

/** By name of the part: title, measured quantity, figures. */
const PARTS: Readonly<Record<string, { title: string; about: string; run: () => Promise<string> }>> = {
  sip: {
    title: 'Signalling: calls per CPU-second',
    about: `INVITE, 180, 200, ACK, BYE, 200 on loopback against SIPp; ours with the instants of every call, counters, and every message kept and
masked. SIPp's client or server in our place works at the same time, against a SIPp of its own: as it comes (\`sipp -sn uac\`), and with its
own records of the same (-trace_msg -trace_rtt -trace_counts). Medians of rounds. Ours is measured after 30,000 calls at 4,000 a
second (what it costs while its code is being compiled is seven times as much), SIPp after a second of its rate. All processes run at
the same raised priority. CPU is user and system time of the whole process.`,
    run: async () => {
      const { rows } = await benchSip({ transports: ['UDP', 'TCP'] });
      return sipTable([...rows, ...(await benchSip({ transports: ['TLS'], rates: [2000] })).rows]);
    },
  },
  sipmemory: {
    title: 'Signalling: memory of calls that go on',
    about: 'Each with a user agent of its own, no media, above the same engine without them, after a full collection.',
    run: async () => memoryTable([await benchSipMemory()]),
  },
  registrations: {
    title: 'Signalling: registrations per CPU-second, and memory of endpoints that stay registered',
    about: `REGISTER, 401, REGISTER with credentials, 200 over UDP on loopback at the same kamailio; SIPp by a scenario of its own. Ours are
refreshed once more each before memory is taken, after collections: resident memory above that of the engine before any of it (compiled
code and room for garbage are in it), heap above that after a warm-up.`,
    run: async () => registrationsTable(await benchRegistrations()),
  },
  media: {
    title: 'Media: bidirectional G.711 streams per CPU-second',
    about: `50 packets a second each way, a socket a stream, everything measured, against a peer process that knows the truth. CPU is that of
our whole process. Jitter that we add: what we report less what the peer sent.`,
    run: async () => mediaTable(await benchMedia()),
  },
  video: {
    title: 'Media: bidirectional video streams per CPU-second',
    about: `The pattern, 15 frames of 320 by 240 a second each way, between two media threads of one process: CPU is that of both ends.`,
    run: async () => videoTable(),
  },
  streams: {
    title: 'Media beside SIPp and beside C++',
    about: `The same G.711 streams to receivers of one program, medians of rounds; CPU of each whole process. SIPp's \`rtp_stream\` sends
from one socket for all calls and never reads; the C++ loop and we have a socket a stream. A pure sender takes turns with the others; one that
sends and measures does it at the same time as the other, a receiver each, up to 250 streams a core of the machine: with more, they take
turns, too. Ratios are medians of those of the rounds. All processes run at the same raised priority.`,
    run: async () => {
      const rows = await benchStreams();
      return typeof rows === 'string' ? `Not measured: ${rows}.` : streamsTable(rows);
    },
  },
  product: {
    title: 'What a call costs the whole product',
    about: `Control plane with its embedded PostgreSQL and one agent, as the README starts them; calls of a second to \`sipp -sn uas\`, each with one audio
track that only receives, while \`sipp -sn uac\` makes as many at the same rate to a \`sipp -sn uas\` of its own. CPU is user and system time of whole
process trees from RUNNING to the run's end, what is idle and what compiles code within: the first call of a process counts as the last one does.`,
    run: async () => callPriceTable(await benchCallPrice()),
  },
  long: {
    title: 'Loads of ten minutes',
    about: `One agent, the control plane and its embedded PostgreSQL against \`sipp -sn uas\` that echoes RTP and counts by itself, on the same cores; a probe is
executed each minute. Growth of memory is a straight line after the first two minutes.`,
    run: async () => longRunsTable(await benchLongRuns()),
  },
  calls: {
    title: 'Calls at once through the whole product',
    about: `Two agents, the control plane and its PostgreSQL on the same cores; memory and CPU are those of the calling agent, memory above the
idle one; skipped are slots of both agents that came too late for their packet. SCHED_FIFO is \`CARILLON_REALTIME\`, a choice of the
operator. Growth is a straight line from 10 s after the last call came up, with its 95 % interval.`,
    run: async () => {
      const ordinary = await manyCalls({ calls: 1000, seconds: 60 });
      return callsTable([ordinary, await manyCalls({ calls: 1000, seconds: 60, realtime: true })]);
    },
  },
  soak: {
    title: 'Soak',
    about:
      '200 streams between two media threads of one process. Memory: MiB an hour, by a straight line with its 95 % interval.',
    run: async () => {
      const report = await soak(60, 200, (minute) => console.log(minute));
      const heads = Object.keys(report.minutes[0] ?? {});
      const rows = report.minutes.map((minute) => Object.values(minute).map((value) => n(value, 2)));
      const { memory, flat, descriptorsFlat } = report;
      return `${table(heads, rows)}\n\n${list({ 'MiB an hour': memory, flat, 'descriptors flat': descriptorsFlat })}`;
    },
  },
  garbage: {
    title: 'Garbage',
    about: `Random and mutated datagrams (RTP, RTCP, STUN, SRTP, DTLS) at the RTP and RTCP ports of live streams, plain, encrypted (SDES) and
shaking hands (DTLS); each has to be in one counter. \`security\`: of the streams after it.`,
    run: async () => list(benchGarbage(10_000_000, 1)),
  },
  'sip-garbage': {
    title: 'Garbage at the SIP engine',
    about: 'Mutated messages; each is counted exactly once. Heap: after collections, the mean of each half of the run.',
    run: async () => list(await benchSipGarbage(10_000_000, 1)),
  },
  'door-garbage': {
    title: "Garbage at the control plane's doors",
    about: `Frames on the agents' link and HTTP requests, random and mutated, seeded, each on a connection of its own, while runs of five calls go on. Each has one fate;
\`framesCounted\`: connections that the control plane's own counters say were refused. Memory: of the control plane, the mean of each half.`,
    run: async () => {
      const { frames, requests, residentMiB, ...rest } = await benchDoorGarbage();
      const fates = (all: Readonly<Record<string, number>>) =>
        Object.entries(all)
          .map(([fate, count]) => `${fate} ${count}`)
          .join(', ');
      return list({
        ...rest,
        frames: fates(frames),
        requests: fates(requests),
        residentMiB: residentMiB.map((x) => n(x, 1)).join(', '),
      });
    },
  },
  ingest: {
    title: 'Ingest: samples to committed rows',
    about:
      'Batches of 500 samples from frame bytes, decoded, checked, written with their rollups, on the embedded PostgreSQL with fsync.',
    run: async () => ingestTable(await benchIngest()),
  },
  http: {
    title: 'REST: requests',
    about: `64 clients for 10 s against the control plane's process on the embedded PostgreSQL, key, plan and budget checked with every
request; an empty route of fastify in a process of its own beside it. CPU is that of the answering process; clients and database
have the same two cores.`,
    run: async () => httpTable(await benchHttp()),
  },
  idle: {
    title: 'Idle',
    about: `One control plane on the embedded PostgreSQL, one agent, a minute and more after a run; each row a minute. Percent of a core: user and
system time of whole process trees.`,
    run: async () =>
      table(
        ['agent', 'control plane with PostgreSQL'],
        (await benchIdle()).map((r) => [n(r.agent, 2), n(r.controlPlane, 2)]),
      ),
  },
  fleet: {
    title: 'A thousand agents',
    about: `Links of agents (agent/link) in one process, without SIP and media, all of one address, and one control plane with its embedded PostgreSQL on the
same cores: enrolled all at once, and back after a restart. CPU is user and system time of whole process trees, from the moment at which the
control plane is up until all are back, what compiles code within.`,
    run: async () => fleetTables(await benchFleet()),
  },
  deletion: {
    title: 'A million samples deleted',
    about: `A run of so many samples is deleted by REST, then the project with another: seconds from the answer until the last row is gone, its statements that
delete, and what another organization's requests take without it and meanwhile. Control plane with its embedded PostgreSQL.`,
    run: async () => deletionTable(await benchDeletion()),
  },
  probes: {
    title: 'Probes: 5,000 at 5 minutes',
    about: `One control plane on the embedded PostgreSQL, one agent that places every call (1 s), SIPp that answers, all on the same cores.
Lateness: from a tick's instant to its run. Database time: sessions executing statements (pg_stat_database.active_time), of the
tick, the run's whole way, samples, messages, figures and grading together, waits for the disk at every commit included. CPU: of the control plane's process.`,
    run: async () => {
      const r = await benchProbes();
      return table(
        ['what', 'figure'],
        [
          ['probes, seconds measured', `${n(r.probes)}, ${r.seconds}`],
          [
            'executions, of them HEALTHY by then, ticks skipped',
            `${n(r.executions)}, ${n(r.healthy)}, ${n(r.skipped)}`,
          ],
          ['tick lateness p50, p99 ms', `${n(r.latenessP50Ms)}, ${n(r.latenessP99Ms)}`],
          ['from submission to the start instant, p50 ms', n(r.startP50Ms)],
          ['database time per execution, ms', n(r.databaseMsPerExecution, 1)],
          ['database time without probes, ms a second', n(r.idleDatabaseMsPerSecond, 1)],
          ['CPU of the control plane per execution, ms', n(r.cpuMsPerExecution, 1)],
        ],
      );
    },
  },
};
/** An hour is only run on request. */
const USUAL = Object.keys(PARTS).filter((part) => part !== 'soak');

const named = process.argv.slice(2);
const unknown = named.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const file = path.join(import.meta.dirname, 'RESULTS.md');
const day = new Date().toISOString().slice(0, 10);
const sections = new Map<string, string>();
for (const section of (await readFile(file, 'utf8')).split(/^## /m).slice(1))
  sections.set(section.split('\n', 1)[0]!, section.slice(section.indexOf('\n')).trim());
for (const part of named.length > 0 ? named : USUAL) {
  const { title, about, run } = PARTS[part]!;
  console.log(`${title} ...`);
  const figures = await run();
  const text = `${about} Measured on ${day}, at the end with a load of ${n(loadavg()[0]!, 1)}.\n\n${figures}`;
  console.log(text);
  sections.set(title, text);
}

const text = `# What it costs

Made by \`npm run bench\` (all but the soak) or \`npm run bench -- PART …\`, which rewrites these parts: ${Object.keys(PARTS).join(', ')}.
The machine is small and shared: absolute figures move by a factor of two, figures of one part can be compared with each other.

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
    ['g++', line('g++', ['--version'])],
  ],
)}

${[...sections].map(([title, body]) => `## ${title}\n\n${body}\n`).join('\n')}`;
await writeFile(file, text);
