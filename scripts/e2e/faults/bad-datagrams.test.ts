/** 100,000 invalid datagrams, at the SIP port and the RTP ports of an agent during a run. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { badRtp, badSip, type FloodTarget, flood } from '../../peers/network/flood.ts';
import { holds, residentBytes } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';
import { seeded } from '../../peers/seeded.ts';

const SIP_DATAGRAMS = 60_000;
const RTP_DATAGRAMS = 40_000;
const CALLS = 10;

const lab = await openLab(t, {
  provision: () => ({
    tests: [
      callsAmongAgents('calls', { endpoints: CALLS, buildup: 8, durationSeconds: 4 }),
      callsAmongAgents('brief', { endpoints: 2, durationSeconds: 1 }),
    ],
  }),
});
const [agent] = lab.agents;
if (!agent) throw new Error('the lab has no agent');
const address = lab.net.address(11);

/** UDP ports that are open at the agent's address, from the kernel's own table (proc(5)). */
async function openPorts(): Promise<number[]> {
  const hex = Buffer.from(address.split('.').reverse().map(Number)).toString('hex').toUpperCase();
  const table = await readFile('/proc/net/udp', 'utf8');
  return [...table.matchAll(new RegExp(`^\\s*\\d+: ${hex}:([0-9A-F]{4}) `, 'gm'))].map((m) =>
    Number.parseInt(m[1] ?? '', 16),
  );
}

const before = await residentBytes(agent.pid);
const id = await lab.startRun('calls', 'has calls', (run) => run.progress.phases.INCALL >= 2);
/** Of RTP and RTCP: of current and earlier calls. */
let media: readonly number[] = [];
const aimedAt = new Set<number>();
async function takeAim(): Promise<void> {
  const open = (await openPorts()).filter((port) => port !== agent?.sipPort);
  if (open.length > 0) media = open;
  for (const port of open) aimedAt.add(port);
}
await takeAim();
const random = seeded(20_261);
const sip: FloodTarget = { address, port: agent.sipPort };
const floods = Promise.all([
  flood(lab.net.address(200), SIP_DATAGRAMS, () => ({ target: sip, bytes: badSip(random, sip) })),
  flood(lab.net.address(201), RTP_DATAGRAMS, (n) => ({
    target: { address, port: media[n % media.length] as number },
    bytes: badRtp(random),
  })),
]);
let most = 0;
const watched = lab.reaches(id, 'ends', (run) => run.endedAt !== null);
let isOver = false;
const over = Promise.all([floods, watched]).then(() => {
  isOver = true;
});
const measured = holds(async () => {
  most = Math.max(most, await residentBytes(agent.pid));
  await takeAim();
  return isOver;
});
await Promise.all([over, measured]);
const run = await watched;

t.test('the run has not noticed', async (t) => {
  t.ok(aimedAt.size > 4, `${aimedAt.size} ports of calls that were up`);
  t.match(run, {
    status: 'COMPLETED',
    callTiming: { totalCalls: CALLS, successCount: CALLS },
    summary: { totalStreams: 2 * CALLS },
  });
  t.ok((await lab.endpoints(id)).every((e) => e.outcome === 'SUCCESS'));
  // An agent without processor time finds its queues full: then the verdict says so.
  const isValid = run.validity?.verdict === 'VALID';
  t.ok(run.summary.avgMos > (isValid ? 4.3 : 1), `MOS ${run.summary.avgMos}`);
  if (isValid) t.equal(run.summary.totalPacketsLost, 0);
  const { avgPacketLossFraction } = run.summary;
  t.ok(avgPacketLossFraction < 0.2, `${avgPacketLossFraction} lost`);
  t.comment(`${run.validity?.verdict}: ${run.validity?.reasons.map((r) => r.message).join(' ')}`);
});

t.test('the agent lives, and has counted', async (t) => {
  t.equal((await fetch(`${agent.metricsUrl}/healthz`)).status, 200);
  t.equal((await fetch(`${agent.metricsUrl}/readyz`)).status, 200);
  const metrics = await scrape(agent.metricsUrl);
  const malformed = metrics.value('carillon_agent_sip_malformed_total') ?? 0;
  const drops = metrics.value('carillon_agent_receive_queue_drops_total') ?? 0;
  t.ok(malformed > SIP_DATAGRAMS / 20, `${malformed} malformed`);
  t.notMatch(agent.output(), /"level":(50|60)/, 'no error in its log');
  t.comment(`${malformed} of ${SIP_DATAGRAMS} malformed, ${drops} dropped by the kernel`);
});

t.test('and has not grown without bound', async (t) => {
  const grown = (most - before) / 2 ** 20;
  t.comment(`${(before / 2 ** 20).toFixed(0)} MiB before, at most ${(most / 2 ** 20).toFixed(0)} MiB`);
  // Its limits: 64 MiB of facts, 32 of messages, and for each heap of two threads 32 before a collection. The rest is for
  // new objects. Datagrams that are kept would have no limit.
  t.ok(grown < 300, `grown by ${grown.toFixed(0)} MiB`);
});

t.test('the next run is a run as any other', async (t) => {
  const next = await lab.runWhole('brief');
  t.match(next, { status: 'COMPLETED', callTiming: { successCount: 2 }, summary: { totalPacketsLost: 0 } });
});
