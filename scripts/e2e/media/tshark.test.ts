/** Every stream and every SIP message of a run in tshark's capture, compared with our rows. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { clockErrorMs } from '../../peers/lab/carillon.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { openRecording, startCapture } from '../../peers/referees/tshark.ts';

const CALLS = 10;
const TRACED = 3;
const net = ownLoopback();
const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    tests: [
      callsAmongAgents('watched', {
        endpoints: CALLS,
        buildup: 1,
        durationSeconds: 6,
        media: { rtpTrace: { endpoints: TRACED } },
      }),
    ],
  }),
});
const sipPorts = () => lab.agents.map((agent) => agent.sipPort);
/** Our figures and tshark's are from two places in the kernel: it may run another process in between, in so many streams. */
const INTERRUPTED = CALLS / 5;

const clockErrors = () => Promise.all(lab.agents.map(clockErrorMs));

/** A run with its recording: the first whose agents did everything in time, or the last of a few. */
async function watched(attempts = 3) {
  const capture = await startCapture(net.network, sipPorts);
  const before = await clockErrors();
  const run = await lab.runToEnd('watched');
  const after = await clockErrors();
  const recording = await capture.stop();
  if (run.validity?.verdict !== 'VALID' && attempts > 1) {
    await recording.remove();
    return watched(attempts - 1);
  }
  return { run, recording, clockErrorsMs: after.map((ms, i) => Math.max(ms, before[i]!)) };
}
const { run, recording, clockErrorsMs } = await watched();
t.teardown(() => recording.remove());

/** Address of each agent by its worker's name. */
const addressOf = new Map(lab.agents.map((_, i) => [`agent-${i + 1}`, net.address(11 + i)]));

t.match(run, { status: 'COMPLETED', callTiming: { successCount: CALLS } });

t.test('RTP streams', async (t) => {
  type Row = {
    worker: string;
    local_port: number;
    ssrc_received: number;
    packets_received: number;
    lost: number;
    jitter_mean_ms: number;
  };
  const rows = await lab.query<Row>(
    `select w.name as worker, s.* from streams s
     join endpoints e on e.run_id = s.run_id and e.number = s.endpoint_number
     join workers w on w.id = e.worker_id where s.run_id = $1`,
    [run.id],
  );
  const streams = await recording.rtpStreams();
  const packets = await recording.rtp();
  const byes = await recording.byes();
  t.equal(rows.length, 2 * CALLS);
  t.equal(streams.length, 2 * CALLS, 'tshark saw as many streams');
  let tail = 0;
  const jittersOff: number[] = [];
  const received = rows.reduce((sum, row) => sum + row.packets_received, 0);
  for (const row of rows) {
    const to = `${addressOf.get(row.worker)}:${row.local_port}`;
    const seen = streams.find((s) => s.to === to && s.ssrc === row.ssrc_received);
    if (!seen) {
      t.fail(`tshark saw no stream to ${to}`);
      continue;
    }
    // A packet that reaches a stream after its BYE is only in tshark's figures.
    const closed = byes.find((g) => g.from === `${addressOf.get(row.worker)}:${row.local_port + 1}`)?.atMs;
    const late = packets.filter((p) => p.to === to && p.atMs > (closed ?? Number.POSITIVE_INFINITY)).length;
    tail += late;
    jittersOff.push(Math.abs(row.jitter_mean_ms - seen.meanJitterMs));
    t.same(
      { packets: row.packets_received, lost: row.lost },
      { packets: seen.packets - late, lost: seen.lost },
      `packets and loss to ${to}`,
    );
  }
  t.comment(`${tail} packets after a BYE; mean jitter at most ${Math.max(...jittersOff).toFixed(4)} ms from tshark's`);
  // One packet of a stream may be in transit when it ends; on a busy host the other end learns of it later.
  t.ok(tail <= received / 10, `${tail} of ${received} packets came when nobody listened any more`);
  const interrupted = jittersOff.filter((ms) => ms >= 0.1).length;
  t.ok(Math.max(...jittersOff) < 1, `mean jitter: at most ${Math.max(...jittersOff).toFixed(4)} ms off`);
  t.ok(interrupted <= INTERRUPTED, `mean jitter of ${interrupted} streams is 0.1 ms or more from tshark's`);
});

