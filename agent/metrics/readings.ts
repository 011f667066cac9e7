/** Metrics of the link, the outbox, the policy and HEP: their own counters are read when they are scraped. */
import { LINK_STATES, type LinkState } from '../link/link-machine.ts';
import type { AgentRegistry } from './registry.ts';

export type Readings = {
  readonly endpoints: () => number;
  readonly linkState: () => LinkState;
  readonly outboxDepth: () => number;
  readonly policy: () => {
    /** The error in the current file; null: none. */
    readonly fault: string | null;
    readonly taken: number;
    readonly refused: number;
    readonly minutesToday: number;
  };
  /** 0 while connected. */
  readonly linkOfflineMs: () => number;
  /** The error of the control plane's clock, as the agent knows it; NaN: unknown. */
  readonly clockErrorMs: () => number;
  readonly outboxBytes: () => number;
  /** Batches that lost facts because the outbox was full, or because the control plane refused them. */
  readonly outboxDropped: () => { readonly full: number; readonly refused: number };
  readonly strays: () => {
    readonly malformed: number;
    readonly refusedByPolicy: number;
    readonly unclaimed: number;
    readonly withheld: number;
  };
  readonly hep: () => { readonly sent: number; readonly dropped: number };
};

export function readMetrics(registry: AgentRegistry, readings: Readings): void {
  registry.readGauge('endpoints_active', 'Endpoints of allocations that have not ended.', readings.endpoints);
  linkGauges(registry, readings);
  policyGauges(registry, readings);
  registry.readCounter(
    'sip_malformed_total',
    'Data received on SIP ports that is not a SIP message.',
    () => readings.strays().malformed,
  );
  registry.readCounter(
    'sip_unclaimed_total',
    'INVITEs of unknown callers, and OPTIONS, that no endpoint accepted.',
    () => readings.strays().unclaimed,
  );
  registry.readCounter(
    'sip_withheld_total',
    'Responses to unknown peers that were not sent: larger than the request, or too many for one source.',
    () => readings.strays().withheld,
  );
  registry.readCounters(
    'hep_messages_total',
    'SIP messages for the HEP collector: sent, or dropped because it did not accept them.',
    'result',
    readings.hep,
  );
}

function linkGauges(
  registry: AgentRegistry,
  {
    linkState,
    linkOfflineMs,
    clockErrorMs,
    outboxDepth,
    outboxBytes,
    outboxDropped,
  }: Omit<Readings, 'endpoints' | 'policy' | 'strays' | 'hep'>,
): void {
  registry.readGauge('link_up', '1 while connected to the control plane.', () => (linkState() === 'ONLINE' ? 1 : 0));
  registry.readGauges('link_state', '1 for the current state of the link.', 'state', () =>
    LINK_STATES.map((state) => [state, linkState() === state ? 1 : 0] as const),
  );
  registry.readGauge(
    'link_offline_seconds',
    'Time without a control plane; 0 while connected.',
    () => linkOfflineMs() / 1000,
  );
  registry.readGauge(
    'clock_error_seconds',
    "Largest error of the control plane's clock as the agent knows it: half of a round trip.",
    () => clockErrorMs() / 1000,
  );
  registry.readGauge('outbox_batches', 'Batches of facts that are not committed yet.', outboxDepth);
  registry.readGauge('outbox_bytes', 'Bytes of these batches, compressed.', outboxBytes);
  registry.readCounters(
    'outbox_dropped_batches_total',
    'Batches that lost facts: the outbox was full, or the control plane refused them.',
    'reason',
    outboxDropped,
  );
}

function policyGauges(registry: AgentRegistry, { policy, strays }: Pick<Readings, 'policy' | 'strays'>): void {
  registry.readGauge('policy_valid', '1 while the policy file is valid; 0 while the previous policy is active.', () =>
    policy().fault === null ? 1 : 0,
  );
  registry.readGauge(
    'call_today_seconds',
    'Time in calls since midnight UTC, as counted for maxMinutesADay.',
    () => policy().minutesToday * 60,
  );
  registry.readCounters(
    'policy_readings_total',
    "Times that the owner's policy was read again, by whether it was valid.",
    'result',
    () => ({ taken: policy().taken, refused: policy().refused }),
  );
  registry.readCounter(
    'policy_refused_messages_total',
    "SIP messages, sent or received, that the owner's policy blocked.",
    () => strays().refusedByPolicy,
  );
}
