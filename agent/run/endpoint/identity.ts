/** How an endpoint is known to the engine: in its registration as in each of its calls. */
import type { UserAgentOptions } from '../../sip/engine.ts';
import type { EndpointPlan, SharePlan } from '../plan.ts';
import { instanceOf } from './instance-id.ts';

type Local = { readonly address: string; readonly port: number };
/** From where its callees are called. */
type Sources = { readonly isAnybody: boolean; readonly takesFrom: (address: string) => boolean };
type Own = 'registrarUri' | 'traffic' | 'onIncomingCall';

export function identityOf(
  { group, role }: SharePlan,
  plan: EndpointPlan,
  { address, port }: Local,
  { isAnybody, takesFrom }: Sources,
): Omit<UserAgentOptions, Own> {
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    aor: `sip:${plan.account?.username ?? plan.user}@${group.domain || `${host}:${port}`}`,
    displayName: group.displayName,
    contactUser: plan.user,
    credentials: plan.account,
    nextHop: plan.nextHop === null ? null : [plan.nextHop],
    nextHopUri: plan.nextHopUri,
    webSocketPath: group.webSocketPath,
    tls: group.tls,
    routeSet: group.routeSet,
    signalling: group.signalling,
    // Callers are called only by what is to replace their calls.
    ...(role === 'CALLEE' && !isAnybody && { takesFrom }),
  };
}

/** And where it registers, if it does. */
export const registrantOf = (
  { group }: SharePlan,
  plan: EndpointPlan,
): Pick<UserAgentOptions, 'registrarUri' | 'instanceId'> => ({
  registrarUri: group.register ? group.registrarUri : null,
  ...(group.outbound && { instanceId: instanceOf(plan.account?.username ?? plan.user, group.domain) }),
});
