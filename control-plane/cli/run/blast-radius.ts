/** What a run will send, in one sentence, before it starts. */
import type { Output } from '../../contract/catalogue.ts';
import type { RunOverrides } from '../../contract/run/start.ts';
import { type Api, Refused } from '../session/api.ts';

type Radius = Output<'preflightTest'>['blastRadius'];
type Ref = { readonly projectId: string; readonly testId: string };

/** Null: the server does not answer this. Errors of the start itself are reported by the start. */
export async function radiusLine(api: Api, ref: Ref, overrides: RunOverrides | undefined): Promise<string | null> {
  const { callsPerSecond, durationSeconds, calleeUri, seconds, calls, buildup, endpoints } = overrides ?? {};
  const asked = {
    calls_per_second: callsPerSecond,
    duration_seconds: durationSeconds,
    callee_uri: calleeUri,
    seconds,
    calls,
    buildup,
    endpoints,
  };
  const defined = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  try {
    return sentenceOf((await api.call('preflightTest', { ...ref, ...defined })).blastRadius);
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

const number = (n: number): string => n.toLocaleString('en', { maximumFractionDigits: 1 });

function sentenceOf(r: Radius | undefined): string | null {
  if (r === undefined) return null;
  const more = r.moreDestinations > 0 ? ` and ${r.moreDestinations} more` : '';
  const to = r.destinations.length > 0 ? `${r.destinations.join(', ')}${more}` : 'endpoints of the test';
  const allowed = r.allowed === null ? '' : `; its agents allow ${number(r.allowed.callsPerSecond)} a second`;
  return (
    `Sends up to ${number(r.calls)} calls to ${to}: at most ${number(r.callsPerSecond)} a second and ` +
    `${number(r.callsAtOnce)} at once, ${number(r.callMinutes)} minutes in all${allowed}.`
  );
}