t.test('headers of RTP in the exported file', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-trace-'));
  const file = path.join(dir, 'run.pcapng');
  const url = `${lab.controlPlane.url}/api/v1/projects/${lab.projectId}/test-runs/${run.id}/trace.pcapng?direction=RECEIVED`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${lab.apiKey}` } });
  await writeFile(file, new Uint8Array(await answer.arrayBuffer()));
  // tshark learns the RTP ports only from the SDP in the same file.
  const ports = sipPorts().flatMap((port) => ['-d', `udp.port==${port},sip`]);
  const exported = openRecording(file, ports, () => rm(dir, { recursive: true, force: true }));
  t.teardown(() => exported.remove());
  const rows = await lab.query<{
    ssrc_received: number;
    packets_received: number;
    lost: number;
    jitter_mean_ms: number;
  }>('select * from streams where run_id = $1', [run.id]);
  const streams = await exported.rtpStreams();
  t.equal(streams.length, 4 * TRACED, 'of each share: two agents have one of each end');
  let jitterOff = 0;
  for (const seen of streams) {
    const row = rows.find((one) => one.ssrc_received === seen.ssrc);
    t.same([seen.packets, seen.lost], [row?.packets_received, row?.lost], `packets and loss of ${seen.ssrc}`);
    jitterOff = Math.max(jitterOff, Math.abs((row?.jitter_mean_ms ?? Number.NaN) - seen.meanJitterMs));
  }
  t.comment(`mean jitter at most ${jitterOff.toFixed(4)} ms from tshark's`);
  t.ok(jitterOff < 0.05, `mean jitter: ${jitterOff.toFixed(4)} ms`);
});

t.test('SIP messages', async (t) => {
  type Row = {
    worker: string;
    atMs: number;
    sent: boolean;
    method: string;
    status: number;
    peer: string;
    call_id: string;
  };
  const rows = await lab.query<Row>(
    `select w.name as worker, m.*, extract(epoch from m.at)::float8 * 1000 as "atMs" from sip_messages m
     join endpoints e on e.run_id = m.run_id and e.number = m.endpoint_number
     join workers w on w.id = e.worker_id where m.run_id = $1 order by m.at`,
    [run.id],
  );
  const wire = await recording.sip();
  const received = rows.filter((row) => !row.sent);
  t.equal(wire.length, received.length, 'each message on the wire was received once');
  t.equal(wire.length, rows.length - received.length, 'and sent once');
  /** By worker: each knows the control plane's clock as exactly as its exchanges permit. */
  const off = new Map([...addressOf.keys()].map((worker) => [worker, [] as number[]]));
  const left = [...wire];
  for (const row of received) {
    const address = `${addressOf.get(row.worker)}:`;
    const i = left.findIndex(
      (m) =>
        m.callId === row.call_id &&
        m.method === row.method &&
        m.status === row.status &&
        m.from === row.peer &&
        m.to.startsWith(address),
    );
    const [seen] = i < 0 ? [] : left.splice(i, 1);
    if (seen) off.get(row.worker)?.push(row.atMs - seen.atMs);
    else t.fail(`tshark did not see ${row.status || ''} ${row.method} from ${row.peer}`);
  }
  t.equal(left.length, 0, 'tshark saw nothing else');
  const quantile = (values: readonly number[], share: number): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
  for (const [worker, values] of off) {
    const clock = quantile(values, 0.5);
    // Both are kernel times, taken at two places: sometimes the host runs another process in between.
    const apart = values.map((ms) => Math.abs(ms - clock));
    const [p75, most] = [quantile(apart, 0.75), Math.max(...apart)];
    t.comment(
      `${worker} received ${values.length} messages, its clock ${clock.toFixed(3)} ms off; p75 ${p75.toFixed(3)} ms from that, ` +
        `at most ${most.toFixed(3)} ms`,
    );
    const errorMs = clockErrorsMs[[...off.keys()].indexOf(worker)] ?? Number.NaN;
    // Stored instants are whole milliseconds.
    t.ok(Math.abs(clock) < 2 + 2 * errorMs, `${worker}: its clock is ${clock.toFixed(3)} ms off (${errorMs} ms)`);
    t.ok(p75 < 1, `${worker}: p75 ${p75.toFixed(3)} ms apart`);
  }
});
