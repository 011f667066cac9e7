/**
 * One run on fifty agents of one pool: what an agent and a call cost the control plane, a rate that changes for all of them at one
 * instant, and every call counted while agents and the control plane are killed. `CARILLON_PROVE_AGENTS`, `CARILLON_PROVE_RATE` (calls
 * a second, at most 160) and `CARILLON_PROVE_SECONDS` (of the steady rate, at most 120) are other sizes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, residentMiB, withInstallation } from '../../../../scripts/measure/installation.ts';
import type { Measurement } from '../../../../scripts/measure/sections.ts';
import { n, type ResultTable } from '../../../../scripts/measure/table.ts';
import type { Lab } from '../../../../scripts/peers/lab/lab.ts';
import { type Loopback, ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { openSipp } from './come-and-go.ts';
import { appliedBy } from './fleet-change.ts';
import {
  againstPlan,
  changeRates,
  changesOf,
  connections,
  fleetTest,
  joinFleet,
  plannedInstants,
} from './fleet-load.ts';
import { sizeOf } from './fleet-size.ts';

const AGENTS = sizeOf('AGENTS', 50);
const RATE = sizeOf('RATE', 50);
const SECONDS = sizeOf('SECONDS', 60);
const IDLE_SECONDS = 20;
const FROZEN_SECONDS = 5;
const GRACE_SECONDS = 10;
/** Agents report once a second: what one that is killed had not reported is only known to SIPp. */
const UNREPORTED_SECONDS = 3;

/** What the control plane and PostgreSQL used meanwhile, in microseconds of CPU. */
async function costOf(lab: Lab, act: () => Promise<unknown>): Promise<{ controlPlane: number; postgres: number }> {
  const before = await cpuOf(lab);
  await act();
  const after = await cpuOf(lab);
  const us = (part: 'controlPlane' | 'postgres'): number => (after[part] - before[part]) * 1e6;
  return { controlPlane: us('controlPlane'), postgres: us('postgres') };
}

async function onFleet(lab: Lab, net: Loopback) {
  const { agents, join } = await joinFleet(lab, net, AGENTS);
  try {
    const idle = await costOf(lab, () => sleep(IDLE_SECONDS * 1000));
    const perAgentSecond = {
      controlPlane: idle.controlPlane / (AGENTS * IDLE_SECONDS),
      postgres: idle.postgres / (AGENTS * IDLE_SECONDS),
    };
    const id = await lab.startRun('fleet');
    const begun = (await lab.run(id)).starts.planned;
    const beganMs = performance.now();
    const steady = await costOf(lab, () =>
      lab.reaches(id, 'has gone on', ({ starts }) => starts.planned >= begun + RATE * SECONDS, 1000),
    );
    const seconds = (performance.now() - beganMs) / 1000;
    const ofCalls = (part: 'controlPlane' | 'postgres'): number =>
      (steady[part] - perAgentSecond[part] * AGENTS * seconds) / (RATE * SECONDS);
    const memory = await residentMiB(lab.controlPlane.pid);
    const changes = await changeRates(lab, id, [2 * RATE, 0, RATE]);
    const [killed, frozen] = agents;
    await killed?.stop('SIGKILL');
    if (frozen) process.kill(frozen.pid, 'SIGSTOP');
    await sleep(FROZEN_SECONDS * 1000);
    if (frozen) process.kill(frozen.pid, 'SIGCONT');
    await join();
    await lab.controlPlane.stop('SIGKILL');
    await lab.startControlPlane();
    // One that is away has a change only when it is back.
    await until('all are back', () => agents.slice(1).every((agent) => connections(agent) > 1));
    const later = await changeRates(lab, id, [RATE / 2, 0]);
    await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId: id });
    const run = await lab.ended(id);
    const instants = plannedInstants(RATE, await changesOf(lab, id), Number.MAX_SAFE_INTEGER);
    const calls = await lab.calls(id);
    const found = againstPlan(calls, run.startedAt ?? '', instants);
    return {
      ...found,
      applied: appliedBy(calls, [...changes, ...later]).slice(0, changes.length),
      run,
      memory,
      perAgentSecond,
      perCall: ofCalls('controlPlane'),
      perCallPostgres: ofCalls('postgres'),
    };
  } finally {
    await Promise.all(agents.map((agent) => agent.stop('SIGKILL')));
  }
}

