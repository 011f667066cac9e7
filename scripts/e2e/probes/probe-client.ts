/** Probes as a user sees them: created, run and read by REST, and reported by webhooks, to a program and to a chat. */

import type { CallInput } from '../../../control-plane/client.ts';
import type { Output } from '../../../control-plane/contract/catalogue.ts';
import type { WebhookFormat } from '../../../control-plane/contract/notify/formats.ts';
import { ATTEMPTS, couldNotStart, type Lab, stallMs } from '../../peers/lab/lab.ts';
import { type ReceivedHook, startWebhookReceiver } from '../../peers/network/webhook-receiver.ts';
import { until } from '../../peers/process.ts';

export type ProbeExecution = Output<'listProbeInstances'>;
export type Incident = Output<'listProbeIncidents'>;
type NewProbe = CallInput<'createProbe'>;
export type ProbeTerms = Pick<NewProbe['test'], 'audioCodecs' | 'encryption' | 'expectations'>;

/** Settings that a control plane needs to send webhooks to a test. */
export const TELLS_TESTS = { CARILLON_WEBHOOKS_ALLOW_PRIVATE: 'true', CARILLON_WEBHOOKS_ALLOW_HTTP: 'true' };

const EVENTS = ['probe.status_changed', 'incident.opened', 'incident.resolved', 'worker.status_changed'] as const;
type Event = (typeof EVENTS)[number];
/** A stall of this length may cause a gap in the media itself. */
const STOOD_STILL_MS = 1000;
/** A whole execution; a call without a BYE takes 32 s of it (RFC 3261, Timer F). */
const EXECUTION_MS = 90_000;
/** One key reads all probes of a test, and has a request budget per minute. */
const POLL_MS = 500;

export type ProbeClient = {
  /** Without thresholds; the first bad execution opens an incident. Its id. */
  create(name: string, uri: string, durationSeconds: number, terms?: ProbeTerms): Promise<string>;
  /** Runs it once, until it is graded. */
  execute(probeId: string): Promise<ProbeExecution>;
  /** Runs it until the agent had enough processor time, a few times at most. */
  executeUndisturbed(probeId: string): Promise<ProbeExecution>;
  incidents(probeId: string): Promise<Incident[]>;
  /** The agent was disturbed during it, or not ready for it: it has no grade. */
  isDisturbed(execution: ProbeExecution): Promise<boolean>;
  /** What a program was told so far about the probe, without its changes of status. */
  alarms(probeId: string): readonly ReceivedHook[];
  /** Waits until a program is told this about the probe. */
  told(probeId: string, event: Event): Promise<ReceivedHook>;
  /** The same, as people read it in a chat: each text of the message on one line. */
  chat(name: string, event: Event): Promise<string>;
  readonly received: readonly ReceivedHook[];
  /** Messages without a valid signature. */
  unsigned(): number;
  stop(): Promise<void>;
};

/** All texts in it, in order. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The types have this format only as long as the feature exists. */
const CHAT = 'SLACK' as string as WebhookFormat;

export async function openProbeClient(lab: Lab): Promise<ProbeClient> {
  const { call, projectId } = lab;
  const receiver = await startWebhookReceiver();
  const { url, secret, received } = receiver;
  const events = [...EVENTS];
  await call('createWebhook', { projectId, url, secret, format: 'STANDARD', events });
  await call('createWebhook', { projectId, url: `${url}/chat`, secret, format: CHAT, events });
  const { rows } = await call('listRegistrars', { projectId });
  const registrarId = rows.find(({ slug }) => slug === 'cloud')?.id ?? '';
  const of = (probeId: string) => received.filter(({ data }) => data?.probeId === probeId);

  async function execute(probeId: string): Promise<ProbeExecution> {
    const { id } = await call('runProbe', { projectId, probeId });
    const graded = async (): Promise<ProbeExecution | undefined> => {
      const { rows } = await call('listProbeInstances', { projectId, probeId });
      return rows.find((one) => one.id === id && one.message !== null);
    };
    return until(`the execution of ${probeId} is graded`, graded, { idleMs: EXECUTION_MS, everyMs: POLL_MS });
  }
  async function isDisturbed({ testRunId }: ProbeExecution): Promise<boolean> {
    const run = await lab.run(testRunId);
    return couldNotStart(run) || run.validity?.verdict === 'VOID' || stallMs(run) >= STOOD_STILL_MS;
  }

  return {
    execute,
    isDisturbed,
    async executeUndisturbed(probeId) {
      for (let attempt = 1; ; attempt++) {
        const execution = await execute(probeId);
        if (attempt === ATTEMPTS || !(await isDisturbed(execution))) return execution;
      }
    },
    async create(name, uri, durationSeconds, terms = {}) {
      const callee = { mode: 'EXTERNAL_URI', uri } as const;
      const placement = { mode: 'REGION', region: 'local' } as const;
      const test = { registrarId, callee, placement, ...terms };
      const schedule = { enabled: false, fixedIntervalSec: 300, alertStrikeRuns: 1 } as const;
      return (await call('createProbe', { projectId, name, durationSeconds, ...schedule, test })).id;
    },
    incidents: async (probeId) => (await call('listProbeIncidents', { projectId, probeId })).rows,
    alarms: (probeId) => of(probeId).filter(({ type }) => type !== 'probe.status_changed'),
    told: (probeId, event) => until(`${event} is told`, () => of(probeId).find(({ type }) => type === event)),
    chat: (name, event) =>
      until(`${event} of ${name} is told in a chat`, () =>
        received
          .filter((message) => 'blocks' in message)
          .map((message) => textsIn(message).join('\n'))
          .find((text) => text.includes(`*Probe*\n${name}\n`) && text.includes(event)),
      ),
    received,
    unsigned: receiver.unsigned,
    stop: receiver.stop,
  };
}
