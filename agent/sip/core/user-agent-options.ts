/** The options of a user agent, checked, and as its messages need them. Pure. */
import type { UserAgentOptions } from '../engine.ts';
import { checkedRegistrar, checkedRoute, checkedUri } from '../message/checked-uris.ts';
import { inOnePiece } from '../message/own-text.ts';
import { headerText, quoted } from '../message/wire-text.ts';

export const FROM = 'From: ';
export const TAG = ';tag=';
export const NO_ROUTES: readonly string[] = [];

export type CheckedOptions = {
  /** The header field From, up to the value of its tag. */
  readonly fromHead: string;
  /** The value of From and To of REGISTER; null: the same as in other requests. */
  readonly registerValue: string | null;
  readonly nextHopUri: string | null;
  readonly correlation: string;
  readonly routeSet: readonly string[];
  /** Parameters of the Contact in REGISTER (RFC 5626, 4.2); '' for none. */
  readonly flowParameters: string;
  readonly registrarUri: string | null;
};

/** Throws if one is invalid: the address of record, From, the next hop, a route, the registrar. */
export function checkedOptions(options: UserAgentOptions): CheckedOptions {
  const { displayName, nextHopUri, routeSet, instanceId, registrarUri } = options;
  const aor = checkedUri(options.aor, 'address of record');
  const from = options.from ? checkedUri(options.from, 'From') : aor;
  const name = displayName ? `${quoted(displayName)} ` : '';
  return {
    fromHead: inOnePiece(`${FROM}${name}<${from}>${TAG}`),
    registerValue: from === aor ? null : `${name}<${aor}>`,
    nextHopUri: nextHopUri ? checkedUri(nextHopUri, 'next hop') : null,
    correlation: headerText(options.correlation ?? ''),
    routeSet: routeSet.length === 0 ? NO_ROUTES : routeSet.map(checkedRoute),
    flowParameters: instanceId == null ? '' : `;reg-id=1;+sip.instance="<${headerText(instanceId)}>"`,
    registrarUri: registrarUri === null ? null : checkedRegistrar(registrarUri),
  };
}
