/** A run whose endpoints hold bindings at kamailio, and what the registrar counts of them, second by second. */
import { refreshDelayMs } from '../../../agent/sip/registration/granted-expires.ts';
import type { Lab } from '../../peers/lab/lab.ts';
import type { TestInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { treeCpuSeconds } from '../../peers/process.ts';
import { type Kamailio, type PerSecond, passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { residentMiB, withInstallation } from '../installation.ts';

export type PhonesForm = {
  readonly bindings: number;
  readonly agents: number;
  /** The time for which a binding is asked, and granted. */
  readonly expiresSeconds: number;
  /** The absence of a registrar that is only restarted. */
  readonly restartSeconds: number;
  /** The wait before a REGISTER that failed is repeated. */
  readonly retrySeconds: number;
};

/** `ofSipp`: the registrar of SIPp, so that the other one has our bindings only. */
export type PhonesBed = {
  readonly lab: Lab;
  readonly pbx: Kamailio;
  readonly ofSipp: Kamailio;
  readonly form: PhonesForm;
};

export const TEST = 'phones';
const REGISTRAR = 'pbx';
const ACCOUNTS_A_REQUEST = 10_000;
/** A worker leaves a part of its capacity to probes. */
const ROOM = 1.1;
/** Shared memory of kamailio. */
const MIB = { itself: 64, ofBinding: 1 / 500 };

/** After this time on average a binding comes again; over as much they are all registered first. */
const cycleSeconds = ({ expiresSeconds }: PhonesForm): number => refreshDelayMs(expiresSeconds, 0.5) / 1000;
/** Bindings a second where they come evenly. */
export const evenRate = (form: PhonesForm): number => form.bindings / cycleSeconds(form);

export async function withBindings<T>(form: PhonesForm, act: (bed: PhonesBed) => Promise<T>): Promise<T> {
  const net = ownLoopback();
  const sharedMiB = MIB.itself + Math.ceil(form.bindings * MIB.ofBinding);
  const pbx = await startKamailio(net.address(60), 'registrar', { sharedMiB });
  const ofSipp = await startKamailio(net.address(61), 'registrar', { sharedMiB });
  const capacity = Math.ceil((ROOM * form.bindings) / form.agents);
  const options = {
    net,
    agents: form.agents,
    capacity,
    // On a busy host some come late; none is left out.
    agentEnv: { CARILLON_CAPACITY: String(capacity), CARILLON_LATEST_START_MS: '60000' },
    policy: {
      maxCallsPerSecond: Math.ceil(2 * evenRate(form)),
      maxEndpoints: capacity,
      maxDurationSeconds: 86_400,
      targetNetworks: [net.network],
    },
    provision: () => ({
      registrars: [{ slug: REGISTRAR, name: REGISTRAR, uri: pbx.uri }],
      tests: [phones(form)],
    }),
  };
  try {
    return await withInstallation(options, async (lab) => {
      await makeAccounts(lab, form);
      return act({ lab, pbx, ofSipp, form });
    });
  } finally {
    await Promise.allSettled([pbx.stop(), ofSipp.stop()]);
  }
}

const phones = (form: PhonesForm): TestInput => ({
  slug: TEST,
  name: TEST,
  buildup: Math.round(cycleSeconds(form)),
  // This is longer than anybody waits: the run is ended by an order.
  durationSeconds: 20 * form.expiresSeconds,
  breaker: null,
  groups: [
    {
      name: 'phones',
      registrar: REGISTRAR,
      mode: 'REGISTER',
      callee: { mode: 'NONE' },
      placement: { mode: 'REGION', region: 'local' },
      registerExpiresSeconds: form.expiresSeconds,
      registerRetry: { afterSeconds: form.retrySeconds, withinSeconds: 4 * form.expiresSeconds },
      subPopulations: [{ name: 'all', role: 'CALLER', endpoints: form.bindings }],
    },
  ],
});

async function makeAccounts({ call, projectId }: Lab, { bindings }: PhonesForm): Promise<void> {
  const { rows } = await call('listRegistrars', { projectId });
  const registrarId = rows.find(({ name }) => name === REGISTRAR)?.id ?? '';
  const names = Array.from({ length: bindings }, (_, i) => String(100_000 + i));
  for (let from = 0; from < bindings; from += ACCOUNTS_A_REQUEST) {
    const some = names.slice(from, from + ACCOUNTS_A_REQUEST);
    const sipAccounts = some.map((username) => ({ username, password: passwordOf(username) }));
    await call('createSipAccounts', { projectId, registrarId, sipAccounts });
  }
}

export type Rate = { readonly sum: number; readonly mean: number; readonly highest: number };
/** REGISTERs that came and that were granted, and what they cost the agents. */
export type Span = { readonly asked: Rate; readonly granted: Rate; readonly cpuSeconds: number };

/** Counts while `act` lasts, in the whole seconds that it fills. */
export async function spanOf({ lab, pbx }: PhonesBed, act: () => Promise<unknown>): Promise<Span> {
  const cpuBefore = await ofAgents(lab, treeCpuSeconds);
  const from = Math.ceil(Date.now() / 1000);
  await act();
  const until = Math.floor(Date.now() / 1000);
  const cpuSeconds = (await ofAgents(lab, treeCpuSeconds)) - cpuBefore;
  const { asked, granted } = await pbx.registers();
  return { asked: rateOf(asked, from, until), granted: rateOf(granted, from, until), cpuSeconds };
}

function rateOf(counts: PerSecond, from: number, until: number): Rate {
  const each = Array.from({ length: until - from }, (_, i) => counts.get(from + i) ?? 0);
  const sum = each.reduce((all, one) => all + one, 0);
  return { sum, mean: sum / each.length, highest: Math.max(...each) };
}

/** Seconds from an instant (Unix time, s) until so many had been counted. */
export function secondsUntil(counts: PerSecond, fromSecond: number, wanted: number): number {
  let sum = 0;
  for (const [second, count] of [...counts].sort(([a], [b]) => a - b)) {
    sum += count;
    if (sum >= wanted) return second + 1 - fromSecond;
  }
  return Number.NaN;
}

/** Bindings that it has granted since it was started. */
export const grantedBy = async (pbx: Kamailio): Promise<number> =>
  [...(await pbx.registers()).granted.values()].reduce((sum, count) => sum + count, 0);

async function ofAgents(lab: Lab, figure: (pid: number) => Promise<number>): Promise<number> {
  const each = await Promise.all(lab.agents.map(({ pid }) => figure(pid)));
  return each.reduce((sum, one) => sum + one, 0);
}
export const residentOfAgents = (lab: Lab): Promise<number> => ofAgents(lab, residentMiB);
