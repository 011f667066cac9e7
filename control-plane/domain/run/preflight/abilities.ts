/** Which agents support a group's media. Pure. */
import { isIP } from 'node:net';
import { inNetworks } from '@carillon/proto/base/networks.ts';
import { sipHost, transportOf } from '../../../contract/sip-uri.ts';
import type { Group } from '../../../contract/test-settings/test.ts';
import type { Ability } from '../group/ability-settings.ts';
import { ownTexts } from '../group/own-values.ts';
import { completeGroup, signallingNeeds, withScenario } from '../group/scenario.ts';
import { hasCallAfterCall, isLasting } from '../load/callers.ts';
import { type RegistrarPlan, registers } from '../plan/plan.ts';
import { isWebSocket } from './needs.ts';

/** An agent's description from its greeting; absent values did not exist at that version. */
export type AgentAbilities = {
  readonly audioCodecs: readonly string[];
  readonly videoCodecs?: readonly string[];
  readonly encryptions?: readonly string[];
  readonly mediaSources?: readonly string[];
  /** The abilities of its SIP engine: agent/sip/abilities.ts. */
  readonly sipAbilities?: readonly string[];
  /** The addresses of its host. */
  readonly addresses?: readonly string[];
  /** The addresses from which SIP is sent, and on which it is received. */
  readonly sipListeners?: readonly { readonly address: string }[];
};

/** The transport of a group's registrar, which is also the group's. */
export type Transport = Pick<RegistrarPlan, 'protocol' | 'tls'> &
  Partial<
    Pick<
      RegistrarPlan,
      | 'uri'
      | 'outboundProxyUri'
      | 'isCloud'
      | 'register'
      | 'webSocketPath'
      | 'hasIdentities'
      | 'gateways'
      | 'sourceAddress'
    >
  >;

/** The abilities that an agent lacks for a group, by name. `groups`: all groups of the test. */
export function lacks(
  group: Group,
  can: AgentAbilities,
  groups: readonly Group[] = [group],
  transport?: Transport,
): string[] {
  const isOld = !can.mediaSources?.length;
  const sources = isOld ? ['TONE', 'SPEECH', 'SILENCE'] : (can.mediaSources ?? []);
  return [
    ...group.audioCodecs.filter((codec) => !can.audioCodecs.includes(codec)),
    ...group.videoCodecs.filter((codec) => !can.videoCodecs?.includes(codec)),
    ...(group.encryption === 'NONE' || can.encryptions?.includes(group.encryption) ? [] : [group.encryption]),
    ...new Set(group.mediaTracks.flatMap(({ source }) => (sources.includes(source) ? [] : [source]))),
    ...(isOld ? unheeded(group, hearsDigits(group, groups)) : []),
    ...[
      ...(group.ice === undefined || group.ice === 'NONE' ? [] : ['ICE']),
      ...loadNeeds(group, groups, transport),
      ...sipNeeds(group, transport),
    ].filter((need) => !can.sipAbilities?.includes(need)),
    ...(transport?.sourceAddress && !hasAddress(can, transport.sourceAddress)
      ? [`the address ${transport.sourceAddress}`]
      : []),
    ...otherFamily(group, can, transport),
  ];
}

/** An address of one family sends nothing to an address of the other; WebSockets connect from any family. */
function otherFamily({ callee }: Group, { sipListeners = [] }: AgentAbilities, transport?: Transport): string[] {
  const { protocol, isCloud = true, uri, outboundProxyUri, gateways = [], sourceAddress } = transport ?? {};
  if (sipListeners.length === 0 || isWebSocket(protocol) || sourceAddress) return [];
  const first = outboundProxyUri ?? (isCloud ? undefined : uri);
  const called = callee.mode === 'EXTERNAL_URI' ? [callee.uri, ...(callee.uris ?? [])] : [];
  const hops = first === undefined ? called : [first, ...gateways.map((gateway) => `sip:${gateway}`)];
  const hosts = hops.flatMap((hop) => sipHost(hop)?.host ?? []).filter((host) => isIP(host) !== 0);
  const other = hosts.find((host) => sipListeners.every(({ address }) => isIP(address) !== isIP(host)));
  if (other === undefined) return [];
  return [`an IPv${isIP(other)} address to reach ${other} from (CARILLON_SIP_ADDRESS)`];
}

