/** The address that this agent uses for SIP and RTP, and whether its owner's policy allows that. */
import type { Config } from '../config.ts';
import { listenRefusal, reachPredicate } from './judge.ts';
import type { Policy } from './policy.ts';
import { isPrivateAddress } from './private-address.ts';

const LOOPBACK = '127.0.0.1';

/** Whether no target is on a public network: then only loopback is reachable without a private address. */
const isLocalOnly = ({ targetNetworks }: Policy): boolean =>
  targetNetworks.every((network) => isPrivateAddress(network.split('/')[0] ?? ''));

/**
 * If the environment names no address: the host's first address that the policy allows other agents to call, assuming
 * that they have the same policy. Other agents would refuse any other address.
 */
export function withAllowedAddress(config: Config, policy: Policy): Config {
  if (config.sipChoices === null) return config;
  const mayReach = reachPredicate(policy);
  const mayListen = (address: string): boolean => listenRefusal(policy, address, []) === null;
  const usable = config.sipChoices.filter(mayListen);
  const loopback = isLocalOnly(policy) && mayListen(LOOPBACK) ? [LOOPBACK] : [];
  const sipAddress = [...usable, ...loopback].find(mayReach) ?? usable[0] ?? config.sipAddress;
  return { ...config, sipAddress };
}

/** Why other agents cannot call this one at its address; null: they can, if their policy is the same. */
export function unreachable({ sipAddress, sipChoices }: Config, policy: Policy): string | null {
  if (!reachPredicate(policy)(sipAddress))
    return `${sipAddress}: the policy does not allow calls to this address, so other agents with this policy cannot call this one`;
  const others = sipChoices ?? [];
  return sipAddress === LOOPBACK && others.length > 0
    ? `${sipAddress}: the policy allows calls to no other address of this host (${others.join(', ')}), so only this host can call the agent`
    : null;
}

/** Null: the agent may listen as configured. */
export function listenFault({ sipAddress, sipPort, sipTls, rtpPorts, signallingThreads }: Config, policy: Policy) {
  const sip = [sipPort, sipTls.port].map((port) => ({ from: port, to: port === 0 ? 0 : port + signallingThreads - 1 }));
  const refused = listenRefusal(policy, sipAddress, [...sip, rtpPorts]);
  return refused === null
    ? null
    : `${refused} (CARILLON_SIP_ADDRESS, CARILLON_SIP_PORT, CARILLON_SIP_TLS_PORT, CARILLON_RTP_PORTS)`;
}
