/** How the engine identifies an endpoint, in its registration and in its calls. */
import { filled } from '@carillon/proto/words/template.ts';
import type { SipEngine, UserAgentOptions } from '../../../sip/engine.ts';
import { escapeUser } from '../../../sip/message/uri.ts';
import { wireText } from '../../../sip/message/wire-text.ts';
import type { EndpointPlan, SharePlan } from '../../plan.ts';
import { instanceOf } from './instance-id.ts';
import { ownHeaders } from './own-values.ts';

type Local = { readonly address: string; readonly port: number };
/** The sources of calls to the endpoint, if it is a callee. */
type Sources = { readonly isAnybody: boolean; readonly takesFrom: (address: string) => boolean };
/** What the user agent takes over from the endpoint. */
type Own = Pick<UserAgentOptions, 'traffic' | 'owner'> & Required<Pick<UserAgentOptions, 'over' | 'correlation'>>;

/** The host part of addresses of record without a registrar, as peers know it. */
export const placeOf = ({ local, announced }: Pick<SipEngine, 'local' | 'announced'>): Local => ({
  address: announced?.host ?? local.address,
  port: local.port,
});

/**
 * A single object literal, because each call of a load has a user agent: an object put together from parts costs a
 * kilobyte of garbage.
 */
export function identityOf(
  { group, role }: SharePlan,
  plan: EndpointPlan,
  { address, port }: Local,
  { isAnybody, takesFrom }: Sources,
  { traffic, owner, over, correlation }: Own,
): UserAgentOptions {
  const host = address.includes(':') ? `[${address}]` : address;
  const domain = group.domain || `${host}:${port}`;
  const { account, values } = plan;
  return {
    aor: `sip:${account?.username ?? plan.user}@${domain}`,
    from: fromOf(filled(group.callerNumber, values), domain),
    displayName: filled(group.displayName, values),
    contactUser: plan.user,
    headers: ownHeaders(group.headers, values),
    credentials: account?.credentials ?? null,
    nextHop: plan.nextHop === null || plan.isDirect ? null : [plan.nextHop, ...group.gateways],
    nextHopUri: plan.nextHopUri,
    webSocketPath: group.webSocketPath,
    tls: group.tls,
    routeSet: group.routeSet,
    signalling: group.signalling,
    // Callers are called only to replace their calls.
    takesFrom: role === 'CALLEE' && !isAnybody ? takesFrom : null,
    registerRetry: group.registerRetry,
    registrarUri: group.register && over === null ? group.registrarUri : null,
    instanceId: group.outbound && over === null ? instanceOf(account?.username ?? plan.user, group.domain) : null,
    traffic,
    owner,
    over,
    correlation,
  };
}

/** `caller`: a user part, or with @ and a host the complete address; '': only the address of record. */
function fromOf(caller: string, domain: string): string | null {
  if (caller === '') return null;
  const at = caller.lastIndexOf('@');
  const [user, host] = at < 0 ? [caller, domain] : [caller.slice(0, at), caller.slice(at + 1)];
  return `sip:${escapeUser(wireText(user))}@${host}`;
}