/** All callers of a test share its load. Support for endpoints with several calls is newer than support for loads. */
const loadNeeds = (group: Group, groups: readonly Group[], transport?: Transport): string[] => {
  const { isCloud = true, register = false, protocol } = transport ?? {};
  const receives = group.callee.mode === 'RECEIVE';
  const loads = !receives && isLasting({ groups });
  const outlasts = receives ? hasCallAfterCall(group) : loads && registers({ isCloud, register });
  const needs = [...(loads ? ['LOAD' as const] : []), ...(outlasts ? ['CALL_AFTER_CALL' as const] : [])];
  return needs.map((need) => ofEngine(need, group, protocol));
};

/** Older agents would ignore the setting, and the run would count as good. */
function identityNeeds(group: Group, transport?: Transport): Ability[] {
  const { callerNumber, assertedIdentity, privacy, diversion, headers, ...rest } = completeGroup(group);
  const isSaid = callerNumber !== null || assertedIdentity !== null || diversion !== null;
  const texts = ownTexts({ callerNumber, assertedIdentity, diversion, headers, ...rest });
  const hasOwn = texts.some(({ path }) => path[0] !== 'callee');
  const isAsked = isSaid || privacy.length > 0 || headers.length > 0 || hasOwn || transport?.hasIdentities;
  return isAsked ? ['IDENTITY'] : [];
}

/** A host has the whole loopback network. An agent that did not report its addresses may have the wanted one. */
function hasAddress({ addresses }: AgentAbilities, wanted: string): boolean {
  if (!addresses?.length) return true;
  return inNetworks(addresses.map((address) => (address === '127.0.0.1' ? '127.0.0.0/8' : address)))(wanted);
}

/**
 * Endpoints on SIP.js, and those over WebSockets, which older agents had on another engine, have abilities of separate names:
 * agent/sip/abilities.ts.
 */
function ofEngine(need: Ability, { engine }: Pick<Group, 'engine'>, protocol: string | undefined): string {
  if (engine === 'SIPJS') return `${need} with SIPJS`;
  return isWebSocket(protocol) ? `${need} over WebSocket` : need;
}

const sipNeeds = (group: Group, transport?: Transport): string[] =>
  isWebSocket(transport?.protocol)
    ? [
        ...engineNeeds(group, transport).map((need) => ofEngine(need, group, transport?.protocol)),
        transport?.protocol ?? '',
        // Older agents would use their only engine for WebSockets.
        ...(group.engine === 'SIPJS' ? ['SIPJS'] : []),
        ...(transport?.webSocketPath ? ['WS_PATH'] : []),
      ]
    : [
        ...(group.engine === 'SIPJS' ? [`SIPJS over ${transport?.protocol ?? 'UDP'}`] : []),
        ...engineNeeds(group, transport),
        ...transportNeeds(group, transport),
      ];

const engineNeeds = (group: Group, transport?: Transport): Ability[] => [
  ...signallingNeeds(withScenario(group)),
  ...identityNeeds(group, transport),
  ...(group.registerRetry ? ['REGISTER_RETRY' as const] : []),
  ...(transport?.gateways?.length ? ['GATEWAYS' as const] : []),
  // Older agents would send from their default address.
  ...(transport?.sourceAddress ? ['SOURCE_ADDRESS' as const] : []),
];

/** Older agents would send by UDP. */
const transportNeeds = ({ callee }: Group, transport?: Transport): string[] => [
  ...new Set([
    ...(transport && transport.protocol !== 'UDP' ? [transport.protocol] : []),
    ...(transport?.tls ? ['TLS'] : []),
    ...(callee.mode === 'EXTERNAL_URI'
      ? [callee.uri, ...(callee.uris ?? [])].flatMap((uri) => transportOf(uri)).map(spoken)
      : []),
  ]),
];

/** WebSockets are only used for registrars with that protocol. */
const spoken = (transport: string): string => (isWebSocket(transport) ? `calls by ${transport}` : transport);

/** Agents that report no sources would ignore the setting, and the run would count as good. */
const unheeded = (group: Group, isSentDigits: boolean): string[] => [
  ...(group.impairment ? ['impairment'] : []),
  ...(group.dtmf ? ['DTMF'] : []),
  ...(isSentDigits && !group.dtmf ? ['telephone events'] : []),
  ...(group.mediaTracks.some(({ dscp }) => dscp) ? ['DSCP'] : []),
];

/** True if callers of another group press keys that this group's callees hear. */
const hearsDigits = (group: Group, groups: readonly Group[]): boolean =>
  groups.some(({ dtmf, callee }) => dtmf !== null && callee.mode === 'GROUP' && callee.groupId === group.id);