async function fleetLoad(): Promise<ResultTable> {
  const net = ownLoopback();
  const sipp = await openSipp(net);
  try {
    const options = {
      net,
      agents: 0,
      graceSeconds: GRACE_SECONDS,
      provision: () => ({ tests: [fleetTest(sipp.uri, RATE)] }),
    };
    const found = await withInstallation(options, (lab) => onFleet(lab, net));
    const sent = (await sipp.end()).messages['0_INVITE_Recv'] ?? 0;
    const { totalCalls, successCount, timeoutCount, rejectedCount, errorCount, inProgressCount } = found.run.callTiming;
    const inStates = successCount + timeoutCount + rejectedCount + errorCount;
    const unreported = sent - totalCalls;
    const { perAgentSecond: agent, applied } = found;
    const pauses = applied.filter(({ agents }) => agents === null);
    const rates = applied.filter(({ agents }) => agents !== null);
    const slowest = (of: typeof applied): string => n(Math.max(...of.map(({ afterMs }) => afterMs)) / 1000, 2);
    return {
      heads: [
        ...['agents', 'calls', 'in one state', 'as SIPp counts them', 'at another instant than planned', 'twice'],
        ...['another rate by all after, s', 'paused after, s'],
        ...['control plane, MiB', 'an agent and a second, µs', 'of PostgreSQL', 'a call, µs', 'of PostgreSQL'],
      ],
      rows: [
        [
          ...[found.agents, totalCalls, inStates, sent, found.strange, found.twice].map((figure) => n(figure)),
          ...[slowest(rates), slowest(pauses), n(found.memory)],
          ...[agent.controlPlane, agent.postgres, found.perCall, found.perCallPostgres].map((us) => n(us)),
        ],
      ],
      faults: [
        ...(inStates === totalCalls && inProgressCount === 0
          ? []
          : [`${inStates} of ${totalCalls} calls are in a state`]),
        ...(unreported >= 0 && unreported <= Math.ceil((2 * RATE * UNREPORTED_SECONDS) / AGENTS)
          ? []
          : [`SIPp was sent ${sent} calls, and ${totalCalls} were counted: one agent was killed`]),
        ...(found.strange + found.twice === 0
          ? []
          : [`${found.strange} calls were not of the plan, ${found.twice} twice`]),
        ...applied.flatMap(({ callsPerSecond, afterMs }) =>
          afterMs <= 1000 ? [] : [`the last agent had ${n(callsPerSecond)} calls a second after ${n(afterMs)} ms only`],
        ),
        // The one that is killed takes with it what it has not reported.
        ...rates.flatMap(({ callsPerSecond, agents }) =>
          (agents ?? 0) >= AGENTS - 1
            ? []
            : [`${agents} of ${AGENTS} agents placed calls at the rate of ${n(callsPerSecond)} a second`],
        ),
      ],
    };
  } finally {
    await sipp.stop('SIGKILL');
  }
}

export const SECTION: Measurement = {
  by: 'prove',
  title: 'One run on fifty agents',
  about: `Agents of one pool carry one run, signalling only. Its rate is doubled, paused and raised again; then one agent is killed, one stands
still, one joins, and the control plane is killed. The claims are that within a second after the answer to a change the last agent has it,
by the first call of each at the new rate and how late it was, that the last INVITE of a paused load was within a second, that each call is
at an instant that the plan with its changes has, none twice, that each is in one state, and that SIPp was sent no more than these and
what the killed agent had not reported. Costs are CPU.`,
  run: fleetLoad,
};
