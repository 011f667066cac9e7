/** Rows of endpoints, and of their calls, in the contract's shape. */
import { q850Name } from '@carillon/proto';
import {
  type AnsweredIn,
  answeredIn,
  type CALL_FIGURES,
  columnOf,
  type FigureName,
} from '@carillon/proto/figures/call-figures.ts';
import type { Output } from '../../contract/catalogue.ts';
import { PHASES, type Phase } from '../../contract/run/words.ts';
import { failureSentence, findingView } from '../../domain/figures/findings.ts';
import type { EndpointRow } from '../../store/run/views/endpoint-lists.ts';
import { findingParty, partyOf } from './figures.ts';
import { workerRef } from './runs.ts';

type Listed = Output<'listTestRunEndpoints'>;

export function endpointView(e: EndpointRow): Omit<Listed, 'calls'> {
  const findings = (e.findings ?? []).map((f) => findingView(f, findingParty(f.kind, e.endpoint_type, e.q850)));
  return {
    id: e.id,
    endpointType: e.endpoint_type,
    phase: PHASES[e.phase] as Phase,
    outcome: e.outcome,
    failure: e.cause === null ? null : failureView(e, e.cause, findings),
    findings,
    media: e.media,
    number: e.number,
    callId: e.call_id,
    plannedAt: e.planned_at?.toISOString() ?? null,
    inviteAt: inviteAt(e),
    calleeUri: e.callee_uri,
    worker: workerRef({ id: e.worker_id, name: e.workerName, isPlatform: e.isPlatform }),
    registrar: { id: e.registrar_id, name: e.registrarName ?? '(deleted)', uri: e.registrarUri ?? '' },
    callTiming: callTimingView(e),
    kept: e.outcome === null ? null : e.kept,
    pairing: e.pairing,
  };
}

function failureView(e: EndpointRow, cause: string, findings: Listed['findings']): NonNullable<Listed['failure']> {
  const words = { cause, sipStatus: e.cause_status, reason: e.cause_text ?? '', ...explanationView(e) };
  const retryAfterSeconds = e.retry_after_seconds;
  const { q850Name: _, ...explanation } = words;
  return {
    ...words,
    party: partyOf(cause, e.endpoint_type, e.q850),
    retryAfterSeconds,
    sentence: failureSentence({ ...explanation, retryAfterSeconds }, findings),
  };
}

export const releaseView = (e: EndpointRow): Output<'getTestRunEndpoint'>['release'] => {
  const explanation = explanationView(e);
  return Object.values(explanation).every((one) => one === null) ? null : explanation;
};

/** The reason that the far end gave for refusing or ending the call. */
const explanationView = (e: EndpointRow) => ({
  q850: e.q850,
  q850Name: e.q850 === null ? null : q850Name(e.q850),
  reasonText: e.reason_text,
  warning: e.warning,
});

export const figures = <Where extends 'LIST' | 'DETAIL'>(where: Where, of: (name: FigureName) => number | null) =>
  Object.fromEntries(answeredIn(where).map((name) => [name, of(name)])) as {
    [K in AnsweredIn<Where>]: (typeof CALL_FIGURES)[K]['unit'] extends 'ms' ? number | null : number;
  };

type Invited = Pick<EndpointRow, 'called_at' | 'attempted' | 'planned_at' | 'invite_late_ms'>;

/** When the INVITE was sent or received, as the timeline counts it. Older agents reported how late it was instead. */
export function inviteAt({ called_at, attempted, planned_at, invite_late_ms }: Invited): string | null {
  if (called_at !== null) return called_at.toISOString();
  return attempted && planned_at !== null ? new Date(planned_at.getTime() + (invite_late_ms ?? 0)).toISOString() : null;
}

const whole = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

/**
 * Null for an endpoint that never reached the timing collector; it is never filled with zeros (docs/contract.md,
 * Resources).
 */
function callTimingView(e: EndpointRow): Output<'listTestRunEndpoints'>['callTiming'] {
  const calling =
    e.attempted || (e.endpoint_type === 'CALLER' && e.outcome === null && e.reached >= PHASES.indexOf('CALLING'));
  if (!calling) return null;
  return {
    ...figures('LIST', (name) => whole(e[columnOf(name)])),
    finalStatusCode: e.final_status,
    finalReasonPhrase: e.final_reason,
    callResult: e.call_result ?? 'IN_PROGRESS',
  };
}
