/** A run among agents in which every call was answered: nothing is missing, nothing occurs twice. */
import type { Test } from 'tap';
import { type Lab, stallMs } from '../peers/lab/lab.ts';

/**
 * Instants are in the control plane's time, which an agent knows less exactly after it has returned, and even less on a busy
 * host. A missing or repeated sample is a second.
 */
const SEAM_MS = 250;

/** What the other agent's endpoints find, rightly, while one agent is stalled for longer than this. */
const GAPS = ['MEDIA_GAP', 'MEDIA_STOPPED'];
const STALL_MS = 400;

type Totals = { sent: number; received: number; expected: number; lost: number };

/** `calls`: callers, with as many callees. */
export async function checkWholeness(t: Test, lab: Lab, runId: string, calls: number): Promise<void> {
  const run = await lab.run(runId);
  t.match(run, {
    status: 'COMPLETED',
    error: null,
    callTiming: { totalCalls: calls, successCount: calls, inProgressCount: 0 },
    summary: { totalStreams: 2 * calls },
  });
  const excused = stallMs(run) > STALL_MS ? GAPS : [];
  const results = (await lab.endpoints(runId)).map((e) => `${e.phase} ${e.failure?.cause ?? e.outcome}`);
  t.same(
    results.filter((result) => !['SUCCESS', ...excused].some((fate) => result === `CLOSED ${fate}`)),
    [],
    'every endpoint closed with SUCCESS',
  );
  await checkMessages(t, lab, runId, calls);
  await checkSamples(t, lab, runId, calls);
  const [events] = await lab.query<{ n: number; once: number }>(
    `select count(*)::int as n, count(distinct (endpoint_number, kind, detail))::int as once
     from run_events where run_id = $1`,
    [runId],
  );
  t.same(events, { n: 4 + 10 * calls, once: 4 + 10 * calls }, 'every phase and status has its event, once');
  t.equal(run.counts.events, events?.n);
}

async function checkMessages(t: Test, lab: Lab, runId: string, calls: number): Promise<void> {
  const [stored] = await lab.query<{ once: number; again: number; gaps: number }>(
    `select count(*) filter (where not retransmission)::int as once,
       count(*) filter (where retransmission)::int as again,
       (select count(*) from (select max(number) + 1 - count(*) as missing from sip_messages where run_id = $1
          group by endpoint_number) as g where missing <> 0)::int as gaps
     from sip_messages where run_id = $1`,
    [runId],
  );
  const [counted] = await lab.query<{ once: number; again: number }>(
    `select sum(count)::int as once, sum(retransmissions)::int as again from sip_counts where run_id = $1`,
    [runId],
  );
  t.same([stored?.once, stored?.gaps], [12 * calls, 0], 'every message is stored, without gaps');
  t.same([counted?.once, counted?.again], [stored?.once, stored?.again], 'and was counted once');
}

async function checkSamples(t: Test, lab: Lab, runId: string, calls: number): Promise<void> {
  const of = (table: string, more = '') =>
    lab.query<Totals>(
      `select sum(packets_sent)::int as sent, sum(packets_received)::int as received, sum(expected)::int as expected,
         sum(lost)::int as lost from ${table} where run_id = $1 ${more}`,
      [runId],
    );
  const [streams] = await of('streams');
  t.same(await of('samples'), [streams], 'the samples add up to the streams');
  t.same(await of('rollups'), [streams], 'and so do the rollups');
  const unlike = await lab.query(
    `select s.endpoint_number from streams s join (
       select endpoint_number, sum(packets_sent) as sent, sum(packets_received) as received from samples
       where run_id = $1 group by 1) as x using (endpoint_number)
     where s.run_id = $1 and (s.packets_sent <> x.sent or s.packets_received <> x.received)`,
    [runId],
  );
  t.same(unlike, [], 'stream by stream');
  const [seams] = await lab.query<{ n: number; widest: number; streams: number }>(
    `select count(*)::int as n, max(abs(seam))::float8 as widest, count(distinct endpoint_number)::int as streams from (
       select endpoint_number, extract(epoch from lead(at) over w - at) * 1000 - interval_ms as seam from samples
       where run_id = $1 window w as (partition by endpoint_number, stream order by at)) as s where seam is not null`,
    [runId],
  );
  t.equal(seams?.streams, 2 * calls);
  t.ok((seams?.widest ?? 0) < SEAM_MS, `samples follow each other: ${seams?.n} seams, ${seams?.widest.toFixed(2)} ms`);
}
